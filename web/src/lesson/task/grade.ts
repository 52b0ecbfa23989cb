// Grading: every answer is checked against what the engine computes, here and on the exercise's hidden cases.
import * as texts from '#messages/lesson/verdicts';
import { parseNumber } from '../../ui/numbers';
import { type Changes, flatten, sortChanges, sameConfig } from '../changes';
import { perform, type Run, type SessionLike, type Work } from '../run';
import { BadExpression, callsIn, evaluate, holds, namesIn, type Names, numberOf, only, otherName } from '../expression';
import { findNode } from '../../lab/cursor';
import type { Answer, GoalAnswer, Message, Verdict } from './answer';
import { code, short, UnreadableAnswer } from './answer';
import { builtHtml } from '../../ui/built-html';
import { demandsOf, firstUnmet } from './feedback';
import { OF_TASK, partsOfName, tensorsOf } from '../facts';
import { hasTask } from '../../engine/own-data';
import { unwrap } from '../../engine/refused';
import type { Labels } from '../../lab/page';
import type { AnsweredTask, TaskOf } from '../format/tasks';
import type { Lab } from '../../lab/lab';

/** What an answer is checked on; `base` is the lesson's own experiment. */
interface Grounds {
  session: SessionLike;
  base: Work;
  labels: Labels;
}

/** Throws UnreadableAnswer, or Refused by the engine. */
export function grade(
  session: SessionLike,
  base: Work,
  task: AnsweredTask,
  answer: Answer,
  labels: Labels = {},
): Promise<Verdict> {
  const on: Grounds = { session, base, labels };
  switch (task.kind) {
    case 'goal':
      return gradeGoal(on, task, answer as GoalAnswer);
    case 'number':
      return gradeNumber(on, task, answer as string);
    case 'choose':
      return gradeChoice(on, task, (answer as number[])[0]!);
    case 'order':
      return gradeOrder(on, task, answer as number[]);
    case 'write':
      return gradeWriting(on, task, answer as string);
  }
}

async function gradeGoal(on: Grounds, task: TaskOf<'goal'>, answer: GoalAnswer): Promise<Verdict> {
  const { session, base } = on;
  const work = withOwnTarget(base, task, answer);
  const byButton = task.by_cell && setAsWhole(base, task, work);
  if (byButton) return { right: false, message: texts.cellByCell(code(byButton)), offerReset: true };
  const { all, ownAlone } = disallowedChanges(base, task, work);
  const changedToo = ([name]: string[]): Verdict => ({
    ...{ right: false, message: texts.changedToo(code(name!)), offerReset: true },
  });
  if (ownAlone.length) return changedToo(ownAlone);
  const here = work.run ?? (await perform(session, work));
  const missing = await missingIn(on, here, task);
  if (missing) return { right: false, ...((await knownMistake(on, task, here)) ?? missing) };
  if (all.length) return changedToo(all);
  for (const other of task.cases) {
    if ((await missingIn(on, await perform(session, work, other), task)) === null) continue;
    const own = work.run ?? (await perform(session, work)); // the session runs the case
    const elsewhere = { message: task.elsewhere ? builtHtml(task.elsewhere) : texts.HOLDS_ONLY_HERE };
    return { right: false, ...((await knownMistake(on, task, own)) ?? elsewhere) };
  }
  return { right: true, message: task.cases.length ? texts.HOLDS_EVERYWHERE : texts.HOLDS };
}

/**
 * With the lesson's own target where the learner cleared it to see what the model writes: that changes what is shown,
 * not what the exercise is about.
 */
function withOwnTarget(base: Work, { change }: TaskOf<'goal'>, work: GoalAnswer): GoalAnswer {
  const [source, target] = work.pair ?? [];
  const cleared = target === '' && source === base.pair?.[0] && base.pair?.[1] !== '' && !change.includes('pair');
  return cleared ? { ...work, pair: base.pair, run: undefined } : work;
}

/** A setting that changes, all at once, a tensor whose cells are the learner's to change. */
const setAsWhole = (base: Work, { change }: TaskOf<'goal'>, { config }: GoalAnswer): string | undefined =>
  change.find((name) => String(config[name]) !== String(base.config[name]));

/** True if `set` is a value and equals `now`. */
const agrees = (set: unknown, now: unknown): boolean => set != null && String(set) === String(now);

/**
 * Names of what was changed although the exercise does not allow it: those of the learner alone, and with those applied by
 * a step of the text that applied all that the exercise asks for. Other changes of steps are exempt.
 */
