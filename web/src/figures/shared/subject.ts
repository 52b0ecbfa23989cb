// What the inspector and the legend describe: the selected cell, or the step at the cursor.
import { AN_INPUT, A_CONSTANT, A_PARAMETER, OPTIMISER_STATE } from '#messages/figures/shared';
import type { Lab } from '../../lab/lab';
import { isOfUpdate } from '../../lab/cursor/names';
import { cellCount, type Trace, type TraceNode } from '../../engine/types';

export interface Subject {
  node: TraceNode;
  index: number;
  /** Chosen by the learner, not by the cursor. */
  selected: boolean;
}

/** The selected cell, else the first cell of the current step; null at the start. */
export function subjectOf(
  lab: Pick<Lab, 'selection' | 'showsSelection' | 'cursor' | 'node'>,
  trace: Trace,
): Subject | null {
  const { selection, cursor } = lab;
  const node = selection && lab.showsSelection ? lab.node(selection.node) : undefined;
  if (node && selection) {
    const index = selection.index < cellCount(node.shape) ? selection.index : 0;
    return { node, index, selected: true };
  }
  const step = trace.nodes[cursor.node];
  return step ? { node: step, index: 0, selected: false } : null;
}

/**
 * The tensors whose gradient this backward node holds. Several share one where the gradient passes unchanged: a
 * difference passes its gradient on to its minuend.
 */
export const gradientOf = (trace: Trace, node: TraceNode): TraceNode[] =>
  trace.nodes.filter((other) => other.gradient === node.id);

/** Describes a tensor that is not computed. */
export function describeLeaf(trace: Trace, node: TraceNode): string {
  if (node.role === 'parameter') return A_PARAMETER;
  if (node.op === 'constant') return A_CONSTANT;
  return isOfUpdate(trace, node) ? OPTIMISER_STATE : AN_INPUT;
}
