// Which tensors a line of source computed.
import type { Cursor, Trace, TraceNode } from '../types';
import { frame, isReached } from '../stepper/steps';
import { lineKey } from './hover';

/** By "file:line": what was recorded there, and the results of composites called there, in order of execution. */
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

let known: { trace: Trace; lines: Map<string, TraceNode[]> } | null = null;

export function tensorsOfLine(trace: Trace, key: string): TraceNode[] {
  if (known?.trace !== trace) known = { trace, lines: tensorsByLine(trace) };
  return known.lines.get(key) ?? [];
}

/**
 * What a line came to, of all that it computed: in the call that the cursor is in, if it ran there, else the latest that
 * was reached. A line that is still to come in this call has not come to anything yet, whatever it did in calls before.
 */
export function resultOf(trace: Trace, cursor: Cursor, tensors: readonly TraceNode[]): TraceNode | undefined {
  const forward = tensors.filter((node) => node.phase === 'forward');
  const own = forward.length ? forward : tensors;
  const here = ofThisCall(trace, cursor, own);
  return here.filter((node) => isReached(node, cursor)).at(-1) ?? here.at(-1);
}

/** Those in the innermost scope around the cursor that has any; all, if none has. */
function ofThisCall(trace: Trace, cursor: Cursor, tensors: readonly TraceNode[]): readonly TraceNode[] {
  for (let scope = frame(trace, cursor); scope && scope.id > 0; scope = trace.scopes[scope.parent]) {
    const { first, last } = scope;
    const inside = tensors.filter(({ id }) => first <= id && id <= last);
    if (inside.length) return inside;
  }
  return tensors;
}
