// Geometry of a line chart: scales, ticks, the points worth drawing, and label positions; a few runs in one chart.
import { bisector, extent, nice, ticks } from 'd3-array';
import { line } from 'd3-shape';
import { curveOfRun } from '#messages/figures/charts';
import { spread } from '../shared/geometry';

export type Point = [x: number, y: number];

export interface Curve {
  name: string;
  /** One of the roles, for its colour. */
  role?: string;
  points: Point[];
  dashed?: boolean;
  /** Draws a dot at every point, for curves with few. */
  dots?: boolean;
  /** Pale, behind the others, and without a name: the table and the cursor have it. */
  pale?: boolean;
  /**
   * Dots without a line, and with the other curves of this name a range at each x; the range is named, they are not. A line
   * of this name before them is their mean.
   */
  among?: string;
}

/** What has a name at the right: a curve, a range of several, or a line with its range. */
export interface Named {
  name: string;
  role?: string | undefined;
  curves: Curve[];
}

/** Those of them that have a range together. */
export const ranged = (curves: readonly Curve[]): Curve[] => curves.filter(({ among }) => among !== undefined);

/** The curves that this line is the mean of. */
export const spreadOf = (line: Curve, all: readonly Curve[]): Curve[] =>
  line.among === undefined ? all.filter(({ among }) => among === line.name) : [];

/** All but those that a line is the mean of. */
export const withoutSpread = (curves: readonly Curve[]): Curve[] => {
  const spread = new Set(curves.flatMap((line) => spreadOf(line, curves)));
  return curves.filter((curve) => !spread.has(curve));
};

export function namedIn(curves: readonly Curve[]): Named[] {
  const ranges = new Map<string, Named>();
  for (const curve of curves) {
    const name = curve.among ?? curve.name;
    const range = curve.among === undefined ? undefined : ranges.get(name);
    if (range) range.curves.push(curve);
    else if (!curve.pale) ranges.set(name, { name, role: curve.role, curves: [curve] });
  }
  return [...ranges.values()];
}

/** At one x, the smallest and the largest value of several curves. */
export type Range = [x: number, lowest: number, highest: number];

