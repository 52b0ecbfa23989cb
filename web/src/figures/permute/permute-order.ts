// Reordering rows, comparing them, and the layout of the figure.

/** Moves the entry at `from` to `to`; the others keep their order. */
export function moved(order: readonly number[], from: number, to: number): number[] {
  const rest = order.filter((_, i) => i !== from);
  return [...rest.slice(0, to), order[from]!, ...rest.slice(to)];
}

/** Row r of the result is row order[r]. */
export function permuteRows(values: ArrayLike<number>, order: readonly number[]): number[] {
  const columns = values.length / order.length;
  return order.flatMap((row) => Array.from({ length: columns }, (_, c) => values[row * columns + c]!));
}

/** The order in which row r of `now` is row order[r] of `base`, bit for bit; null if there is none. */
export function orderOf(base: ArrayLike<number>, now: ArrayLike<number>, rows: number): number[] | null {
  if (base.length !== now.length || !rows) return null;
  const columns = base.length / rows;
  const same = (a: number, b: number): boolean => {
    for (let c = 0; c < columns; c++) if (!Object.is(base[a * columns + c], now[b * columns + c])) return false;
    return true;
  };
  const order: number[] = [];
  for (let row = 0; row < rows; row++)
    order.push([...Array(rows).keys()].findIndex((each) => !order.includes(each) && same(each, row)));
  return order.includes(-1) ? null : order;
}

/** Largest absolute difference between row r of `now` and row order[r] of `before`, for each r. */
export function rowDifferences(before: ArrayLike<number>, now: ArrayLike<number>, order: readonly number[]): number[] {
  const columns = now.length / order.length;
  const gap = (from: number, row: number, c: number): number =>
    Math.abs(now[row * columns + c]! - before[from * columns + c]!);
  return order.map((from, row) => Math.max(...Array.from({ length: columns }, (_, c) => gap(from, row, c))));
}

/** Relative difference that summing in another order alone can cause. */
const ROUNDING = 1e-5;

export const isRounding = (difference: number, values: ArrayLike<number>): boolean =>
  difference <= ROUNDING * Math.max(1, ...Array.from(values, Math.abs));

/** "a" to "z", for words without names. */
export const letters = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => String.fromCharCode(97 + (i % 26)));

export interface PermuteLayout {
  /** Left edges of the strips: X and outputs before, outputs and X now; null where there is no room for X. */
  x: { inputBefore: number | null; before: number; now: number; inputNow: number | null };
  /** Width of an input strip and of an output strip. */
  input: number;
  output: number;
  row: number;
  top: number;
  words: { before: number; now: number };
  difference: number;
  width: number;
  height: number;
  /** Height of a line of text. */
  line: number;
}

const APART = 6;

/** `word`: width of the widest word; `note`: of a difference. */
export function layOutPermute(
  { rows, inputs, outputs }: { rows: number; inputs: number; outputs: number },
  { width, line, word, note }: { width: number; line: number; word: number; note: number },
): PermuteLayout {
  const between = Math.max(48, Math.min(130, width * 0.17));
  const rest = width - 2 * (word + 10) - between - note - 14;
  const withInputs = rest / (2 * (inputs + outputs)) >= 9;
  const cell = Math.max(
    3,
    Math.min(22, (rest - (withInputs ? 4 * APART : 0)) / (2 * ((withInputs ? inputs : 0) + outputs))),
  );
  const [input, output] = [Math.floor(cell * inputs), Math.floor(cell * outputs)];
  const left = word + 10;
  const before = left + (withInputs ? input + 2 * APART : 0);
  const now = before + output + between;
  const inputNow = now + output + 2 * APART;
  const words = withInputs ? inputNow + input + 10 : now + output + 10;
  const row = Math.round(Math.max(24, line * 1.9));
  return {
    x: { inputBefore: withInputs ? left : null, before, now, inputNow: withInputs ? inputNow : null },
    ...{ input, output, row, line, top: 1.8 * line },
    words: { before: word, now: words },
    difference: words + word + 14,
    width: Math.ceil(words + word + 14 + note),
    height: Math.ceil(1.8 * line + rows * row),
  };
}
