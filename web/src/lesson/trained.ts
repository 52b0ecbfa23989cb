// Cache of trained models: configuration and steps determine the weights, so the same model is not trained twice.
import { hasTask } from '../engine/own-data';
import { unwrap } from './refused';
import type { RemoteSession } from '../engine/remote';
import type { Changes } from './format/change';
import { configKey } from '../engine/config-key';
import type { Checkpoint, Experiment } from '../engine/replay';

/** An experiment, and the checkpoints it can resume from. */
export interface Work extends Experiment {
  /** A checkpoint shipped with the lesson or kept by the browser; null if there is none up to the steps asked for. */
  checkpoint?(experiment: Experiment): Promise<Checkpoint | null>;
  /** Of the lesson's own experiment: the changes that steps of the text apply. */
  stepChanges?: readonly Changes[];
}

const MAX_KEPT = 6;
const kept = new Map<string, Checkpoint>();

export const forgetTrained = (): void => kept.clear();

export const sameConfig = (a: Experiment, b: Experiment): boolean => configKey(a.config) === configKey(b.config);

/**
 * The checkpoint that leaves the fewest steps to train. Null for a model without a task, whose training also depends on
 * the inputs.
 */
export async function latestCheckpoint(work: Work, experiment: Experiment): Promise<Checkpoint | null> {
  if (!experiment.steps || !hasTask(experiment.config)) return null;
  const found = [kept.get(keyOf(experiment)), (await work.checkpoint?.(experiment)) ?? undefined];
  return (
    found
      .filter((each) => each !== undefined)
      .filter(({ steps }) => steps <= experiment.steps)
      .sort((a, b) => b.steps - a.steps)[0] ?? null
  );
}

const keyOf = (experiment: Experiment): string => `${experiment.steps} ${configKey(experiment.config)}`;

/** Keeps the weights in the session, where the experiment has been replayed from the checkpoint `from`. */
export async function keepTrained(
  session: Pick<RemoteSession, 'save'>,
  experiment: Experiment,
  from: Checkpoint | null,
): Promise<void> {
  if (!hasTask(experiment.config) || experiment.steps <= (from?.steps ?? 0)) return;
  kept.set(keyOf(experiment), { steps: experiment.steps, bytes: await unwrap(session.save()), curve: [] });
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
}
