// Hidden sessions beside the learner's, for grading and for what-if questions.
import { replay, type Experiment } from '../engine/replay';
import { RemoteSession } from '../engine/remote';
import type { Workers } from '../engine/workers';
import type { Trace } from '../engine/types';

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
  for (const { id } of built.nodes.filter((node) => node.phase === 'leaf')) {
    const [a, b] = await Promise.all([one.values(id), other.values(id)]);
    if (!a.ok || !b.ok) return null;
    if (a.value.some((value, i) => !Object.is(value, b.value[i]))) return true;
  }
  return false;
}

async function withSeed(session: RemoteSession, { config, inputs }: Experiment, seed: number): Promise<Trace | null> {
  const given = inputs.map((input) => ({ ...input, at: 0 }));
  const reply = await replay(session, { config: { ...config, seed }, inputs: given, pair: null, steps: 0, edits: [] });
  return reply.ok ? reply.value.trace : null;
}
