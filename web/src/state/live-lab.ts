// The lab over a worker: what the learner can do, each act a change of the state table.
import { asInput, replay } from '../engine/replay';
import type { RemoteSession } from '../engine/remote';
import { START, type NamedCursor } from '../stepper/names';
import { Player } from '../stepper/player';
import { forwardDone, isStuck, position, sameCursor } from '../stepper/steps';
import * as changes from './changes';
import { lastKept } from './checkpoints';
import { homeOf } from './home';
import { LabEngine, type Change } from './lab-engine';
import { asideWords, keptWords, resetWords, restWords, seedless, seedWords, type Notice } from './notice';
import { flatIndex } from './place';
import { emptyState, MAX_STEPS } from './table';
import type { Lab, Settings, Values, Work } from '../lab';
import type { Training } from './training';
import type * as T from '../types';

/** What the lab is busy with while it trains. */
export const TRAINING = 'training';

const TOO_LONG: T.Problem = {
  code: 'E_INPUT',
  message: `This model has taken ${MAX_STEPS} steps, the most that a link can hold: reset it to train it anew.`,
  detail: '',
};

export class LiveLab extends LabEngine implements Lab {
  private readonly player = new Player(
    () => this.advance(),
    () => this.changed(),
  );

  /** The change that training waits for; null if none waits. */
  private trainsAfter: Promise<unknown> | null = null;

  get playing(): boolean {
    return this.player.playing;
  }

  get busy(): string | null {
    return this.line.busy;
  }

  get home(): T.Cursor {
    return this.trace ? homeOf(this.page, this.trace) : START;
  }

  get seeded(): boolean {
    return this.seedQuestion.decides;
  }

  get training(): Training {
    return this.trainer.now;
  }

  config(): T.Config {
    return changes.configOf(this.page, this.state);
  }

  values(node: T.TraceNode): Float32Array | undefined {
    return this.held.get(node.id);
  }

  probabilities(node: T.TraceNode): Float32Array | undefined {
    return this.likely.get(node.id);
  }

  gradient(node: T.TraceNode): Float32Array | undefined {
    return node.gradient < 0 ? undefined : this.held.get(node.gradient);
  }

  /** First load: the state of a link, or the page's own; then what was trained here before is offered. */
  async start(state?: T.State, at?: NamedCursor | null): Promise<boolean> {
    const first = !this.trace;
    const done = await this.change({
      what: 'loading the model',
      next: () => state ?? this.state,
      at: at ?? null,
      linked: true,
    });
    if (first && !state) await this.offer();
    if (done && state) this.offerRest();
    return done;
  }

  configure(settings: Settings, { pair, steps, inputs = {} }: Work = {}): Promise<boolean> {
    const given = (state: T.State): T.Config | Promise<T.Config> =>
      typeof settings === 'function' ? settings(changes.configOf(this.page, state)) : settings;
    const next = (state: T.State, config: T.Config): T.State => ({
      ...changes.withConfig(this.page, state, config),
      ...(pair && { pair, edits: [] }),
      ...(steps !== undefined && { steps }),
    });
    return this.restart(
      async (state) => changes.withInputs(this.page, next(state, await given(state)), inputs),
      (before) => asideWords(before, Object.keys(inputs)),
    );
  }

  setInput(name: string, values: Values): Promise<boolean> {
    let list: number[] = [];
    let over: T.Edit[] = [];
    return this.change({
      what: 'running',
      next: async (state) => {
        const whole = typeof values !== 'function';
        list = Array.from(whole ? await values : values(await this.inputOf(state, name)));
        over = whole ? state.edits.filter((edit) => edit.name === name) : [];
        const edits = state.edits.filter((edit) => !over.includes(edit));
        return changes.withInput(this.page, { ...state, edits }, name, list);
      },
      atOnce: async () => {
        let run = await this.session.run([asInput(this.info!, name, list)]);
        for (const { index } of over) if (run.ok) run = await this.session.undoEdit(name, index);
        return run;
      },
    });
  }

