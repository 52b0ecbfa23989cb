// Two runs, or a few, on one axis.
import type { Axis, Curve, CurvesData } from './curves-layout';

export interface Run {
  name: string;
  /** Where it is worth telling. */
  seed?: number;
  curves: Curve[];
  /** What it came to; a number, or words such as "0:21". */
  figures: { label: string; value: number | string }[];
}

export interface RunsData {
  title: string;
  x: Axis;
  y: Axis;
  runs: Run[];
}

/**
 * All lines on one axis: each run's own curves under its name. Every run but the first has broken lines; where runs
 * are single lines without a role, each has a kind of its own instead.
 */
export function together({ title, x, y, runs }: RunsData): CurvesData {
  const single = runs.every(({ curves }) => curves.length === 1 && curves[0]!.role === undefined);
  const curves = runs.flatMap((run, i) =>
    run.curves.map((curve) => ({
      ...curve,
      name: run.curves.length > 1 ? `${run.name}, ${curve.name}` : run.name,
      dashed: !single && i > 0,
    })),
  );
  return { title, x, y, curves };
}

/** Labels of the figures of all runs, in the order of their first mention. */
export const labelsOf = (runs: readonly Run[]): string[] => [
  ...new Set(runs.flatMap(({ figures }) => figures.map(({ label }) => label))),
];
