// The first difference between what a reader's function makes and what is right, and what it may mean.
import * as texts from '#messages/lesson/code';
import { significant } from '../../ui/numbers';
import type { Outcome } from './trial';

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
  if (at >= 0) return texts.otherValue(...factsAt(mine.values, right.values, at, right.shape), meaning(mine, right));
  for (const [name, gradient] of right.gradients) {
    const own = mine.gradients.get(name) ?? new Float32Array(gradient.length);
    const off = firstOff(own, gradient);
    if (Number.isNaN(own[off])) return texts.gradientIsNaN(name);
    if (off >= 0) return texts.otherGradient(name, short(own[off]!), short(gradient[off]!));
  }
  return null;
}

const short = (x: number): string => significant(x, 5);

/** "[0, 2]", the value there, and the right one. */
const factsAt = (
  mine: Float32Array,
  right: Float32Array,
  at: number,
  shape: readonly number[],
): [string, string, string] => [placeText(at, shape), short(mine[at]!), short(right[at]!)];

/** "[0, 2]"; nothing if there is one value only. */
export function placeText(at: number, shape: readonly number[]): string {
  const place: number[] = [];
  let rest = at;
  for (const size of [...shape].reverse()) {
    place.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return place.length ? `[${place.join(', ')}]` : '';
}

/** What every right row has and one of these lacks: a sum of 1, or a mean of 0. */
function meaning({ values, shape }: Outcome, right: Outcome): string {
  const width = shape.at(-1) ?? 1;
  if (width < 2) return '';
  const sums = (of: Float32Array): number[] =>
    Array.from({ length: of.length / width }, (_, row) =>
      of.slice(row * width, (row + 1) * width).reduce((a, b) => a + b, 0),
    );
  const [mine, all] = [sums(values), sums(right.values)];
  for (const [sum, say] of [
    [1, texts.notWeights],
    [0, texts.notCentred],
  ] as const) {
    const row = mine.findIndex((each) => !(Math.abs(each - sum) < 1e-3));
    if (row >= 0 && all.every((each) => Math.abs(each - sum) < 1e-3))
      return say(row, short(sum ? mine[row]! : mine[row]! / width));
  }
  return '';
}
