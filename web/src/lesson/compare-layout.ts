// What comparisons show, made of what the engine said.
import { Refused } from './refused';
import type { Curve, CurvesData, Point } from '../views/curves-layout';
import type { Run } from '../views/runs-layout';
import type { EvaluationInfo, Trace } from '../types';
import type { Runner } from './compare-trial';
import type { Tensor } from './expression';

// As numbers

export interface Line {
  label: string;
  /** Of the matrix; null where there is only one. */
  row: number | null;
  values: number[];
}

/** What is shown of a tensor: of several matrices, as heads have, the one that `slice` names; and of its rows, `row`. */
export interface Part {
  of: string;
  slice?: number | undefined;
  row?: number | undefined;
}

/** A scalar or a vector is one line, a matrix has as many as rows. Throws Refused for what the tensor does not have. */
export function linesOf(label: string, { shape, values }: Tensor, part: Part): Line[] {
  const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
  const slices = values.length / (rows * columns);
  checkPlace('slice', part, slices > 1 ? part.slice : (part.slice ?? 0), slices, shape);
  checkPlace('row', part, part.row ?? 0, rows, shape);
  const first = (part.slice ?? 0) * rows;
  const shown = part.row === undefined ? Array.from({ length: rows }, (_, i) => i) : [part.row];
  return shown.map((row) => ({
    label,
    row: rows === 1 ? null : row,
    values: Array.from(values).slice((first + row) * columns, (first + row + 1) * columns),
  }));
}

function checkPlace(
  field: 'slice' | 'row',
  { of }: Part,
  at: number | undefined,
  count: number,
  shape: readonly number[],
): void {
  if (at !== undefined && at < count) return;
  const range = count === 1 ? 'leave it out' : `use 0 to ${count - 1}`;
  throw new Refused(`${field} is ${at ?? 'not given'}, and ${of} is (${shape.join(', ')}): ${range}.`);
}

// As they train

/** Steps at which every run says how it stands: the first, then evenly, at most about so many, and the last. */
export function marksOf(steps: number, most: number): number[] {
  const every = Math.ceil(steps / most);
  const even = Array.from({ length: Math.floor(steps / every) }, (_, i) => (i + 1) * every);
  return [...new Set([1, ...even, steps])];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How many operations of the forward pass wait for one another: what no number of processors can shorten. */
export function longestChain({ nodes }: Trace): number {
  const depth: number[] = [];
  for (const { phase, inputs } of nodes)
    depth.push(phase === 'forward' ? 1 + Math.max(0, ...inputs.map((input) => depth[input]!)) : 0);
  return depth.reduce((most, each) => Math.max(most, each), 0);
}

export type Measure = 'loss' | 'accuracy';

/** Batches differ: of so many steps a mean is shown. Without a task every step is on the same data. */
export const windowOf = ({ hasTask }: Runner, steps: number): number => (hasTask ? Math.ceil(steps / 20) : 1);

/** At each point the mean of those that lie less than `window` before it. */
export function runningMean(points: readonly Point[], window: number): Point[] {
  let [from, sum] = [0, 0];
  return points.map(([x, y], i) => {
    sum += y;
    for (; points[from]![0] <= x - window; ++from) sum -= points[from]![1];
    return [x, sum / (i - from + 1)];
  });
}

/** A run of so many steps as <u-runs> shows it. */
export function runOf(runner: Runner, measure: Measure, steps: number): Run {
  const means = (of: Measure): Point[] => {
    const points = runner.curve.map((point): Point => [point.step, point[of]]);
    return runningMean(points, windowOf(runner, steps));
  };
  const figures = figuresOf(runner, means('loss').at(-1), means('accuracy').at(-1), steps);
  return { name: runner.label, curves: [{ name: measure, points: means(measure) }], figures };
}

/** What it has come to so far. */
function figuresOf(
  runner: Runner,
  loss: Point | undefined,
  accuracy: Point | undefined,
  steps: number,
): Run['figures'] {
  const { hasTask, written, pace, chain, parameters } = runner;
  const texts = written && Number.isNaN(written.exactMatch); // there is no one right way to go on
  const known: [label: string, value: number | undefined][] = [
    ['steps', loss && loss[0] < steps ? loss[0] : undefined],
    ['loss', loss?.[1]],
    ['accuracy', hasTask ? accuracy?.[1] : undefined],
    texts ? ['perplexity', written.perplexity] : ['exact match', written?.exactMatch],
    ['ms a step', pace.length ? median(pace) : undefined],
    ['operations in a row', chain],
    ['parameters', parameters],
  ];
  return known.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
}

// By length

/** The share of exact ones among pairs of one length, or null if there is no such pair. */
export const exactShare = ({ done, exactMatch }: EvaluationInfo): number | null => (done ? exactMatch : null);

export const lengthsChart = (lengths: readonly number[], curves: Curve[]): CurvesData => ({
  title: 'Written without a mistake, by the length of the source',
  x: { label: 'source length', from: lengths[0], to: lengths.at(-1) },
  y: { label: 'exact match', from: 0, to: 1 },
  curves,
});

// By lag

/** What {t} counts: a trace calls positions t0, t1 …; a number alone is of a block, or of a layer of cells. */
export function countedBy(pattern: string): 'positions' | 'blocks' | 'layers' {
  if (pattern.includes('t{t}')) return 'positions';
  return /\.t\d/.test(pattern) ? 'layers' : 'blocks';
}

/** "∂cell.0.t{t}/h" at position 3: "∂cell.0.t3/h". */
export const atPosition = (pattern: string, t: number): string => pattern.replace('{t}', String(t));

export const norm = (values: ArrayLike<number>): number =>
  Math.sqrt(Array.from(values).reduce((sum, value) => sum + value * value, 0));

/** Norms at positions 0, 1, …, by how far back from the last they are. */
export const byLag = (norms: readonly number[]): Point[] =>
  norms.map((length, t): Point => [norms.length - 1 - t, length]).reverse();

/** "‖∂L/∂h‖" of "∂cell.0.t{t}/h". */
export function normName(pattern: string): string {
  const symbol = pattern.split('/').at(-1)!;
  return pattern.startsWith('∂') ? `‖∂L/∂${symbol.replace(/^∂/, '')}‖` : `‖${symbol}‖`;
}

export const lagsChart = (pattern: string, curves: Curve[]): CurvesData => ({
  title: `${normName(pattern)} by lag in ${countedBy(pattern)}`,
  x: { label: `lag in ${countedBy(pattern)}` },
  y: { label: normName(pattern), log: true },
  curves,
});
