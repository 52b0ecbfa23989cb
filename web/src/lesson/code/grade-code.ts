// Grades a function that the reader has written.
import * as texts from '#messages/lesson/code';
import { html } from 'lit';
import { sentence } from '../../messages/sentence';
import { placeOf } from '../../editor/checker';
import type { Code } from '../format/code';
import { UnreadableAnswer, type Verdict } from '../task/answer';
import { built } from '../task/said';
import { agree, differenceOf } from './difference';
import { missOf, type Miss } from './miss';
import { refusalOf } from './rules';
import { Broken, Trial, type Outcome, type Session } from './trial';

/** The engine refuses to add what a trial adds to the result. */
const NOT_ADDED = { pattern: /\{text\} \+ \{text\} has no meaning\.$/, zero: /^the number 0$/ };

/** Throws UnreadableAnswer for a program that does not run. */
export async function gradeCode(session: Session, task: Code, text: string): Promise<Verdict> {
  const refused = refusalOf(task, text);
  if (refused !== null) return { right: false, said: refused };
  const trials: Trial[] = [];
  for (const [i, at] of task.cases.entries()) {
    const trial = await Trial.begin(session, task, at);
    trials.push(trial);
    const inFull = (problem: string): string => (i ? texts.notAtFirst(problem, trial.given) : problem);
    const mine = await runOf(trial, session, task, text, inFull);
    const fault = faultOf(task, mine, trial.right);
    if (!fault) continue;
    const why = await listed(trials, session, task, mine);
    if (fault.row === undefined) return { right: false, said: why ?? inFull(fault.said) };
    const said = texts.onInputs(fault.said, trial.shown(fault.row), i);
    return { right: false, said: why ? html`${said} ${why}` : said };
  }
  const count = task.cases.length;
  return { right: true, said: task.target === undefined ? texts.agrees(count, task.gradients) : texts.holds(count) };
}

/** A mistake behind the end of the text is in the call: the function is missing, or takes something else. */
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
    if (!(error instanceof Broken)) throw error;
    const said = sentence(error.reply);
    const { line } = placeOf(error.reply) ?? { line: 0 };
    const behind = line - text.trimEnd().split('\n').length;
    throw new UnreadableAnswer(inFull(behind > 0 ? problemBehind(behind, task, error, said) : said));
  }
}

/** In a line that is given, which calls the reader's functions, or in the call. */
function problemBehind(line: number, { given, call }: Code, error: Broken, said: string): string {
  const inGiven = given && given.trimEnd().split('\n')[line - 2]; // behind an empty line
  return inGiven ? texts.givenFails(inGiven.trim(), unplaced(said)) : problemOfCall(call, error, said);
}

const unplaced = (said: string): string => said.replace(/^line \d+, column \d+: /, '');

function problemOfCall(call: string, { reply }: Broken, said: string): string {
  const [left, right] = reply.arguments?.slice(-2) ?? [];
  const isNotAdded = NOT_ADDED.pattern.test(reply.pattern ?? '') && NOT_ADDED.zero.test(right ?? '');
  return isNotAdded ? texts.returnsNot(left!) : texts.notCallable(call, unplaced(said));
}

/** What is wrong, and in a puzzle where; null if nothing is. */
function faultOf({ within, rows }: Code, mine: Outcome, right: Outcome): (Partial<Miss> & Pick<Miss, 'said'>) | null {
  if (within !== undefined) return missOf(mine, right, within, rows);
  const said = differenceOf(mine, right);
  return said === null ? null : { said };
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
): Promise<Verdict['said'] | null> {
  const [last, ...before] = trials.toReversed();
  for (const { try: wrong, why } of task.wrong) {
    const outcome = await last!.run(session, wrong).catch(unlessBroken);
    if (outcome && agree(mine, outcome) && (await isRight(before, session, task, wrong))) return built(why);
  }
  return null;
}

/** One case after another: a session has one program. */
async function isRight(trials: readonly Trial[], session: Session, task: Code, text: string): Promise<boolean> {
  for (const trial of trials) {
    const outcome = await trial.run(session, text).catch(unlessBroken);
    if (!outcome || faultOf(task, outcome, trial.right)) return false;
  }
  return true;
}

function unlessBroken(error: unknown): null {
  if (error instanceof Broken) return null;
  throw error;
}
