// The shapes shown after the lines of a program.
import type { Outline, Trace } from '../../engine/types';
import { onceForEach } from '../../lab/cursor';
import { shapeText } from '../../ui/numbers';

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
