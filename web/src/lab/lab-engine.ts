// The state table backed by the engine: one change at a time, each accepted or refused as a whole.
import * as texts from '#messages/lab';
import { replay, type Checkpoint, type ReplayOptions, type Result } from '../engine/replay';
import { RemoteSession } from '../engine/remote';
import { Workers } from '../engine/workers';
import { whyMissing } from '../engine/offline';
import { byName, type NamedCursor } from './cursor/names';
import { experimentOf } from './changes';
import { foundHere } from './store/checkpoints';
import { keeperOf, type Keeper } from './store/keeper';
import { LabState } from './lab-state';
import { JobQueue } from './job-queue';
import { checkpointWords, type Notice } from './notice';
import type { Opening } from './opening';
import { checkPlaces, cursorIn, targetCursor, withLaterMoves } from './place';
import type { Page } from './page';
import { Probes } from './probes';
import { SeedSensitivity } from './seed-sensitivity';
import { emptyState } from './link/table';
import { Threads } from './threads';
import { Trainer } from './trainer';
import { ValueCache } from './value-cache';
import type * as T from '../engine/types';

/** How often a lost worker is replaced without a successful run in between. */
const MAX_CRASHES = 3;
/** Seconds of training that a link may start unasked; a longer one is stopped and its rest offered. */
const LINK_BUDGET = 10;
/** Validation pairs whose output is sampled while the model trains, besides the pair on the bench. */
const MAX_SAMPLES = 3;

export interface Change {
  what: texts.Job;
  /** The new state, given the state left by earlier changes; undefined if there is nothing to do. */
  nextState: (state: T.State) => T.State | undefined | Promise<T.State | undefined>;
  /** Whether it would change nothing in this state, if that is known at once: then it does not pause training. */
  isIdle?: (state: T.State) => boolean;
  /** Applies the change to the running session; without it the session is rebuilt. */
  applyInPlace?: () => Promise<T.Reply<T.RunInfo>>;
  /** Where the cursor goes: this operation, or where the page opens (null); undefined: it stays. */
  target?: NamedCursor | null;
  /** The caller tells of a refusal. */
  quiet?: boolean;
  /** What the rebuild resumes from, once the next state is known; it is stored when it is accepted. */
  given?: () => Checkpoint | null;
  /** From a link: refused unless every part of it applies. */
  linked?: boolean;
}

type Built = { made: T.Reply<Result>; reached: T.State; notice: Notice | null };

export abstract class LabEngine extends LabState {
  private readonly workers = new Workers();
  protected readonly session = new RemoteSession(this.workers);
  readonly threads = new Threads(this.session);
  protected readonly valueCache = new ValueCache(
    (nodes) => this.session.each('values', nodes),
    () => this.changed('values'),
  );
  /** Probabilities, for tensors of log-probabilities. */
  protected readonly probabilityCache = new ValueCache(
    (nodes) => this.session.each('probabilities', nodes),
    () => this.changed('values'),
  );
  protected readonly queue = new JobQueue<texts.Job>(() => this.changed('activity'));
  protected readonly probes = new Probes(this.workers);
  protected readonly seedSensitivity = new SeedSensitivity(this.probes, () => this.changed('run'));
  protected readonly trainer: Trainer;
  /** Settles with the last requested change. */
  protected changes: Promise<unknown> = Promise.resolve();
  /** Sources whose output is sampled while the model trains. */
  private sampleSources: string[] = [];
  private crashes = 0;
  /** Target step of a training run that was stopped early, possibly in an earlier visit; 0 if there is none. */
  protected targetStep = 0;
  /** Writes the state to where a reload finds it, before a checkpoint is kept: one with more steps would be unusable. */
  saveState: () => Promise<void> = () => Promise.resolve();

  protected readonly keeper: Keeper;

  constructor(
    readonly page: Page,
    readonly linked: boolean,
  ) {
    super(emptyState(page.lesson));
    this.keeper = keeperOf(this);
    this.trainer = new Trainer(this.session, {
      onSlice: (steps) => (this.state = { ...this.state, steps }),
      onLongStep: (step) => this.shareTraining(step),
      sampleSources: () => this.sampleSources,
      save: (checkpoint) => this.saveCheckpoint(checkpoint),
      refreshValues: async () => void (await Promise.all([this.valueCache.renew(), this.probabilityCache.renew()])),
      changed: () => this.changed('training'),
    });
    this.workers.onLost = (client, reason) => {
      if (this.session.livesIn(client)) this.recover(reason);
    };
    this.workers.onStartFailed = (client, reason) => {
      if (this.session.livesIn(client)) this.reportEngineProblem(texts.NEVER_STARTED, reason);
      else if (this.threads.notStarted(client.threads)) this.notify({ message: texts.ON_ONE_THREAD });
    };
  }

