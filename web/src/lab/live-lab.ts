// The lab backed by a worker: each action of the learner is a change of the state table.
import * as texts from '#messages/lab';
import { asInput } from '../engine/replay';
import { START, type NamedCursor } from './cursor/names';
import { Player } from './cursor/player';
import { forwardDone, isStuck, sameCursor } from './cursor/steps';
import * as changes from './changes';
import { homeOf } from './home';
import type { Change } from './lab-engine';
import { LabTraining } from './lab-training';
import { keptWords, replacedWords, resetWords, seedless, seedWords, type Notice } from './notice';
import { flatIndex } from './place';
import type { TakenOver } from './take-over';
import type { InputValues, Lab, Preparation, Settings } from './lab';
import type * as T from '../engine/types';

export class LiveLab extends LabTraining implements Lab {
  private readonly player = new Player(
    () => this.advance(),
    () => this.changed('activity'),
  );

  get playing(): boolean {
    return this.player.playing;
  }

  get busy(): texts.Job | null {
    return this.queue.busy;
  }

  get home(): T.Cursor {
    return this.trace ? homeOf(this.page, this.trace) : START;
  }

  get seeded(): boolean {
    return this.seedSensitivity.decides;
  }

  /** Loads the state of a link, or the page's own; then offers to resume earlier or unfinished training. */
  async start(state?: T.State, target?: NamedCursor | null): Promise<boolean> {
    const first = !this.trace;
    const { ok } = await this.change({
      what: 'load',
      nextState: () => state ?? this.state,
      target: target ?? null,
      linked: true,
    });
    if (first && !state) void this.offer();
    if (ok && state) this.offerRest();
    return ok;
  }

  configure(
    settings: Settings,
    { pair, steps, inputs = {} }: Preparation = {},
    quiet = false,
  ): Promise<T.Reply<unknown>> {
    const given = (state: T.State): T.Config | Promise<T.Config> =>
      typeof settings === 'function' ? settings(changes.configOf(this.page, state)) : settings;
    const next = (state: T.State, config: T.Config): T.State => ({
      ...changes.withConfig(this.page, state, config),
      ...(pair && { pair, edits: [] }),
      ...(steps !== undefined && { steps }),
    });
    return this.restart(
      async (state) => changes.withInputs(this.page, next(state, await given(state)), inputs),
      (before) => replacedWords(before, Object.keys(inputs)),
      { quiet },
    );
  }

  async reprogram(program: string): Promise<T.Reply<unknown>> {
    this.ran = program;
    let taken: TakenOver | null = null;
    const next = async (before: T.State): Promise<T.State> => {
      const untrained = changes.withConfig(this.page, before, { program });
      const steps = this.linked ? changes.stepsOf(this.page, before) : 0;
      if (!steps) return untrained;
      const { takeOver } = await import('./take-over');
      const trained = { steps, curve: [...this.training.curve] };
      taken = await takeOver(this.session, trained, untrained, this.withProgram(program));
      return taken?.state ?? untrained;
    };
    const how = { quiet: true, given: () => taken?.checkpoint ?? null };
    const reply = await this.restart(next, () => taken?.words ?? '', how);
    if (reply.ok) await (taken as TakenOver | null)?.forgetOlder(this.page, this.keeper);
    return reply;
  }

  async runWritten(): Promise<boolean> {
    const program = this.written;
    if (program === null) return true;
    const reply = await this.reprogram(program);
    if (reply.ok && this.written === program) this.written = null;
    if (!reply.ok) this.reportProblem(reply);
    return reply.ok;
  }

  async setInput(name: string, values: InputValues): Promise<boolean> {
    let list: number[] = [];
    let edits: T.Edit[] = [];
    const { ok } = await this.change({
      what: 'run',
      nextState: async (state) => {
        const whole = typeof values !== 'function';
        list = Array.from(whole ? await values : values(await this.inputOf(state, name)));
        edits = whole ? state.edits.filter((edit) => edit.name !== name) : state.edits;
        return changes.withInput(this.page, { ...state, edits }, name, list);
      },
      applyInPlace: async () => {
        const run = await this.session.run([asInput(this.info!, name, list)]);
        return run.ok && edits.length < this.state.edits.length ? this.session.setEdits(edits) : run;
      },
    });
    return ok;
  }

