// How a view follows the bench: the attention around the cursor, and choices that hold until the bench moves on.
import type { Cursor, Trace, TraceNode } from '../../engine/types';

/** The node itself, or the forward node that a backward node belongs to. */
export const forwardOf = (trace: Trace, node: TraceNode): TraceNode =>
  node.phase === 'backward' ? (trace.nodes[node.origin] ?? node) : node;

/**
 * The attention weights, out of `attentions`, of the innermost scope around the cursor that has any. Scopes are matched by
 * name: keys may be computed long before the weights, and the cursor may be elsewhere in the same layer. Of several,
 * the last at or before the cursor, else the first; undefined outside all layers.
 */
export function attentionAt(trace: Trace, cursor: Cursor, attentions: readonly TraceNode[]): TraceNode | undefined {
  const node = trace.nodes[cursor.node];
  const at = node && forwardOf(trace, node);
  for (let scope = at && trace.scopes[at.scope]; scope?.name; scope = trace.scopes[scope.parent]) {
    const { name } = scope;
    const inside = attentions.filter(({ name: own }) => own.startsWith(`${name}/`) || own.startsWith(`${name}.`));
    if (inside.length) return inside.findLast(({ id }) => id <= at!.id) ?? inside[0];
  }
  return undefined;
}

/** Reports each new place of the bench once, so that a choice made in a view holds until the bench moves on. */
export class ChangeDetector<Place> {
  #last: Place | null | undefined;

  /** `place` if it differs from that of the last call, else undefined. */
  next(place: Place | null | undefined): Place | undefined {
    const moved = place !== this.#last;
    this.#last = place;
    return moved ? (place ?? undefined) : undefined;
  }
}