  /** Queues a change; training pauses for it. False if there was nothing to do. */
  protected change(change: Change): Promise<T.Reply<boolean>> {
    if (this.queue.isAlone('train') && change.isIdle?.(this.state)) return Promise.resolve({ ok: true, value: false });
    this.trainer.pause();
    const turn = this.queue.run(change.what, async (): Promise<T.Reply<boolean>> => {
      const before = this.state;
      const next = await change.nextState(before);
      if (!next) return { ok: true, value: false };
      this.say(change.linked ? { notice: null } : { notice: null, problem: null });
      const done = await this.apply(change, next, before);
      return done.ok ? { ok: true, value: true } : this.rollback(done, before, change);
    });
    this.changes = turn.catch(() => undefined);
    return turn;
  }

  async settled(): Promise<void> {
    await this.changes;
  }

  /** Brings the engine to the state and accepts it. */
  private async apply(
    { applyInPlace, target, linked, given }: Change,
    state: T.State,
    before: T.State,
  ): Promise<T.Reply<Result>> {
    if (applyInPlace && this.trace) {
      const made = await this.rerun(applyInPlace);
      if (made.ok) this.accept(state, made.value, before);
      return made;
    }
    const checkpoint = given?.() ?? null;
    const { made, reached, notice } = await this.build(state, !linked, checkpoint);
    const reply = made.ok && linked ? checkPlaces(made.value, reached, target ?? null) : made;
    if (!reply.ok) return reply;
    this.accept(reached, reply.value, before, target);
    if (notice) this.notify(notice);
    if (checkpoint) await this.saveCheckpoint(checkpoint);
    await this.updateSamples();
    return reply;
  }

  /**
   * Rebuilds the session from scratch or from a checkpoint. `reached`: without the edits that the model refused or the
   * learner did not wait for, at the step where training stopped. Somebody else's program trains only when the learner
   * asks for it.
   */
  private async build(state: T.State, tolerant: boolean, given: Checkpoint | null = null): Promise<Built> {
    const asked = experimentOf(this.page, state);
    const found = given ? foundHere(given) : await this.keeper.find(this.page, state, asked);
    const { checkpoint } = found;
    if (asked.takenOver && !checkpoint) {
      const begun = await this.build({ ...state, takenOver: '', steps: tolerant ? 0 : state.steps }, tolerant);
      return { ...begun, notice: { message: texts.NOT_TAKEN_OVER } };
    }
    const waits = !tolerant && asked.config.program !== undefined;
    const experiment = waits ? { ...asked, steps: checkpoint?.steps ?? 0 } : asked;
    const lost: T.Edit[] = [];
    const onBadCheckpoint = (): void => {
      found.lost = 'damaged';
      void this.keeper.drop(found.slot);
      this.trainer.begin(0, experiment.steps, []);
    };
    const onSlice = (info: T.TrainInfo): boolean =>
      this.trainer.replayed(info) && (tolerant || !this.trainer.exceeds(LINK_BUDGET));
    const opening = await this.open(state);
    const options: ReplayOptions = { checkpoint, onBadCheckpoint, onSlice, onEdits: opening?.goesOn };
    if (tolerant) options.onEditDropped = (edit) => lost.push(edit);
    this.trainer.begin(checkpoint?.steps ?? 0, experiment.steps, checkpoint?.curve ?? []);
    const made = await replay(this.session, experiment, options).finally(() => opening?.end());
    const { left = [] } = opening ?? {};
    const { step, stopped } = this.trainer.settle(asked.steps);
    this.targetStep = stopped ? asked.steps : found.target;
    const out = new Set([...lost, ...left]);
    const edits = state.edits.filter((edit) => !out.has(edit));
    const takenOver = found.lost ? '' : state.takenOver;
    const reached = { ...state, edits, takenOver, steps: stopped ? step : state.steps };
    const message = lost.length ? texts.editsDropped(lost.length) : checkpointWords(found);
    const openAll = (): void => void this.change({ what: 'load', nextState: () => state });
    const notice = opening && left.length ? opening.rest(edits.length, openAll) : message ? { message } : null;
    return { made, reached, notice };
  }

  /** Null without edits: then nothing takes long but training, which has its own progress. */
  private async open({ edits }: T.State): Promise<Opening | null> {
    if (!edits.length) return null;
    let shown: Notice | null = null;
    const tell = (notice: Notice | null): void => {
      if (notice ? this.trainer.progress.status === 'running' : this.notice !== shown) return;
      this.say({ notice: (shown = notice) });
    };
    const part = await import('./opening').catch(() => null); // offline it may be missing: nothing else depends on it
    return part && new part.Opening(edits.length, tell);
  }

