// The one moving average of the stage *Training*: batches differ, so the losses of two steps say little.
import type { Point } from '../../figures/charts/curves-layout';

/** Part of all steps after which a value counts half. */
const HALF_LIFE = 1 / 40;

export const halfLifeOf = (steps: number): number => Math.max(1, Math.round(steps * HALF_LIFE));

/**
 * The exponential moving average: at each point the mean of all values so far, where one counts half as much for every
 * half-life of steps since. Dividing by the sum of the weights leaves no bias at the start. Gaps are passed over.
 */
export function smoothed(points: readonly Point[], halfLife: number): Point[] {
  let [sum, weights, before] = [0, 0, 0];
  return points.filter(isMeasured).map(([x, y]): Point => {
    const kept = 0.5 ** ((x - before) / halfLife);
    [sum, weights, before] = [sum * kept + y, weights * kept + 1, x];
    return [x, sum / weights];
  });
}

const isMeasured = ([, y]: Point): boolean => Number.isFinite(y);