  read(source: string, target: string, quiet = false): Promise<T.Reply<unknown>> {
    return this.change({
      what: 'read',
      nextState: (state) => changes.withPair(state, [source, target]),
      isIdle: ({ pair, edits }) => !edits.length && target !== '' && pair?.[0] === source && pair[1] === target,
      applyInPlace: () => this.readAtOnce(source, target),
      quiet,
    });
  }

  edit(name: string, index: number, value: number, quiet = false): Promise<T.Reply<unknown>> {
    const exact = this.node(name)?.name ?? name;
    return this.change({
      what: 'run',
      nextState: (state) => changes.withEdit(state, exact, index, value),
      isIdle: (state) => Object.is(changes.editOf(state, exact, index)?.value, value),
      applyInPlace: () => this.session.edit(exact, index, value),
      quiet,
    });
  }

  async undoEdit(name?: string, index?: number): Promise<boolean> {
    const exact = name && (this.node(name)?.name ?? name);
    let edit: T.Edit | undefined;
    const reply = await this.change({
      what: 'run',
      nextState: (state) => {
        edit = changes.editOf(state, exact, index);
        return edit && changes.withoutEdit(state, edit.name, edit.index);
      },
      isIdle: (state) => !changes.editOf(state, exact, index),
      applyInPlace: () => this.session.undoEdit(edit!.name, edit!.index),
    });
    return reply.ok && reply.value;
  }

  async reset(settings: T.Config = {}): Promise<void> {
    this.pause();
    let previous: Notice | null = null;
    const next = (state: T.State): T.State => {
      previous = this.notice;
      return changes.resetState(this.page, changes.withConfig(this.page, state, settings));
    };
    const words = (before: T.State, after: T.State): string =>
      resetWords(before, after, changes.stepsOf(this.page, before) - changes.stepsOf(this.page, after));
    await this.restart(next, words, { target: null });
    if (!this.notice) this.say({ notice: previous }); // nothing was dropped: the earlier notice's undo still applies
  }

  async newSeed(): Promise<void> {
    const [drawn] = crypto.getRandomValues(new Uint32Array(1));
    const seed = drawn! % 100_000;
    const reseed = (state: T.State): T.State => changes.withConfig(this.page, state, { seed });
    const words = (before: T.State, after: T.State): string => seedWords(after, changes.stepsOf(this.page, before));
    if (this.seeded) return void (await this.restart(reseed, words, { target: null }));
    this.notify(seedless);
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
    this.say({ problem: null, notice: null });
  }

  /** A change that may drop some of the learner's work: says what was dropped and offers to undo it. */
  private async restart(
    nextState: Change['nextState'],
    words: (before: T.State, after: T.State) => string,
    how: Pick<Change, 'target' | 'quiet' | 'given'>,
  ): Promise<T.Reply<unknown>> {
    let before = this.state;
    const reply = await this.change({
      what: 'load',
      nextState: (state) => nextState((before = state)),
      ...how,
    });
    const message = reply.ok ? words(before, this.state) : '';
    if (message) this.notify({ message, action: { label: texts.UNDO, run: () => void this.goTo(() => before) } });
    return reply;
  }

  goTo(nextState: Change['nextState']): Promise<T.Reply<boolean>> {
    return this.change({ what: 'load', nextState });
  }

  /** Offers to resume what was trained here last time. */
  private async offer(): Promise<void> {
    const kept = await this.keeper.last(this.page);
    if (!kept || kept.steps <= changes.stepsOf(this.page, { ...kept.state, steps: null })) return;
    const action = { label: texts.CONTINUE_FROM_THERE, run: () => void this.goTo(() => kept.state) };
    this.notify({ message: keptWords(kept.steps, kept.at), action });
  }

  protected offerRest(): void {
    const { step, elapsed, expected } = this.training;
    const left = this.targetStep - step;
    if (left <= 0 || this.notice?.action) return;
    const action = { label: texts.CONTINUE_TRAINING, run: () => void this.train(() => left) };
    const where = texts.trainingAt(step, this.targetStep, expected - elapsed);
    // A problem would hide the offer: where the engine was restarted, both are one notice.
    const restarted = this.problem?.code === 'E_WORKER' && this.problem.message;
    if (restarted) this.say({ problem: null });
    this.notify({ message: restarted ? `${restarted} ${where}` : (this.notice?.message ?? where), action });
  }

  /** One step of playback, which stops at the end of the forward pass, and played again goes on into the backward one. */
  private advance(): boolean {
    this.step('forward');
    const { trace, cursor } = this;
    return trace !== null && !isStuck(trace, cursor, 'forward') && !sameCursor(cursor, forwardDone(trace));
  }
}
