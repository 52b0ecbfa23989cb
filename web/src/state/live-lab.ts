// The lab over a worker: holds the state table, and keeps the engine, the trace and the listeners in step with it.
import { Client } from '../engine/client';
import { asInput, replay, TRAINING_DEADLINE, type Result } from '../engine/replay';
import { RemoteSession } from '../engine/remote';
import { START, type NamedCursor } from '../stepper/names';
import { Player } from '../stepper/player';
import { isStuck } from '../stepper/steps';
import { afresh, configOf, editOf, experimentOf, withConfig, withEdit, withInput, withoutEdit } from './changes';
import { LabState } from './lab-state';
import { Line } from './line';
import { resetWords, seedless, seedWords } from './notice';
import { carry, flatIndex, inPlace, landing } from './place';
import { Probes } from './probes';
import { SeedQuestion } from './seed-question';
import { emptyState } from './table';
import { Values } from './values';
import type { Lab } from '../lab';
import type { Page } from './page';
import type * as T from '../types';

const MAIN_SESSION = 0;
/** Falls of the worker in a row, without a run in between, before it is left alone. */
const MOST_FALLS = 3;
const GIVE_UP = 'reload the page, or reset the model.';
const REPLACED = 'The engine stopped and was replaced: your work is as it was.';

export class LiveLab extends LabState implements Lab {
  private readonly client = new Client();
  private readonly session = new RemoteSession(this.client, MAIN_SESSION);
  private readonly held = new Values(this.session, () => this.changed());
  private readonly line = new Line(() => this.changed());
  private readonly player = new Player(
    () => this.advance(),
    () => this.changed(),
  );
  private readonly probes = new Probes(this.client, MAIN_SESSION);
  private readonly seedQuestion = new SeedQuestion(this.probes, () => this.changed());
  private falls = 0;

  constructor(readonly page: Page) {
    super(emptyState(page.lesson));
    this.client.onLost = (reason) => this.recover(reason);
    this.client.onGone = (reason) =>
      this.say('The engine could not be started: reload the page, or try a current browser.', reason);
  }

  get playing(): boolean {
    return this.player.playing;
  }

  get busy(): string | null {
    return this.line.busy;
  }

  get seeded(): boolean {
    return this.seedQuestion.decides;
  }

  config(): T.Config {
    return configOf(this.page, this.state);
  }

  values(node: T.TraceNode): Float32Array | undefined {
    return this.held.get(node.id);
  }

  gradient(node: T.TraceNode): Float32Array | undefined {
    return node.gradient < 0 ? undefined : this.held.get(node.gradient);
  }

  /** First load: the state of a link, or the page's own. */
  start(state?: T.State, at?: NamedCursor | null): Promise<boolean> {
    return this.change('loading the model', () => state ?? this.state, undefined, at ?? null);
  }

  configure(changes: T.Config): Promise<boolean> {
    return this.change('loading the model', (state) => withConfig(this.page, state, changes));
  }

  setInput(name: string, values: ArrayLike<number>): Promise<boolean> {
    const list = Array.from(values);
    return this.change(
      'running',
      (state) => withInput(state, name, list),
      () => this.session.run([asInput(this.info!, name, list)]),
    );
  }

  edit(name: string, index: number, value: number): Promise<boolean> {
    const exact = this.node(name)?.name ?? name;
    return this.change(
      'running',
      (state) => withEdit(state, exact, index, value),
      () => this.session.edit(exact, index, value),
    );
  }

  undoEdit(name?: string, index?: number): Promise<boolean> {
    const edit = editOf(this.state, name && (this.node(name)?.name ?? name), index);
    if (!edit) return Promise.resolve(false);
    return this.change(
      'running',
      (state) => withoutEdit(state, edit.name, edit.index),
      () => this.session.undoEdit(edit.name, edit.index),
    );
  }

  async checkGradient(name: string, index: number): Promise<T.GradientCheck | null> {
    const reply = await this.line.run('checking the gradient', () => this.session.checkGradient(name, index));
    return reply.ok ? reply.value : this.refuse(reply);
  }

  async train(steps: number): Promise<T.TrainInfo | null> {
    let info: T.TrainInfo | null = null;
    const trained = await this.change(
      'training',
      (state) => ({ ...state, steps: state.steps + steps }),
      async () => {
        const reply = await this.session.train(steps, { deadline: TRAINING_DEADLINE });
        if (!reply.ok) return reply;
        info = reply.value;
        return this.session.run([]);
      },
    );
    return trained ? info : null;
  }

  reset(): Promise<void> {
    this.pause();
    return this.restart(afresh, resetWords);
  }

