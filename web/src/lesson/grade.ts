// Grading: every answer is held against what the engine computes, here and on the exercise's hidden cases.
import { parseNumber } from '../views/numbers';
import { type Changes, perform, type Run, type SessionLike, sortChanges, tableOf, type Work } from './changes';
import {
  BadExpression,
  CLOSE,
  evaluate,
  type Expression,
  holds,
  type Lookup,
  namesIn,
  numberOf,
  parse,
  partsOf,
  type Value,
} from './expression';
import { findNode } from './find-node';
import { sameConfig } from './trained';
import type { Task, TaskOf } from '../../plugin/tasks';

export interface Verdict {
  right: boolean;
  /** What to say, as HTML made when the lesson was built, or plain text of ours. */
  html: string;
  /** It is refused for what was done before: the lesson's own model is to be had again. */
  afresh?: true;
}

/** Said of an answer that cannot be read: it is no try. */
export class Unreadable extends Error {}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const code = (text: string): string => `<code>${escaped(text)}</code>`;
export const short = (x: number): string =>
  String(Number(x.toPrecision(5)))
    .replace('-', '−')
    .replace('Infinity', '∞');

/** What each kind of task takes as an answer: the learner's experiment, a text, or positions. */
export type AnswerOf<K extends Task['kind']> = K extends 'goal'
  ? Work
  : K extends 'number' | 'write'
    ? string
    : number[];
export type Answer = AnswerOf<Task['kind']>;

/** `base` is the lesson's own experiment. Throws Unreadable, or Refused by the engine. */
export function grade(session: SessionLike, base: Work, task: Task, answer: Answer): Promise<Verdict> {
  switch (task.kind) {
    case 'goal':
      return gradeGoal(session, base, task, answer as Work);
    case 'number':
      return gradeNumber(session, base, task, answer as string);
    case 'choose':
      return gradeChoice(session, base, task, (answer as number[])[0]!);
    case 'order':
      return gradeOrder(session, base, task, answer as number[]);
    case 'write':
      return gradeWriting(session, base, task, answer as string);
  }
}

async function truthOf(run: Run, text: string): Promise<boolean> {
  return holds(text, await run.lookup(namesIn(parse(text))));
}

async function gradeGoal(session: SessionLike, base: Work, task: TaskOf<'goal'>, work: Work): Promise<Verdict> {
  const stranger = strangers(base, task, work)[0];
  if (stranger)
    return {
      right: false,
      html: `${code(stranger)} was changed too, and is to stay as it was: set it back, or start afresh.`,
      afresh: true,
    };
  const here = await perform(session, work);
  const missing = await missingIn(here, task.goal);
  if (missing) {
    const why = await knownMistake(session, base, task, here);
    return why === null ? { right: false, ...missing } : { right: false, html: why };
  }
  for (const other of task.cases)
    if ((await missingIn(await perform(session, work, other), task.goal)) !== null)
      return {
        right: false,
        html:
          (await knownMistake(session, base, task, await perform(session, work))) ??
          task.elsewhere ??
          'It holds here, but not on other inputs.',
      };
  return { right: true, html: task.cases.length ? 'It holds here, and on other inputs too.' : 'It holds.' };
}

/** Told, and told the same. */
const agrees = (told: unknown, now: unknown): boolean => told != null && String(told) === String(now);

/**
 * What the learner changed although the exercise does not allow it. What a step of the text brought may stay, unless the
 * step brought what the exercise asks for.
 */
function strangers(base: Work, { change }: TaskOf<'goal'>, work: Work): string[] {
  const own = tableOf({ ...base, steps: sameConfig(work, base) ? base.steps : 0 });
  const now = tableOf(work);
  const allowed = (name: string): boolean => change.some((each) => name === each || name.endsWith(`/${each}`));
  const changed = Object.keys(now).filter((name) => String(now[name]) !== String(own[name]));
  const brought = (base.brought ?? [])
    .map((changes) => tableOf(sortChanges(changes, [])))
    .filter((table) => !changed.some((name) => allowed(name) && agrees(table[name], now[name])));
  const isBrought = (name: string): boolean => brought.some((table) => agrees(table[name], now[name]));
  const edits = work.edits.map(({ name }) => name);
  return [...changed.filter((name) => !isBrought(name)), ...edits].filter((name) => !allowed(name));
}

