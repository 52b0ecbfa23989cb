// The lab: every element inside a <u-lab> reads it, drives it, and listens to its changes. A lab is a store with what
// the learner can do; each action makes a new state of the old one, and the engine host brings the engine to it.
import * as texts from '#messages/lab';
import { asInput, lastingIn } from '../engine/replay';
import { inOwnSession, RemoteSession } from '../engine/remote';
import { Workers } from '../engine/client';
import * as changes from './changes';
import { START, type NamedCursor, Player, isForwardDone, sameCursor } from './cursor';
import { EngineHost, type Change } from './engine-host';
import { LabStore } from './lab-store';
import { keptWords, replacedWords, resetWords, seedless, seedWords, type Notice } from './notice';
import type { Page } from './page';
import { Queries, type Questions } from './queries';
import { dependsOnSeed, SeedSensitivity } from './seed-sensitivity';
import { keeperOf, type Keeper } from './store/keeper';
import type { TakenOver } from './take-over';
import { isStuck } from './stops';
import { Trainer } from './trainer';
import type * as T from '../engine/types';

export type { Topic } from './lab-store';

type Whole = ArrayLike<number> | Promise<ArrayLike<number>>;
/**
 * Row-major. An array replaces the input and drops its edits; a function maps the values in force once earlier changes
 * are done, and keeps the edits.
 */
export type InputValues = Whole | ((now: readonly number[]) => ArrayLike<number>);

/** Settings to change; or a function of the configuration in force once earlier changes are done. */
export type Settings = T.Config | ((now: T.Config) => T.Config | Promise<T.Config>);

/** What a model is brought to besides its settings: the pair it reads, its training steps, its inputs. */
export interface Preparation {
  pair?: T.TextPair;
  steps?: number;
  inputs?: changes.Inputs;
}

export class Lab extends LabStore {
  /** Asked directly: nothing of the lab changes. */
  readonly engine: Questions;
  readonly queries: Queries;
  readonly trainer: Trainer;
  /** A program that the learner has typed and not yet run; null if there is none. Training runs it first. */
  written: string | null = null;
  /** The program that was run last, as typed; it may have been refused. */
  ran: string | null = null;

