// Which tensors a line of source computed.
import type { Trace, TraceNode } from '../../engine/types';
import { lineKey, onceForEach } from '../../lab/cursor';

/** Nodes by "file:line": recorded there, or the result of a composite called there, in execution order. */
const tensorsByLine = onceForEach((trace: Trace): Map<string, TraceNode[]> => {
  const found = new Map<string, Set<number>>();
  const add = (file: string, line: number, id: number): void => {
    const key = lineKey(file, line);
    found.set(key, (found.get(key) ?? new Set()).add(id));
  };
  for (const node of trace.nodes) if (node.phase !== 'leaf') add(node.file, node.line, node.id);
  for (const scope of trace.scopes)
    if (scope.id > 0 && scope.last >= scope.first) add(scope.file, scope.line, scope.last);
  return new Map([...found].map(([key, ids]) => [key, [...ids].sort((a, b) => a - b).map((id) => trace.nodes[id]!)]));
});

export const tensorsOfLine = (trace: Trace, key: string): TraceNode[] => tensorsByLine(trace).get(key) ?? [];