function disallowedChanges(base: Work, { change }: TaskOf<'goal'>, work: Work): Record<'all' | 'ownAlone', string[]> {
  const pair = hasTask(work.config) ? base.pair : work.pair;
  const own = flatten({ ...base, pair, steps: sameConfig(work, base) ? base.steps : 0 });
  const now = flatten(work);
  const allowed = (name: string): boolean => change.some((each) => name === each || name.endsWith(`/${each}`));
  const changed = Object.keys(now).filter((name) => String(now[name]) !== String(own[name]));
  const edits = work.edits.map(({ name }) => name);
  const asked = changed.filter(allowed);
  const isMadeBy = (table: Record<string, unknown>): boolean =>
    asked.length > 0 && !edits.some(allowed) && asked.every((name) => agrees(table[name], now[name]));
  const steps = (base.stepChanges ?? []).map((changes) => flatten(sortChanges(changes, [])));
  const isFrom = (tables: typeof steps, name: string): boolean => tables.some((each) => agrees(each[name], now[name]));
  const exempt = steps.filter((table) => !isMadeBy(table));
  const others = (work.interventions ?? []).filter((each) => !base.interventions?.includes(each));
  const intervened = others.map(({ tensor }) => tensor.replace(/\[[^\]]*\]$/, ''));
  const besides = (tables: typeof steps): string[] =>
    [...changed.filter((name) => !isFrom(tables, name)), ...edits, ...intervened].filter((name) => !allowed(name));
  return { all: besides(exempt), ownAlone: besides(steps) };
}

type Remark = Omit<Verdict, 'right'>;

/** What does not hold yet, or why it cannot be evaluated: a changed model may lack the tensors. Null if all holds. */
async function missingIn({ session, labels }: Grounds, run: Run, task: TaskOf<'goal'>): Promise<Remark | null> {
  try {
    const message = await firstUnmet(session, task, run, labels);
    return message === null ? null : { message };
  } catch (error) {
    if (!(error instanceof BadExpression)) throw error;
    return { message: texts.NOT_CHECKABLE, offerReset: true };
  }
}

/** The listed explanation if the learner's values are those of a listed wrong answer, else null. */
async function knownMistake({ session, base }: Grounds, task: TaskOf<'goal'>, here: Run): Promise<Remark | null> {
  const names = demandsOf(task.goal).flatMap(namesIn);
  const found = await valuesOf(here, names);
  for (const { try: changes, why } of task.wrong)
    if ((await valuesOf(await perform(session, base, changes as Changes), names)) === found)
      return { message: builtHtml(why) };
  return null;
}

async function valuesOf(run: Run, names: readonly string[]): Promise<string> {
  const lookup = await run.lookup(names);
  return names.map((name) => lookup.text?.(name) ?? Array.from(lookup(name)?.values ?? []).join(' ')).join('\n');
}

/** What the page prints, and what the language has for it. */
const SIGNS: Readonly<Record<string, string>> = { '−': '-', '·': '*', '≤': '<=', '≥': '>=', '≠': '!=', '∞': 'inf' };
const plain = (text: string): string => text.replace(/[−·≤≥≠∞]/g, (sign) => SIGNS[sign]!);

const NO_NAMES: Names = { lookup: async () => () => undefined };

/** A number, or an expression like 10 / sqrt(3). Throws UnreadableAnswer. */
async function readNumber(session: SessionLike, text: string): Promise<number> {
  const number = parseNumber(text);
  if (number !== null) return number;
  try {
    return await numberOf(session, plain(text), NO_NAMES);
  } catch (error) {
    if (!(error instanceof BadExpression)) throw error;
    throw new UnreadableAnswer(texts.unreadableNumber(text.slice(0, 30)));
  }
}

async function gradeNumber({ session, base }: Grounds, task: TaskOf<'number'>, text: string): Promise<Verdict> {
  const typed = await readNumber(session, text);
  if (Number.isNaN(typed)) return { right: false, message: texts.noNumber(code(text)) };
  const answer = await numberOf(session, task.answer, await perform(session, base, task.given));
  if (typed === answer || Math.abs(typed - answer) <= task.tolerance)
    return { right: true, message: texts.computed(short(answer)) };
  const known = task.wrong.find(
    ({ try: wrong }) => Math.abs(typed - wrong) <= Math.max(task.tolerance, Math.abs(wrong) * 0.005),
  );
  const off = (typed > answer ? texts.tooLarge : texts.tooSmall)(short(typed));
  return { right: false, message: known ? builtHtml(known.why) : off };
}

/** Says what a wrong option would be right for, and leaves the right one to be found. */
async function gradeChoice({ session, base }: Grounds, task: TaskOf<'choose'>, chosen: number): Promise<Verdict> {
  const run = await perform(session, base, task.given);
  const { when, why } = task.options[chosen]!;
  return { right: await holds(session, when, run), message: builtHtml(why) };
}

/** The number that a prediction shows once it is right; "" without one. */
export async function revealed(
  session: SessionLike,
  base: Work,
  { reveal, given }: TaskOf<'choose'>,
): Promise<Message> {
  if (!reveal) return '';
  return texts.computed(short(await numberOf(session, reveal, await perform(session, base, given))));
}

