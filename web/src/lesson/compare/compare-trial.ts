// Several settings of the model in hidden sessions: trained in turns, so that all get equally far, and evaluated.
import { ofRun } from '#messages/lesson/compare';
import { hasTask } from '../../engine/own-data';
import { trainInSlices } from '../../engine/slices';
import { atPosition, marksOf, norm } from './compare-layout';
import { type Runner, type TrialSession, stepOf } from './compare-runner';
import { findNode } from '../find-node';
import { Refused } from '../refused';
import type { RemoteSession } from '../../engine/remote';
import type { Lab } from '../../lab/lab';
import type { Run } from '../changes';
import { cellCount, type Config, type EvaluationInfo, type Reply } from '../../engine/types';

/** False: stop as soon as possible. */
export type ShouldContinue = () => boolean;

const MAX_POINTS = 150;

/** Runs `job` with `count` hidden sessions, open until it ends. */
export function inSessions<R>(
  lab: Pick<Lab, 'probe'>,
  count: number,
  job: (sessions: RemoteSession[]) => Promise<R>,
  open: RemoteSession[] = [],
): Promise<R> {
  if (open.length === count) return job(open);
  return lab.probe((session) => inSessions(lab, count, job, [...open, session]));
}

/** Loads a new model of this configuration into the session. Throws Refused. */
export async function newRunner(label: string, config: Config, session: TrialSession): Promise<Runner> {
  const reply = await session.load(config);
  if (!reply.ok) throw new Refused(ofRun(label, reply.message));
  const parameters = reply.value.parameters.reduce((sum, { shape }) => sum + cellCount(shape), 0);
  return { label, config, session, hasTask: hasTask(config), parameters, curve: [], pace: [] };
}

/** Trains all runs to the same mark before the next one; a run that is refused ends there, the others go on. */
export async function trainTogether(
  runners: readonly Runner[],
  steps: number,
  shouldContinue: ShouldContinue,
): Promise<void> {
  for (const mark of marksOf(steps, MAX_POINTS))
    for (const runner of runners) {
      if (!shouldContinue()) return;
      if (runner.problem === undefined) await trainTo(runner, mark, shouldContinue);
    }
}

async function trainTo(runner: Runner, mark: number, shouldContinue: ShouldContinue): Promise<void> {
  const from = stepOf(runner);
  const began = performance.now();
  const reply = await trainInSlices(runner.session as RemoteSession, mark - from, shouldContinue);
  if (!reply.ok) return void (runner.problem = reply.message);
  const { step, loss, accuracy } = reply.value;
  runner.pace.push((performance.now() - began) / (step - from));
  runner.curve.push({ step, loss, accuracy });
}

/** Evaluates on the test split, a batch at a time. If stopped, the result covers what is done so far. */
export async function evaluateAll(
  session: TrialSession,
  pairs: number,
  length: number,
  shouldContinue: ShouldContinue,
): Promise<Reply<EvaluationInfo>> {
  let reply = await session.evaluate('test', pairs, length);
  while (reply.ok && reply.value.done < reply.value.pairs && shouldContinue()) reply = await session.evaluateMore();
  return reply;
}

/** Norms of a tensor at positions 0, 1, …, as far as the run has them. */
export async function normsOf({ trace, lookup }: Run, pattern: string): Promise<number[]> {
  const norms: number[] = [];
  for (;;) {
    const name = atPosition(pattern, norms.length);
    if (!findNode(trace, name)) return norms;
    norms.push(norm((await lookup([name]))(name)!.values));
  }
}
