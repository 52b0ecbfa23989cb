// Hidden sessions beside the learner's, for grading and for what-if questions.
import { replay, type Experiment } from '../engine/replay';
import { RemoteSession } from '../engine/remote';
import type { Workers } from '../engine/workers';
import type { Trace } from '../engine/types';

/** Tensors that are compared in one message: a program may have a constant for each of its operations. */
const AT_ONCE = 100;

export class Probes {
  constructor(private readonly workers: Workers) {}

  /** Runs the job in a session of its own, then closes it. Aborting the signal refuses the job's remaining calls. */
  async use<R>(job: (session: RemoteSession) => Promise<R>, signal?: AbortSignal): Promise<R> {
    const session = new RemoteSession(this.workers, signal);
    try {
      return await job(session);
    } finally {
      void session.close();
    }
  }

  /** True if any parameter or input changes with the seed; null if the engine could not be asked. */
  dependsOnSeed(experiment: Experiment, signal: AbortSignal): Promise<boolean | null> {
    return this.use((one) => this.use((other) => differ(one, other, experiment), signal), signal);
  }
}

async function differ(one: RemoteSession, other: RemoteSession, experiment: Experiment): Promise<boolean | null> {
  const built = await withSeed(one, experiment, 1);
  if (!built || !(await withSeed(other, experiment, 2))) return null;
  const leaves = built.nodes.filter((node) => node.phase === 'leaf').map(({ id }) => id);
  for (let from = 0; from < leaves.length; from += AT_ONCE) {
    const some = leaves.slice(from, from + AT_ONCE);
    const [ours, theirs] = await Promise.all([one.each('values', some), other.each('values', some)]);
    for (const [i, a] of ours.entries()) {
      const b = theirs[i]!;
      if (!a.ok || !b.ok) return null;
      if (a.value.some((value, at) => !Object.is(value, b.value[at]))) return true;
    }
  }
  return false;
}

async function withSeed(session: RemoteSession, { config, inputs }: Experiment, seed: number): Promise<Trace | null> {
  const given = inputs.map((input) => ({ ...input, at: 0 }));
  const reply = await replay(session, { config: { ...config, seed }, inputs: given, pair: null, steps: 0, edits: [] });
  return reply.ok ? reply.value.trace : null;
}