  /** After a refusal: a refused `applyInPlace` has changed nothing; a refused rebuild is followed by one of `before`. */
  private async rollback(
    refusal: T.Problem & { ok: false },
    before: T.State,
    { applyInPlace, quiet }: Change,
  ): Promise<T.Reply<never>> {
    const message = refusal.code === 'E_MODULE' ? await whyMissing(refusal.message) : refusal.message;
    const problem = { ...refusal, message };
    if (!quiet) this.refuse(problem);
    if (!applyInPlace && problem.code !== 'E_WORKER') await this.rebuild(before);
    return problem;
  }

  protected async rerun(run: () => Promise<T.Reply<T.RunInfo>>): Promise<T.Reply<Result>> {
    const reply = await run();
    if (!reply.ok) return reply;
    const { info, task, pair } = this;
    const trace = await this.session.trace(reply.value.trace);
    return trace.ok ? { ok: true, value: { info: info!, task, pair, run: reply.value, trace: trace.value } } : trace;
  }

  /** Brings the engine back to the state after a refusal or a lost worker. */
  private async rebuild(state: T.State): Promise<void> {
    const { made, reached, notice } = await this.build(state, true);
    if (!made.ok) return;
    this.accept(reached, made.value);
    if (notice) this.notify(notice);
    await this.updateSamples();
  }

  protected accept(made: T.State, result: Result, before = made, target?: NamedCursor | null): void {
    const old = this.trace;
    const state = withLaterMoves(made, before, this.state);
    Object.assign(this, result);
    this.crashes = 0;
    this.clearCaches((node) => byName(result.trace).get(old?.nodes[node]?.name ?? '')?.id ?? -1);
    this.state = {
      ...state,
      cursor:
        target === undefined
          ? cursorIn(this.page, old, result.trace, state.cursor)
          : targetCursor(this.page, result.trace, target),
    };
    if (this.selection && !this.node(this.selection.node)) this.state = { ...this.state, selection: null };
    void this.seedSensitivity.ask(experimentOf(this.page, this.state));
    this.changed('run', 'cursor', 'selection', 'choice');
  }

  private async updateSamples(): Promise<void> {
    this.sampleSources = [];
    if (!this.task) return;
    const separator = this.task.separator;
    const unseen = await this.session.pairs('validation', 1, MAX_SAMPLES);
    this.sampleSources = (unseen.ok ? unseen.value : []).map(({ source }) => source.join(separator));
    await this.trainer.refresh();
  }

  private async saveCheckpoint(checkpoint: Checkpoint): Promise<void> {
    const state = { ...this.state, steps: checkpoint.steps };
    await this.saveState();
    const { target } = this.trainer.progress;
    const experiment = experimentOf(this.page, state);
    this.reportUnsaved('trained', await this.keeper.save(this.page, state, experiment, checkpoint, target));
  }

  /** Frees the engine: the lab has left the page. */
  close(): void {
    this.trainer.stop();
    this.session.close();
    this.workers.close();
  }

  /** In the course of training. */
  private async shareTraining(steps: number): Promise<void> {
    const experiment = experimentOf(this.page, { ...this.state, steps });
    if (!(await this.threads.share(experiment))) this.notify({ message: texts.ON_ONE_THREAD });
  }

  /** Drops cached values: there is a new run, where node `now(node)` is what `node` was, or no worker to ask. */
  private clearCaches(now?: (node: number) => number): void {
    this.valueCache.clear(now);
    this.probabilityCache.clear(now);
    this.changed('values');
  }

  private recover(reason: string): void {
    this.clearCaches();
    const { status, step, target } = this.trainer.progress;
    const goesOn = this.threads.lost() && status === 'running';
    const givesUp = ++this.crashes > MAX_CRASHES;
    if (!givesUp) void this.queue.run('restart', () => this.rebuild(this.state)).then(() => goesOn || this.offerRest());
    if (!givesUp && goesOn) void this.trainOn(step, target);
    const restarted = goesOn ? texts.ON_ONE_THREAD : texts.RESTARTED;
    this.reportEngineProblem(givesUp ? texts.stoppedAgain(this.crashes) : restarted, reason);
  }

  /** Queues the rest of a training run that lost its worker, if the model then gets back to these steps. */
  protected abstract trainOn(steps: number, target: number): Promise<unknown>;

  /** Offers the rest of a training run that was stopped early, also beside what is to be said. */
  protected abstract offerRest(): void;

  protected reportEngineProblem(message: string, detail: string): void {
    this.reportProblem({ code: 'E_WORKER', message, detail });
  }

  protected refuse(reply: T.Problem): null {
    if (reply.code !== 'E_WORKER') this.reportProblem(reply);
    return null;
  }
}