  readonly #host: EngineHost;
  readonly #session: RemoteSession;
  readonly #workers: Workers;
  readonly #keeper: Keeper;
  readonly #seedSensitivity: SeedSensitivity;
  readonly #player = new Player(
    () => this.#advance(),
    () => this.changed('activity'),
  );

  /** @param linked The page's main lab: the address, and the work that the browser keeps, are this lab's. */
  constructor(
    page: Page,
    readonly linked: boolean,
    workers = new Workers(),
    session = new RemoteSession(workers),
  ) {
    super(page, session);
    this.#workers = workers;
    this.engine = this.#session = session;
    this.#keeper = keeperOf(this);
    this.#seedSensitivity = new SeedSensitivity(dependsOnSeed(workers), () => this.changed('run'));
    this.trainer = new Trainer(session, this, this.#keeper);
    this.#host = new EngineHost(this, session, this.trainer, this.#keeper, workers, {
      accepted: () => this.#askSeed(),
      trainOn: (steps) => void this.train(() => steps),
    });
    this.queries = new Queries(this, session, this.#host.queue);
  }

  get playing(): boolean {
    return this.#player.playing;
  }

  /** The job in progress ("loading the model"), else null. */
  get busy(): texts.Job | null {
    return this.#host.queue.busy;
  }

  /** False if no parameter and no input of the model depends on the seed. */
  get seeded(): boolean {
    return this.#seedSensitivity.decides;
  }

  /** Loads the state of a link, or the page's own; then offers to resume earlier or unfinished training. */
  async start(state?: T.State, target: NamedCursor | null = null): Promise<boolean> {
    const first = !this.trace;
    const nextState = (): T.State => state ?? this.state;
    const { ok } = await this.#host.change({ what: 'load', nextState, target, linked: true });
    if (first && !state) void this.#offer();
    if (ok && state) this.#host.offerRest();
    return ok;
  }

  /** Runs a job with a hidden session, which its first call opens; the learner's session is not touched. */
  probe<R>(job: (session: RemoteSession) => Promise<R>): Promise<R> {
    return inOwnSession(this.#workers, job);
  }

  /** Resolves once all requested changes are made or refused; training does not count. */
  settled(): Promise<void> {
    return this.#host.settled();
  }

  /** Frees the engine: the lab has left the page. */
  close(): void {
    this.trainer.stop();
    this.#session.close();
    this.#workers.close();
  }

  /**
   * Loads the model with changed settings, prepares it as `preparation` says, and reruns. If refused, `problem` says why
   * unless it is `quiet`, and the state before stays. The lab is also busy while `settings` is being computed.
   */
  configure(
    settings: Settings,
    { pair, steps, inputs = {} }: Preparation = {},
    quiet = false,
  ): Promise<T.Reply<unknown>> {
    const newSettings = (state: T.State): T.Config | Promise<T.Config> =>
      typeof settings === 'function' ? settings(changes.configOf(this.page, state)) : settings;
    const next = (state: T.State, config: T.Config): T.State => ({
      ...changes.withConfig(this.page, state, config),
      ...(pair && { pair, edits: [] }),
      ...(steps !== undefined && { steps }),
    });
    return this.#reload(
      async (state) => changes.withInputs(this.page, next(state, await newSettings(state)), inputs),
      (before) => replacedWords(before, Object.keys(inputs)),
      { quiet },
    );
  }

  /** Goes to another state of the page; without one there is nothing to do, which is the reply's value. */
  goTo(nextState: Change['nextState']): Promise<T.Reply<boolean>> {
    return this.#host.change({ what: 'load', nextState });
  }

  /**
   * Loads the model with another program, and reruns. Trained weights whose name and shape stay are kept, with the
   * training. If refused, the reply alone says why, and the state before stays.
   */
  async reprogram(program: string): Promise<T.Reply<unknown>> {
    this.ran = program;
    let taken: TakenOver | null = null;
    const next = async (before: T.State): Promise<T.State> => {
      const untrained = changes.withConfig(this.page, before, { program });
      const steps = this.linked ? changes.stepsOf(this.page, before) : 0;
      if (!steps) return untrained;
      const { takeOver } = await import('./take-over');
      const { curve, unseen } = this.training;
      const trained = { steps, curve: [...curve], unseen: [...unseen] };
      taken = await takeOver(this.#session, trained, untrained, this.queries.withProgram(program));
      return taken?.state ?? untrained;
    };
    const how = { quiet: true, checkpoint: () => taken?.checkpoint ?? null };
    const reply = await this.#reload(next, () => taken?.words ?? '', how);
    if (reply.ok) await (taken as TakenOver | null)?.forgetOlder(this.page, this.#keeper);
    return reply;
  }

  /** Runs the program that was typed last. False if it is refused, which `problem` says. */
  async runWritten(): Promise<boolean> {
    const program = this.written;
    if (program === null) return true;
    const reply = await this.reprogram(program);
    if (reply.ok && this.written === program) this.written = null;
    if (!reply.ok) this.reportProblem(reply);
    return reply.ok;
  }

  /** @param typed The index of the one value that changes: an edit of it goes. */
  async setInput(name: string, values: InputValues, typed?: number): Promise<boolean> {
    let list: number[] = [];
    let edits: T.Edit[] = [];
    const { ok } = await this.#host.change({
      what: 'run',
      nextState: async (state) => {
        const whole = typeof values !== 'function';
        list = Array.from(whole ? await values : values(await this.#inputOf(state, name)));
        edits = state.edits.filter((edit) => edit.name !== name || (!whole && edit.index !== typed));
        return changes.withInput(this.page, { ...state, edits }, name, list);
      },
      applyInPlace: async () => {
        const run = await this.#session.run([asInput(this.info!, name, list)]);
        return run.ok && edits.length < this.state.edits.length ? this.#session.setEdits(edits) : run;
      },
    });
    return ok;
  }

  /** Makes a pair of texts the input; an empty target stands for the model's own output. `quiet` as for an edit. */
  read(source: string, target: string, quiet = false): Promise<T.Reply<unknown>> {
    return this.#host.change({
      what: 'read',
      nextState: (state) => changes.withPair(state, [source, target]),
      isIdle: ({ pair, edits }) => !edits.length && target !== '' && pair?.[0] === source && pair[1] === target,
      applyInPlace: () => this.#host.read(source, target),
      quiet,
    });
  }

  /**
   * Overrides one element of a tensor, in place of an earlier edit of it; it is then the latest edit.
   * @param quiet The caller reports a refusal, beside what was typed.
   */
  edit(name: string, index: number, value: number, quiet = false): Promise<T.Reply<unknown>> {
    const exact = this.node(name)?.name ?? name;
    return this.#host.change({
      what: 'run',
      nextState: (state) => changes.withEdit(state, exact, index, value),
      isIdle: (state) => Object.is(changes.editOf(state, exact, index)?.value, value),
      applyInPlace: () => this.#session.edit(exact, index, value),
      quiet,
    });
  }

  /** Overrides several elements at once, by the full names of their tensors. */
  editAll(all: readonly T.Edit[]): Promise<T.Reply<unknown>> {
    let edits: T.Edit[] = [];
    return this.#host.change({
      what: 'run',
      nextState: (state) => {
        const next = all.reduce((now, { name, index, value }) => changes.withEdit(now, name, index, value), state);
        edits = next.edits;
        return next;
      },
      applyInPlace: () => this.#session.setEdits(edits),
    });
  }

  /**
   * Puts these interventions in force, in place of those before. Where they change what the model learns, it is trained
   * again, from its seed.
   */
  intervene(interventions: T.Intervention[], quiet = false): Promise<T.Reply<unknown>> {
    const anew = this.training.step > 0 && lastingIn({ interventions }) !== lastingIn(this.state);
    return this.#host.change({
      what: anew ? 'load' : 'run',
      nextState: (state) => ({ ...state, interventions }),
      ...(!anew && { applyInPlace: () => this.#session.setInterventions(interventions) }),
      quiet,
    });
  }

  /** Without an index: the latest edit of that tensor; without a name: the latest of all. */
  async undoEdit(name?: string, index?: number): Promise<boolean> {
    const exact = name && (this.node(name)?.name ?? name);
    let edit: T.Edit | undefined;
    const reply = await this.#host.change({
      what: 'run',
      nextState: (state) => {
        edit = changes.editOf(state, exact, index);
        return edit && changes.withoutEdit(state, edit.name, edit.index);
      },
      isIdle: (state) => !changes.editOf(state, exact, index),
      applyInPlace: () => this.#session.undoEdit(edit!.name, edit!.index),
    });
    return reply.ok && reply.value;
  }

  /**
   * Trains `steps()` more steps, evaluated when its turn comes, or those left when it was paused. False if refused,
   * already requested, or superseded by a change.
   */
  async train(steps: () => number): Promise<boolean> {
    while (this.written !== null) if (!(await this.runWritten())) return false;
    return this.#host.train(steps);
  }

  /**
   * Drops edits, inputs, the pair and training, applies the settings, and moves the cursor to where the page opens.
   * Same seed, same bits.
   */
  async reset(settings: T.Config = {}): Promise<void> {
    this.pause();
    let previous: Notice | null = null;
    const next = (state: T.State): T.State => {
      previous = this.notice;
      return changes.resetState(this.page, changes.withConfig(this.page, state, settings));
    };
    const words = (before: T.State, after: T.State): string =>
      resetWords(before, after, changes.stepsOf(this.page, before) - changes.stepsOf(this.page, after));
    await this.#reload(next, words, { target: null });
    if (!this.notice) this.say({ notice: previous }); // nothing was dropped: the earlier notice's undo still applies
  }

  /** Draws a new seed: keeps edits and inputs, drops training, and moves the cursor to where the page opens. */
  async newSeed(): Promise<void> {
    const [drawn] = crypto.getRandomValues(new Uint32Array(1));
    const seed = drawn! % 100_000;
    const reseed = (state: T.State): T.State => changes.withConfig(this.page, state, { seed });
    const words = (before: T.State, after: T.State): string => seedWords(after, changes.stepsOf(this.page, before));
    if (this.seeded) return void (await this.#reload(reseed, words, { target: null }));
    this.notify(seedless);
  }

  play(): void {
    if (!this.trace || this.playing) return;
    if (isStuck(this.trace, this.cursor, 'forward') || sameCursor(this.cursor, this.home)) this.set({ cursor: START });
    this.#player.play();
  }

  pause(): void {
    this.#player.pause();
  }

  /** Edits and training make no difference to what the seed decides. */
  #askSeed(): void {
    const { config, inputs } = this.experimentOf();
    void this.#seedSensitivity.ask({ config, inputs });
  }

  /** A change that may drop some of the learner's work: says what was dropped and offers to undo it. */
  async #reload(
    nextState: Change['nextState'],
    words: (before: T.State, after: T.State) => string,
    how: Pick<Change, 'target' | 'quiet' | 'checkpoint'>,
  ): Promise<T.Reply<unknown>> {
    let before = this.state;
    const reply = await this.#host.change({ what: 'load', nextState: (state) => nextState((before = state)), ...how });
    const message = reply.ok ? words(before, this.state) : '';
    if (message) this.notify({ message, action: { label: texts.UNDO, run: () => void this.goTo(() => before) } });
    return reply;
  }

  /** Offers to resume what was trained here last time. */
  async #offer(): Promise<void> {
    const stored = await this.#keeper.last(this.page);
    if (!stored || stored.steps <= changes.stepsOf(this.page, { ...stored.state, steps: null })) return;
    const action = { label: texts.CONTINUE_FROM_THERE, run: () => void this.goTo(() => stored.state) };
    this.notify({ message: keptWords(stored.steps, stored.at), action });
  }

  /** The values the learner gave last, else the model's own. */
  async #inputOf(state: T.State, name: string): Promise<number[]> {
    const values = state.inputs.findLast((input) => input.name === name)?.values;
    if (values) return values;
    const reply = await this.#session.values(this.node(name)!.id);
    return reply.ok ? Array.from(reply.value) : [];
  }

  /** One stop of playback, which ends with the forward pass, and played again goes on into the backward one. */
  #advance(): boolean {
    this.step('forward');
    const { trace, cursor } = this;
    return trace !== null && !isStuck(trace, cursor, 'forward') && !isForwardDone(trace, cursor);
  }
}

/** <u-lab>: the elements inside it share its lab. */
export interface LabHost extends HTMLElement {
  readonly lab: Lab;
}

/** The nearest <u-lab> around an element. */
export function hostOf(element: Element): LabHost {
  const host = element.closest<LabHost>('u-lab');
  if (!host) throw new Error(`<${element.localName}> is not inside a <u-lab>.`);
  return host;
}
