// A model that was trained for one answer need not be trained again for the next: what decides its weights has decided them.
import { hasTask } from '../engine/own-data';
import { need } from './refused';
import type { RemoteSession } from '../engine/remote';
import type { Changes } from './changes';
import { configKey, type Checkpoint, type Experiment } from '../engine/replay';

/** An experiment, and where it may be gone on from. */
export interface Work extends Experiment {
  /** A checkpoint that comes with the lesson, or that the browser has kept; null if there is none on its way. */
  checkpoint?(experiment: Experiment): Promise<Checkpoint | null>;
  /** Of a lesson's own: what steps of its text bring the workbench to. */
  brought?: readonly Changes[];
}

const MOST = 6;
const kept = new Map<string, Checkpoint>();

export const forgetTrained = (): void => kept.clear();

export const sameConfig = (a: Experiment, b: Experiment): boolean => configKey(a) === configKey(b);

/** Only where batches come from a task does training look at nothing but the configuration. */

/** The one that leaves the fewest steps to train. */
export async function furthest(work: Work, experiment: Experiment): Promise<Checkpoint | null> {
  if (!experiment.steps || !hasTask(experiment.config)) return null;
  const found = [kept.get(keyOf(experiment)), (await work.checkpoint?.(experiment)) ?? undefined];
  return (
    found
      .filter((each) => each !== undefined)
      .filter(({ steps }) => steps <= experiment.steps)
      .sort((a, b) => b.steps - a.steps)[0] ?? null
  );
}

const keyOf = (experiment: Experiment): string => `${experiment.steps} ${configKey(experiment)}`;

/** After the experiment has been rebuilt in the session from that checkpoint. */
export async function keepTrained(
  session: Pick<RemoteSession, 'save'>,
  experiment: Experiment,
  from: Checkpoint | null,
): Promise<void> {
  if (!hasTask(experiment.config) || experiment.steps <= (from?.steps ?? 0)) return;
  kept.set(keyOf(experiment), { steps: experiment.steps, bytes: await need(session.save()), curve: [] });
  if (kept.size > MOST) kept.delete(kept.keys().next().value!);
}
