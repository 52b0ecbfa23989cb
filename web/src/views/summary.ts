// A tensor in a sentence, for those who listen and for the line under a figure.
import type { Role } from '../types';
import { type Plane, planeAround, planeOf } from './grid-layout';
import { planeValues } from './numerals';
import { significant } from './numbers';

/** An index along each axis, or the names in its place: "[1, 2]", "[b, 2]". */
export const tuple = (index: readonly (number | string)[]): string => `[${index.join(', ')}]`;

export interface Names {
  rows?: readonly string[];
  columns?: readonly string[];
  /** What the axis before rows and columns is, "head", and its positions. */
  slice?: string;
  slices?: readonly string[];
}

/** "head 1": where along the axis before rows and columns; "slice [0, 1]" of an axis without a name. */
function sliceWords({ slice }: Plane, names: Names): string {
  if (!names.slice && !names.slices) return `slice ${tuple(slice)}`;
  const at = slice.at(-1)!;
  return `${names.slice ?? 'slice'} ${names.slices?.[at] ?? at}`;
}

/** "[0, 2]", counted from 0 as in the code; "row a, column 2" where there are names; "" for a scalar. */
export function cellWords(plane: Plane, row: number, column: number, names: Names = {}): string {
  if (!plane.shape.length) return '';
  if (plane.shape.length === 1) return names.columns?.[column] ?? tuple([column]);
  if (Object.values(names).every((each) => !each)) return tuple([...plane.slice, row, column]);
  const where = `row ${names.rows?.[row] ?? row}, column ${names.columns?.[column] ?? column}`;
  return plane.slice.length ? `${sliceWords(plane, names)}, ${where}` : where;
}

/** Shannon entropy of weights that sum to one, in bits. */
export function entropyBits(weights: readonly number[]): number {
  return weights.reduce((sum, p) => (p > 0 ? sum + p * Math.log2(1 / p) : sum), 0);
}

/** Where the largest finite value is, or −1. */
export function argmax(values: readonly number[]): number {
  return values.reduce((best, v, i) => (Number.isFinite(v) && (best < 0 || v > (values[best] ?? 0)) ? i : best), -1);
}

/** The slice on show in words; for weights each row's largest and its entropy. */
export function summarize(plane: Plane, values: ArrayLike<number> | undefined, role: Role, names: Names = {}): string {
  if (!values) return 'Not reached yet.';
  const shown = planeValues(plane, values);
  if (!plane.shape.length || argmax(shown) < 0) return largest(plane, shown, names);
  const odd = shown.filter((v) => !Number.isFinite(v)).length;
  const most = largest(plane, shown, names).slice(0, -1);
  const least = role === 'weight' ? '' : `; smallest ${significant(Math.min(...shown.filter(Number.isFinite)), 4)}`;
  return [`${most}${least}.`, odd ? `${odd} not finite.` : '', role === 'weight' ? rowWords(plane, shown, names) : '']
    .filter(Boolean)
    .join(' ');
}

/** "Largest 2 at [2]."; what there is to say where nothing is largest. */
function largest(plane: Plane, shown: number[], names: Names): string {
  if (!plane.shape.length) return `The value is ${significant(shown[0] ?? 0, 6)}.`;
  const top = argmax(shown);
  if (top < 0) return 'No finite value.';
  const at = cellWords(plane, Math.floor(top / plane.columns), top % plane.columns, names);
  return `Largest ${significant(shown[top] ?? 0, 4)} at ${at}.`;
}

/** One short line: for weights the row that is looked at, else the largest. */
export function headline(
  node: { shape: readonly number[] },
  values: ArrayLike<number>,
  role: Role,
  index: number | null,
  names: Names = {},
): string {
  const plane = index === null ? planeOf(node.shape) : planeAround(node.shape, index);
  const row = index === null ? 0 : Math.floor(index / plane.columns) % plane.rows;
  const shown = planeValues(plane, values);
  if (role !== 'weight' || plane.columns < 2) return largest(plane, shown, names);
  const weights = shown.slice(row * plane.columns, (row + 1) * plane.columns);
  const top = argmax(weights);
  const where = columnWords(plane, top, names);
  const of = plane.rows > 1 ? `row ${names.rows?.[row] ?? row}: ` : '';
  const bits = significant(entropyBits(weights), 3);
  return `${of}most at ${where}, ${significant(weights[top] ?? 0, 3)}; entropy ${bits} bits`;
}

const columnWords = (plane: Plane, column: number, names: Names): string =>
  names.columns?.[column] ?? (plane.rows > 1 ? `column ${column}` : tuple([column]));

const MOST_ROWS = 12;

function rowWords(plane: Plane, shown: number[], names: Names): string {
  const rows = Array.from({ length: Math.min(plane.rows, MOST_ROWS) }, (_, row) => {
    const weights = shown.slice(row * plane.columns, (row + 1) * plane.columns);
    const top = argmax(weights);
    const where = columnWords(plane, top, names);
    const bits = `entropy ${significant(entropyBits(weights), 3)} bits`;
    if (plane.rows === 1) return `${bits[0]?.toUpperCase()}${bits.slice(1)}.`;
    return `Row ${names.rows?.[row] ?? row}: most at ${where}, ${significant(weights[top] ?? 0, 2)}, ${bits}.`;
  });
  return rows.join(' ');
}
