// What differs between the result of a reader's function and the right one, in words, and on which inputs.
import * as texts from '#messages/lesson/code';
import { significant } from '../../ui/numbers';
import type { Code } from '../format/tasks';
import type { NamedTensor } from '../../engine/types';

/** The result of a program on a case: values, and the gradients of their weighted sum by input. */
export interface Outcome {
  shape: number[];
  values: Float32Array;
  gradients: Map<string, Float32Array>;
}

/** Relative to the larger of 1 and the right value. */
const TOLERANCE = 2e-5;

const close = (a: number, b: number): boolean =>
  Object.is(a, b) || (Number.isFinite(a) && Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(b)));

const firstOff = (mine: Float32Array, right: Float32Array): number => right.findIndex((b, i) => !close(mine[i]!, b));

export const agree = (a: Outcome, b: Outcome): boolean => differenceOf(a, b) === null;

/** Null if they agree. */
export function differenceOf(mine: Outcome, right: Outcome): string | null {
  if (String(mine.shape) !== String(right.shape)) return texts.otherShape(mine.shape, right.shape);
  const at = firstOff(mine.values, right.values);
  if (at >= 0) {
    const [own, other] = [fiveDigits(mine.values[at]!), fiveDigits(right.values[at]!)];
    return texts.otherValue(placeText(at, right.shape), own, other, meaning(mine, right));
  }
  for (const [name, gradient] of right.gradients) {
    const own = mine.gradients.get(name) ?? new Float32Array(gradient.length);
    const off = firstOff(own, gradient);
    if (Number.isNaN(own[off])) return texts.gradientIsNaN(name);
    if (off >= 0) return texts.otherGradient(name, fiveDigits(own[off]!), fiveDigits(gradient[off]!));
  }
  return null;
}

const fiveDigits = (x: number): string => significant(x, 5);

/** "[0, 2]"; nothing if there is one value only. */
function placeText(at: number, shape: readonly number[]): string {
  const place: number[] = [];
  let rest = at;
  for (const size of [...shape].reverse()) {
    place.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return place.length ? `[${place.join(', ')}]` : '';
}

/** In parts of this size. */
const cut = <T extends { length: number; slice(from: number, to: number): T }>(all: T, size: number): T[] =>
  Array.from({ length: all.length / size }, (_, i) => all.slice(i * size, (i + 1) * size));

/** What every right row has and one of these lacks: a sum of 1, or a mean of 0. */
function meaning({ values, shape }: Outcome, right: Outcome): string {
  const width = shape.at(-1) ?? 1;
  if (width < 2) return '';
  const sums = (of: Float32Array): number[] => cut(of, width).map((row) => row.reduce((a, b) => a + b, 0));
  const [mine, all] = [sums(values), sums(right.values)];
  for (const [sum, say] of [
    [1, texts.notWeights],
    [0, texts.notCentred],
  ] as const) {
    const row = mine.findIndex((each) => !(Math.abs(each - sum) < 1e-3));
    if (row >= 0 && all.every((each) => Math.abs(each - sum) < 1e-3))
      return say(row, fiveDigits(sum ? mine[row]! : mine[row]! / width));
  }
  return '';
}

export interface Miss {
  message: string;
  /** Of the result. */
  row: number;
}

/** What softmax leaves of nothing is 0 to a reader. */
const fourDigits = (x: number): string => significant(Math.abs(x) < 1e-6 ? 0 : x, 4);

/** A distance that a reader need not know. */
const SMALL = 0.01;

/** Null if every element is nearer than `within`. */
export function missOf(mine: Outcome, right: Outcome, within: number, rows: Code['rows']): Miss | null {
  if (String(mine.shape) !== String(right.shape)) return { message: texts.otherShape(mine.shape, right.shape), row: 0 };
  const at = right.values.findIndex((b, i) => !(Math.abs(mine.values[i]! - b) < within));
  if (at < 0) return null;
  const width = right.shape.at(-1) ?? 1;
  const first = Math.floor(at / (right.values.length / (right.shape[0] ?? 1)));
  if (rows) {
    const row = Math.floor(at / width);
    const [own, wanted] = [cut(mine.values, width)[row]!, cut(right.values, width)[row]!];
    return { message: rowOff(rows, row, at % width, own, wanted, within), row: first };
  }
  const [is, should] = [fourDigits(mine.values[at]!), fourDigits(right.values[at]!)];
  const margin = within < SMALL ? '' : fourDigits(within);
  return { message: texts.offTarget(placeText(at, right.shape), is, should, margin), row: first };
}

/** Names the place that should have all and the one that has most; in a row without such a place, the value that is off. */
function rowOff(
  rows: NonNullable<Code['rows']>,
  row: number,
  off: number,
  mine: Float32Array,
  right: Float32Array,
  within: number,
): string {
  const wanted = right.indexOf(1);
  if (wanted < 0) return texts.otherWeight(row, off, fourDigits(mine[off]!), fourDigits(right[off]!));
  const top = mine.indexOf(Math.max(...mine));
  const [share, least] = [fourDigits(mine[top]!), fourDigits(1 - within)];
  if (rows === 'guesses') return texts.otherGuess(row, top, share, wanted, least);
  return top === wanted
    ? texts.looksTooLittle(row, wanted, share, least)
    : texts.looksElsewhere(row, top, share, wanted, least);
}

/** More numbers than this are not read. */
const MOST = 26;

/** The number as a short decimal, or null: 2.5, but not 0.30000001192. */
function shortDecimal(value: number): number | null {
  const rounded = Number(value.toPrecision(3));
  return Math.abs(value - rounded) <= 1e-6 * Math.abs(value) ? rounded : null;
}

/** "[[1, 0], [0, 1]]", or null. */
function nestedList(values: Float32Array, shape: readonly number[]): string | null {
  const numbers = Array.from(values, shortDecimal);
  if (!shape.length || numbers.length > MOST || numbers.includes(null)) return null;
  let parts = numbers.map(String);
  for (const size of [...shape].reverse()) parts = cut(parts, size).map((part) => `[${part.join(', ')}]`);
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
  const one = rest.length && count === rows ? nestedList(values.slice(row * size, (row + 1) * size), rest) : null;
  return one ? [texts.rowOf(name, row), one] : [name, nestedList(values, shape) ?? shape];
}
