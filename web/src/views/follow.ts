// How a view goes along with the bench: which look the cursor stands in, and a choice that holds until it stands in another.
import type { Cursor, Trace, TraceNode } from '../types';

/** The operation of the forward pass itself, or of which this is the gradient. */
export const forwardOf = (trace: Trace, node: TraceNode): TraceNode =>
  node.phase === 'backward' ? (trace.nodes[node.origin] ?? node) : node;

/**
 * Of these weights those of the innermost scope around the cursor that has any, by its name: an attention may begin
 * with its keys long before it looks, and a layer is one also beside its attention. Of several the last that has
 * begun, else the first; undefined outside all layers.
 */
export function lookAt(trace: Trace, cursor: Cursor, looks: readonly TraceNode[]): TraceNode | undefined {
  const node = trace.nodes[cursor.node];
  const at = node && forwardOf(trace, node);
  for (let scope = at && trace.scopes[at.scope]; scope?.name; scope = trace.scopes[scope.parent]) {
    const { name } = scope;
    const inside = looks.filter((look) => look.name.startsWith(`${name}/`) || look.name.startsWith(`${name}.`));
    if (inside.length) return inside.findLast(({ id }) => id <= at!.id) ?? inside[0];
  }
  return undefined;
}

/** Where the bench stands, told once: what a learner chooses in a view meanwhile holds until it has moved on. */
export class Arrivals<Place> {
  #last: Place | null | undefined;

  /** The place if it is another than the last. */
  at(place: Place | null | undefined): Place | undefined {
    const moved = place !== this.#last;
    this.#last = place;
    return moved ? (place ?? undefined) : undefined;
  }
}
