// A few runs in one chart.
import { curveOfRun } from '#messages/figures/charts';
import type { Axis, Curve, CurvesData } from './curves-layout';

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
