// The state table with the engine behind it: one change at a time, each accepted as a whole or refused as a whole.
import { replay, type Checkpoint, type Manner, type Result } from '../engine/replay';
import { RemoteSession } from '../engine/remote';
import { Workers } from '../engine/workers';
import { whyMissing } from '../offline';
import type { NamedCursor } from '../stepper/names';
import { experimentOf } from './changes';
import { checkpointFor, dropCheckpoint, keep, type Found } from './checkpoints';
import type { Outcome } from './kept';
import { LabState } from './lab-state';
import { Line } from './line';
import { droppedWords } from './notice';
import { carry, following, inPlace, landing } from './place';
import type { Page } from './page';
import { Probes } from './probes';
import { SeedQuestion } from './seed-question';
import { emptyState } from './table';
import { Trainer } from './trainer';
import { unkeptWords, type Unkept } from './unkept';
import { Values } from './values';
import type * as T from '../types';

const MAIN_SESSION = 0;
/** Falls of the worker in a row, without a run in between, before it is left alone. */
const MOST_FALLS = 3;
const GIVE_UP = 'reload the page, or reset the model.';
const NEVER_STARTED = 'The engine could not be started: reload the page with a network, or try a current browser.';
/** Seconds that a link may train without being asked for more. */
const UNASKED = 10;
const REPLACED = 'The engine stopped and was replaced: your work is as it was.';
const AGAIN = {
  damaged: 'What was kept of this training was damaged: it was trained again.',
  earlier: 'The engine has changed since this was trained: it was trained again.',
};
const EARLIER = 'These weights were made by an earlier version of the engine: going on from them may give other bits.';
/** Pairs that are watched while the model trains, besides the one on the bench. */
const WATCHED = 3;

export interface Change {
  what: string;
  /** From the state that the changes before it have left; undefined if that leaves nothing to do. */
  next: (state: T.State) => T.State | undefined | Promise<T.State>;
  /** If the engine can take the step from where it is; else all is built again. */
  atOnce?: () => Promise<T.Reply<T.RunInfo>>;
  /** Where it leads: to that operation, or to where the page opens (null); without it the learner stays. */
  at?: NamedCursor | null;
  /** From a link: nothing of it may be missing. */
  linked?: boolean;
}

export abstract class LabEngine extends LabState {
  private readonly workers = new Workers();
  protected readonly session = new RemoteSession(this.workers, MAIN_SESSION);
  protected readonly held = new Values(
    (node) => this.session.values(node),
    () => this.changed(),
  );
  /** What tensors of logarithms are the probabilities of. */
  protected readonly likely = new Values(
    (node) => this.session.probabilities(node),
    () => this.changed(),
  );
  protected readonly line = new Line(() => this.changed());
  protected readonly probes = new Probes(this.workers, MAIN_SESSION);
  protected readonly seedQuestion = new SeedQuestion(this.probes, () => this.changed());
  protected readonly trainer: Trainer;
  /** Done with the last change that was asked for. */
  protected changes: Promise<unknown> = Promise.resolve();
  /** Sources that are watched while the model trains. */
  private watched: string[] = [];
  private falls = 0;
  private readonly saidUnkept = new Set<Unkept>();
  /** Where the training ends that a checkpoint was taken from on the way; 0 where none was. */
  protected target = 0;
  /** Writes the state where a reload finds it. Never behind a checkpoint: going back from one means beginning anew. */
  noteState: () => Promise<void> = () => Promise.resolve();

  constructor(readonly page: Page) {
    super(emptyState(page.lesson));
    this.trainer = new Trainer(this.session, {
      trained: (steps) => (this.state = { ...this.state, steps }),
      watched: () => this.watched,
      keep: (checkpoint) => this.keep(checkpoint),
      looked: async () => void (await Promise.all([this.held.renew(), this.likely.renew()])),
      changed: () => this.changed('training'),
    });
    this.workers.onLost = (client, reason) => {
      if (this.session.livesIn(client)) this.recover(reason);
    };
    this.workers.onGone = (client, reason) => {
      if (this.session.livesIn(client)) this.say(NEVER_STARTED, reason);
    };
  }

  /** One change at a time; training makes way. */
  protected change(change: Change): Promise<boolean> {
    this.trainer.pause();
    const turn = this.line.run(change.what, async () => {
      const before = this.state;
      const next = await change.next(before);
      if (!next) return false;
      this.notice = null;
      if (!change.linked) this.problem = null;
      const done = await this.make(change, next, before);
      if (!done.ok) await this.takeBack(done, before, change.atOnce !== undefined);
      return done.ok;
    });
    this.changes = turn.catch(() => undefined);
    return turn;
  }

  async settled(): Promise<void> {
    await this.changes;
  }

  /** What the learner gave it last, or else what the model has of itself. */
  protected async inputOf(state: T.State, name: string): Promise<number[]> {
    const given = state.inputs.findLast((input) => input.name === name)?.values;
    if (given) return given;
    const own = await this.session.values(this.node(name)!.id);
    return own.ok ? Array.from(own.value) : [];
  }

  /** Brings the engine to the state, and accepts it. */
  private async make({ atOnce, at, linked }: Change, state: T.State, before: T.State): Promise<T.Reply<Result>> {
    if (atOnce && this.trace) {
      const made = await this.rerun(atOnce);
      if (made.ok) this.accept(state, made.value, before);
      return made;
    }
    const { made, reached, words } = await this.build(state, !linked);
    const reply = made.ok && linked ? inPlace(made.value, reached, at ?? null) : made;
    if (!reply.ok) return reply;
    const lost = state.edits.length - reached.edits.length;
    this.accept(reached, reply.value, before, at);
    const message = lost ? droppedWords(lost) : words;
    if (message) this.notice = { message };
    await this.watch();
    return reply;
  }

