// The same training from other seeds, one after another, in a worker of its own: the model of the lab is not touched.
// The runs belong to the open page: another stage keeps them, a reload drops them.
import { inOwnSession, trainInSlices, type RemoteSession } from '../../engine/remote';
import { Workers } from '../../engine/client';
import type { UnseenPoint } from '../../engine/replay';
import { configKey, type Config, type Problem } from '../../engine/types';
import type { Lab } from '../../lab/lab';
import { UnseenLoss } from '../../lab/unseen-loss';

export interface SeedRun {
  seed: number;
  points: UnseenPoint[];
}

/** Runs a press adds, and steps at which each is measured. */
export const MORE = 3;
const MARKS = 8;

/** Evenly up to the last step, which is one of them. */
export const marksOf = (steps: number): number[] => [
  ...new Set(Array.from({ length: MARKS }, (_, i) => Math.max(1, Math.round(((i + 1) * steps) / MARKS)))),
];

/** Runs of different lengths, or of another model, have no range in common. */
const keyOf = (config: Config, steps: number): string => configKey({ ...config, seed: steps });
const modelOf = (lab: Lab): string => keyOf(lab.config(), 0);

type InSession = <R>(job: (session: RemoteSession) => Promise<R>) => Promise<R>;

async function inWorkerOfOwn<R>(job: (session: RemoteSession) => Promise<R>): Promise<R> {
  const workers = new Workers();
  return inOwnSession(workers, job).finally(() => workers.close());
}

export class Seeds {
  steps = 0;
  /** Which of the runs is in training, and its step; null: none. */
  now: { run: number; step: number } | null = null;
  problem: Problem | null = null;
  #runs: SeedRun[] = [];
  #key = '';
  #model = '';
  #token: object | null = null;

  constructor(
    private readonly lab: Lab,
    private readonly inSession: InSession = inWorkerOfOwn,
  ) {}

  /** Those of the model in the lab. */
  get runs(): readonly SeedRun[] {
    return this.#model === modelOf(this.lab) ? this.#runs : [];
  }

  stop(): void {
    this.#token = this.now = null;
    this.lab.changed('training');
  }

  /** Trains from three more seeds, as far as the model in the lab is trained. */
  async more(): Promise<void> {
    const config = this.lab.config();
    this.#begin(config, this.lab.training.step);
    const token = (this.#token = {});
    const goesOn = (): boolean => this.#token === token && this.#model === modelOf(this.lab);
    const first = Math.max(Number(config.seed), ...this.#runs.map(({ seed }) => seed)) + 1;
    for (let i = 0; i < MORE && goesOn(); i++) await this.#train({ ...config, seed: first + i }, i, goesOn);
    if (this.#token === token) this.stop();
  }

  #begin(config: Config, steps: number): void {
    const key = keyOf(config, steps);
    if (key !== this.#key) this.#runs = [];
    [this.#key, this.#model, this.steps, this.problem] = [key, modelOf(this.lab), steps, null];
  }

  /** What is measured before it is stopped or refused stays. */
  #train(config: Config, run: number, goesOn: () => boolean): Promise<void> {
    const found: SeedRun = { seed: Number(config.seed), points: [] };
    return this.inSession(async (session) => {
      this.#show(run, 0);
      const loaded = await session.load(config);
      if (!loaded.ok) return this.#refuse(loaded);
      if (!goesOn()) return;
      this.#runs = [...this.#runs, found];
      for (const mark of marksOf(this.steps)) if (goesOn()) await this.#trainTo(mark, session, found, run, goesOn);
    });
  }

  async #trainTo(
    mark: number,
    session: RemoteSession,
    { points }: SeedRun,
    run: number,
    goesOn: () => boolean,
  ): Promise<void> {
    const from = points.at(-1)?.step ?? 0;
    const reply = await trainInSlices(session, mark - from, ({ step }) => goesOn() && this.#show(run, step));
    if (!reply.ok) return this.#refuse(reply);
    const found = goesOn() ? await new UnseenLoss(session).measure(goesOn) : null;
    if (found) points.push({ step: mark, ...found });
  }

  #refuse(problem: Problem): void {
    this.problem = problem;
    this.stop();
  }

  #show(run: number, step: number): true {
    this.now = { run, step };
    this.lab.changed('training');
    return true;
  }
}

const ofLabs = new WeakMap<Lab, Seeds>();

export function seedsOf(lab: Lab): Seeds {
  const seeds = ofLabs.get(lab) ?? new Seeds(lab);
  ofLabs.set(lab, seeds);
  return seeds;
}
