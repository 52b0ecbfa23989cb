// Grades a function that the reader has written.
import * as texts from '#messages/lesson/code';
import { html } from 'lit';
import type { MessageArgument } from '../../../../bindings/engine';
import { unplaced, type Told } from '../../messages/sentence';
import { placeOf } from '../../editor/checker';
import { Refused } from '../../engine/refused';
import type { Problem } from '../../engine/types';
import { UnreadableAnswer, type Verdict, built } from '../task/answer';
import { agree, differenceOf, missOf, type Miss, type Outcome } from './feedback';
import { Trial, type Session } from './trial';
import type { Code } from '../format/tasks';

/** Throws UnreadableAnswer for a program that does not run. */
export async function gradeCode(session: Session, task: Code, text: string): Promise<Verdict> {
  const refused = refusalOf(task, text);
  if (refused !== null) return { right: false, message: refused };
  const trials: Trial[] = [];
  for (const [i, at] of task.cases.entries()) {
    const trial = await Trial.begin(session, task, at);
    trials.push(trial);
    const inFull = (problem: string): string => (i ? texts.notAtFirst(problem, trial.described) : problem);
    const mine = await runOf(trial, session, task, text, inFull);
    const fault = faultOf(task, mine, trial.right);
    if (!fault) continue;
    const why = await listed(trials, session, task, mine);
    if (fault.row === undefined) return { right: false, message: why ?? inFull(fault.message) };
    const message = texts.onInputs(fault.message, trial.shown(fault.row), i);
    return { right: false, message: why ? html`${message} ${why}` : message };
  }
  const count = task.cases.length;
  return { right: true, message: task.target === undefined ? texts.agrees(count, task.gradients) : texts.holds(count) };
}

/** A mistake after the end of the text is in the call: the function is missing, or takes something else. */
async function runOf(
  trial: Trial,
  session: Session,
  task: Code,
  text: string,
  inFull: (problem: string) => string,
): Promise<Outcome> {
  try {
    return await trial.run(session, text);
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
function notAdded({ id, arguments: [result, operator, added] = [] }: Problem): Partial<Told> | undefined {
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
async function listed(
  trials: readonly Trial[],
  session: Session,
  task: Code,
  mine: Outcome,
): Promise<Verdict['message'] | null> {
  const [last, ...before] = trials.toReversed();
  for (const { try: wrong, why } of task.wrong) {
    const outcome = await last!.run(session, wrong).catch(nullIfRefused);
    if (outcome && agree(mine, outcome) && (await isRight(before, session, task, wrong))) return built(why);
  }
  return null;
}

/** One case after another: a session has one program. */
async function isRight(trials: readonly Trial[], session: Session, task: Code, text: string): Promise<boolean> {
  for (const trial of trials) {
    const outcome = await trial.run(session, text).catch(nullIfRefused);
    if (!outcome || faultOf(task, outcome, trial.right)) return false;
  }
  return true;
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Refused) return null;
  throw error;
}

type Rules = Pick<Code, 'without' | 'lines' | 'given' | 'start'>;

/** Without comments and texts. */
const bare = (text: string): string => text.replace(/#.*|"[^"\n]*"|'[^'\n]*'/g, '');

const defined = (code: string): string[] =>
  Array.from(code.matchAll(/^def\s+([\p{L}_][\p{L}\p{N}_]*)/gmu), ([, name]) => name!);

/** An operation that the exercise is about, where the text calls it or names it; the reader's own name is another. */
export function usedOf(text: string, without: readonly string[]): string | undefined {
  const code = bare(text);
  const own = (name: string): boolean => new RegExp(`\\bdef\\b.*\\b${name}\\b|^\\s*${name}\\s*=(?!=)`, 'm').test(code);
  const use = (name: string): string => (own(name) ? `\\.${name}\\s*\\(` : `\\b${name}\\b(?!\\s*=(?!=))`);
  return without.find((name) => new RegExp(use(name)).test(code));
}

/** A function in the reader's text that is given, or that has the name of an operation that the given ones use. */
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
  if (rules.given && keeps(code)) return texts.KEEPS;
  const count = lineCount(code);
  return rules.lines !== undefined && count > rules.lines ? texts.tooLong(count, rules.lines) : null;
}
