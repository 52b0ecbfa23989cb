// A cursor written as names: what a link holds instead of numbers.
import type { Cursor, Trace, TraceScope } from '../types';

/** [operation, scope]; scope "" if no scope is stood on. */
export type NamedCursor = [node: string, scope: string];

export const START: Cursor = { node: -1, scope: -1 };

/** Null at the start. */
export function pathOf(trace: Trace, cursor: Cursor): NamedCursor | null {
  const node = trace.nodes[cursor.node];
  return node ? [node.name, trace.scopes[cursor.scope]?.name ?? ''] : null;
}

const holds = (scope: TraceScope, node: number): boolean => scope.first <= node && node <= scope.last;

/** Undefined if the trace has no such operation, or no such scope around it. */
export function cursorAt(trace: Trace, [name, scopeName]: NamedCursor): Cursor | undefined {
  const node = trace.nodes.find((candidate) => candidate.name === name && candidate.phase !== 'leaf');
  if (!node) return undefined;
  if (!scopeName) return { node: node.id, scope: -1 };
  const scope = trace.scopes.find((candidate) => candidate.name === scopeName && holds(candidate, node.id));
  return scope && { node: node.id, scope: scope.id };
}