  read(source: string, target: string): Promise<boolean> {
    return this.change({
      what: 'reading',
      next: (state) => changes.withPair(state, [source, target]),
      atOnce: () => this.readAtOnce(source, target),
    });
  }

  edit(name: string, index: number, value: number): Promise<boolean> {
    const exact = this.node(name)?.name ?? name;
    return this.change({
      what: 'running',
      next: (state) => changes.withEdit(state, exact, index, value),
      atOnce: () => this.session.edit(exact, index, value),
    });
  }

  undoEdit(name?: string, index?: number): Promise<boolean> {
    const exact = name && (this.node(name)?.name ?? name);
    let edit: T.Edit | undefined;
    return this.change({
      what: 'running',
      next: (state) => {
        edit = changes.editOf(state, exact, index);
        return edit && changes.withoutEdit(state, edit.name, edit.index);
      },
      atOnce: () => this.session.undoEdit(edit!.name, edit!.index),
    });
  }

  async checkGradient(name: string, index: number): Promise<T.GradientCheck | null> {
    const reply = await this.line.run('checking the gradient', () => this.session.checkGradient(name, index));
    return reply.ok ? reply.value : this.refuse(reply);
  }

  /** So many more steps, or what was left of them when it was paused; once, and unless a change is asked for before its turn. */
  train(steps: () => number): Promise<boolean> {
    const after = this.changes;
    if (this.trainsAfter === after || this.training.status === 'running') return Promise.resolve(false);
    this.trainsAfter = after;
    return this.line.run(TRAINING, async () => {
      if (this.changes !== after) return false;
      this.trainsAfter = null;
      this.problem = this.notice = null;
      const room = MAX_STEPS - this.training.step;
      if (room <= 0) return this.refuse(TOO_LONG) !== null;
      const trained = await this.trainer.run(Math.min(steps(), room));
      const made = await this.rerun(() => this.readAgain());
      if (made.ok) this.accept(this.state, made.value);
      if (made.ok && trained.ok) this.finishForward();
      if (!trained.ok) this.refuse(trained);
      if (this.task && this.training.status === 'done') void this.trainer.measure();
      return trained.ok;
    });
  }

  /** What the trained model computes is on show: the views are empty before the cursor has passed it. */
  private finishForward(): void {
    const done = forwardDone(this.trace!);
    if (position(this.trace!, this.cursor) < position(this.trace!, done)) this.set({ cursor: done });
  }

  pauseTraining(): void {
    this.trainer.pause();
  }

  stopTraining(): void {
    this.trainer.stop();
  }

  /** How good the model is at the test split; `training.evaluation` grows. */
  measure(): Promise<void> {
    return this.trainer.measure();
  }

  pairs(split: T.Split, start: number, count: number): Promise<T.Reply<T.PairInfo[]>> {
    return this.session.pairs(split, start, count);
  }

  async recipe(task: string, model: string): Promise<T.Config> {
    const reply = await this.session.recipe(task, model);
    return reply.ok ? reply.value : (this.refuse(reply) ?? {});
  }

  estimate(config: T.Config): Promise<T.Reply<T.SizeInfo>> {
    return this.session.estimate(config);
  }

  write(source: string, options: T.Config): Promise<T.Reply<T.WriteInfo>> {
    return this.session.write(source, options);
  }

  async costBehind(positions: number): Promise<T.WritingCost | null> {
    const reply = await this.session.costBehind(positions);
    return reply.ok ? reply.value : null;
  }

  async reset(settings: T.Config = {}): Promise<void> {
    this.pause();
    let standing: Notice | null = null;
    const next = (state: T.State): T.State => {
      standing = this.notice;
      return changes.afresh(changes.withConfig(this.page, state, settings));
    };
    const steps = (state: T.State): number => changes.stepsOf(this.page, state);
    const words = (before: T.State): string => resetWords(before, steps(before) - steps(changes.afresh(before)));
    await this.restart(next, words, null);
    this.notice ??= standing; // it has dropped nothing: the way back from what did is still one
  }

