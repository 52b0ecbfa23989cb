// What the page says after an answer: what a goal still asks for, in the author's sentence for a demand or one that follows
// from its expression; and a listed solution in words.
import * as texts from '#messages/lesson/verdicts';
import type { TemplateResult } from 'lit';
import { namesIn as labelsOf } from '../../figures/shared/summary';
import { escape } from '../../ui/escape';
import { evaluate, holds, namesIn, type Calculator, type Names, only, type Value } from '../expression';
import { findNode } from '../../lab/cursor';
import { code, short, type Message } from './answer';
import { builtHtml } from '../../ui/built-html';
import type { Labels } from '../../lab/page';
import type { Run } from '../run';
import type { TaskOf, AnsweredTask } from '../format/tasks';
import type { Change, Changes } from '../changes';

type Here = Pick<Run, 'trace' | 'words'>;

/** What must hold, each for itself. */
export const demandsOf = (goal: TaskOf<'goal'>['goal']): string[] => [goal].flat();

/** A comparison's sides as they are written; "~" is for those that differ by little. */
interface Comparison {
  left: string;
  op: string;
  right: string;
}

/** Of all values: the largest difference. */
const NEAR_ALL = /^max\((abs\(.*\))\)( < 0\.001)$/;
const NEAR = /^abs\((?<left>.*?) - (?<right>.*)\) < 0\.001$/;
const COMPARED = /^(?<left>.*) (?<op>[=!<>]=|[<>]) (?<right>.*)$/;

function comparisonIn(demand: string): Comparison | null {
  const {
    left,
    op = '~',
    right,
  } = (NEAR.exec(demand.replace(NEAR_ALL, '$1$2')) ?? COMPARED.exec(demand))?.groups ?? {};
  return left && right ? { left, op, right } : null;
}

/** The first demand that does not hold; null if all hold. Throws BadExpression. */
export async function firstUnmet(
  session: Calculator,
  { goal, unmet }: Pick<TaskOf<'goal'>, 'goal' | 'unmet'>,
  run: Here & Names,
  labels: Labels,
): Promise<Message | null> {
  const demands = demandsOf(goal);
  const here = { ...run, ...(await only(demands.flatMap(namesIn), run)) };
  for (const [i, demand] of demands.entries())
    if (!(await holds(session, demand, here))) return sentenceFor(session, demand, unmet?.[i] ?? null, here, labels);
  return null;
}

/** `authored` is the author's sentence: {now} and {wanted} stand for the two sides, {token} for the left one as a token. */
export async function sentenceFor(
  session: Calculator,
  demand: string,
  authored: string | null,
  run: Here & Names,
  labels: Labels,
): Promise<Message> {
  const comparison = comparisonIn(demand);
  const side = (text: string | undefined): Promise<Value | null> =>
    text === undefined ? Promise.resolve(null) : evaluate(session, text, run);
  const [now, wanted] = [await side(comparison?.left), await side(comparison?.right)];
  if (authored === null)
    return (comparison && new Words(run, labels).sentence(comparison, now!, wanted!)) || texts.NOT_REACHED;
  const words: Record<string, string> = { now: plain(now), wanted: plain(wanted), token: tokenOf(now, run) };
  return builtHtml(authored.replace(/\{(now|wanted|token)\}/g, (_, word: string) => escaped(words[word]!)));
}

const escaped = (text: string): string => text.replace(/[&<>]/g, escape);

/** Numbers that a sentence can hold. */
const FEW = 4;

/** A text, a number, or a few in brackets; "" for anything else. */
function plain(value: Value | null): string {
  if (typeof value === 'string') return value || texts.NOTHING;
  if (value === null || value.isTruth || value.values.length > FEW) return '';
  const numbers = Array.from(value.values, short);
  return numbers.length === 1 ? numbers[0]! : `(${numbers.join(', ')})`;
}

function tokenOf(value: Value | null, { words }: Here): string {
  const at = value !== null && typeof value === 'object' ? value.values[0]! : -1;
  return words?.[at] ?? plain(value);
}

/** Sentences for goals about tensors with short names. */
class Words {
  constructor(
    private readonly run: Here,
    private readonly labels: Labels,
  ) {}

