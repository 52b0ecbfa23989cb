// Training in slices short enough to be stopped between two of them.
import type { RemoteSession } from './remote';
import type { Reply, TrainInfo } from '../types';

/** Milliseconds a slice should take; one step may take longer. */
const SLICE = 25;
/** Milliseconds that one step may take on a slow machine. */
export const TRAINING_DEADLINE = 60_000;

/**
 * Trains so many steps, or until `each` says stop (false). Answers with the last slice, or with what was refused: the
 * session then holds the weights from before the slice that was refused.
 */
export async function trainInSlices(
  session: RemoteSession,
  steps: number,
  each: (info: TrainInfo) => boolean | Promise<boolean>,
): Promise<Reply<TrainInfo>> {
  let size = 1;
  for (let left = steps; ; size = Math.min(size, left)) {
    const began = performance.now();
    const reply = await session.train(size, { deadline: TRAINING_DEADLINE });
    if (!reply.ok) return reply;
    const took = performance.now() - began;
    left -= size;
    const goOn = await each(reply.value);
    if (left <= 0 || !goOn) return reply;
    size = nextSize(size, took);
  }
}

/** At most twice as many as before: the first calls of a function are its slow ones. */
const nextSize = (size: number, took: number): number =>
  Math.max(1, Math.min(2 * size, Math.floor((size * SLICE) / Math.max(took, 0.1))));
