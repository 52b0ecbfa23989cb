// What the board shows while a parameter is updated: the parameter, and the tensors that compute its new value.
import type { Cursor, Trace, TraceNode } from '../../engine/types';
import { isOfUpdate } from '../../lab/cursor/names';
import { isNamed } from '../../figures/shared/marks';

const MAX_PER_ROW = 5;

/** Null if the cursor is not inside a parameter's update. */
export function updateRows(trace: Trace, cursor: Cursor): TraceNode[][] | null {
  const node = trace.nodes[cursor.node];
  const scope = node?.phase === 'update' ? trace.scopes[node.scope] : undefined;
  if (!scope || trace.scopes[scope.parent]?.phase !== 'update') return null;
  const inside = trace.nodes.slice(scope.first, scope.last + 1);
  const operands = inside.flatMap(({ inputs }) => inputs).map((id) => trace.nodes[id]!);
  const parameter = operands.filter((each) => each.role === 'parameter' && !isOfUpdate(trace, each));
  const computed = inside.filter((each) => each.phase === 'update' && isNamed(each));
  return splitIntoRows([...new Set(parameter), ...computed]);
}

/** As few rows as possible, of about equal length. */
function splitIntoRows(nodes: TraceNode[]): TraceNode[][] {
  const length = Math.ceil(nodes.length / Math.ceil(nodes.length / MAX_PER_ROW));
  return Array.from({ length: Math.ceil(nodes.length / length) }, (_, i) => nodes.slice(i * length, (i + 1) * length));
}
