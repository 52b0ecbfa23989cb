// What the page says after an answer: what a goal still asks for, in the author's sentence for a demand or one that follows
// from its expression; and a listed solution in words.
import * as texts from '#messages/lesson/goals';
import { inOrder, instructions, solution, type Instruction } from '#messages/lesson/solutions';
import type { TemplateResult } from 'lit';
import { namesIn as namesOf } from '../../figures/shared/labels';
import { escape } from '../../ui/escape';
import { evaluate, type Value } from '../expression/expression';
import { findNode } from '../../lab/cursor/names';
import { built, code, short, type Message } from './answer';
import type { Lookup } from '../facts';
import type { Expression } from '../expression/parser';
import type { Labels } from '../../lab/page';
import type { Run } from '../run';
import type { TaskOf, AnsweredTask } from '../format/tasks';
import type { Change, Changes } from '../changes';

type Comparison = Expression & { kind: 'comparison' };
type Here = Pick<Run, 'trace' | 'words'>;

/** The operands of the top-level "and" of a goal. */
export const demandsOf = (goal: Expression): Expression[] =>
  goal.kind === 'and' ? [...demandsOf(goal.left), ...demandsOf(goal.right)] : [goal];

/** The first demand that does not hold; null if all hold. Throws BadExpression. */
export function firstUnmet(
  goal: Expression,
  { unmet }: Pick<TaskOf<'goal'>, 'unmet'>,
  run: Here,
  lookup: Lookup,
  labels: Labels,
): Message | null {
  const demands = demandsOf(goal);
  const missing = demands.findIndex((demand) => !evaluate(demand, lookup));
  return missing < 0 ? null : sentenceFor(demands[missing]!, unmet?.[missing] ?? null, run, lookup, labels);
}

/** `authored` is the author's sentence: {now} and {wanted} stand for the two sides, {token} for the left one as a token. */
export function sentenceFor(
  demand: Expression,
  authored: string | null,
  run: Here,
  lookup: Lookup,
  labels: Labels,
): Message {
  const side = (part: 'left' | 'right'): Value | null =>
    demand.kind === 'comparison' ? evaluate(demand[part], lookup) : null;
  if (authored === null)
    return (demand.kind === 'comparison' && new Words(run, labels).sentence(demand, lookup)) || texts.NOT_REACHED;
  const words: Record<string, () => string> = {
    now: () => plain(side('left')),
    wanted: () => plain(side('right')),
    token: () => tokenOf(side('left'), run),
  };
  return built(authored.replace(/\{(now|wanted|token)\}/g, (_, word: string) => escaped(words[word]!())));
}

const escaped = (text: string): string => text.replace(/[&<>]/g, escape);

/** Numbers that a sentence can hold. */
const FEW = 4;

/** A text, a number, or a few in brackets; "" for anything else. */
function plain(value: Value | null): string {
  if (typeof value === 'string') return value || texts.NOTHING;
  if (value === null || typeof value === 'boolean' || value.values.length > FEW) return '';
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

  sentence({ op, left, right }: Comparison, lookup: Lookup): Message | null {
    const [now, wanted] = [evaluate(left, lookup), evaluate(right, lookup)];
    if (typeof now === 'string' || typeof wanted === 'string')
      return left.kind === 'name' && left.name.startsWith('written')
        ? texts.shouldWrite(code(plain(wanted)), now === '' ? texts.NOTHING : code(plain(now)))
        : null;
    const what = this.phrase(left);
    if (what === null || typeof now === 'boolean' || typeof wanted === 'boolean') return null;
    const other = wanted.values.length > 1 ? this.phrase(right) : null;
    if (wanted.values.length > 1) return other && texts.shouldEqual(what, other);
    const one = now.values.length === 1;
    const all = !one && left.kind === 'name' ? [texts.EVERY, ...what] : what;
    return texts.shouldBe(all, op, plain(wanted), one ? plain(now) : null);
  }

  /** Null if the expression is not one of the usual. */
  private phrase(part: Expression): texts.Part[] | null {
    if (part.kind === 'name') return isShort(part.name) ? [code(part.name)] : null;
    if (part.kind === 'index') return this.place(part);
    if (part.kind !== 'call' || part.args.length !== 1) return null;
    const [inner] = part.args as [Expression];
    const nested = inner.kind === 'call' && inner.name === 'abs' && part.name === 'max' ? inner.args[0]! : null;
    const of = this.phrase(nested ?? inner);
    const begun = nested ? texts.LARGEST_SIZE : texts.OF_ALL[part.name];
    return of && begun !== undefined ? [begun, ...of] : null;
  }

  /** One element or row, or a range in a row. Axes before the last two are not told. */
  private place({ of, at }: Expression & { kind: 'index' }): texts.Part[] | null {
    const node = of.kind === 'name' && isShort(of.name) ? findNode(this.run.trace, of.name) : undefined;
    if (!node || of.kind !== 'name') return null;
    const { rows, columns } = namesOf(this.labels, this.run.trace, node);
    const name = (names: readonly string[] | undefined, i: number): string => names?.[i] ?? String(i);
    const [row, column] = at.length === 1 ? [at[0]!] : at.slice(-2);
    const tensor = code(of.name);
    if (row?.kind !== 'number') return null;
    if (!column)
      return node.shape.length === 1
        ? texts.itemOf(tensor, name(columns, row.value))
        : texts.rowOf(tensor, name(rows, row.value));
    const r = name(rows, row.value);
    if (column.kind === 'number') return texts.cellOf(tensor, r, name(columns, column.value));
    if (column.kind !== 'range') return null;
    const size = node.shape.at(-1)!;
    const end = (edge: Expression | null, fallback: number): number =>
      edge?.kind === 'number' ? edge.value : fallback;
    const [first, last] = [end(column.start, 0), end(column.stop, size) - 1];
    return texts.cellsOf(tensor, r, name(columns, first), name(columns, last));
  }
}

/** A letter or a word, not a path in the model. */
const isShort = (name: string): boolean => !/[./]/.test(name);

const shown = (value: Change): string => (Array.isArray(value) ? `(${value.join(', ')})` : String(value));

/** A pair is read, steps are trained, all else is set: settings that follow each other are one instruction. */
function instructionsOf(changes: Changes): Instruction[] {
  const all: Instruction[] = [];
  for (const [name, value] of Object.entries(changes)) {
    const next = instructionOf(name, value);
    const last = all.at(-1);
    if (last && 'set' in last && 'set' in next) all[all.length - 1] = { set: [...last.set, ...next.set] };
    else all.push(next);
  }
  return all;
}

function instructionOf(name: string, value: Change): Instruction {
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
      return instructions(instructionsOf(task.solution[0] as Changes));
    case 'number':
      return solution(task.solution[0]!);
    case 'write':
      return solution(code(task.solution[0]!));
    case 'order':
      return inOrder(task.steps.map((_, i) => stepText(page, i)));
  }
}

const stepText = (page: HTMLElement, step: number): Node[] =>
  textOf(page.querySelector(`[data-step="${step}"] > span`));

/** A copy of what it holds. */
export const textOf = (element: Element | null): Node[] => [...(element?.cloneNode(true).childNodes ?? [])];
