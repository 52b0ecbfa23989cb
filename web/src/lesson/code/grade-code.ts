// Grades a function or a class that the reader has written: it runs on given inputs, beside the one that is right.
import * as texts from '#messages/lesson/code';
import { html } from 'lit';
import type { MessageArgument } from '../../../../bindings/engine';
import { unplaced, type EngineError } from '../../messages/sentence';
import { placeOf } from '../../editor/checker';
import { Refused, unwrap } from '../../engine/refused';
import { cellCount, type NamedTensor, type Problem } from '../../engine/types';
import { UnreadableAnswer, type Verdict } from '../task/answer';
import { builtHtml } from '../../ui/built-html';
import { agree, differenceOf, missOf, shownInput, type Miss, type Outcome } from './feedback';
import type { SessionLike } from '../run';
import type { Code } from '../format/tasks';

export type Session = Pick<SessionLike, 'load' | 'run' | 'trace' | 'values'>;
type Case = Code['cases'][number];

/**
 * The program, the functions that call it, and a last function with the call; its parameters are the inputs of the case. The
 * calling functions come second, so that nothing in the program can take its place.
 */
export function withCall(program: string, { given, call }: Pick<Code, 'given' | 'call'>, inputs: Case): string {
  const parameters = Object.entries(inputs).map(([name, drawn]) => `${name}=${drawn}`);
  const whole = [program, given ?? ''].map((part) => part.trimEnd()).filter(Boolean);
  return `${whole.join('\n\n')}\n\ndef on_these_inputs(${parameters.join(', ')}):\n    return ${call}\n`;
}

/** Refuses a tuple, a list and None, of which a call alone would return the first or nothing. */
const oneTensor = (call: string): string => `${call} + 0`;

/** Loads, runs on these inputs (null: those that the program draws), and returns the inputs, the output and its gradients. */
async function runOn(session: Session, program: string, fixed: NamedTensor[] | null) {
  const info = await unwrap(session.load({ kind: 'program', program }));
  const run = await unwrap(
    session.run((fixed ?? []).filter(({ name }) => info.inputs.some((each) => each.name === name))),
  );
  const trace = await unwrap(session.trace());
  const leaf = (name: string) => trace.nodes.find((node) => node.name === name && node.phase === 'leaf')!;
  const inputs: NamedTensor[] = [];
  const gradients = new Map<string, Float32Array>();
  for (const { name, shape } of info.inputs) {
    const { id, gradient } = leaf(name);
    inputs.push({ name, shape, values: await unwrap(session.values(id)) });
    if (gradient >= 0) gradients.set(name, await unwrap(session.values(gradient)));
  }
  const output = trace.nodes[run.output]!;
  return { inputs, gradients, shape: output.shape, values: await unwrap(session.values(run.output)) };
}

const WEIGHTS = 'weights_of_sum';

/** What is right: the target of a puzzle, else what the first solution makes. */
function rightOf({ target, solution, call }: Code): { program: string; call: string } {
  if (target === undefined) return { program: solution[0]!, call };
  const [, name, parameters] = [...target.matchAll(/^def (\w+)\(([^)]*)\)/gm)].at(-1) ?? [];
  return name ? { program: target, call: `${name}(${parameters})` } : { program: '', call: target.trim() };
}

class Trial {
  private inputs: NamedTensor[] = [];
  /** What the weights of the sum are drawn from, whose gradients are compared; null without gradients. */
  private weights: string | null = null;
  right: Outcome = { shape: [], values: new Float32Array(), gradients: new Map() };

  private constructor(
    private readonly session: Session,
    private readonly task: Code,
    private readonly at: Case,
  ) {}

  /** Draws the inputs of a case, and finds out what is right for them. */
  static async begin(session: Session, task: Code, at: Case): Promise<Trial> {
    const trial = new Trial(session, task, at);
    const { program, call } = rightOf(task);
    const { inputs, shape } = await runOn(session, withCall(program, { ...task, call }, at), null);
    trial.inputs = inputs;
    trial.right.shape = shape;
    if (task.gradients) await trial.drawWeights();
    trial.right = await trial.run(program, call);
    return trial;
  }

