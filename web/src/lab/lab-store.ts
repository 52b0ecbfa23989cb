// What every element of a lab reads: the state table, which says what the learner did; what the engine returned for it
// last; and what the page reports about both. Each change is dispatched by its topic.
import { findNode, START, byName, type NamedCursor, isReached, NOWHERE, sameHover, type Hover } from './cursor';
import { configOf, experimentOf } from './changes';
import { move } from './stops';
import { emptyState } from './link/table';
import type { Notice } from './notice';
import type { Page } from './page';
import { cursorIn, flatIndex, homeOf, targetCursor, withLaterMoves } from './place';
import type { Outcome, Unsaved } from './store/storage';
import { untrained, type Training } from './training';
import type { Experiment, Result } from '../engine/replay';
import type { RemoteSession } from '../engine/remote';
import type * as T from '../engine/types';

/**
 * What of a lab can change:
 * - cursor, selection, hover; choice: the stage, what was chosen in a view, and the section being read
 * - run: the model and its latest run, with all that made it: settings, inputs, pair, edits
 * - values: tensors have arrived, or others are shown
 * - training: `training` has advanced
 * - activity: what it is busy with, and whether it plays
 * - problem: the problem or the notice
 */
export type Topic =
  'cursor' | 'selection' | 'hover' | 'choice' | 'run' | 'values' | 'training' | 'activity' | 'problem';

/** The part of the state that says where the learner is. */
type Place = Pick<T.State, 'cursor' | 'selection' | 'shown' | 'section' | 'stage' | 'pinned'>;
const TOPICS: Record<keyof Place, Topic> = {
  cursor: 'cursor',
  selection: 'selection',
  shown: 'choice',
  section: 'choice',
  stage: 'choice',
  pinned: 'choice',
};

let serial = 0;

/**
 * Dispatches each topic that has changed, at most once per frame;
 * 'focused' with the node that focus() moved to; 'moved' after a step; and 'edit-cell' when the selected cell is to be
 * edited: see takeAsked.
 */
export class LabStore extends EventTarget {
  /** Prefix of the ids of the lab's elements, unique on the page. */
  readonly id = `lab-${++serial}`;
  state: T.State;
  info: T.ModelInfo | null = null;
  trace: T.Trace | null = null;
  run: T.RunInfo | null = null;
  /** The task that the model learns, and the pair it reads; null without a task. */
  task: T.TaskInfo | null = null;
  pair: T.PairInfo | null = null;
  training: Training = untrained();
  /** The stage of what the learner reads: the page's, until a paragraph asks for another. */
  lessonStage: T.Stage;
  /** What the pointer rests on. */
  hover: Hover = NOWHERE;
  /** What the page says below the bench; the notice: what was dropped or can be resumed, with the action for it. */
  problem: T.Problem | null = null;
  notice: Notice | null = null;

  readonly #valueCache: ValueCache;
  /** Probabilities, for tensors of log-probabilities. */
  readonly #probabilityCache: ValueCache;
  /** The selection that was only marked, by a lesson: its card is closed. */
  #marked: T.Selection | null = null;
  /** What was typed on the selected cell, for the field in its card. */
  #asked: string | null = null;
  readonly #waiting = new Set<Topic>();
  readonly #reportedUnsaved = new Set<Unsaved>();

  constructor(
    readonly page: Page,
    session: Pick<RemoteSession, 'batch'>,
  ) {
    super();
    const cacheOf = (method: 'values' | 'probabilities'): ValueCache =>
      new ValueCache(
        (nodes) => session.batch(method, nodes),
        () => this.changed('values'),
      );
    this.state = emptyState(page.lesson);
    this.lessonStage = page.stage;
    this.#valueCache = cacheOf('values');
    this.#probabilityCache = cacheOf('probabilities');
  }

  get cursor(): T.Cursor {
    return this.state.cursor;
  }

  get selection(): T.Selection | null {
    return this.state.selection;
  }

  /** True if the learner chose a cell, whose card is then open. */
  get inspects(): boolean {
    return this.selection !== null && this.selection !== this.#marked;
  }

  /** Where the cursor stands when the page opens, and after a reset. */
  get home(): T.Cursor {
    return this.trace ? homeOf(this.page, this.trace) : START;
  }

  /** The configuration in force: the page's own, overridden by the learner's changes. */
  config(): T.Config {
    return configOf(this.page, this.state);
  }

  /** All that determines the bits of the model in this state. */
  experimentOf(state = this.state): Experiment {
    return experimentOf(this.page, state);
  }

  /** Exact name, or the only node whose path ends in "/name". */
  node(name: string): T.TraceNode | undefined {
    return this.trace ? findNode(this.trace, name) : undefined;
  }

  /** True if the cursor has passed it (leaves always): views draw the rest hollow. */
  reached(node: T.TraceNode): boolean {
    return isReached(node, this.cursor);
  }

  /** Values of the finished run, row-major; undefined while fetching, 'values' fires when they arrive. */
  values(node: T.TraceNode): Float32Array | undefined {
    return this.#valueCache.get(node.id);
  }