/** The parts of a goal that are joined by "and". */
const demands = (goal: Expression): Expression[] =>
  goal.kind === 'and' ? [...demands(goal.left), ...demands(goal.right)] : [goal];

/** What of the goal does not hold yet, or why that cannot be told: other settings can leave out what it is about. */
async function missingIn(run: Run, text: string): Promise<Omit<Verdict, 'right'> | null> {
  const goal = parse(text);
  try {
    const html = firstMissing(goal, text, await run.lookup(namesIn(goal)));
    return html === null ? null : { html };
  } catch (error) {
    if (!(error instanceof BadExpression)) throw error;
    const html = `That cannot be told of the model as it is now. ${escaped(error.message)} Set back what you changed, or start afresh.`;
    return { html, afresh: true };
  }
}

function firstMissing(goal: Expression, text: string, lookup: Lookup): string | null {
  for (const demand of demands(goal)) {
    if (evaluate(demand, lookup)) continue;
    const wanted = `${code(text.slice(demand.from, demand.to))} does not hold yet`;
    const left = demand.kind === 'comparison' ? demand.left : null;
    const now = left && evaluate(left, lookup);
    const told = now === null ? null : inWords(now);
    return told === null ? `${wanted}.` : `${wanted}: ${code(text.slice(left!.from, left!.to))} is ${told}.`;
  }
  return null;
}

/** A text or a single number; null for anything longer. */
function inWords(value: Value): string | null {
  if (typeof value === 'string') return value === '' ? 'empty' : code(value);
  return typeof value === 'object' && value.values.length === 1 ? short(value.values[0]!) : null;
}

/** The listed explanation, if the learner's tensors are those of a listed wrong answer. */
async function knownMistake(session: SessionLike, base: Work, task: TaskOf<'goal'>, here: Run): Promise<string | null> {
  const names = namesIn(parse(task.goal));
  const found = await valuesOf(here, names);
  for (const { try: changes, why } of task.wrong)
    if ((await valuesOf(await perform(session, base, changes as Changes), names)) === found) return why;
  return null;
}

async function valuesOf(run: Run, names: readonly string[]): Promise<string> {
  const lookup = await run.lookup(names);
  return names.map((name) => lookup.text?.(name) ?? Array.from(lookup(name)?.values ?? []).join(' ')).join('\n');
}

/** A number, or a sum like 10 / sqrt(3). */
export function readNumber(text: string): number {
  const plain = parseNumber(text);
  if (plain !== null) return plain;
  try {
    return numberOf(text, () => undefined);
  } catch (error) {
    if (!(error instanceof BadExpression)) throw error;
    throw new Unreadable(`"${text.slice(0, 30)}" is not a number; write one like 0.25 or 10 / sqrt(3).`);
  }
}

async function numberIn(run: Run, text: string): Promise<number> {
  return numberOf(text, await run.lookup(namesIn(parse(text))));
}

async function gradeNumber(session: SessionLike, base: Work, task: TaskOf<'number'>, text: string): Promise<Verdict> {
  const typed = readNumber(text);
  if (Number.isNaN(typed)) return { right: false, html: noNumber(text) };
  const answer = await numberIn(await perform(session, base, task.given), task.answer);
  if (typed === answer || Math.abs(typed - answer) <= task.tolerance)
    return { right: true, html: `The engine computes ${short(answer)}.` };
  const known = task.wrong.find(
    ({ try: wrong }) => Math.abs(typed - wrong) <= Math.max(task.tolerance, Math.abs(wrong) * 0.005),
  );
  return { right: false, html: known?.why ?? `${short(typed)} is ${typed > answer ? 'too large' : 'too small'}.` };
}

async function gradeChoice(session: SessionLike, base: Work, task: TaskOf<'choose'>, chosen: number): Promise<Verdict> {
  const run = await perform(session, base, task.given);
  const option = task.options[chosen]!;
  return { right: await truthOf(run, option.when), html: option.why };
}

