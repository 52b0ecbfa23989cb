// The state table and who listens to it: where the learner stands, and what the engine said last.
import { findNode } from '../stepper/names';
import { isReached, move } from '../stepper/steps';
import type { Notice } from './notice';
import type * as T from '../types';

export abstract class LabState extends EventTarget {
  info: T.ModelInfo | null = null;
  trace: T.Trace | null = null;
  run: T.RunInfo | null = null;
  problem: T.Problem | null = null;
  notice: Notice | null = null;

  private frame = 0;

  constructor(public state: T.State) {
    super();
  }

  get cursor(): T.Cursor {
    return this.state.cursor;
  }

  get selection(): T.Selection | null {
    return this.state.selection;
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

  read(section: string): void {
    this.set({ section });
  }

  protected set(part: Partial<T.State>): void {
    this.state = { ...this.state, ...part };
    this.changed();
  }

  protected changed(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.dispatchEvent(new Event('change'));
    });
  }
}
