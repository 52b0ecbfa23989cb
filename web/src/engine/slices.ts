// Trains in slices short enough to stop between two of them.
import type { RemoteSession } from './remote';
import type { Reply, TrainInfo } from './types';

/** Milliseconds a slice should take; one step may take longer. */
const SLICE = 40;
/** Deadline of a slice in milliseconds: even one step can be long on a slow machine. */
export const TRAINING_DEADLINE = 60_000;
/** A step waits for ever for a thread that died: a slice is late after these milliseconds and many times the last. */
const LATE = { milliseconds: 3_000, times: 20 };

/**
 * Trains `steps` steps, or until `each` returns false. Returns the last slice, or what was refused: the session then
 * holds the weights from before the refused slice.
 */
export async function trainInSlices(
  session: RemoteSession,
  steps: number,
  each: (info: TrainInfo) => boolean | Promise<boolean>,
): Promise<Reply<TrainInfo>> {
  let size = 1;
  let deadline = TRAINING_DEADLINE;
  for (let remaining = steps; ; size = Math.min(size, remaining)) {
    const began = performance.now();
    const reply = await session.train(size, { deadline });
    if (!reply.ok) return reply;
    const took = performance.now() - began;
    deadline = session.threads > 1 ? LATE.milliseconds + LATE.times * took : TRAINING_DEADLINE;
    remaining -= size;
    const goOn = await each(reply.value);
    if (remaining <= 0 || !goOn) return reply;
    size = nextSize(size, took);
  }
}

/** At most doubles: the first calls of a function are its slowest. */
const nextSize = (size: number, took: number): number =>
  Math.max(1, Math.min(2 * size, Math.floor((size * SLICE) / Math.max(took, 0.1))));
