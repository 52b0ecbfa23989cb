// Points of a chart.
import type { Point } from '../../web/src/figures/charts/curves-layout';

/** "0 4, 10 2" → [[0, 4], [10, 2]]. */
export const points = (text: string): Point[] => text.split(', ').map((pair) => pair.split(' ').map(Number) as never);
