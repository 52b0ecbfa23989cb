// Brings the engine to the learner's state, one job at a time: a change, accepted or refused as a whole; a training run;
// or the replacement of a lost worker.
import * as texts from '#messages/lab';
import { replay, type Checkpoint, type ReplayOptions, type Result } from '../engine/replay';
import type { RemoteSession } from '../engine/remote';
import type { Client, Workers } from '../engine/client';
import { whyMissing } from '../engine/offline';
import { expectRefusals } from '../engine/refused';
import { type NamedCursor, forwardDone, position } from './cursor';
import { JobQueue } from './job-queue';
import type { LabStore } from './lab-store';
import { MAX_STEPS } from './link/limits';
import { checkpointWords, type Notice } from './notice';
import type { Opening } from './opening';
import { foundHere, type Found } from './store/found';
import { type Keeper } from './store/keeper';
import type { Trainer } from './trainer';
import type * as T from '../engine/types';

/** How often a lost worker is replaced without a successful run in between. */
const MAX_CRASHES = 3;
/** Seconds of training that a link may start unasked; a longer one is stopped and its rest offered. */
const LINK_BUDGET = 10;
const TOO_LONG: T.Problem = { code: 'E_INPUT', message: texts.trainedEnough(MAX_STEPS), detail: '' };

export interface Change {
  what: texts.Job;
  /** The new state, given the state left by earlier changes; undefined if there is nothing to do. */
  nextState: (state: T.State) => T.State | undefined | Promise<T.State | undefined>;
  /** Asked while the model trains: whether it would change nothing, if that is known at once. Then training goes on. */
  isIdle?: (state: T.State) => boolean;
  /** Applies the change to the running session; without it the session is rebuilt. */
  applyInPlace?: () => Promise<T.Reply<T.RunInfo>>;
  /** Where the cursor goes: this operation, or where the page opens (null); undefined: it stays. */
  target?: NamedCursor | null;
  /** The caller reports a refusal. */
  quiet?: boolean;
  /** What the rebuild resumes from, once the next state is known; it is stored when it is accepted. */
  checkpoint?: () => Checkpoint | null;
  /** From a link: refused unless every part of it applies. */
  linked?: boolean;
}

type Rebuilt = { reply: T.Reply<Result>; reached: T.State; notice: Notice | null };

/** Places are named only by a link, which was read by the same part. */
async function checkLinked(result: Result, state: T.State, target: NamedCursor | null): Promise<T.Reply<Result>> {
  if (!target && !state.selection) return { ok: true, value: result };
  const { checkPlaces } = await import('./link/link');
  return checkPlaces(result, state, target);
}

export interface Listener {
  /** There is another run. */
  accepted(): void;
  /** The learner asks for the rest of a training run. */
  trainOn(steps: number): void;
}

export class EngineHost {
  readonly queue = new JobQueue<texts.Job>(() => this.store.changed('activity'));
  /** Settles with the last requested change. */
  #changes: Promise<unknown> = Promise.resolve();
  /** The change that queued training waits for; null if none is queued. */
  #trainsAfter: Promise<unknown> | null = null;
  /** Target step of a training run that was stopped early, possibly in an earlier visit; 0 if there is none. */
  #targetStep = 0;
  #crashes = 0;
  /** Whether the worker was lost and no other one has been brought back to the state since. */
  #lost = false;

  constructor(
    private readonly store: LabStore,
    private readonly session: RemoteSession,
    private readonly trainer: Trainer,
    private readonly keeper: Keeper,
    workers: Workers,
    private readonly listener: Listener,
  ) {
    workers.onLost = (client, reason) => {
      if (session.livesIn(client)) this.#restart(client, reason);
    };
    workers.onStartFailed = (client, reason) => {
      if (session.livesIn(client)) this.#reportEngine(texts.NEVER_STARTED, reason);
      else if (trainer.threads.notStarted(client.threads)) store.notify({ message: texts.ON_ONE_THREAD });
    };
  }

