// Whether anything depends on the seed: asked of the engine once per model and its inputs.
import { hasTask } from '../engine/own-data';
import { replay, type Experiment } from '../engine/replay';
import { inOwnSession, type RemoteSession } from '../engine/remote';
import type { Workers } from '../engine/client';
import type { Trace } from '../engine/types';

/** Tensors that are compared in one message: a program may have a constant for each of its operations. */
const AT_ONCE = 100;

/** What is random in it depends on these alone. */
export type Seeded = Pick<Experiment, 'config' | 'inputs'>;
type Question = (model: Seeded, signal: AbortSignal) => Promise<boolean | null>;

export class SeedSensitivity {
  /** Assumed true until the engine has answered. */
  decides = true;
  #asked = '';
  #asking = new AbortController();

  constructor(
    private readonly question: Question,
    private readonly answered: () => void,
  ) {}

  /** A new question aborts the one before, so as not to keep the learner waiting for the engine. */
  async ask(model: Seeded): Promise<void> {
    // A model with a task always depends on the seed: random parameters, and random order of batches.
    const question = hasTask(model.config) ? '' : questionOf(model);
    if (question && question === this.#asked) return;
    this.#asking.abort();
    this.#asked = question;
    if (!question) return this.#settle(true);
    const { signal } = (this.#asking = new AbortController());
    const answer = await this.question(model, signal);
    if (signal.aborted) return;
    if (answer === null) this.#asked = '';
    this.#settle(answer ?? true);
  }

  #settle(decides: boolean): void {
    this.decides = decides;
    this.answered();
  }
}

/** Everything that the answer depends on. */
const questionOf = ({ config, inputs }: Seeded): string =>
  JSON.stringify([{ ...config, seed: 0 }, inputs.map(({ name, values }) => [name, values])]);

/** True if any parameter or input changes with the seed; null if the engine could not be asked. */
export const dependsOnSeed =
  (workers: Workers): Question =>
  (model, signal) =>
    inOwnSession(workers, (one) => inOwnSession(workers, (other) => differ(one, other, model), signal), signal);

async function differ(one: RemoteSession, other: RemoteSession, model: Seeded): Promise<boolean | null> {
  const built = await withSeed(one, model, 1);
  if (!built || !(await withSeed(other, model, 2))) return null;
  const leaves = built.nodes.filter((node) => node.phase === 'leaf').map(({ id }) => id);
  for (let from = 0; from < leaves.length; from += AT_ONCE) {
    const some = leaves.slice(from, from + AT_ONCE);
    const [ours, theirs] = await Promise.all([one.batch('values', some), other.batch('values', some)]);
    for (const [i, a] of ours.entries()) {
      const b = theirs[i]!;
      if (!a.ok || !b.ok) return null;
      if (a.value.some((value, at) => !Object.is(value, b.value[at]))) return true;
    }
  }
  return false;
}

async function withSeed(session: RemoteSession, { config, inputs }: Seeded, seed: number): Promise<Trace | null> {
  const initial = inputs.map((input) => ({ ...input, at: 0 }));
  const seeded = { config: { ...config, seed }, inputs: initial, pair: null, steps: 0, edits: [] };
  const reply = await replay(session, seeded);
  return reply.ok ? reply.value.trace : null;
}