/** What the engine computed, for a prediction: the right option and the number to reveal. */
export async function reveal(
  session: SessionLike,
  base: Work,
  task: TaskOf<'choose'>,
): Promise<{ right: number; text: string }> {
  const run = await perform(session, base, task.given);
  const truths = await Promise.all(task.options.map(({ when }) => truthOf(run, when)));
  const text = task.reveal ? `${code(task.reveal)} is ${short(await numberIn(run, task.reveal))}.` : '';
  return { right: truths.indexOf(true), text };
}

async function gradeOrder(
  session: SessionLike,
  base: Work,
  { steps, given }: TaskOf<'order'>,
  order: number[],
): Promise<Verdict> {
  const { trace } = await perform(session, base, given as Changes);
  const ids = order.map((step) => findNode(trace, steps[step]!.at)?.id ?? -1);
  const sorted = [...ids].sort((a, b) => a - b);
  const good = ids.findIndex((id, i) => id !== sorted[i]);
  if (good < 0) return { right: true, html: 'This is the order in which the engine runs them.' };
  return {
    right: false,
    html:
      good === 0
        ? 'The first one is not first.'
        : `The first ${good} ${good === 1 ? 'is' : 'are'} in place, the next is not.`,
  };
}

const noNumber = (text: string): string =>
  `${code(text)} is not a number: 0 / 0, ∞ − ∞ and the root of a negative number have no value.`;

/** Several numbers where one is wanted are an answer all the same, and a wrong one. */
type Written = readonly number[];

/** Equal to four digits; what is not finite equals only itself. */
const close = (a: number, b: number): boolean =>
  Object.is(a, b) || (Number.isFinite(b) && Math.abs(a - b) <= (CLOSE / 10) * Math.max(1, Math.abs(b)));
const same = (a: Written, b: Written): boolean => a.length === b.length && a.every((x, i) => close(x, b[i]!));

async function gradeWriting(session: SessionLike, base: Work, task: TaskOf<'write'>, text: string): Promise<Verdict> {
  const expression = readExpression(text, task.using);
  const names = [...new Set([...task.using, ...namesIn(parse(task.answer))])];
  const lookups: Lookup[] = [];
  for (const changes of [{}, ...task.cases]) lookups.push(await (await perform(session, base, changes)).lookup(names));
  const found = lookups.map((lookup) => written(expression, lookup));
  const answers = lookups.map((lookup) => numberOf(task.answer, lookup));
  const bad = found.findIndex((value, i) => !same(value, [answers[i]!]));
  if (bad < 0)
    return {
      right: true,
      html: `It gives what the engine computes, here and on ${task.cases.length} other sets of numbers.`,
    };
  const [value, ...more] = found[bad]!;
  if (!more.length && Number.isNaN(value)) return { right: false, html: noNumber(text) };
  const listed = task.wrong.find(({ try: wrong }) =>
    lookups.every((lookup, i) => same(written(parse(wrong), lookup), found[i]!)),
  );
  const where = bad === 0 ? 'Here it' : 'It is right here, but with other numbers it';
  return {
    right: false,
    html:
      listed?.why ??
      `${where} gives ${more.length ? 'several numbers' : short(value!)}, and the engine computes ${short(answers[bad]!)}.`,
  };
}

function readExpression(text: string, using: readonly string[]): Expression {
  try {
    const expression = parse(text);
    const stranger = [...partsOf(expression)].find((part) => part.kind === 'name' && !using.includes(part.name));
    if (stranger?.kind === 'name')
      throw new BadExpression(`"${stranger.name}" may not be used here; use ${using.join(', ')}.`, stranger.from + 1);
    return expression;
  } catch (error) {
    throw error instanceof BadExpression ? new Unreadable(`At character ${error.column}: ${error.message}`) : error;
  }
}

function written(expression: Expression, lookup: Lookup): Written {
  try {
    const value = evaluate(expression, lookup);
    if (typeof value === 'string') throw new Unreadable('This is a text; a number is wanted.');
    if (typeof value === 'boolean') throw new Unreadable('This is true or false; a number is wanted.');
    return Array.from(value.values);
  } catch (error) {
    throw error instanceof BadExpression ? new Unreadable(`At character ${error.column}: ${error.message}`) : error;
  }
}