  /** Queues a change; training pauses for it, and stays paused. False if there was nothing to do. */
  change(change: Change): Promise<T.Reply<boolean>> {
    const { store } = this;
    if (this.queue.isAlone('train') && change.isIdle?.(store.state)) return Promise.resolve({ ok: true, value: false });
    this.trainer.pause();
    if (store.trace) void expectRefusals();
    const turn = this.queue.run(change.what, async (): Promise<T.Reply<boolean>> => {
      await this.#recover();
      const before = store.state;
      const next = await change.nextState(before);
      if (!next) return { ok: true, value: false };
      store.say(change.linked ? { notice: null } : { notice: null, problem: null });
      const done = await this.#apply(change, next, before);
      return done.ok ? { ok: true, value: true } : this.#rollback(done, before, change);
    });
    this.#changes = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves once all requested changes are made or refused; training does not count. */
  async settled(): Promise<void> {
    await this.#changes;
  }

  /** At most one run is queued; a change requested before its turn cancels it. */
  train(steps: () => number): Promise<boolean> {
    const after = this.#changes;
    if (this.#trainsAfter === after || this.store.training.status === 'running') return Promise.resolve(false);
    this.#trainsAfter = after;
    return this.queue.run('train', async () => {
      if (this.#changes !== after) return false;
      this.#trainsAfter = null;
      this.store.dismiss();
      const room = MAX_STEPS - this.store.training.step;
      if (room > 0) return this.#trainNow(Math.min(steps(), room));
      this.store.reportProblem(TOO_LONG);
      return false;
    });
  }

  /** The model reads another pair; the edits are undone, as they are at positions of the pair before. */
  async read(source: string, target: string): Promise<T.Reply<T.RunInfo>> {
    const pair = await this.session.read(source, target);
    if (!pair.ok) return pair;
    this.store.pair = pair.value;
    return this.store.state.edits.length ? this.session.setEdits([]) : this.session.run([]);
  }

  /** Offers the rest of a training run that was stopped early; a notice or problem that is shown is kept beside it. */
  offerRest(): void {
    const { training, notice, problem } = this.store;
    const { step, elapsed, expected } = training;
    const rest = this.#targetStep - step;
    if (rest <= 0 || notice?.action) return;
    const action = { label: texts.CONTINUE_TRAINING, run: () => this.listener.trainOn(rest) };
    const where = texts.trainingAt(step, this.#targetStep, expected - elapsed);
    // A problem would hide the offer: where the engine was restarted, both are one notice.
    const restarted = problem?.code === 'E_WORKER' && problem.message;
    if (restarted) this.store.say({ problem: null });
    this.store.notify({ message: restarted ? `${restarted} ${where}` : (notice?.message ?? where), action });
  }

  /** Brings the engine to the state and accepts it. */
  async #apply(change: Change, state: T.State, before: T.State): Promise<T.Reply<Result>> {
    if (change.applyInPlace && this.store.trace) return this.#rerun(change.applyInPlace, state, before);
    const { linked, target } = change;
    const checkpoint = change.checkpoint?.() ?? null;
    const { reply, reached, notice } = await this.#build(state, !linked, checkpoint);
    const checked = reply.ok && linked ? await checkLinked(reply.value, reached, target ?? null) : reply;
    if (!checked.ok) return checked;
    this.#accept(reached, checked.value, before, target);
    if (notice) this.store.notify(notice);
    if (checkpoint) await this.trainer.keep(checkpoint);
    await this.trainer.sample();
    return checked;
  }

  /** Runs the loaded model again, and shows that run as the one of this state. */
  async #rerun(start: () => Promise<T.Reply<T.RunInfo>>, state?: T.State, before?: T.State): Promise<T.Reply<Result>> {
    const run = await start();
    if (!run.ok) return run;
    const trace = await this.session.trace(run.value.trace); // it came with the run of an edit, or is known
    if (!trace.ok) return trace;
    const { info, task, pair } = this.store;
    const value = { info: info!, task, pair, run: run.value, trace: trace.value };
    this.#accept(state ?? this.store.state, value, before);
    return { ok: true, value };
  }

  /** After a refusal: a refused `applyInPlace` has changed nothing; a refused rebuild is followed by one of `before`. */
  async #rollback(
    refusal: T.Problem & { ok: false },
    before: T.State,
    { applyInPlace, quiet }: Change,
  ): Promise<T.Reply<never>> {
    const message = refusal.code === 'E_MODULE' ? await whyMissing(refusal.message) : refusal.message;
    const problem = { ...refusal, message };
    if (!quiet) this.store.reportRefusal(problem);
    if (this.#lost || (!applyInPlace && problem.code !== 'E_WORKER')) await this.#rebuild(before);
    return problem;
  }

  /** Whoever comes first after a worker was lost: the restart, or a change that was queued before it. */
  async #recover(): Promise<void> {
    if (this.#lost) await this.#rebuild(this.store.state);
  }

  /** Brings the engine back to the state after a refusal or a lost worker. */
  async #rebuild(state: T.State): Promise<void> {
    this.#lost = false;
    const { reply, reached, notice } = await this.#build(state, true);
    if (!reply.ok) return;
    this.#accept(reached, reply.value);
    if (notice) this.store.notify(notice);
    await this.trainer.sample();
  }

  #accept(...shown: Parameters<LabStore['accept']>): void {
    this.#crashes = 0;
    this.store.accept(...shown);
    this.listener.accepted();
  }