  /** Everything from the start, or from a checkpoint: the state that was reached, if training was stopped on the way. */
  private async build(
    state: T.State,
    tolerant: boolean,
  ): Promise<{ made: T.Reply<Result>; reached: T.State; words: string }> {
    const experiment = experimentOf(this.page, state);
    const found = await checkpointFor(this.page, state, experiment);
    const { checkpoint } = found;
    const lost: T.Edit[] = [];
    const unusable = (): void => {
      found.lost = 'damaged';
      void dropCheckpoint(found.slot);
      this.trainer.begin(0, experiment.steps, []);
    };
    const trained = (info: T.TrainInfo): boolean => this.trainer.replayed(info) && (tolerant || !this.takesLong);
    const manner: Manner = { checkpoint, unusable, trained };
    if (tolerant) manner.dropped = (edit) => lost.push(edit);
    this.trainer.begin(checkpoint?.steps ?? 0, experiment.steps, checkpoint?.curve ?? []);
    const made = await replay(this.session, experiment, manner);
    const { step, stopped } = this.trainer.settle(experiment.steps);
    this.target = stopped ? experiment.steps : found.target;
    const edits = state.edits.filter((edit) => !lost.includes(edit));
    return { made, reached: { ...state, edits, steps: stopped ? step : state.steps }, words: wordsOf(found) };
  }

  /** Once a second has told how fast it goes. */
  private get takesLong(): boolean {
    const { elapsed, expected } = this.trainer.now;
    return elapsed > 1 && expected - elapsed > UNASKED;
  }

  /** After a refusal: a call that was refused at once has changed nothing, a rebuilding must be done again. */
  private async takeBack(problem: T.Problem, before: T.State, atOnce: boolean): Promise<void> {
    this.refuse(problem.code === 'E_MODULE' ? { ...problem, message: await whyMissing(problem.message) } : problem);
    if (!atOnce && problem.code !== 'E_WORKER') await this.rebuild(before);
  }

  protected async rerun(atOnce: () => Promise<T.Reply<T.RunInfo>>): Promise<T.Reply<Result>> {
    const run = await atOnce();
    if (!run.ok) return run;
    const trace = await this.session.trace();
    if (!trace.ok) return trace;
    return {
      ok: true,
      value: { info: this.info!, task: this.task, pair: this.pair, run: run.value, trace: trace.value },
    };
  }

  /** The engine back to where the state is, after a refusal or a lost worker. */
  private async rebuild(state: T.State): Promise<void> {
    const { made, reached, words } = await this.build(state, true);
    if (!made.ok) return;
    this.accept(reached, made.value);
    if (words) this.notice = { message: words };
    await this.watch();
  }

  protected accept(made: T.State, result: Result, before = made, at?: NamedCursor | null): void {
    const old = this.trace;
    const state = following(made, before, this.state);
    Object.assign(this, result);
    this.falls = 0;
    this.forget();
    this.state = {
      ...state,
      cursor:
        at === undefined ? carry(this.page, old, result.trace, state.cursor) : landing(this.page, result.trace, at),
    };
    if (this.selection && !this.node(this.selection.node)) this.state = { ...this.state, selection: null };
    void this.seedQuestion.ask(experimentOf(this.page, this.state));
    this.changed();
  }

  private async watch(): Promise<void> {
    this.watched = [];
    if (!this.task) return;
    const separator = this.task.separator;
    const unseen = await this.session.pairs('validation', 1, WATCHED);
    this.watched = (unseen.ok ? unseen.value : []).map(({ source }) => source.join(separator));
    await this.trainer.look();
  }

  private async keep(checkpoint: Checkpoint): Promise<void> {
    const state = { ...this.state, steps: checkpoint.steps };
    await this.noteState();
    const { target } = this.trainer.now;
    this.unkept('trained', await keep(this.page, state, experimentOf(this.page, state), checkpoint, target));
  }

  /** Says, once for each kind of work, that the browser does not keep it; nothing where it does. */
  unkept(work: Unkept, outcome: Outcome): void {
    if (outcome === 'kept' || this.saidUnkept.has(work)) return;
    this.saidUnkept.add(work);
    this.complain({ code: 'E_STORAGE', message: unkeptWords(work, outcome), detail: '' });
  }

  /** Another run has begun, or none can be asked. */
  private forget(): void {
    this.held.clear();
    this.likely.clear();
  }

  private recover(reason: string): void {
    this.forget();
    const lasting = ++this.falls > MOST_FALLS;
    if (!lasting) void this.line.run('restarting the engine', () => this.rebuild(this.state));
    this.say(lasting ? `The engine stopped ${this.falls} times in a row: ${GIVE_UP}` : REPLACED, reason);
  }

  protected say(message: string, detail: string): void {
    this.complain({ code: 'E_WORKER', message, detail });
  }

  protected refuse(reply: T.Problem): null {
    if (reply.code !== 'E_WORKER') this.complain(reply);
    return null;
  }

  /** Says what was refused; for a link, or by an element that refuses what was typed. */
  complain(problem: T.Problem): void {
    this.problem = problem;
    this.dispatchEvent(new CustomEvent('problem', { detail: problem }));
    this.changed();
  }
}

const wordsOf = ({ lost, earlier }: Found): string => (lost ? AGAIN[lost] : earlier ? EARLIER : '');