  sentence({ op, left, right }: Comparison, now: Value, wanted: Value): Message | null {
    if (typeof now === 'string' || typeof wanted === 'string')
      return left.startsWith('written')
        ? texts.shouldWrite(code(plain(wanted)), now === '' ? texts.NOTHING : code(plain(now)))
        : null;
    const what = this.phrase(left);
    if (what === null || now.isTruth || wanted.isTruth) return null;
    const other = wanted.values.length > 1 ? this.phrase(right) : null;
    if (wanted.values.length > 1) return other && texts.shouldEqual(what, other);
    const one = now.values.length === 1;
    const all = !one && PLACE.exec(left)?.groups!.at === undefined ? [texts.EVERY, ...what] : what;
    return texts.shouldBe(all, op, plain(wanted), one ? plain(now) : null);
  }

  /** Null if the expression is not one of the usual. */
  private phrase(text: string): texts.Part[] | null {
    const { name, slope, at } = PLACE.exec(text)?.groups ?? {};
    if (name !== undefined) return this.place(slope ? `∂${name}` : name, at?.split(','));
    const [, f, inner] = /^(\w+)\((.+)\)$/.exec(text) ?? [];
    if (f === undefined) return null;
    const nested = f === 'max' ? /^abs\((.+)\)$/.exec(inner!)?.[1] : undefined;
    const of = this.phrase(nested ?? inner!);
    const begun = nested ? texts.LARGEST_SIZE : texts.OF_ALL[f];
    return of && begun !== undefined ? [begun, ...of] : null;
  }

  /** The whole; one element or row; or a range in a row. Axes before the last two are not told. */
  private place(tensor: string, at: readonly string[] | undefined): texts.Part[] | null {
    const of = code(tensor);
    if (!at) return [of];
    const node = findNode(this.run.trace, tensor);
    if (!node) return null;
    const { rows, columns } = labelsOf(this.labels, this.run.trace, node);
    const name = (names: readonly string[] | undefined, i: string): string => names?.[Number(i)] ?? i;
    const [row, column] = at.length === 1 ? [at[0]!] : at.slice(-2);
    if (!isWhole(row!)) return null;
    if (!column)
      return node.shape.length === 1 ? texts.itemOf(of, name(columns, row!)) : texts.rowOf(of, name(rows, row!));
    const r = name(rows, row!);
    if (isWhole(column)) return texts.cellOf(of, r, name(columns, column));
    const [, first, end] = /^(\d*):(\d*)$/.exec(column) ?? [];
    if (first === undefined) return null;
    const last = Number(end || node.shape.at(-1)!) - 1;
    return texts.cellsOf(of, r, name(columns, first || '0'), name(columns, String(last)));
  }
}

/** A tensor with a short name, its gradient, or a place in it. */
const PLACE = /^(?<name>[\p{L}_][\p{L}\p{M}\p{N}_]*)(?<slope>\.grad)?(?:\[(?<at>[^[\]]+)\])?$/u;
const isWhole = (text: string): boolean => /^\d+$/.test(text);

const shown = (value: Change): string => (Array.isArray(value) ? `(${value.join(', ')})` : String(value));

/** A pair is read, steps are trained, all else is set: settings that follow each other are one instruction. */
function instructionsOf(changes: Changes): texts.Instruction[] {
  const all: texts.Instruction[] = [];
  for (const [name, value] of Object.entries(changes)) {
    const next = instructionOf(name, value);
    const last = all.at(-1);
    if (last && 'set' in last && 'set' in next) all[all.length - 1] = { set: [...last.set, ...next.set] };
    else all.push(next);
  }
  return all;
}

function instructionOf(name: string, value: Change): texts.Instruction {
  if (name === 'steps') return { train: Number(value) };
  if (name !== 'pair') return { set: [code(`${name} = ${shown(value)}`)] };
  const [source, target] = value as string[];
  return { read: code(source!), target: target ? code(target) : null };
}

/** Every task but multiple choice, where each option has its own explanation. */
export type Solvable = Exclude<AnsweredTask, { kind: 'choose' }>;

/** The first listed solution; for `order` the steps in their order, with texts copied from the page. */
export function listedSolution(task: Solvable, page: HTMLElement): TemplateResult {
  switch (task.kind) {
    case 'goal':
      return texts.instructions(instructionsOf(task.solution[0] as Changes));
    case 'number':
      return texts.solution(task.solution[0]!);
    case 'write':
      return texts.solution(code(task.solution[0]!));
    case 'order':
      return texts.inOrder(task.steps.map((_, i) => stepText(page, i)));
  }
}

const stepText = (page: HTMLElement, step: number): Node[] =>
  textOf(page.querySelector(`[data-step="${step}"] > span`));

/** A copy of what it holds. */
export const textOf = (element: Element | null): Node[] => [...(element?.cloneNode(true).childNodes ?? [])];