  /**
   * Rebuilds the session from scratch or from a checkpoint. `reached`: the state without the edits that the model
   * refused or the learner did not wait for, at the step where training stopped.
   * @param tolerant Leaves out what the model refuses, and trains as long as it takes
   */
  async #build(state: T.State, tolerant: boolean, checkpoint: Checkpoint | null = null): Promise<Rebuilt> {
    const asked = this.store.experimentOf(state);
    const found = checkpoint ? foundHere(checkpoint) : await this.keeper.find(this.store.page, state, asked);
    if (asked.takenOver && !found.checkpoint) {
      const untrained = await this.#build({ ...state, takenOver: '', steps: tolerant ? 0 : state.steps }, tolerant);
      return { ...untrained, notice: { message: texts.NOT_TAKEN_OVER } };
    }
    // A program from a link is trained only when the learner asks for it.
    const waits = !tolerant && asked.config.program !== undefined;
    const experiment = waits ? { ...asked, steps: found.checkpoint?.steps ?? 0 } : asked;
    const opening = await this.#open(state);
    const refused: T.Edit[] = [];
    let { interventions } = state;
    const options = this.#optionsOf(found, experiment.steps, tolerant ? refused : null, opening);
    if (tolerant) options.onInterventionsDropped = () => (interventions = []);
    this.trainer.begin(experiment.steps, found.checkpoint ?? undefined);
    const reply = await replay(this.session, experiment, options).finally(() => opening?.end());
    return { reply, ...this.#reached({ ...state, interventions }, asked.steps, found, refused, opening) };
  }

