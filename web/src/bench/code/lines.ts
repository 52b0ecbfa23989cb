// Which tensors a line of source computed, and the shapes shown after the lines of a program.
import type { Cursor, Outline, Trace, TraceNode } from '../../engine/types';
import { shapeText } from '../../ui/numbers';
import { onceForEach, frame, isReached, lineKey } from '../../lab/cursor';

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

/** The file of every line of a program in the trace. */
export const PROGRAM = 'program';

type Shapes = ReadonlyMap<number, string>;

export const shapesIn = (lines: Outline['lines']): { shapes: Shapes } => ({
  shapes: new Map(lines.map(({ line, shape }) => [line, shapeText(shape)])),
});

/** Nothing for a text that is not the program that ran. */
export const shapesOn = (trace: Trace | null, changed: boolean): { shapes?: Shapes } =>
  trace && !changed ? { shapes: shapesOf(trace) } : {};

/**
 * Of what each line computed last; a call has the shape of what it returned. The loss of a function is the lab's own,
 * recorded at the function's first line.
 */
const shapesOf = onceForEach((trace: Trace): Shapes => {
  const loss = trace.nodes.find(({ op }) => op === 'seed')?.origin;
  const last = new Map<number, number>();
  const note = (line: number, node: number): void => void last.set(line, Math.max(last.get(line) ?? -1, node));
  for (const { id, file, line, phase } of trace.nodes)
    if (phase === 'forward' && file === PROGRAM && id !== loss) note(line, id);
  for (const { file, line, first, last: end, phase } of trace.scopes)
    if (phase === 'forward' && file === PROGRAM && first <= end) note(line, end);
  return new Map(Array.from(last, ([line, node]) => [line, shapeText(trace.nodes[node]!.shape)]));
});
