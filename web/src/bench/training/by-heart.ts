// Whether the loss in training falls while the loss on unseen pairs rises: the model learns its pairs by heart.
import { pointAt, type Point } from '../../figures/charts/curves-layout';

/** Where the loss on unseen pairs was lowest, and what it is now. */
export interface Turn {
  step: number;
  lowest: number;
  now: number;
}

/** Measurements after the lowest: fewer may be one bad moment. */
const AFTER = 4;
/** The rise must exceed this share of the first loss, and this many times the usual jump between two measurements. */
const LEAST_RISE = 0.05;
const NOISE = 6;
/** The loss in training must have fallen by this share since. */
const LEAST_FALL = 0.05;

/**
 * Null unless all of the rule holds. The unseen loss is read as the median of each three neighbours, so a single outlier
 * is neither its lowest nor its last value.
 * @param training Smoothed
 */
export function turnOf(training: readonly Point[], unseen: readonly Point[]): Turn | null {
  const losses = unseen.map(([, y]) => y);
  const steady = medians(losses);
  const [lowest, now] = [Math.min(...steady), steady.at(-1)!];
  const at = steady.lastIndexOf(lowest);
  const enough = Math.max(LEAST_RISE * steady[0]!, NOISE * jump(losses));
  if (at < 0 || steady.length - 1 - at < AFTER || !(now - lowest > enough)) return null;
  const [step] = lowestOf(unseen.slice(Math.max(0, at - 1), at + 2));
  return fellSince(training, step) ? { step, lowest, now } : null;
}

const lowestOf = (points: readonly Point[]): Point => points.reduce((a, b) => (b[1] < a[1] ? b : a));

function fellSince(training: readonly Point[], step: number): boolean {
  const [then, last] = [pointAt({ name: '', points: [...training] }, step), training.at(-1)];
  return then !== undefined && last![1] < (1 - LEAST_FALL) * then[1];
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Of each value and its neighbours; at the ends of the three that are nearest. */
function medians(values: readonly number[]): number[] {
  const last = Math.max(0, values.length - 3);
  const from = (i: number): number => Math.min(Math.max(0, i - 1), last);
  return values.map((_, i) => median(values.slice(from(i), from(i) + 3)));
}

/** The usual distance of a measurement from the middle of its neighbours: 0 on a straight line. */
const jump = (values: readonly number[]): number =>
  median(values.slice(1, -1).map((value, i) => Math.abs(value - (values[i]! + values[i + 2]!) / 2)));
