// Trains the model slice by slice: counts the progress, and from time to time refreshes what is shown and keeps a
// checkpoint.
import { ON_ONE_THREAD } from '#messages/lab';
import { trainInSlices, type RemoteSession } from '../engine/remote';
import type { LabStore } from './lab-store';
import type { UnseenLoss } from './unseen-loss';
import type { Keeper } from './store/keeper';
import { afterSlice, extended, TEST_PAIRS, untrained, type Status, type Training } from './training';
import { type Checkpoint, resume, type Experiment } from '../engine/replay';
import type { EvaluationInfo, GenerationInfo, Reply, TrainInfo } from '../engine/types';
import { cores } from '../engine/kinds';

/** Minimum milliseconds between two readings shown, two refreshes and two checkpoints. Drawing takes a core, too. */
const SHOW_INTERVAL = 200;
const REFRESH_INTERVAL = 500;
const SAVE_INTERVAL = 3000;
/** Seconds of a step from which on several threads are worth their start. */
const LONG_STEP = 0.002;
/** Milliseconds of training after which steps are judged: the first ones are slow everywhere. */
const JUDGED_AFTER = 500;
/** Validation pairs whose output is sampled while the model trains, besides the pair on the bench. */
const MAX_SAMPLES = 3;

/** Null where its module is missing, such as offline: nothing else depends on it. */
const unseenLoss = async (session: RemoteSession): Promise<UnseenLoss | null> => {
  const part = await import('./unseen-loss').catch(() => null);
  return part && new part.UnseenLoss(session);
};

export class Trainer {
  readonly threads: Threads;
  /** Writes the state to where a reload finds it, before a checkpoint is kept: one with more steps would be unusable. */
  saveState: () => Promise<void> = () => Promise.resolve();

  #pausing = false;
  #lastShown = 0;
  #lastRefreshed = 0;
  /** Time of the last checkpoint. Not reset by a run: a worker that dies early and often must not postpone the next. */
  #lastSaved = 0;
  #saving = false;
  #began = 0;
  #sliceEnd = 0;
  /** Seconds that a step of this run takes, in the fastest slice so far. */
  #shortest = Infinity;
  #measurement = 0;
  #unseen: UnseenLoss | null = null;
  /** Sources whose output is sampled. */
  #sampleSources: string[] = [];

  constructor(
    private readonly session: RemoteSession,
    private readonly store: LabStore,
    private readonly keeper: Keeper,
  ) {
    this.threads = new Threads(session);
  }