  private async drawWeights(): Promise<void> {
    const { shape } = this.right;
    this.weights = cellCount(shape) > 1 ? `randn(${shape.join(', ')})` : 'ones(1)';
    const { inputs } = await runOn(this.session, this.weighted(this.task.solution[0]!), this.inputs);
    this.inputs.push(...inputs.filter(({ name }) => name === WEIGHTS));
  }

  private weighted(program: string): string {
    const call = `(${this.task.call} * ${WEIGHTS}).sum()`;
    return withCall(program, { ...this.task, call }, { ...this.at, [WEIGHTS]: this.weights! });
  }

  /** The inputs of the case: each name with its shape, or with what is no tensor. */
  get described(): [name: string, what: readonly number[] | string][] {
    const shapeOf = (name: string): readonly number[] | undefined =>
      this.inputs.find((each) => each.name === name)?.shape;
    return Object.entries(this.at).map(([name, drawn]) => [name, shapeOf(name) ?? drawn]);
  }

  /** The same, but where numbers can be read they are shown; of an input with a row for each of the result, that row. */
  shown(row: number): [name: string, what: readonly number[] | string][] {
    return this.described.map(([name, what]) => {
      const tensor = this.inputs.find((each) => each.name === name);
      return tensor
        ? shownInput(tensor, row, this.task.rows === 'weights' ? undefined : this.right.shape[0])
        : [name, what];
    });
  }

  /** The same inputs for every program: what it draws itself does not matter. Throws Refused. */
  async run(program: string, call = this.task.call): Promise<Outcome> {
    const whole = withCall(program, { ...this.task, call: oneTensor(call) }, this.at);
    const { shape, values } = await runOn(this.session, whole, this.inputs);
    const sameShape = String(shape) === String(this.right.shape);
    if (!this.weights || !sameShape) return { shape, values, gradients: new Map() };
    const { gradients } = await runOn(this.session, this.weighted(program), this.inputs);
    gradients.delete(WEIGHTS);
    return { shape, values, gradients };
  }
}

/** Throws UnreadableAnswer for a program that does not run. */
export async function gradeCode(session: Session, task: Code, text: string): Promise<Verdict> {
  const refused = refusalOf(task, text);
  if (refused !== null) return { right: false, message: refused };
  const trials: Trial[] = [];
  for (const [i, at] of task.cases.entries()) {
    const trial = await Trial.begin(session, task, at);
    trials.push(trial);
    const inFull = (problem: string): string => (i ? texts.notAtFirst(problem, trial.described) : problem);
    const mine = await outcomeOf(trial, task, text, inFull);
    const fault = faultOf(task, mine, trial.right);
    if (!fault) continue;
    const why = await listed(trials, task, mine);
    if (fault.row === undefined) return { right: false, message: why ?? inFull(fault.message) };
    const message = texts.onInputs(fault.message, trial.shown(fault.row), i);
    return { right: false, message: why ? html`${message} ${why}` : message };
  }
  const count = task.cases.length;
  return { right: true, message: task.target === undefined ? texts.agrees(count, task.gradients) : texts.holds(count) };
}

/** A mistake after the end of the text is in the call: the function is missing, or takes something else. */
async function outcomeOf(
  trial: Trial,
  task: Code,
  text: string,
  inFull: (problem: string) => string,
): Promise<Outcome> {
  try {
    return await trial.run(text);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { message } = error.problem;
    const { line } = placeOf(error.problem) ?? { line: 0 };
    const linesAfter = line - text.trimEnd().split('\n').length;
    throw new UnreadableAnswer(inFull(linesAfter > 0 ? await problemAfter(linesAfter, task, error.problem) : message));
  }
}

/** In a line that calls the reader's functions, or in the call. */
async function problemAfter(line: number, { given, call }: Code, problem: Problem): Promise<string> {
  const callingLine = given && given.trimEnd().split('\n')[line - 2]; // after an empty line
  if (callingLine) return texts.givenFails(callingLine.trim(), await unplaced(problem));
  const result = notAdded(problem);
  return result ? texts.returnsNot(await unplaced(result)) : texts.notCallable(call, await unplaced(problem));
}

