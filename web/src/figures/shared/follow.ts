// How a view follows the bench: the attention around the cursor, choices that hold until the bench moves on, and what to
// show of a trace too long to be shown in full.
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

/** Tensors that fit on a board, and how many of them one scope may contribute. */
const MOST = 40;
const MAX_INSIDE = 12;

/** Ids of the shown nodes in the widest scope around the cursor that is small enough, and of their sources. */
export function visibleAround(trace: Trace, cursor: Cursor, shown: readonly number[]): ReadonlySet<number> {
  const all = new Set(shown);
  if (all.size <= MOST) return all;
  const inside = innermost(trace, cursor, shown);
  return new Set([...inside, ...inside.flatMap((id) => sourcesOf(trace, id, all))]);
}

function innermost(trace: Trace, cursor: Cursor, shown: readonly number[]): number[] {
  const forward = shown.filter((id) => trace.nodes[id]!.phase === 'forward');
  let inside: number[] = [];
  for (let scope = scopeAt(trace, cursor); scope; scope = trace.scopes[scope.parent]) {
    const { name, first, last } = scope;
    const wider = name ? forward.filter((id) => id >= first && id <= last) : forward; // the outermost has all
    if (inside.length && wider.length > MAX_INSIDE) break;
    inside = around(wider, cursor.node);
  }
  return inside;
}

/** Those nearest to the cursor, as many as one scope may contribute. */
function around(ids: readonly number[], at: number): number[] {
  const next = ids.findIndex((id) => id >= at);
  const first = (next < 0 ? ids.length : next) - MAX_INSIDE / 2;
  return ids.slice(Math.max(0, Math.min(first, ids.length - MAX_INSIDE))).slice(0, MAX_INSIDE);
}

/** Forward scope of the cursor: that of a backward node's operation; for the update, where the backward pass ended. */
function scopeAt(trace: Trace, { node: id }: Cursor): Trace['scopes'][number] | undefined {
  const reached = trace.nodes[id] ?? trace.nodes.find(({ phase }) => phase === 'forward');
  const node = reached?.phase === 'update' ? trace.nodes.findLast(({ phase }) => phase === 'backward') : reached;
  return node && trace.scopes[forwardOf(trace, node).scope];
}

/** The shown nodes that a node is computed from, directly or through hidden nodes. */
function sourcesOf(trace: Trace, id: number, shown: ReadonlySet<number>): number[] {
  const found: number[] = [];
  const waiting = [...trace.nodes[id]!.inputs];
  const seen = new Set<TraceNode['id']>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (shown.has(next)) found.push(next);
    else waiting.push(...trace.nodes[next]!.inputs);
  }
  return found;
}
