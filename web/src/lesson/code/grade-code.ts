// Grades a function that the reader has written.
import * as texts from '#messages/lesson/code';
import { sentence } from '../../messages/sentence';
import { placeOf } from '../../editor/checker';
import type { Code } from '../format/code';
import { UnreadableAnswer, type Verdict } from '../task/answer';
import { built } from '../task/said';
import { agree, differenceOf } from './difference';
import { Broken, Trial, type Outcome, type Session } from './trial';

/** The engine refuses to add what a trial adds to the result. */
const NOT_ADDED = { pattern: /\{text\} \+ \{text\} has no meaning\.$/, zero: /^the number 0$/ };

/** An operation that the exercise is about, where the text uses it; a function of that name does not. */
export function usedOf(text: string, without: readonly string[]): string | undefined {
  const code = text.replace(/#.*|"[^"\n]*"|'[^'\n]*'/g, '');
  const own = (name: string): boolean => new RegExp(`\\bdef\\s+${name}\\s*\\(`).test(code);
  return without.find((name) => new RegExp(`${own(name) ? '\\.' : '\\b'}${name}\\s*\\(`).test(code));
}

/** Throws UnreadableAnswer for a program that does not run. */
export async function gradeCode(session: Session, task: Code, text: string): Promise<Verdict> {
  const used = usedOf(text, task.without);
  if (used) return { right: false, said: texts.mayNotUse(used) };
  for (const [i, at] of task.cases.entries()) {
    const trial = await Trial.begin(session, task, at);
    const inFull = (problem: string): string => (i ? texts.notAtFirst(problem, trial.given) : problem);
    const mine = await runOf(trial, session, task, text, inFull);
    const difference = differenceOf(mine, trial.right);
    if (difference === null) continue;
    const known = await listed(trial, session, task, mine);
    return { right: false, said: known ?? inFull(difference) };
  }
  return { right: true, said: texts.agrees(task.cases.length, task.gradients) };
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
    const inCall = line > text.trimEnd().split('\n').length;
    throw new UnreadableAnswer(inFull(inCall ? problemOfCall(task.call, error, said) : said));
  }
}

function problemOfCall(call: string, { reply }: Broken, said: string): string {
  const [left, right] = reply.arguments?.slice(-2) ?? [];
  const isNotAdded = NOT_ADDED.pattern.test(reply.pattern ?? '') && NOT_ADDED.zero.test(right ?? '');
  return isNotAdded ? texts.returnsNot(left!) : texts.notCallable(call, said.replace(/^line \d+, column \d+: /, ''));
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
