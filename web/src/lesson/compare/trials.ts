// Several settings of the model in hidden sessions: trained in turns, so that all get equally far, and evaluated.
import { ofRun, ofSeed } from '#messages/lesson/compare';
import { type Config, type EvaluationInfo, cellCount, type Reply } from '../../engine/types';
import { hasTask } from '../../engine/own-data';
import { trainInSlices, type RemoteSession } from '../../engine/remote';
import { Refused } from '../../engine/refused';
import type { CurvePoint } from '../../engine/replay';
import type { Lab } from '../../lab/lab';

/** The part of a session that a run needs. */
export type TrialSession = Pick<
  RemoteSession,
  'load' | 'train' | 'trace' | 'read' | 'values' | 'evaluate' | 'evaluateMore'
>;

/** A model to train: settings over those of the lesson. */
export interface Trial {
  readonly label: string;
  readonly with: object;
  /** Training steps, if not as many as the others. */
  readonly steps?: number | undefined;
}

interface Runs {
  readonly runs: readonly { label: string; with: { steps?: number | undefined } }[];
  readonly seeds?: readonly number[] | undefined;
  readonly over?: 'length' | 'lag';
  readonly lengths?: readonly number[];
}

/**
 * Each run of a comparison by length, from each of its seeds; over the lag, at the first one. Its schedule falls over its
 * own steps.
 */
export const trialsOf = ({ runs, seeds, over, lengths }: Runs): Trial[] =>
  runs.flatMap((run) => {
    const { steps } = run.with;
    const settings = over === 'lag' ? { ...run.with, lag: lengths![0]! } : run.with;
    if (!seeds) return [{ label: run.label, with: settings, steps }];
    return seeds.map((seed) => ({ label: ofSeed(run.label, seed), with: { ...settings, seed }, steps }));
  });

export interface Runner {
  readonly label: string;
  readonly config: Config;
  readonly session: TrialSession;
  readonly hasTask: boolean;
  /** As of its trial. */
  readonly steps?: number | undefined;
  readonly curve: CurvePoint[];
  /** Milliseconds per step, for each stretch of training. */
  readonly pace: number[];
  /** Number of scalar parameters. */
  readonly parameters: number;
  /** Operations on the longest dependency chain. */
  chain?: number;
  written?: EvaluationInfo;
  /** Why it ended early, in the engine's words. */
  problem?: string;
}

export const stepOf = ({ curve }: Runner): number => curve.at(-1)?.step ?? 0;

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
export async function newRunner(
  { label, steps }: Pick<Trial, 'label' | 'steps'>,
  config: Config,
  session: TrialSession,
): Promise<Runner> {
  const reply = await session.load(config);
  if (!reply.ok) throw Refused.input(ofRun(label, reply.message));
  const parameters = reply.value.parameters.reduce((sum, { shape }) => sum + cellCount(shape), 0);
  return { label, config, session, hasTask: hasTask(config), steps, parameters, curve: [], pace: [] };
}

/** Steps at which every run is measured: the first, then at most `max` at even intervals, and the last. */
export function marksOf(steps: number, max: number): number[] {
  const every = Math.ceil(steps / max);
  const even = Array.from({ length: Math.floor(steps / every) }, (_, i) => (i + 1) * every);
  return [...new Set([1, ...even, steps])];
}

/** The largest number of steps that one of them is trained for. */
export const mostSteps = (trials: readonly Pick<Trial, 'steps'>[], steps: number): number =>
  Math.max(...trials.map((trial) => trial.steps ?? steps));

/**
 * Trains all runs to the same mark before the next one, each to its last step at most; a run that is refused ends there,
 * the others go on.
 */
export async function trainTogether(
  runners: readonly Runner[],
  steps: number,
  shouldContinue: ShouldContinue,
): Promise<void> {
  for (const mark of marksOf(mostSteps(runners, steps), MAX_POINTS))
    for (const runner of runners) {
      if (!shouldContinue()) return;
      const to = Math.min(mark, runner.steps ?? steps);
      if (runner.problem === undefined && to > stepOf(runner)) await trainTo(runner, to, shouldContinue);
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
