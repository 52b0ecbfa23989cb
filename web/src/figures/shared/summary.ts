// A tensor in a sentence, for screen readers and for the line under a figure.
import * as texts from '#messages/figures/shared';
import type { Role } from '../../engine/types';
import { type Plane, planeAround, planeOf } from '../../ui/grid-layout';
import { planeValues } from '../../ui/numerals';
import { significant } from '../../ui/numbers';

/** An index or a name for each axis: "[1, 2]", "[b, 2]". */
export const tuple = (index: readonly (number | string)[]): string => `[${index.join(', ')}]`;

export interface Names {
  rows?: readonly string[];
  columns?: readonly string[];
  /** Name of the axis before rows and columns, such as "head", and of its positions. */
  slice?: string;
  slices?: readonly string[];
}

/** "head 1": the position on the axis before rows and columns; "slice [0, 1]" if that has no names. */
function describeSlice({ slice }: Plane, names: Names): string {
  if (!names.slice && !names.slices) return texts.sliceAt(tuple(slice));
  const at = slice.at(-1)!;
  return texts.sliceAt(names.slices?.[at] ?? at, names.slice);
}

/** "[0, 2]", 0-based as in the code; "row a, column 2" if there are names; "" for a scalar. */
export function describeCell(plane: Plane, row: number, column: number, names: Names = {}): string {
  if (!plane.shape.length) return '';
  if (plane.shape.length === 1) return names.columns?.[column] ?? tuple([column]);
  if (Object.values(names).every((each) => !each)) return tuple([...plane.slice, row, column]);
  const slice = plane.slice.length ? describeSlice(plane, names) : undefined;
  return texts.rowAndColumn(names.rows?.[row] ?? row, names.columns?.[column] ?? column, slice);
}

/** Shannon entropy of weights that sum to one, in bits. */
export function entropyBits(weights: readonly number[]): number {
  return weights.reduce((sum, p) => (p > 0 ? sum + p * Math.log2(1 / p) : sum), 0);
}

/** Index of the largest finite value, or −1. */
export function argmax(values: readonly number[]): number {
  return values.reduce((best, v, i) => (Number.isFinite(v) && (best < 0 || v > (values[best] ?? 0)) ? i : best), -1);
}

/** The shown slice in words; for weights also the maximum and entropy of each row. */
export function summarize(plane: Plane, values: ArrayLike<number> | undefined, role: Role, names: Names = {}): string {
  if (!values) return texts.NOTHING_REACHED;
  const shown = planeValues(plane, values);
  const largest = largestOf(plane, shown, names);
  if (largest?.at === undefined) return texts.summaryOf({ largest });
  const finite = shown.filter(Number.isFinite);
  return texts.summaryOf({
    largest,
    odd: shown.length - finite.length,
    ...(role === 'weight' ? { rows: rowsOf(plane, shown, names) } : { smallest: significant(Math.min(...finite), 4) }),
  });
}

function largestOf(plane: Plane, shown: number[], names: Names): texts.Largest {
  if (!plane.shape.length) return { value: significant(shown[0] ?? 0, 6) };
  const top = argmax(shown);
  if (top < 0) return null;
  const at = describeCell(plane, Math.floor(top / plane.columns), top % plane.columns, names);
  return { value: significant(shown[top] ?? 0, 4), at };
}

/**
 * What stands out, in the middle of a line: for weights the maximum and entropy of the row of cell `index`, else the
 * largest value; `row` is null unless that row is one of several.
 */
export function highlight(
  node: { shape: readonly number[] },
  values: ArrayLike<number>,
  role: Role,
  index: number | null,
  names: Names = {},
): { row: string | null; text: string } {
  const plane = index === null ? planeOf(node.shape) : planeAround(node.shape, index);
  const row = index === null ? 0 : Math.floor(index / plane.columns) % plane.rows;
  const shown = planeValues(plane, values);
  if (role !== 'weight' || plane.columns < 2)
    return { row: null, text: texts.largestInLine(largestOf(plane, shown, names)) };
  const { row: name, ...weights } = rowOf(plane, shown, row, names, 3);
  return { row: plane.rows > 1 ? `${name}` : null, text: texts.weightsInLine(weights) };
}

/** The same as one short line of its own. */
export function headline(...about: Parameters<typeof highlight>): string {
  const { row, text } = highlight(...about);
  return texts.headline(row, text);
}

const describeColumn = (plane: Plane, column: number, names: Names): string =>
  names.columns?.[column] ?? (plane.rows > 1 ? texts.columnAt(column) : tuple([column]));

const MAX_ROWS = 12;

const rowsOf = (plane: Plane, shown: number[], names: Names): texts.RowOfWeights[] =>
  Array.from({ length: Math.min(plane.rows, MAX_ROWS) }, (_, row) => rowOf(plane, shown, row, names, 2));

/** `digits`: of the largest weight. */
function rowOf(plane: Plane, shown: number[], row: number, names: Names, digits: number): texts.RowOfWeights {
  const weights = shown.slice(row * plane.columns, (row + 1) * plane.columns);
  const top = argmax(weights);
  return {
    row: names.rows?.[row] ?? row,
    at: describeColumn(plane, top, names),
    value: significant(weights[top] ?? 0, digits),
    entropy: significant(entropyBits(weights), 3),
  };
}