/** The result, in words, to which the engine does not add what a trial adds, which is 0. */
function notAdded({ id, arguments: [result, operator, added] = [] }: Problem): Partial<EngineError> | undefined {
  const isZero = isPhrase(added) && added.id === 'the_number' && Number(added.arguments[0]) === 0;
  return id === 'operation_has_no_meaning' && operator === '+' && isZero && isPhrase(result) ? result : undefined;
}

type Phrase = Extract<MessageArgument, { id: string }>;
const isPhrase = (argument?: MessageArgument): argument is Phrase => typeof argument === 'object' && 'id' in argument;

/** What is wrong, and in a puzzle where; null if nothing is. */
function faultOf(
  { within, rows }: Code,
  mine: Outcome,
  right: Outcome,
): (Partial<Miss> & Pick<Miss, 'message'>) | null {
  if (within !== undefined) return missOf(mine, right, within, rows);
  const message = differenceOf(mine, right);
  return message === null ? null : { message };
}

/**
 * The reason of the listed wrong program that makes the same of the last of these cases, and is right in those before, as the
 * reader's is. Such a program may not run on a case that comes after the one it fails.
 */
async function listed(trials: readonly Trial[], task: Code, mine: Outcome): Promise<Verdict['message'] | null> {
  const [last, ...before] = trials.toReversed();
  for (const { try: wrong, why } of task.wrong) {
    const outcome = await last!.run(wrong).catch(nullIfRefused);
    if (outcome && agree(mine, outcome) && (await isRight(before, task, wrong))) return builtHtml(why);
  }
  return null;
}

/** One case after another: a session has one program. */
async function isRight(trials: readonly Trial[], task: Code, text: string): Promise<boolean> {
  for (const trial of trials) {
    const outcome = await trial.run(text).catch(nullIfRefused);
    if (!outcome || faultOf(task, outcome, trial.right)) return false;
  }
  return true;
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Refused) return null;
  throw error;
}

type Rules = Pick<Code, 'without' | 'lines' | 'given' | 'start' | 'target'>;

/** Without comments and texts. */
const bare = (text: string): string => text.replace(/#.*|"[^"\n]*"|'[^'\n]*'/g, '');

const defined = (code: string): string[] =>
  Array.from(code.matchAll(/^(?:def|class)\s+([\p{L}_][\p{L}\p{N}_]*)/gmu), ([, name]) => name!);

/** An operation that the exercise is about, where the text calls it or names it; the reader's own name is another. */
export function usedOf(text: string, without: readonly string[]): string | undefined {
  const code = bare(text);
  const own = (name: string): boolean => new RegExp(`\\bdef\\b.*\\b${name}\\b|^\\s*${name}\\s*=(?!=)`, 'm').test(code);
  const use = (name: string): string => (own(name) ? `\\.${name}\\s*\\(` : `\\b${name}\\b(?!\\s*=(?!=))`);
  return without.find((name) => new RegExp(use(name)).test(code));
}

/** A function or class in the reader's text that is given, or that has the name of an operation that the given ones use. */
function takenOf(code: string, callers: string, start: string): string | undefined {
  const called = Array.from(
    bare(callers).matchAll(/(?<![.\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]*(?=\()/gu),
    ([name]) => name,
  );
  const taken = new Set([...defined(callers), ...called]);
  for (const asked of defined(start)) taken.delete(asked);
  return defined(code).find((name) => taken.has(name));
}

/** Something that outlasts a call: a line outside of functions, or a default value, which all calls share. */
const keeps = (code: string): boolean => /^(?!def\b)[^\s)\]}]/m.test(code) || /^def\b[^(]*\([^)]*=/m.test(code);

const lineCount = (code: string): number => code.split('\n').filter((line) => line.trim()).length;

/** Null if there is nothing against the text. */
export function refusalOf(rules: Rules, text: string): string | null {
  const code = bare(text);
  const used = usedOf(text, rules.without);
  if (used) return texts.mayNotUse(used);
  const taken = rules.given && takenOf(code, rules.given, rules.start);
  if (taken) return texts.isGiven(taken);
  if (rules.given && rules.target !== undefined && keeps(code)) return texts.KEEPS;
  const count = lineCount(code);
  return rules.lines !== undefined && count > rules.lines ? texts.tooLong(count, rules.lines) : null;
}