  /** @param refused Takes the edits that the model refuses; null: the rebuild is then refused. */
  #optionsOf(found: Found, steps: number, refused: T.Edit[] | null, opening: Opening | null): ReplayOptions {
    const onBadCheckpoint = (): void => {
      found.lost = 'damaged';
      void this.keeper.drop(found.slot);
      this.trainer.begin(steps);
    };
    const onSlice = (info: T.TrainInfo): boolean =>
      this.trainer.replayed(info) && (refused !== null || !this.trainer.exceeds(LINK_BUDGET));
    const options: ReplayOptions = { checkpoint: found.checkpoint, onBadCheckpoint, onSlice, onEdits: opening?.goesOn };
    return refused ? { ...options, onEditDropped: (edit) => refused.push(edit) } : options;
  }

  #reached(
    state: T.State,
    steps: number,
    found: Found,
    refused: readonly T.Edit[],
    opening: Opening | null,
  ): Pick<Rebuilt, 'reached' | 'notice'> {
    const { step, stopped } = this.trainer.settle(steps);
    this.#targetStep = stopped ? steps : found.target;
    const { skipped = [] } = opening ?? {};
    const edits = state.edits.filter((edit) => !refused.includes(edit) && !skipped.includes(edit));
    const takenOver = found.lost ? '' : state.takenOver;
    const reached = { ...state, edits, takenOver, steps: stopped ? step : state.steps };
    const message = refused.length ? texts.editsDropped(refused.length) : checkpointWords(found);
    const openAll = (): void => void this.change({ what: 'load', nextState: () => state });
    const notice = opening && skipped.length ? opening.rest(edits.length, openAll) : message ? { message } : null;
    return { reached, notice };
  }

  /** Null without edits: then nothing takes long but training, which has its own progress. */
  async #open({ edits }: T.State): Promise<Opening | null> {
    if (!edits.length) return null;
    const { store } = this;
    let shown: Notice | null = null;
    const show = (notice: Notice | null): void => {
      if (notice ? store.training.status === 'running' : store.notice !== shown) return;
      store.say({ notice: (shown = notice) });
    };
    const part = await import('./opening').catch(() => null); // offline it may be missing: nothing else depends on it
    return part && new part.Opening(edits.length, show);
  }

  async #trainNow(steps: number): Promise<boolean> {
    const trained = await this.trainer.run(steps);
    const rerun = await this.#rerun(() => this.#readAgain());
    if (rerun.ok && trained.ok) this.#finishForward();
    if (!trained.ok) this.store.reportRefusal(trained);
    if (this.store.task && this.store.training.status === 'done') void this.trainer.measure();
    return trained.ok;
  }

  /** Reruns after training; a target that is the model's own output is generated again. */
  async #readAgain(): Promise<T.Reply<T.RunInfo>> {
    const { store } = this;
    const { pair } = store.experimentOf(store.state);
    if (!pair || pair[1]) return this.session.run([]);
    const run = await this.read(...pair);
    if (run.ok) store.state = { ...store.state, edits: [] };
    return run;
  }

  /** Moves the cursor to the end of the forward pass unless it is past it: views show only what it has passed. */
  #finishForward(): void {
    const { trace, cursor } = this.store;
    const done = forwardDone(trace!);
    if (position(trace!, cursor) < position(trace!, done)) this.store.set({ cursor: done });
  }

  /** The worker is lost: another one gets back to the state, and goes on training if the threads were to blame. */
  #restart(client: Client, reason: string): void {
    const { store } = this;
    store.forgetValues();
    const { status, step, target } = store.training;
    const withoutThreads = this.trainer.threads.lost();
    const goesOn = withoutThreads && status === 'running';
    const givesUp = ++this.#crashes > MAX_CRASHES;
    this.#lost = !givesUp;
    if (!givesUp && !withoutThreads) client.startIfNone(); // it starts while the checkpoint is looked for
    if (!givesUp) void this.queue.run('restart', () => this.#recover()).then(() => goesOn || this.offerRest());
    if (!givesUp && goesOn) void this.#finish(step, target);
    const restarted = goesOn ? texts.ON_ONE_THREAD : texts.RESTARTED;
    this.#reportEngine(givesUp ? texts.stoppedAgain(this.#crashes) : restarted, reason);
  }

  /** Queues the rest of a training run that lost its worker, if the model then gets back to these steps. */
  #finish(steps: number, target: number): Promise<boolean> {
    const after = this.#changes;
    return this.queue.run('train', async () => {
      const { step } = this.store.training;
      return this.#changes === after && step >= steps && step < target && this.#trainNow(target - step);
    });
  }

  #reportEngine(message: string, detail: string): void {
    this.store.reportProblem({ code: 'E_WORKER', message, detail });
  }
}
