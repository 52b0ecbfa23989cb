// A drawn curve as the browser keeps it, and where it is furthest from the measured one.
import { YOUR_CURVE } from '#messages/lesson/compare';
import type { Curve, Point } from '../../../figures/charts/curves-layout';

/** In percent, one value for each length. */
export interface Drawn {
  values: readonly number[];
  /** The curve has been measured since it was drawn. */
  measured: boolean;
}

const MEASURED = 'measured';

export const drawnText = ({ values, measured }: Drawn): string =>
  [...values, ...(measured ? [MEASURED] : [])].join(' ');

/** Null for what is damaged, or was drawn over another number of lengths. */
export function drawnIn(text: string | null, count: number): Drawn | null {
  const words = text?.split(' ') ?? [];
  const measured = words.at(-1) === MEASURED;
  const values = words.slice(0, measured ? -1 : undefined).map(Number);
  const isWhole = values.length === count && values.every((value) => value >= 0 && value <= 100);
  return isWhole ? { values, measured } : null;
}

/** As a line of the chart. */
export const drawnCurve = (lengths: readonly number[], values: readonly number[]): Curve => ({
  name: YOUR_CURVE,
  role: 'accent',
  dashed: true,
  points: lengths.map((length, i) => [length, values[i]!]),
});

export interface Gap {
  length: number;
  drawn: number;
  measured: number;
  /** The smallest and the largest value that a seed gave; without seeds, the measured one. */
  range: readonly [number, number];
}

/** The first of the largest; null while a length is not measured. `seeds`: the curves that the line is the mean of. */
export function largestGap(drawn: readonly number[], line: readonly Point[], seeds: readonly Curve[]): Gap | null {
  if (!line.length || line.length < drawn.length) return null;
  const apart = line.map(([, measured], i) => Math.abs(measured - drawn[i]!));
  const at = apart.indexOf(Math.max(...apart));
  const [length, measured] = line[at]!;
  const found = seeds.flatMap(({ points }) => points.filter(([x]) => x === length).map(([, y]) => y));
  return { length, drawn: drawn[at]!, measured, range: [Math.min(measured, ...found), Math.max(measured, ...found)] };
}
