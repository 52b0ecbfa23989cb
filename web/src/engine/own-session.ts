// A hidden session beside the learner's, for grading and for what-if questions.
import { RemoteSession } from './remote';
import type { Workers } from './workers';

/** Runs the job in a session of its own, then closes it. Aborting the signal refuses the job's remaining calls. */
export async function inOwnSession<R>(
  workers: Workers,
  job: (session: RemoteSession) => Promise<R>,
  signal?: AbortSignal,
): Promise<R> {
  const session = new RemoteSession(workers, signal);
  try {
    return await job(session);
  } finally {
    session.close();
  }
}
