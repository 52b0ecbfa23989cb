// An input of a case as a reader can check it by hand, if it is small.
import { rowOf } from '#messages/lesson/code';
import type { NamedTensor } from '../../engine/types';

/** More numbers than this are not read. */
const MOST = 26;

/** The number as a short decimal, or null: 2.5, but not 0.30000001192. */
function short(value: number): number | null {
  const rounded = Number(value.toPrecision(3));
  return Math.abs(value - rounded) <= 1e-6 * Math.abs(value) ? rounded : null;
}

/** "[[1, 0], [0, 1]]", or null. */
function listed(values: Float32Array, shape: readonly number[]): string | null {
  const numbers = Array.from(values, short);
  if (!shape.length || numbers.length > MOST || numbers.includes(null)) return null;
  let parts = numbers.map(String);
  for (const size of [...shape].reverse())
    parts = Array.from(
      { length: parts.length / size },
      (_, i) => `[${parts.slice(i * size, (i + 1) * size).join(', ')}]`,
    );
  return parts[0]!.replaceAll('-', '−');
}

/** With its numbers, those of one row if each row of the result has its own; else with its shape. */
export function shownInput(
  { name, shape, values }: NamedTensor,
  row: number,
  rows: number | undefined,
): [string, readonly number[] | string] {
  const [count, ...rest] = shape;
  const size = values.length / (count ?? 1);
  const one = rest.length && count === rows ? listed(values.slice(row * size, (row + 1) * size), rest) : null;
  return one ? [rowOf(name, row), one] : [name, listed(values, shape) ?? shape];
}