export function rangesOf(curves: readonly Curve[]): Range[] {
  const xs = [...new Set(curves.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  return xs.flatMap((x) => {
    const values = curves.flatMap(({ points }) => points.filter((point) => point[0] === x).map(([, y]) => y));
    const [lowest, highest] = extent(values.filter(Number.isFinite));
    return lowest === undefined ? [] : [[x, lowest, highest] satisfies Range];
  });
}

/** Dash patterns for curves without a role, one each; the second is also that of dashed curves. */
const DASHES = ['', '7 4', '2 3', '9 3 2 3'];

export const dashOf = (curve: Curve, index: number): string =>
  curve.dashed ? DASHES[1]! : curve.role ? '' : DASHES[index % DASHES.length]!;

interface Axis {
  label: string;
  log?: boolean;
  from?: number;
  to?: number;
}

export interface CurvesData {
  title: string;
  x: Axis;
  y: Axis;
  curves: Curve[];
  /** The names stand beside the ends of the lines at any width, with the last values; the height is that of the pane. */
  stage?: boolean;
}

export interface Scale {
  from: number;
  to: number;
  log: boolean;
  /** Pixels at `from` and at `to`. */
  range: readonly [number, number];
}

const place = (scale: Scale, value: number): number => (scale.log ? Math.log10(value) : value);

/** Pixel position of a value; NaN if it has none, such as 0 on a logarithmic axis. */
export function at(scale: Scale, value: number): number {
  const [from, to] = [place(scale, scale.from), place(scale, scale.to)];
  const part = (place(scale, value) - from) / (to - from);
  return Number.isFinite(part) ? scale.range[0] + part * (scale.range[1] - scale.range[0]) : NaN;
}

/** The value at a pixel position: the inverse of `at`. */
export function valueAt(scale: Scale, pixels: number): number {
  const [from, to] = [place(scale, scale.from), place(scale, scale.to)];
  const inside = from + ((pixels - scale.range[0]) / (scale.range[1] - scale.range[0])) * (to - from);
  return scale.log ? 10 ** inside : inside;
}

/** The smallest and the largest value that the axis can show; a default range if there is none. */
function rangeOf(curves: readonly Curve[], axis: 0 | 1, log: boolean): [number, number] {
  const all = curves.flatMap(({ points }) => points.map((point) => point[axis]));
  const [min, max] = extent(all.filter((value) => Number.isFinite(value) && (!log || value > 0)));
  return min === undefined ? (log ? [1, 10] : [0, 1]) : [min, max];
}

const apart = ([from, to]: [number, number], log: boolean): [number, number] =>
  from < to ? [from, to] : log ? [from / 2, to * 2] : [from - 0.5, to + 0.5];

/** Exactly from the smallest x to the largest, unless the axis sets its ends. */
export function scaleX(data: CurvesData, range: readonly [number, number]): Scale {
  const log = data.x.log ?? false;
  const [from, to] = apart(rangeOf(data.curves, 0, log), log);
  return { from: data.x.from ?? from, to: data.x.to ?? to, log, range };
}

/** Ends at round values. A linear axis starts at zero if no value is negative, so that heights can be compared. */
export function scaleY(data: CurvesData, range: readonly [number, number]): Scale {
  const log = data.y.log ?? false;
  const [min, max] = apart(rangeOf(data.curves, 1, log), log);
  const [from, to] = log
    ? [10 ** Math.floor(Math.log10(min)), 10 ** Math.ceil(Math.log10(max))]
    : nice(min >= 0 ? 0 : min, max, 4);
  return { from: data.y.from ?? from, to: data.y.to ?? to, log, range };
}

/** Allowed spacings between the ticks of a logarithmic axis, in powers of ten. */
const STEPS = [1, 2, 5, 10, 20, 50, 100];

/** About `count` round values at most; on a logarithmic axis powers of ten, with multiples 1, 2, 5 if it is short. */
export function ticksOf(scale: Scale, count: number): number[] {
  if (!scale.log) return ticks(scale.from, scale.to, count);
  const [first, last] = [Math.floor(Math.log10(scale.from)), Math.ceil(Math.log10(scale.to))];
  const every = STEPS.find((step) => step * count >= last - first) ?? last - first;
  const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const factors = powers.length <= 3 && count >= 5 ? [1, 2, 5] : [1];
  const marked = powers.filter((power) => power % every === 0);
  const inside = (value: number): boolean => value >= scale.from * 0.999 && value <= scale.to * 1.001;
  return marked.flatMap((power) => factors.map((factor) => factor * 10 ** power)).filter(inside);
}

/**
 * Points in pixels, at most four per pixel column: the first, the lowest, the highest and the last in it, in order. The
 * line looks the same and no peak is lost. A point without a position becomes a gap of NaN.
 */
export function decimate(points: readonly Point[], x: Scale, y: Scale): Point[] {
  const thinned: Point[] = [];
  let column = NaN;
  let held: Point[] = [];
  const flush = (): void => {
    const [first, last] = [held[0], held.at(-1)];
    if (!first || !last) return;
    let [low, high] = [first, first];
    for (const point of held) {
      if (point[1] > low[1]) low = point;
      if (point[1] < high[1]) high = point;
    }
    const ends = held.indexOf(low) < held.indexOf(high) ? [low, high] : [high, low];
    for (const point of [first, ...ends, last]) if (thinned.at(-1) !== point) thinned.push(point);
    held = [];
  };
  for (const [px, py] of points) {
    const point: Point = [at(x, px), at(y, py)];
    const here = Math.floor(point[0]);
    const gap = Number.isNaN(point[0]) || Number.isNaN(point[1]);
    if (gap || here !== column) flush();
    column = here;
    if (gap) thinned.push([NaN, NaN]);
    else held.push(point);
  }
  flush();
  return thinned;
}

const draw = line<Point>()
  .defined((point) => !Number.isNaN(point[0]))
  .digits(1);

export const pathOf = (curve: Curve, x: Scale, y: Scale): string => draw(decimate(curve.points, x, y)) ?? '';

const byX = bisector((point: Point) => point[0]);

/** The point of a curve nearest to x; undefined outside its range. */
export function pointAt(curve: Curve, x: number): Point | undefined {
  const { points } = curve;
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || x < first[0] || x > last[0]) return undefined;
  return points[byX.center(points, x)];
}

/** Where the cursor can stop: at the points of the curve that has the most. */
export const stopsOf = (data: CurvesData): Point[] =>
  data.curves.reduce<Point[]>((max, { points }) => (points.length > max.length ? points : max), []);

/** Index of the stop nearest to x; −1 without stops. */
export const stopAt = (stops: readonly Point[], x: number): number => (stops.length ? byX.center(stops, x) : -1);

/** The last point with a position on both axes, in pixels. */
export function endOf({ points }: Curve, x: Scale, y: Scale): Point | undefined {
  const pixels = ([px, py]: Point): Point => [at(x, px), at(y, py)];
  const last = points.findLast((point) => !pixels(point).some(Number.isNaN));
  return last && pixels(last);
}

/** True if all curves end at the same x, the largest: a name there stands beside the chart, not on other lines. */
export function endTogether(curves: readonly Curve[]): boolean {
  const last = rangeOf(curves, 0, false)[1];
  return curves.every(({ points }) => !points.length || points.findLast(([, y]) => Number.isFinite(y))?.[0] === last);
}

/** Where the names of the curves stand above a chart without room for them beside it: in rows from `left` to `width`. */
export interface Key {
  places: Point[];
  height: number;
}

/** Width of the sample of a line, and the room around it, in lines of text. */
export const SAMPLE = 2;
const AROUND = 1;

export function keyOf(widths: readonly number[], left: number, width: number, line: number): Key {
  let [x, row] = [left, 0];
  const places = widths.map((wide): Point => {
    const whole = (SAMPLE + AROUND / 2) * line + wide;
    if (x > left && x + whole > width) [x, row] = [left, row + 1];
    const at: Point = [x, (row + 2) * line * 1.4];
    x += whole + AROUND * line;
    return at;
  });
  return { places, height: (row + 1) * line * 1.4 };
}

/** y positions for the labels of curves that end at `ends`: without overlap, all within the chart. */
export function labelHeights(ends: readonly number[], gap: number, within: readonly [number, number]): number[] {
  const order = ends.map((_, i) => i).sort((a, b) => ends[a]! - ends[b]!);
  const sorted = order.map((i) => ends[i]!);
  const placed = spread(sorted, gap, [], within);
  return ends.map((_, i) => placed[order.indexOf(i)]!);
}

export interface Run {
  name: string;
  /** Set if it is worth showing. */
  seed?: number;
  curves: Curve[];
  /** Its results; a number, or text such as "0:21". */
  results: { label: string; value: number | string }[];
}

export interface RunsData {
  title: string;
  x: Axis;
  y: Axis;
  runs: Run[];
}

/**
 * All curves in one chart, named after their runs. Every run but the first is dashed; if every run is a single curve
 * without a role, each has a dash pattern of its own instead.
 */
export function mergeRuns({ title, x, y, runs }: RunsData): CurvesData {
  const single = runs.every(({ curves }) => curves.length === 1 && curves[0]!.role === undefined);
  const curves = runs.flatMap((run, i) =>
    run.curves.map((curve) => ({
      ...curve,
      name: run.curves.length > 1 ? curveOfRun(run.name, curve.name) : run.name,
      dashed: !single && i > 0,
    })),
  );
  return { title, x, y, curves };
}

/** Labels of the results of all runs, in order of first appearance. */
export const labelsOf = (runs: readonly Run[]): string[] => [
  ...new Set(runs.flatMap(({ results }) => results.map(({ label }) => label))),
];
