// Which points a pointer takes along on its way, and to which height.
import type { Point } from '../../../figures/charts/curves-layout';

/** CSS pixels beside a point within which the pointer still moves it. */
const NEAR = 10;

export function nearest(columns: readonly number[], [x]: Point): number {
  const far = columns.map((column) => Math.abs(column - x));
  return far.indexOf(Math.min(...far));
}

/** For every column, given by its x: the y at which the pointer is at it or went through it; null if it did neither. */
export const heightsOf = (columns: readonly number[], from: Point, to: Point): (number | null)[] =>
  columns.map((column) => {
    if (Math.abs(column - to[0]) <= NEAR) return to[1];
    const part = (column - from[0]) / (to[0] - from[0]);
    return part > 0 && part < 1 ? from[1] + part * (to[1] - from[1]) : null;
  });