  /** Probabilities, for a tensor of log-probabilities; undefined while fetching. */
  probabilities(node: T.TraceNode): Float32Array | undefined {
    return this.#probabilityCache.get(node.id);
  }

  /** ∂L/∂node, same shape; undefined while fetching or if the loss does not depend on it. */
  gradient(node: T.TraceNode): Float32Array | undefined {
    return node.gradient < 0 ? undefined : this.#valueCache.get(node.gradient);
  }

  moveTo(cursor: T.Cursor): void {
    this.set({ cursor });
    this.dispatchEvent(new Event('moved'));
  }

  step(action: T.StepAction): void {
    if (this.trace) this.moveTo(move(this.trace, this.cursor, action));
  }

  /** Chooses a cell, which opens its card. */
  select(node: string, index: number): void {
    if (node !== this.selection?.node || index !== this.selection.index) this.#asked = null;
    this.set({ selection: { node, index } });
  }

  /** No cell is chosen: its card closes. */
  unselect(): void {
    this.set({ selection: null });
  }

  /** Moves the cursor to the node named `at` and marks the cell, without its card. */
  focus({ at, cell = [] }: { at?: string; cell?: number[]; view?: string }): void {
    const node = at === undefined ? undefined : this.node(at);
    if (!node) return;
    const selection = { node: node.name, index: flatIndex(node.shape, cell) };
    this.set({ cursor: node.phase === 'leaf' ? this.cursor : { node: node.id, scope: -1 }, selection });
    this.#marked = selection;
    this.dispatchEvent(new CustomEvent('focused', { detail: node }));
  }

  /** Opens the field for the value of the selected cell; it begins with what was typed, even while its card loads. */
  askEdit(typed = ''): void {
    this.#asked = (this.#asked ?? '') + typed;
    this.dispatchEvent(new Event('edit-cell'));
  }

  /** What was typed on the selected cell since it was last asked; null: no field is to open. */
  takeAsked(): string | null {
    const asked = this.#asked;
    this.#asked = null;
    return asked;
  }

  /** What is left out is null: point({}) points nowhere. */
  point(at: Partial<Hover>): void {
    const hover = { ...NOWHERE, ...at };
    if (sameHover(hover, this.hover)) return;
    this.hover = hover;
    this.changed('hover');
  }

  /** Records what was chosen in a view; part of the link. */
  choose(view: string, choice: T.Choice): void {
    this.set({ shown: { ...this.state.shown, [view]: choice } });
  }

  /** The stage on the bench: the learner's choice outlasts the lesson's. */
  get stage(): T.Stage {
    return this.state.stage ?? this.lessonStage;
  }

  /** Whoever chooses the lesson's own stage follows the lesson. */
  showStage(stage: T.Stage): void {
    this.set({ stage: stage === this.lessonStage ? null : stage });
  }

  followLesson(): void {
    this.set({ stage: null });
  }

  /** A paragraph of the lesson is about this stage. */
  speakOf(stage: T.Stage): void {
    if (stage === this.lessonStage) return;
    this.lessonStage = stage;
    this.changed('choice');
  }

  /** The stage beside the first; null: none. */
  get pinned(): T.Stage | null {
    const pinned = this.state.pinned ?? this.page.pinned;
    return pinned === 'none' ? null : pinned;
  }

  pin(stage: T.Stage | null): void {
    const pinned = stage ?? 'none';
    this.set({ pinned: pinned === (this.page.pinned ?? 'none') ? null : pinned });
  }

  /** Records the section being read; part of the link. */
  reading(section: string): void {
    this.set({ section });
  }

  set(place: Partial<Place>): void {
    this.state = { ...this.state, ...place };
    this.changed(...Object.keys(place).map((key) => TOPICS[key as keyof Place]));
  }

  /**
   * Shows what the engine returned for the state after a change. The learner stays where they have moved to since the
   * state `before` the change, unless there is a target: see Change. Where they are is the operation of the same name, or
   * as many steps in.
   */
  accept(after: T.State, result: Result, before = after, target?: NamedCursor | null): void {
    const old = this.trace;
    const state = withLaterMoves(after, before, this.state);
    Object.assign(this, result);
    this.forgetValues((node) => byName(result.trace).get(old?.nodes[node]?.name ?? '')?.id ?? -1);
    const cursor =
      target === undefined
        ? cursorIn(this.page, old, result.trace, state.cursor)
        : targetCursor(this.page, result.trace, target);
    const selection = state.selection && this.node(state.selection.node) ? state.selection : null;
    this.state = { ...state, cursor, selection };
    this.changed('run', 'cursor', 'selection', 'choice');
  }

  /**
   * There is a new run, where node `now(node)` is what `node` was: the values on screen are asked for again. Without `now`
   * there is no worker to ask.
   */
  forgetValues(now?: (node: number) => number): void {
    this.#valueCache.clear(now);
    this.#probabilityCache.clear(now);
    this.changed('values');
  }

