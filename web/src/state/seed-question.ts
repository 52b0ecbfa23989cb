// Does the seed decide anything? Asked of the engine once for every model and its inputs.
import { hasTask } from '../engine/own-data';
import type { Probes } from './probes';
import type { Experiment } from '../engine/replay';

export class SeedQuestion {
  /** True until the engine has answered. */
  decides = true;
  private asked = '';
  private asking = new AbortController();

  constructor(
    private readonly probes: Probes,
    private readonly answered: () => void,
  ) {}

  /** A question that another one overtakes is given up: the engine is the learner's. */
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

/** What learns a task begins with random parameters, and reads its batches in a random order. */
const trains = ({ config }: Experiment): boolean => hasTask(config);

/** All that the answer depends on. */
const questionOf = ({ config, inputs }: Experiment): string =>
  JSON.stringify([{ ...config, seed: 0 }, inputs.map(({ name, values }) => [name, values])]);
