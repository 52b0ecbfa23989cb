// Which tensors a line of source computed.
import type { Cursor, Trace, TraceNode } from '../../engine/types';
import { frame, isReached } from '../../lab/cursor/steps';
import { lineKey } from '../../lab/hover';

/** Nodes by "file:line": recorded there, or the result of a composite called there, in execution order. */
export function tensorsByLine(trace: Trace): Map<string, TraceNode[]> {
  const found = new Map<string, Set<number>>();
  const add = (file: string, line: number, id: number): void => {
    const key = lineKey(file, line);
    found.set(key, (found.get(key) ?? new Set()).add(id));
  };
  for (const node of trace.nodes) if (node.phase !== 'leaf') add(node.file, node.line, node.id);
  for (const scope of trace.scopes)
    if (scope.id > 0 && scope.last >= scope.first) add(scope.file, scope.line, scope.last);
  return new Map([...found].map(([key, ids]) => [key, [...ids].sort((a, b) => a - b).map((id) => trace.nodes[id]!)]));
}

let cached: { trace: Trace; lines: Map<string, TraceNode[]> } | null = null;

export function tensorsOfLine(trace: Trace, key: string): TraceNode[] {
  if (cached?.trace !== trace) cached = { trace, lines: tensorsByLine(trace) };
  return cached.lines.get(key) ?? [];
}

/**
 * The result of a line, among all tensors it computed: the latest one reached, of those in the call the cursor is in if
 * the line has any there. If none of these is reached, the last of them, whatever the line computed in earlier calls.
 */
export function resultOf(trace: Trace, cursor: Cursor, tensors: readonly TraceNode[]): TraceNode | undefined {
  const forward = tensors.filter((node) => node.phase === 'forward');
  const own = forward.length ? forward : tensors;
  const here = ofThisCall(trace, cursor, own);
  return here.filter((node) => isReached(node, cursor)).at(-1) ?? here.at(-1);
}

/** Those in the innermost scope around the cursor that has any; all if none does. */
function ofThisCall(trace: Trace, cursor: Cursor, tensors: readonly TraceNode[]): readonly TraceNode[] {
  for (let scope = frame(trace, cursor); scope && scope.id > 0; scope = trace.scopes[scope.parent]) {
    const { first, last } = scope;
    const inside = tensors.filter(({ id }) => first <= id && id <= last);
    if (inside.length) return inside;
  }
  return tensors;
}
