// Which tensors a line of source computed.
import type { Trace, TraceNode } from '../types';
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
