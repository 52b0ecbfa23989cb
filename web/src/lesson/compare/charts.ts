// Lines, charts and figures of comparisons, computed from the engine's results.
import * as texts from '#messages/lesson/compare';
import { Refused } from '../../engine/refused';
import { findNode } from '../../lab/cursor';
import type { Curve, CurvesData, Point, Run as RunLine } from '../../figures/charts/curves-layout';
import type { EvaluationInfo, Trace } from '../../engine/types';
import { atPosition, type LengthsAxis } from '../format/comparisons';
import type { Run } from '../run';
import type { Runner } from './trials';
import type { Tensor } from '../facts';

// Values

export interface Line {
  label: string;
  /** Row of the matrix; null if there is only one. */
  row: number | null;
  values: number[];
}

/** The part of a tensor to show: `slice` selects one of several matrices, like heads; `row` one of its rows. */
export interface Part {
  of: string;
  slice?: number | undefined;
  row?: number | undefined;
}

/** One line for a scalar or a vector, one per row for a matrix. Throws Refused if the tensor has no such part. */
export function linesOf(label: string, { shape, values }: Tensor, part: Part): Line[] {
  const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
  const slices = values.length / (rows * columns);
  const within = { tensor: part.of, shape };
  checkPlace({ field: 'slice', at: slices > 1 ? part.slice : (part.slice ?? 0), count: slices, ...within });
  checkPlace({ field: 'row', at: part.row ?? 0, count: rows, ...within });
  const first = (part.slice ?? 0) * rows;
  const shown = part.row === undefined ? Array.from({ length: rows }, (_, i) => i) : [part.row];
  return shown.map((row) => ({
    label,
    row: rows === 1 ? null : row,
    values: Array.from(values).slice((first + row) * columns, (first + row + 1) * columns),
  }));
}

function checkPlace(place: Parameters<typeof texts.noSuchPlace>[0]): void {
  if (place.at === undefined || place.at >= place.count) throw Refused.input(texts.noSuchPlace(place));
}

// Training

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Operations on the longest dependency chain of the forward pass: what no number of processors can shorten. */
export function longestChain({ nodes }: Trace): number {
  const depth: number[] = [];
  for (const { phase, inputs } of nodes)
    depth.push(phase === 'forward' ? 1 + Math.max(0, ...inputs.map((input) => depth[input]!)) : 0);
  return depth.reduce((max, each) => Math.max(max, each), 0);
}

export type Measure = 'loss' | 'accuracy';
export const MEASURE_NAMES: Record<Measure, string> = { loss: texts.LOSS, accuracy: texts.ACCURACY };

/** Window of the running mean in steps, since batches differ; 1 without a task, when every step sees the same data. */
export const windowOf = ({ hasTask }: Runner, steps: number): number => (hasTask ? Math.ceil(steps / 20) : 1);

/** At each point the mean of itself and of the points less than `window` before it. */
export function runningMean(points: readonly Point[], window: number): Point[] {
  let [from, sum] = [0, 0];
  return points.map(([x, y], i) => {
    sum += y;
    for (; points[from]![0] <= x - window; ++from) sum -= points[from]![1];
    return [x, sum / (i - from + 1)];
  });
}

/** A run of `steps` steps, as <u-runs> shows it; with what it costs, if `costs`. */
export function runOf(runner: Runner, measure: Measure, steps: number, costs = false): RunLine {
  const means = (of: Measure): Point[] => {
    const points = runner.curve.map((point): Point => [point.step, point[of]]);
    return runningMean(points, windowOf(runner, steps));
  };
  const results = figuresOf(runner, (of) => means(of).at(-1), steps, costs);
  return { name: runner.label, curves: [{ name: MEASURE_NAMES[measure], points: means(measure) }], results };
}