  async newSeed(): Promise<void> {
    const [drawn] = crypto.getRandomValues(new Uint32Array(1));
    const seed = drawn! % 100_000;
    const reseed = (state: T.State): T.State => ({ ...withConfig(this.page, state, { seed }), cursor: START });
    if (this.seeded) return this.restart(reseed, seedWords);
    this.notice = seedless;
    this.changed();
  }

  focus(target: { at?: string; cell?: number[] }): void {
    const node = target.at === undefined ? undefined : this.node(target.at);
    if (!node) return;
    const index = flatIndex(node.shape, target.cell ?? []);
    const selection = { node: node.name, index };
    this.set({ cursor: node.phase === 'leaf' ? this.cursor : { node: node.id, scope: -1 }, selection });
  }

  play(): void {
    if (!this.trace || this.playing) return;
    if (isStuck(this.trace, this.cursor, 'forward')) this.set({ cursor: START });
    this.player.play();
  }

  pause(): void {
    this.player.pause();
  }

  dismiss(): void {
    this.problem = this.notice = null;
    this.changed();
  }

  /** Says what was refused; for a link, or by an element that refuses what was typed. */
  complain(problem: T.Problem): void {
    this.problem = problem;
    this.dispatchEvent(new CustomEvent('problem', { detail: problem }));
    this.changed();
  }

  probe<R>(job: (session: RemoteSession) => Promise<R>): Promise<R> {
    return this.probes.use(async (session) => {
      await replay(session, experimentOf(this.page, emptyState(this.page.lesson)));
      return job(session);
    });
  }

  /** A change that may take something of the learner's away: says what, and offers the way back. */
  private async restart(
    next: (state: T.State) => T.State,
    words: (before: T.State, after: T.State) => string,
  ): Promise<void> {
    let before = this.state;
    const done = await this.change('loading the model', (state) => next((before = state)));
    const message = done ? words(before, this.state) : '';
    if (message) this.notice = { message, undo: () => void this.change('loading the model', () => before) };
    this.changed();
  }

  /** One change at a time: `atOnce` if the engine can take the step from where it is, else all is built again. */
  private change(
    what: string,
    next: (state: T.State) => T.State,
    atOnce?: () => Promise<T.Reply<T.RunInfo>>,
    at?: NamedCursor | null,
  ): Promise<boolean> {
    return this.line.run(what, async () => {
      this.notice = null;
      if (at === undefined) this.problem = null;
      const before = this.state;
      const state = next(before);
      const made = await (atOnce && this.trace
        ? this.rerun(atOnce)
        : replay(this.session, experimentOf(this.page, state)));
      const reply = made.ok ? inPlace(made.value, state, at) : made;
      if (reply.ok) this.accept(state, reply.value, at);
      else await this.takeBack(reply, before, atOnce !== undefined);
      return reply.ok;
    });
  }

  /** After a refusal: a call that was refused at once has changed nothing, a rebuilding must be done again. */
  private async takeBack(problem: T.Problem, before: T.State, atOnce: boolean): Promise<void> {
    this.refuse(problem);
    if (!atOnce && problem.code !== 'E_WORKER') await this.rebuild(before);
  }

  private async rerun(atOnce: () => Promise<T.Reply<T.RunInfo>>): Promise<T.Reply<Result>> {
    const run = await atOnce();
    if (!run.ok) return run;
    const trace = await this.session.trace();
    return trace.ok ? { ok: true, value: { info: this.info!, run: run.value, trace: trace.value } } : trace;
  }

  /** The engine back to where the state is, after a refusal or a lost worker. */
  private async rebuild(state: T.State): Promise<void> {
    const reply = await replay(this.session, experimentOf(this.page, state));
    if (reply.ok) this.accept(state, reply.value);
  }

  private accept(state: T.State, result: Result, at?: NamedCursor | null): void {
    const old = this.trace;
    Object.assign(this, result);
    this.falls = 0;
    this.held.clear();
    this.state = {
      ...state,
      cursor: at === undefined ? carry(old, result.trace, state.cursor) : landing(result.trace, at),
    };
    if (this.selection && !this.node(this.selection.node)) this.state = { ...this.state, selection: null };
    void this.seedQuestion.ask(experimentOf(this.page, this.state));
    this.changed();
  }

  private recover(reason: string): void {
    this.held.clear();
    const lasting = ++this.falls > MOST_FALLS;
    if (!lasting) void this.line.run('restarting the engine', () => this.rebuild(this.state));
    this.say(lasting ? `The engine stopped ${this.falls} times in a row: ${GIVE_UP}` : REPLACED, reason);
  }

  private say(message: string, detail: string): void {
    this.complain({ code: 'E_WORKER', message, detail });
  }

  private refuse(reply: T.Problem): null {
    if (reply.code !== 'E_WORKER') this.complain(reply);
    return null;
  }

  private advance(): boolean {
    this.step('forward');
    return this.trace !== null && !isStuck(this.trace, this.cursor, 'forward');
  }
}
