// Grades a function that the reader has written.
import * as texts from '#messages/lesson/code';
import { html } from 'lit';
import { sentence } from '../../messages/sentence';
import { placeOf } from '../../editor/checker';
import type { Code } from '../format/code';
import { UnreadableAnswer, type Verdict } from '../task/answer';
import { built } from '../task/said';
import { agree, differenceOf } from './difference';
import { missOf } from './miss';
import { refusalOf } from './rules';
import { Broken, Trial, type Outcome, type Session } from './trial';

/** The engine refuses to add what a trial adds to the result. */
const NOT_ADDED = { pattern: /\{text\} \+ \{text\} has no meaning\.$/, zero: /^the number 0$/ };

/** Throws UnreadableAnswer for a program that does not run. */
export async function gradeCode(session: Session, task: Code, text: string): Promise<Verdict> {
  const refused = refusalOf(task, text);
  if (refused !== null) return { right: false, said: refused };
  for (const [i, at] of task.cases.entries()) {
    const trial = await Trial.begin(session, task, at);
    const inFull = (problem: string): string => (i ? texts.notAtFirst(problem, trial.given) : problem);
    const mine = await runOf(trial, session, task, text, inFull);
    const { within } = task;
    const miss = within === undefined ? null : missOf(mine, trial.right, within, task.rows);
    const difference = within === undefined ? differenceOf(mine, trial.right) : miss && miss.said;
    if (difference === null) continue;
    const why = await listed(trial, session, task, mine);
    if (!miss) return { right: false, said: why ?? inFull(difference) };
    const said = texts.onInputs(difference, trial.shown(miss.row), i);
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

/**
 * The reason of the listed wrong program that makes the same of this case. Such a program may not run on a case that comes
 * after the one it fails.
 */
async function listed(trial: Trial, session: Session, task: Code, mine: Outcome): Promise<Verdict['said'] | null> {
  for (const { try: wrong, why } of task.wrong) {
    const outcome = await trial.run(session, wrong).catch(unlessBroken);
    if (outcome && agree(mine, outcome)) return built(why);
  }
  return null;
}

function unlessBroken(error: unknown): null {
  if (error instanceof Broken) return null;
  throw error;
}