/** Figures of the run so far. */
function figuresOf(
  runner: Runner,
  last: (of: Measure) => Point | undefined,
  steps: number,
  costs: boolean,
): RunLine['results'] {
  const { hasTask, written, pace, chain, parameters } = runner;
  const loss = last('loss');
  const ofTexts = written && Number.isNaN(written.exactMatch); // a language model has no single right continuation
  const known: [label: string, value: number | undefined][] = [
    [texts.STEPS, loss && loss[0] < steps ? loss[0] : undefined],
    [texts.LOSS, loss?.[1]],
    [texts.ACCURACY, hasTask ? last('accuracy')?.[1] : undefined],
    ofTexts ? [texts.PERPLEXITY, written.perplexity] : [texts.EXACT_MATCH, written?.exactMatch],
    [texts.MS_PER_STEP, costs && pace.length ? median(pace) : undefined],
    [texts.LONGEST_CHAIN, costs ? chain : undefined],
    [texts.PARAMETERS, costs ? parameters : undefined],
  ];
  return known.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
}

// By length

/** Percentage of exact matches among pairs of one length, or null if there is no such pair. */
export const exactPercent = ({ done, exactMatch }: EvaluationInfo): number | null => (done ? 100 * exactMatch : null);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The line of a run, and after it, if it was trained from several seeds, the dots of each of them: then the line is their
 * mean, wherever all that were measured at all have been.
 */
export function spreadCurves(label: string, seeds: readonly number[] | undefined, points: readonly Point[][]): Curve[] {
  if (!seeds) return [{ name: label, points: [...points[0]!], dots: true }];
  const begun = points.filter((each) => each.length);
  const inAll = (begun[0] ?? []).filter((_, i) => begun.every((each) => i < each.length));
  const means = inAll.map(([x], i): Point => [x, mean(begun.map((each) => each[i]![1]))]);
  const dots = points.map((each, i) => ({ name: texts.ofSeed(label, seeds[i]!), among: label, points: [...each] }));
  return [{ name: label, points: means }, ...dots];
}

/** `seeds`: how many there are. */
export const lengthsChart = ({ lengths, over }: LengthsAxis, curves: Curve[], seeds: number): CurvesData => ({
  title: texts.byLength(over, seeds),
  x: { label: texts.OVER[over], from: lengths[0]!, to: lengths.at(-1)! },
  y: { label: texts.EXACT_PERCENT, from: 0, to: 100 },
  curves,
});

// By lag

/** What {t} counts: a trace names positions t0, t1, …; a bare number is a block, or a layer of cells. */
function countedBy(pattern: string): 'positions' | 'blocks' | 'layers' {
  if (pattern.includes('t{t}')) return 'positions';
  return /\.t\d/.test(pattern) ? 'layers' : 'blocks';
}

export const norm = (values: ArrayLike<number>): number =>
  Math.sqrt(Array.from(values).reduce((sum, value) => sum + value * value, 0));

/** Norms of a tensor at positions 0, 1, …, as far as the run has them. */
export async function normsOf({ trace, lookup }: Run, pattern: string): Promise<number[]> {
  const norms: number[] = [];
  for (;;) {
    const name = atPosition(pattern, norms.length);
    if (!findNode(trace, name)) return norms;
    norms.push(norm((await lookup([name]))(name)!.values));
  }
}

/** Norms at positions 0, 1, … as points by lag, the distance from the last position. */
export const byLag = (norms: readonly number[]): Point[] =>
  norms.map((length, t): Point => [norms.length - 1 - t, length]).reverse();

/** "‖∂L/∂h‖" of "∂cell.0.t{t}/h". */
function normName(pattern: string): string {
  const symbol = pattern.split('/').at(-1)!;
  return pattern.startsWith('∂') ? `‖∂L/∂${symbol.replace(/^∂/, '')}‖` : `‖${symbol}‖`;
}

export const lagsChart = (pattern: string, curves: Curve[]): CurvesData => ({
  title: texts.byLag(normName(pattern), countedBy(pattern)),
  x: { label: texts.lagIn(countedBy(pattern)) },
  y: { label: normName(pattern), log: true },
  curves,
});