  async newSeed(): Promise<void> {
    const [drawn] = crypto.getRandomValues(new Uint32Array(1));
    const seed = drawn! % 100_000;
    const reseed = (state: T.State): T.State => changes.withConfig(this.page, state, { seed });
    const words = (before: T.State, after: T.State): string => seedWords(after, changes.stepsOf(this.page, before));
    if (this.seeded) return void (await this.restart(reseed, words, null));
    this.notice = seedless;
    this.changed();
  }

  focus(target: { at?: string; cell?: number[] }): void {
    const node = target.at === undefined ? undefined : this.node(target.at);
    if (!node) return;
    const index = flatIndex(node.shape, target.cell ?? []);
    const selection = { node: node.name, index };
    this.set({ cursor: node.phase === 'leaf' ? this.cursor : { node: node.id, scope: -1 }, selection });
    this.dispatchEvent(new CustomEvent('focused', { detail: node }));
  }

  play(): void {
    if (!this.trace || this.playing) return;
    if (isStuck(this.trace, this.cursor, 'forward') || sameCursor(this.cursor, this.home)) this.set({ cursor: START });
    this.player.play();
  }

  pause(): void {
    this.player.pause();
  }

  dismiss(): void {
    this.problem = this.notice = null;
    this.changed();
  }

  probe<R>(job: (session: RemoteSession) => Promise<R>): Promise<R> {
    return this.probes.use(async (session) => {
      await replay(session, { ...changes.experimentOf(this.page, emptyState(this.page.lesson)), steps: 0 });
      return job(session);
    });
  }

  /** A change that may take something of the learner's away: says what, and offers the way back. */
  private async restart(
    next: Change['next'],
    words: (before: T.State, after: T.State) => string,
    at?: Change['at'],
  ): Promise<boolean> {
    let before = this.state;
    const done = await this.change({ what: 'loading the model', next: (state) => next((before = state)), at });
    const message = done ? words(before, this.state) : '';
    if (message) this.notice = { message, action: { label: 'Undo', run: () => this.goBack(before) } };
    this.changed();
    return done;
  }

  private goBack(state: T.State): void {
    void this.change({ what: 'loading the model', next: () => state });
  }

  /** What was trained here the last time can be gone on with. */
  private async offer(): Promise<void> {
    const kept = await lastKept(this.page);
    if (!kept || kept.steps <= changes.stepsOf(this.page, { ...kept.state, steps: null })) return;
    this.notice = {
      message: keptWords(kept.steps, kept.at),
      action: { label: 'Go on from there', run: () => this.goBack(kept.state) },
    };
    this.changed();
  }

  /** A training that was left on the way can be gone on with. */
  private offerRest(): void {
    const { step, elapsed, expected } = this.training;
    const left = this.target - step;
    if (left <= 0 || this.notice) return;
    const action = { label: 'Go on', run: () => void this.train(() => left) };
    this.tell({ message: restWords(step, this.target, expected - elapsed), action });
  }

  /** The edits belong to the positions of the pair before. */
  private async readAtOnce(source: string, target: string): Promise<T.Reply<T.RunInfo>> {
    const pair = await this.session.read(source, target);
    if (!pair.ok) return pair;
    for (const { name, index } of this.state.edits) await this.session.undoEdit(name, index);
    this.pair = pair.value;
    return this.session.run([]);
  }

  /** After training: where the model writes its target itself, it may write another. */
  private async readAgain(): Promise<T.Reply<T.RunInfo>> {
    const { pair } = changes.experimentOf(this.page, this.state);
    if (!pair || pair[1]) return this.session.run([]);
    const run = await this.readAtOnce(...pair);
    if (run.ok) this.state = { ...this.state, edits: [] };
    return run;
  }

  private advance(): boolean {
    this.step('forward');
    return this.trace !== null && !isStuck(this.trace, this.cursor, 'forward');
  }
}
