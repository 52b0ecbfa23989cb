// Of a trace too long to be shown as a whole: what belongs to where the cursor stands.
import type { Cursor, Trace, TraceNode } from '../types';
import { forwardOf } from './follow';

/** Tensors that fit a board, and how many of them one scope may bring. */
const MOST = 40;
const MOST_INSIDE = 12;

/** Ids of the shown nodes in the widest scope around the cursor that is small enough, and of what they are made from. */
export function surroundings(trace: Trace, cursor: Cursor, shown: readonly number[]): ReadonlySet<number> {
  const all = new Set(shown);
  if (all.size <= MOST) return all;
  const inside = innermost(trace, cursor, shown);
  const around = new Set(inside);
  for (const id of inside) for (const source of sourcesOf(trace, id, all)) around.add(source);
  return around;
}

function innermost(trace: Trace, cursor: Cursor, shown: readonly number[]): number[] {
  let inside: number[] = [];
  for (let scope = scopeAt(trace, cursor); scope; scope = trace.scopes[scope.parent]) {
    const { first, last } = scope;
    const wider = shown.filter((id) => id >= first && id <= last && trace.nodes[id]!.phase === 'forward');
    if (inside.length && wider.length > MOST_INSIDE) break;
    inside = wider.slice(0, MOST_INSIDE);
  }
  return inside;
}

/**
 * Where the forward pass was: a gradient belongs to the operation it goes back through, and the update stands where the
 * way back ended.
 */
function scopeAt(trace: Trace, { node: id }: Cursor): Trace['scopes'][number] | undefined {
  const reached = trace.nodes[id] ?? trace.nodes.find(({ phase }) => phase === 'forward');
  const node = reached?.phase === 'update' ? trace.nodes.findLast(({ phase }) => phase === 'backward') : reached;
  return node && trace.scopes[forwardOf(trace, node).scope];
}

/** The shown nodes that a node is made from, directly or through nodes that are not shown. */
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
