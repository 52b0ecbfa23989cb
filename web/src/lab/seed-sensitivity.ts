// Whether anything depends on the seed: asked of the engine once per model and its inputs.
import { hasTask } from '../engine/own-data';
import type { Probes } from './probes';
import type { Experiment } from '../engine/replay';

export class SeedSensitivity {
  /** Assumed true until the engine has answered. */
  decides = true;
  private asked = '';
  private asking = new AbortController();

  constructor(
    private readonly probes: Probes,
    private readonly answered: () => void,
  ) {}

  /** A new question aborts the one before, so as not to keep the learner waiting for the engine. */
  async ask(experiment: Experiment): Promise<void> {
    const question = trains(experiment) ? '' : questionOf(experiment);
    if (question && question === this.asked) return;
    this.asking.abort();
    this.asked = question;
    if (!question) return this.settle(true);
    const { signal } = (this.asking = new AbortController());
    const answer = await this.probes.dependsOnSeed(experiment, signal);
    if (signal.aborted) return;
    if (answer === null) this.asked = '';
    this.settle(answer ?? true);
  }

  private settle(decides: boolean): void {
    this.decides = decides;
    this.answered();
  }
}

/** A model with a task always depends on the seed: random parameters, and random order of batches. */
const trains = ({ config }: Experiment): boolean => hasTask(config);

/** Everything that the answer depends on. */
const questionOf = ({ config, inputs }: Experiment): string =>
  JSON.stringify([{ ...config, seed: 0 }, inputs.map(({ name, values }) => [name, values])]);
