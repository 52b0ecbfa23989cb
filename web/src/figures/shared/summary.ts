// A tensor in a sentence, for screen readers and for the line under a figure.
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
  if (!names.slice && !names.slices) return `slice ${tuple(slice)}`;
  const at = slice.at(-1)!;
  return `${names.slice ?? 'slice'} ${names.slices?.[at] ?? at}`;
}

/** "[0, 2]", 0-based as in the code; "row a, column 2" if there are names; "" for a scalar. */
export function describeCell(plane: Plane, row: number, column: number, names: Names = {}): string {
  if (!plane.shape.length) return '';
  if (plane.shape.length === 1) return names.columns?.[column] ?? tuple([column]);
  if (Object.values(names).every((each) => !each)) return tuple([...plane.slice, row, column]);
  const where = `row ${names.rows?.[row] ?? row}, column ${names.columns?.[column] ?? column}`;
  return plane.slice.length ? `${describeSlice(plane, names)}, ${where}` : where;
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
  if (!values) return 'Not reached yet.';
  const shown = planeValues(plane, values);
  if (!plane.shape.length || argmax(shown) < 0) return `${capitalised(largest(plane, shown, names))}.`;
  const odd = shown.filter((v) => !Number.isFinite(v)).length;
  const most = capitalised(largest(plane, shown, names));
  const least = role === 'weight' ? '' : `; smallest ${significant(Math.min(...shown.filter(Number.isFinite)), 4)}`;
  return [
    `${most}${least}.`,
    odd ? `${odd} ${odd > 1 ? 'values are' : 'value is'} not finite.` : '',
    role === 'weight' ? describeRows(plane, shown, names) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

const capitalised = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

/** "largest 2 at [2]"; the value of a scalar; "no finite value". */
function largest(plane: Plane, shown: number[], names: Names): string {
  if (!plane.shape.length) return `the value is ${significant(shown[0] ?? 0, 6)}`;
  const top = argmax(shown);
  if (top < 0) return 'no finite value';
  const at = describeCell(plane, Math.floor(top / plane.columns), top % plane.columns, names);
  return `largest ${significant(shown[top] ?? 0, 4)} at ${at}`;
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
  if (role !== 'weight' || plane.columns < 2) return { row: null, text: `${largest(plane, shown, names)}.` };
  const weights = shown.slice(row * plane.columns, (row + 1) * plane.columns);
  const top = argmax(weights);
  const where = describeColumn(plane, top, names);
  const bits = significant(entropyBits(weights), 3);
  return {
    row: plane.rows > 1 ? (names.rows?.[row] ?? String(row)) : null,
    text: `largest at ${where}, ${significant(weights[top] ?? 0, 3)}; entropy ${bits} bits`,
  };
}

/** The same as one short line of its own. */
export function headline(...about: Parameters<typeof highlight>): string {
  const { row, text } = highlight(...about);
  return row === null ? capitalised(text) : `row ${row}: ${text}`;
}

const describeColumn = (plane: Plane, column: number, names: Names): string =>
  names.columns?.[column] ?? (plane.rows > 1 ? `column ${column}` : tuple([column]));

const MOST_ROWS = 12;

function describeRows(plane: Plane, shown: number[], names: Names): string {
  const rows = Array.from({ length: Math.min(plane.rows, MOST_ROWS) }, (_, row) => {
    const weights = shown.slice(row * plane.columns, (row + 1) * plane.columns);
    const top = argmax(weights);
    const where = describeColumn(plane, top, names);
    const bits = `entropy ${significant(entropyBits(weights), 3)} bits`;
    if (plane.rows === 1) return `${bits[0]?.toUpperCase()}${bits.slice(1)}.`;
    return `Row ${names.rows?.[row] ?? row}: largest at ${where}, ${significant(weights[top] ?? 0, 2)}; ${bits}.`;
  });
  return rows.join(' ');
}