  /** The tensors have new values: those on screen are fetched again. */
  async renewValues(): Promise<void> {
    await Promise.all([this.#valueCache.renew(), this.#probabilityCache.renew()]);
  }

  /** Shows what was dropped, or what the learner should know. */
  notify(notice: Notice): void {
    this.say({ notice });
  }

  /** Shows one sentence to the learner, as when an element refuses what was typed. */
  reportProblem(problem: T.Problem): void {
    this.say({ problem });
  }

  /** Reports what the engine refused; the loss of a worker is reported where it is noticed. */
  reportRefusal(problem: T.Problem): void {
    if (problem.code !== 'E_WORKER') this.reportProblem(problem);
  }

  /** Reports, once per kind of work, that the browser does not keep it. */
  reportUnsaved(work: Unsaved, outcome: Outcome): void {
    if (outcome === 'kept' || this.#reportedUnsaved.has(work)) return;
    this.#reportedUnsaved.add(work);
    void import('#messages/unsaved').then(({ notSaved }) =>
      this.reportProblem({ code: 'E_STORAGE', message: notSaved(work, outcome), detail: '' }),
    );
  }

  dismiss(): void {
    this.say({ problem: null, notice: null });
  }

  say(part: Partial<Pick<LabStore, 'problem' | 'notice'>>): void {
    const { problem, notice } = this;
    Object.assign(this, part);
    if (this.problem !== problem || this.notice !== notice) this.changed('problem');
  }

  changed(...topics: Topic[]): void {
    if (!this.#waiting.size) requestAnimationFrame(() => this.#dispatch());
    for (const topic of topics) this.#waiting.add(topic);
  }

  #dispatch(): void {
    const topics = [...this.#waiting];
    this.#waiting.clear();
    for (const topic of topics) this.dispatchEvent(new Event(topic));
  }
}

type Cached = Map<number, Float32Array | null>;

/** Tensors of a new run that are asked for before an element does: about as many as a screen shows. */
const MOST_AHEAD = 64;

/** Values (or probabilities) of the tensors of one finished trace, fetched from the worker on first use. */
export class ValueCache {
  /** Null while pending. */
  #cached: Cached = new Map();
  /** Requested since the last renewal: what is on screen. */
  #requested = new Set<number>();
  /** Not asked for yet. */
  #wanted: number[] = [];
  /** Of the run before, by the nodes of this one. */
  #earlier: Cached = new Map();

  constructor(
    private readonly ask: (nodes: readonly number[]) => Promise<T.Reply<Float32Array>[]>,
    private readonly arrived: () => void,
  ) {}

  /** Undefined until the values arrive; `arrived` is called then. */
  get(node: number): Float32Array | undefined {
    this.#requested.delete(node); // the latest ones are the last
    this.#requested.add(node);
    if (!this.#cached.has(node)) this.#want(node);
    return this.#cached.get(node) ?? undefined;
  }

  /**
   * Forgets everything: there is a new run. What was on screen is asked for at once, so that one drawing shows the run
   * and its values. `now`: what node a node of the run before is in this one; −1: none.
   */
  clear(now: (node: number) => number = () => -1): void {
    this.#earlier = new Map([...this.#cached].map(([node, values]) => [now(node), values]));
    this.#wanted = [...this.#requested]
      .slice(-MOST_AHEAD)
      .map(now)
      .filter((node) => node >= 0);
    this.#cached = new Map(this.#wanted.map((node) => [node, null]));
    this.#requested.clear();
    if (this.#wanted.length) void this.#fetchWanted();
  }

  /** The nodes have new values: refetches those on screen, and serves the old ones until all have arrived. */
  async renew(): Promise<void> {
    const old = this.#cached;
    const nodes = [...this.#requested].filter((node) => old.has(node));
    this.#requested.clear();
    const renewed: Cached = new Map();
    await this.#fetch(nodes, renewed, old);
    if (old !== this.#cached) return;
    this.#cached = renewed;
    this.arrived();
  }

  /** All that the elements of a page want when they render is asked for together, once they have rendered. */
  #want(node: number): void {
    if (!this.#wanted.length) setTimeout(() => void this.#fetchWanted());
    this.#wanted.push(node);
    this.#cached.set(node, null);
  }

  async #fetchWanted(): Promise<void> {
    const cached = this.#cached;
    const some = await this.#fetch(this.#wanted.splice(0), cached, this.#earlier);
    if (some && cached === this.#cached) this.arrived();
  }

  /**
   * One call for all of them. A refused one is left out, to be asked for again. Values equal to those before are the same
   * array, so that nothing is drawn again for them. False if all were refused.
   */
  async #fetch(nodes: readonly number[], into: Cached, before: Cached): Promise<boolean> {
    const replies = nodes.length ? await this.ask(nodes) : [];
    for (const [i, node] of nodes.entries()) {
      const reply = replies[i]!;
      const old = before.get(node);
      if (reply.ok) into.set(node, old && areEqual(old, reply.value) ? old : reply.value);
      else into.delete(node);
    }
    return replies.some(({ ok }) => ok);
  }
}

const areEqual = (a: Float32Array, b: Float32Array): boolean =>
  a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