/** The position of the right option. */
export async function rightOption(session: SessionLike, base: Work, task: TaskOf<'choose'>): Promise<number> {
  const run = await perform(session, base, task.given);
  const truths = await Promise.all(task.options.map(({ when }) => holds(session, when, run)));
  return truths.indexOf(true);
}

async function gradeOrder({ session, base }: Grounds, task: TaskOf<'order'>, order: number[]): Promise<Verdict> {
  const { steps, given } = task;
  const { trace } = await perform(session, base, given as Changes);
  const ids = order.map((step) => findNode(trace, steps[step]!.at)?.id ?? -1);
  const sorted = [...ids].sort((a, b) => a - b);
  const inPlace = ids.findIndex((id, i) => id !== sorted[i]);
  if (inPlace < 0) return { right: true, message: texts.IN_ORDER };
  return { right: false, message: inPlace === 0 ? texts.FIRST_WRONG : texts.inPlace(inPlace) };
}

/** The values of an expression. Several where one is wanted are an answer all the sameValues, and a wrong one. */
type Values = readonly number[];

/** Within 1e-4 of max(1, |b|); a non-finite value equals only itself. */
const close = (a: number, b: number): boolean =>
  Object.is(a, b) || (Number.isFinite(b) && Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(b)));
const sameValues = (a: Values, b: Values): boolean => a.length === b.length && a.every((x, i) => close(x, b[i]!));

async function gradeWriting({ session, base }: Grounds, task: TaskOf<'write'>, typed: string): Promise<Verdict> {
  const text = plain(typed);
  refuseOthers(text, task);
  const names = [...task.using, task.answer].flatMap(namesIn);
  const runs: Names[] = [];
  for (const changes of [{}, ...task.cases]) runs.push(await only(names, await perform(session, base, changes)));
  const [found, answers]: [Values[], number[]] = [[], []];
  for (const run of runs) {
    found.push(await valuesIn(session, text, run));
    answers.push(await numberOf(session, task.answer, run));
  }
  const firstWrong = found.findIndex((value, i) => !sameValues(value, [answers[i]!]));
  if (firstWrong < 0) return { right: true, message: texts.agrees(task.cases.length) };
  const [value, ...more] = found[firstWrong]!;
  if (!more.length && Number.isNaN(value)) return { right: false, message: texts.noNumber(code(typed)) };
  for (const { try: wrong, why } of task.wrong)
    if (await givesSame(session, wrong, runs, found)) return { right: false, message: builtHtml(why) };
  return {
    right: false,
    message: texts.differs(firstWrong === 0, more.length ? null : short(value!), short(answers[firstWrong]!)),
  };
}

async function givesSame(
  session: SessionLike,
  text: string,
  runs: readonly Names[],
  values: readonly Values[],
): Promise<boolean> {
  for (const [i, run] of runs.entries()) if (!sameValues(await valuesIn(session, text, run), values[i]!)) return false;
  return true;
}

/** Throws UnreadableAnswer for a name or a function that may not be used. */
function refuseOthers(text: string, { using, functions }: TaskOf<'write'>): void {
  const other = otherName(text, using);
  const called = functions && callsIn(text).find(({ name }) => !functions.includes(name));
  const refused = other ? { ...other, allowed: using } : called && { ...called, allowed: functions };
  if (refused)
    throw new UnreadableAnswer(texts.atCharacter(refused.from + 1, texts.mayNotBeUsed(refused.name, refused.allowed)));
}

async function valuesIn(session: SessionLike, text: string, run: Names): Promise<Values> {
  try {
    const value = await evaluate(session, text, run);
    if (typeof value === 'string') throw new UnreadableAnswer(texts.TEXT_FOR_NUMBER);
    if (value.isTruth) throw new UnreadableAnswer(texts.TRUTH_FOR_NUMBER);
    return Array.from(value.values);
  } catch (error) {
    throw error instanceof BadExpression ? new UnreadableAnswer(texts.atCharacter(error.column, error.message)) : error;
  }
}

/** Undefined if the goal is about more than tensors of the run, or if training is about to replace it. */
export function ownRun(lab: Lab, demands: readonly string[]): Run | undefined {
  const { info, trace, run, busy } = lab;
  if (!info || !trace || !run || busy) return undefined;
  const isFact = (name: string): boolean => OF_TASK.includes(partsOfName(name)[0]) && !findNode(trace, name);
  if (demands.flatMap(namesIn).some(isFact)) return undefined;
  const lookup: Run['lookup'] = (names) => tensorsOf(trace, names, (node) => unwrap(lab.engine.values(node.id)));
  return { info, trace, words: lab.task?.targetWords, loss: run.loss, lookup };
}