  get #progress(): Training {
    return this.store.training;
  }

  /** A rebuild starts: the model is at a checkpoint, or new, and is to be trained to `target`. */
  begin(target: number, { steps: step, curve, unseen }: Omit<Checkpoint, 'bytes'> = { steps: 0, curve: [] }): void {
    this.#measurement++;
    this.#pausing = false;
    this.#sliceEnd = performance.now();
    this.#began = Infinity;
    this.#set({ ...untrained(step, curve, unseen), target, status: target > step ? 'running' : 'idle' });
  }

  /** Counts a slice of a rebuild; false if training should stop there. */
  replayed(info: TrainInfo): boolean {
    this.#count(info);
    if (this.#began === Infinity) this.#timeFrom(this.#sliceEnd); // the first slice has the loading of the model in it
    return !this.#pausing;
  }

  /** Whether the rest takes longer than these seconds, at the highest speed so far: judged after a second of training. */
  exceeds(seconds: number): boolean {
    const { step, target } = this.#progress;
    return this.#sliceEnd - this.#began > 1000 && (target - step) * this.#shortest > seconds;
  }

  /** The rebuild is done: the step it ended at, and whether it stopped before `target`. */
  settle(target: number): { step: number; stopped: boolean } {
    const { step } = this.#progress;
    this.#set({ status: 'idle', target: step });
    return { step, stopped: step < target };
  }

  /**
   * Trains `steps` more steps, or until pause() or a refusal, which leaves the last good weights. The status changes as
   * soon as training stops; the promise resolves after the checkpoint and the refresh that follow.
   */
  async run(steps: number): Promise<Reply<TrainInfo>> {
    this.#measurement++;
    this.#pausing = false;
    const { status, step, target } = this.#progress;
    const goesOn = status === 'paused' && target > step;
    const plan = { from: step, target: step + steps, elapsed: 0, expected: 0, evaluation: null };
    this.#set({ ...(goesOn ? {} : plan), status: 'running' });
    this.#unseen = this.store.task?.validation ? await unseenLoss(this.session) : null;
    this.#timeFrom(performance.now());
    const reply = await trainInSlices(this.session, this.#progress.target - step, (info) => this.#afterSlice(info));
    this.#set({ status: this.#statusAfter(reply) });
    if (reply.ok && !this.#pausing) await this.#measureUnseen();
    await this.#save();
    await this.#refresh();
    return reply;
  }

  #statusAfter(reply: Reply<TrainInfo>): Status {
    if (!reply.ok && reply.code === 'E_DIVERGED') return 'diverged';
    return this.#progress.step < this.#progress.target ? 'paused' : 'done';
  }

  /** Stops after the current slice; run() then resolves. */
  pause(): void {
    this.#pausing = true;
  }

  /** Like pause(), but the next run() does not resume this one. */
  stop(): void {
    this.#pausing = true;
    const { step, status } = this.#progress;
    this.#set({ target: step, status: status === 'paused' ? 'done' : status });
  }

  /** Evaluates on the test split batch by batch, until done or superseded by training or another measurement. */
  async measure(): Promise<void> {
    const mine = ++this.#measurement;
    let reply: Reply<EvaluationInfo> = await this.session.evaluate('test', TEST_PAIRS, 0);
    while (reply.ok && mine === this.#measurement) {
      this.#set({ evaluation: reply.value });
      if (reply.value.done >= reply.value.pairs) return;
      reply = await this.session.evaluateMore();
    }
  }

  /** There is another model: chooses what is sampled, and samples it. */
  async sample(): Promise<void> {
    const { task } = this.store;
    this.#sampleSources = [];
    if (!task) return;
    const unseen = await this.session.pairs('validation', 1, MAX_SAMPLES);
    this.#sampleSources = (unseen.ok ? unseen.value : []).map(({ source }) => source.join(task.separator));
    await this.#refresh();
  }

  /** Training continues with this number of threads, if its steps are long; the bits are the same. */
  useThreads(wanted: number): void {
    this.threads.wanted = wanted;
    this.store.changed('training');
  }

  /** Keeps a checkpoint of the model as it is now. */
  async keep(checkpoint: Checkpoint): Promise<void> {
    const { store } = this;
    const state = { ...store.state, steps: checkpoint.steps };
    await this.saveState();
    const { target } = this.#progress;
    const outcome = await this.keeper.save(store.page, state, store.experimentOf(state), checkpoint, target);
    store.reportUnsaved('trained', outcome);
  }

  /** Stops between two answers of the engine where it need not go on. */
  async #refresh(goesOn = (): boolean => true): Promise<void> {
    const samples: GenerationInfo[] = [];
    for (const source of this.#sampleSources) {
      if (!goesOn()) return;
      const reply = await this.session.generate(source, {});
      if (reply.ok) samples.push(reply.value);
    }
    this.#lastRefreshed = performance.now();
    this.#set({ samples });
    if (goesOn()) await this.store.renewValues();
  }

  async #afterSlice(info: TrainInfo): Promise<boolean> {
    this.#count(info);
    this.store.state = { ...this.store.state, steps: info.step };
    if (this.#pausing) return false; // the end of the run saves, refreshes and measures
    if (this.#stepsAreLong) await this.#moveIfReady(info.step);
    const now = performance.now();
    if (now - this.#lastSaved > SAVE_INTERVAL && !this.#saving) void this.#save();
    else if (now - this.#lastRefreshed > REFRESH_INTERVAL) await this.#refresh(() => !this.#pausing);
    if (!this.#pausing && this.#unseen?.isDue()) await this.#measureUnseen();
    return !this.#pausing;
  }

  async #measureUnseen(): Promise<void> {
    const { step, unseen } = this.#progress;
    const found = await this.#unseen?.measure(() => !this.#pausing);
    this.#sliceEnd = performance.now(); // the next slice is not charged for it
    if (found) this.#set({ unseen: extended(unseen, { step, ...found }) });
  }

  /** Steps take long, and no call is in flight: the place to let more threads take the next. */
  async #moveIfReady(steps: number): Promise<void> {
    if (!(await this.threads.moveIfReady(this.store.experimentOf({ ...this.store.state, steps }))))
      this.store.notify({ message: ON_ONE_THREAD });
  }

  /** The speed is that of the slices from here on. */
  #timeFrom(now: number): void {
    this.#began = this.#sliceEnd = now;
    this.#shortest = Infinity;
  }

  get #stepsAreLong(): boolean {
    return this.#sliceEnd - this.#began > JUDGED_AFTER && this.#shortest > LONG_STEP;
  }

  #count(info: TrainInfo): void {
    const now = performance.now();
    const seconds = (now - this.#sliceEnd) / 1000;
    this.#shortest = Math.min(this.#shortest, seconds / (info.step - this.#progress.step));
    this.store.training = afterSlice(this.#progress, info, seconds);
    this.#sliceEnd = now;
    if (now - this.#lastShown < SHOW_INTERVAL) return;
    this.#lastShown = now;
    this.store.changed('training');
  }

  /** Requests the weights ahead of the next slice, so training continues while they are written. */
  async #save(): Promise<void> {
    const { step, curve, unseen } = this.#progress;
    const now = performance.now();
    this.#saving = true;
    const reply = await this.session.save();
    this.#saving = false;
    if (!reply.ok) return;
    this.#lastSaved = now;
    await this.keep({ steps: step, bytes: reply.value, curve, unseen });
  }

  #set(part: Partial<Training>): void {
    this.store.training = { ...this.#progress, ...part };
    this.store.changed('training');
  }
}

/** How many threads take the training steps of a model: one, or where steps are long as many as the learner wants. */
export class Threads {
  readonly most = cores();
  wanted = this.most;

  constructor(private readonly session: RemoteSession) {}

  get atWork(): number {
    return this.session.threads;
  }

  /**
   * Moves the model, which is in the state of the experiment, to a worker with as many threads as wanted, once that worker
   * is ready; a hidden page uses one thread. False if the move failed: one thread goes on.
   */
  async moveIfReady(experiment: Experiment): Promise<boolean> {
    const wanted = document.hidden ? 1 : this.wanted;
    if (this.atWork === wanted || !this.session.isReadyFor(experiment.config, wanted)) return true;
    const saved = await this.session.save();
    if (!saved.ok) return true; // the worker is lost, and will be replaced
    const checkpoint = { steps: experiment.steps, bytes: saved.value, curve: [] };
    const moveTo = async (threads: number): Promise<boolean> => {
      this.session.threads = threads;
      return (await resume(this.session, experiment, checkpoint)).ok;
    };
    if (await moveTo(wanted)) return true;
    this.wanted = 1;
    await moveTo(1);
    return false;
  }

  /** Its worker was lost; true if that had several threads, which are not retried automatically. */
  lost(): boolean {
    if (this.atWork === 1) return false;
    this.session.threads = this.wanted = 1;
    return true;
  }

  /** A worker with this number of threads did not start. True if the learner had chosen that number: one thread is used now. */
  notStarted(threads: number): boolean {
    if (threads === 1 || threads !== this.wanted) return false;
    this.wanted = 1;
    return true;
  }
}
