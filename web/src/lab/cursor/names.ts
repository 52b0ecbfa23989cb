// Names in a trace: of its tensors, and of cursor positions.
import { onceForEach } from './once';
import type { Cursor, Trace, TraceNode, TraceScope } from '../../engine/types';

/** A cursor as a link holds it: [operation, scope]; scope "" unless a whole scope is stood on, both "" at the start. */
export type NamedCursor = [node: string, scope: string];

export const START: Cursor = { node: -1, scope: -1 };

export function pathOf(trace: Trace, cursor: Cursor): NamedCursor {
  const node = trace.nodes[cursor.node];
  return node ? [node.name, trace.scopes[cursor.scope]?.name ?? ''] : ['', ''];
}

/** True for nodes of the update, including its leaves: the moments that the optimiser keeps. */
export const isOfUpdate = (trace: Trace, node: TraceNode): boolean => trace.scopes[node.scope]?.phase === 'update';

const holds = (scope: TraceScope, node: number): boolean => scope.first <= node && node <= scope.last;

/** The nodes of a trace by their whole names. */
export const byName = onceForEach(
  (trace: Trace): ReadonlyMap<string, TraceNode> => new Map(trace.nodes.map((node) => [node.name, node])),
);

/** Undefined if the trace has no such operation, or no such scope around it. */
export function cursorAt(trace: Trace, [name, scopeName]: NamedCursor): Cursor | undefined {
  if (!name) return START;
  const node = byName(trace).get(name);
  if (!node || node.phase === 'leaf') return undefined;
  if (!scopeName) return { node: node.id, scope: -1 };
  const scope = trace.scopes.find((candidate) => candidate.name === scopeName && holds(candidate, node.id));
  return scope && { node: node.id, scope: scope.id };
}

/**
 * Exact name, or the only node whose path ends in "/name", gradients and the update aside; "∂x" is the gradient of x,
 * whatever node holds it.
 */
export function findNode(trace: Trace, name: string): TraceNode | undefined {
  const known = found(trace);
  if (!known.has(name)) known.set(name, searched(trace, name));
  return known.get(name);
}

/** What findNode has found in a trace, by name. */
const found = onceForEach((_: Trace) => new Map<string, TraceNode | undefined>());

function searched(trace: Trace, name: string): TraceNode | undefined {
  const exact = byName(trace).get(name);
  if (exact) return exact;
  if (name.startsWith('∂')) return trace.nodes[findNode(trace, name.slice(1))?.gradient ?? -1];
  const ending = trace.nodes.filter(
    (node) => node.name.endsWith(`/${name}`) && !node.name.startsWith('∂') && !isOfUpdate(trace, node),
  );
  return ending.length === 1 ? ending[0] : undefined;
}
