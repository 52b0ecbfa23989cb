// What the board shows while a parameter is updated: the parameter, and how its new value is made.
import type { Cursor, Trace, TraceNode } from '../types';
import { isOfUpdate } from '../stepper/names';
import { isNamed } from './marks';

const MOST_IN_A_ROW = 5;

/** Null where the cursor stands in no parameter's update. */
export function updateRows(trace: Trace, cursor: Cursor): TraceNode[][] | null {
  const node = trace.nodes[cursor.node];
  const scope = node?.phase === 'update' ? trace.scopes[node.scope] : undefined;
  if (!scope || trace.scopes[scope.parent]?.phase !== 'update') return null;
  const inside = trace.nodes.slice(scope.first, scope.last + 1);
  const given = inside.flatMap(({ inputs }) => inputs).map((id) => trace.nodes[id]!);
  const parameter = given.filter((each) => each.role === 'parameter' && !isOfUpdate(trace, each));
  const made = inside.filter((each) => each.phase === 'update' && isNamed(each));
  return inRows([...new Set(parameter), ...made]);
}

/** As few rows as will do, about as long as each other. */
function inRows(nodes: TraceNode[]): TraceNode[][] {
  const length = Math.ceil(nodes.length / Math.ceil(nodes.length / MOST_IN_A_ROW));
  return Array.from({ length: Math.ceil(nodes.length / length) }, (_, i) => nodes.slice(i * length, (i + 1) * length));
}
