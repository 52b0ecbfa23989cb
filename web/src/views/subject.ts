// What the inspector and the legend tell of: the selected cell, or the step the cursor stands on.
import type { Lab } from '../lab';
import { isOfUpdate } from '../stepper/names';
import { cellCount, type Selection, type Trace, type TraceNode } from '../types';

export interface Subject {
  node: TraceNode;
  index: number;
  /** Chosen by the learner, not by the cursor. */
  selected: boolean;
}

class Following extends EventTarget {
  #left: Selection | null = null;

  /** The steps are followed again, although a cell elsewhere is selected; until another is. */
  start(selection: Selection | null): void {
    this.#left = selection;
    this.dispatchEvent(new Event('change'));
  }

  has(selection: Selection): boolean {
    return this.#left === selection;
  }
}

export const following = new Following();

/** Without a selection the first cell of the step; null at the start. */
export function subjectOf(lab: Pick<Lab, 'selection' | 'cursor' | 'node'>, trace: Trace): Subject | null {
  const { selection, cursor } = lab;
  const node = selection && !following.has(selection) ? lab.node(selection.node) : undefined;
  if (node && selection) {
    const index = selection.index < cellCount(node.shape) ? selection.index : 0;
    return { node, index, selected: true };
  }
  const step = trace.nodes[cursor.node];
  return step ? { node: step, index: 0, selected: false } : null;
}

/**
 * The tensors whose gradient this node of the backward pass is. Several share one where it passes unchanged from one to
 * the other: a difference hands its gradient on to what it was taken from.
 */
export const gradientOf = (trace: Trace, node: TraceNode): TraceNode[] =>
  trace.nodes.filter((other) => other.gradient === node.id);

/** Of a tensor that is not computed: what it is instead. */
export function leafWords(trace: Trace, node: TraceNode): string {
  if (node.role === 'parameter') return 'A parameter: training changes it.';
  if (node.op === 'constant') return 'A constant.';
  return isOfUpdate(trace, node)
    ? 'Kept by the optimiser from the step before.'
    : 'An input: it is given, not computed.';
}
