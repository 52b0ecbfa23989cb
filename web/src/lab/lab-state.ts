// The observable state table: where the learner stands, and the engine's latest results.
import { findNode } from './cursor/names';
import { isReached, move } from './cursor/steps';
import { NOWHERE, sameHover, type Hover } from './hover';
import type { Notice } from './notice';
import type * as T from '../engine/types';

let serial = 0;

export abstract class LabState extends EventTarget {
  readonly id = `lab-${++serial}`;
  info: T.ModelInfo | null = null;
  trace: T.Trace | null = null;
  run: T.RunInfo | null = null;
  task: T.TaskInfo | null = null;
  pair: T.PairInfo | null = null;
  problem: T.Problem | null = null;
  notice: Notice | null = null;
  hover: Hover = NOWHERE;

  /** The selection that is not shown, because the steps are followed. */
  private left: T.Selection | null = null;
  private readonly waiting = new Set<string>();

  constructor(public state: T.State) {
    super();
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
  }

  step(action: T.StepAction): void {
    if (this.trace) this.set({ cursor: move(this.trace, this.cursor, action) });
  }

  select(node: string, index: number): void {
    this.set({ selection: { node, index } });
  }

  followSteps(): void {
    this.left = this.selection;
    this.changed();
  }

  askEdit(): void {
    this.dispatchEvent(new Event('edit-cell'));
  }

  point(at: Partial<Hover>): void {
    const hover = { ...NOWHERE, ...at };
    if (sameHover(hover, this.hover)) return;
    this.hover = hover;
    this.changed();
  }

  choose(view: string, choice: T.Choice): void {
    this.set({ shown: { ...this.state.shown, [view]: choice } });
  }

  reading(section: string): void {
    this.set({ section });
  }

  /** Shows what was dropped, or what the learner should know. */
  notify(notice: Notice): void {
    this.notice = notice;
    this.changed();
  }

  protected set(part: Partial<T.State>): void {
    this.state = { ...this.state, ...part };
    this.changed();
  }

  protected changed(event: 'change' | 'training' = 'change'): void {
    if (!this.waiting.size) requestAnimationFrame(() => this.dispatch());
    this.waiting.add(event);
  }

  private dispatch(): void {
    const events = [...this.waiting];
    this.waiting.clear();
    for (const event of events) this.dispatchEvent(new Event(event));
  }
}
