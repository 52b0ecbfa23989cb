// The result of a line of source: one of the tensors that it computed.
import type { Cursor, Trace, TraceNode } from '../../engine/types';
import { frame, isReached } from '../../lab/cursor';

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
