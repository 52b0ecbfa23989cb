// The observable state table: where the learner stands, and the engine's latest results.
import { findNode } from './cursor/names';
import { isReached, move } from './cursor/steps';
import { NOWHERE, sameHover, type Hover } from './hover';
import type { Topic } from './lab';
import type { Notice } from './notice';
import type { Outcome, Unsaved } from './store/storage';
import type * as T from '../engine/types';

/** The part of the state that says where the learner stands. */
type Place = Pick<T.State, 'cursor' | 'selection' | 'shown' | 'section'>;
const TOPICS: Record<keyof Place, Topic> = {
  cursor: 'cursor',
  selection: 'selection',
  shown: 'choice',
  section: 'choice',
};

let serial = 0;

export abstract class LabState extends EventTarget {
  readonly id = `lab-${++serial}`;
  info: T.ModelInfo | null = null;
  trace: T.Trace | null = null;
  run: T.RunInfo | null = null;
  task: T.TaskInfo | null = null;
  pair: T.PairInfo | null = null;
  hover: Hover = NOWHERE;

  /** The selection that is not shown, because the steps are followed. */
  private left: T.Selection | null = null;
  private said: { problem: T.Problem | null; notice: Notice | null } = { problem: null, notice: null };
  private readonly waiting = new Set<Topic>();
  private readonly reportedUnsaved = new Set<Unsaved>();

  constructor(public state: T.State) {
    super();
  }

  get problem(): T.Problem | null {
    return this.said.problem;
  }

  get notice(): Notice | null {
    return this.said.notice;
  }

  get cursor(): T.Cursor {
    return this.state.cursor;
  }

  get selection(): T.Selection | null {
    return this.state.selection;
  }

  get showsSelection(): boolean {
    return this.selection !== null && this.selection !== this.left;
  }

  node(name: string): T.TraceNode | undefined {
    return this.trace ? findNode(this.trace, name) : undefined;
  }

  reached(node: T.TraceNode): boolean {
    return isReached(node, this.cursor);
  }

  moveTo(cursor: T.Cursor): void {
    this.set({ cursor });
    this.dispatchEvent(new Event('moved'));
  }

  step(action: T.StepAction): void {
    if (this.trace) this.moveTo(move(this.trace, this.cursor, action));
  }

  select(node: string, index: number): void {
    this.set({ selection: { node, index } });
  }

  followSteps(): void {
    this.left = this.selection;
    this.changed('selection');
  }

  askEdit(typed = ''): void {
    this.dispatchEvent(new CustomEvent('edit-cell', { detail: typed }));
  }

  point(at: Partial<Hover>): void {
    const hover = { ...NOWHERE, ...at };
    if (sameHover(hover, this.hover)) return;
    this.hover = hover;
    this.changed('hover');
  }

  choose(view: string, choice: T.Choice): void {
    this.set({ shown: { ...this.state.shown, [view]: choice } });
  }

  reading(section: string): void {
    this.set({ section });
  }

  /** Shows what was dropped, or what the learner should know. */
  notify(notice: Notice): void {
    this.say({ notice });
  }

  /** Reports a refusal: by the engine, of a link, or by an element that rejects what was typed. */
  reportProblem(problem: T.Problem): void {
    this.say({ problem });
  }

  /** Reports, once per kind of work, that the browser does not keep it. */
  reportUnsaved(work: Unsaved, outcome: Outcome): void {
    if (outcome === 'kept' || this.reportedUnsaved.has(work)) return;
    this.reportedUnsaved.add(work);
    void import('#messages/unsaved').then(({ notSaved }) =>
      this.reportProblem({ code: 'E_STORAGE', message: notSaved(work, outcome), detail: '' }),
    );
  }

  protected say(part: Partial<typeof this.said>): void {
    const { problem, notice } = this.said;
    this.said = { ...this.said, ...part };
    if (this.said.problem === problem && this.said.notice === notice) return;
    this.changed('problem');
  }

  protected set(place: Partial<Place>): void {
    this.state = { ...this.state, ...place };
    this.changed(...Object.keys(place).map((key) => TOPICS[key as keyof Place]));
  }

  protected changed(...topics: Topic[]): void {
    if (!this.waiting.size) requestAnimationFrame(() => this.dispatch());
    for (const topic of topics) this.waiting.add(topic);
  }

  private dispatch(): void {
    const topics = [...this.waiting];
    this.waiting.clear();
    for (const topic of topics) this.dispatchEvent(new Event(topic));
  }
}
