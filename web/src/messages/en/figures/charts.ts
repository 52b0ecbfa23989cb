// Line charts, and the results of runs.

export const NOTHING_MEASURED = 'Nothing measured yet.';
export const RESULTS = 'Results of the runs';
export const RUN = 'run';
export const SEED = 'seed';

export const resultsOf = (chart: string): string => `${RESULTS}: ${chart}`;
export const curveOfRun = (run: string, curve: string): string => `${run}, ${curve}`;
/** Of the cursor, which moves along the x-axis. */
export const cursorOf = (chart: string, x: string): string => `${chart}, by ${x}`;

export interface AxisText {
  label: string;
  log?: boolean;
}

export const axisName = ({ label, log }: AxisText): string => `${label}${log ? ', log scale' : ''}`;

/** "step 500: training 0.43, validation 0.51". */
export const valuesAt = (axis: string, x: string, values: readonly CurveText[]): string =>
  `${axis} ${x}: ${values.map(({ name, value }) => `${name} ${value}`).join(', ') || 'no values'}`;

/** A mean, with the smallest and the largest value around it: "21 (19–23)". */
export const withRange = (mean: string, lowest: string, highest: string): string => `${mean} (${lowest}–${highest})`;

interface CurveText {
  name: string;
  value: string;
}

/** `curves`: a sentence each. */
export function chartText(x: AxisText, y: AxisText, curves: readonly string[]): string {
  const logarithmic = [
    ...(x.log ? [`${x.label} on a logarithmic axis`] : []),
    ...(y.log ? ['logarithmic y-axis'] : []),
  ];
  const note = logarithmic.length ? ` (${logarithmic.join(', ')})` : '';
  return `${y.label} against ${x.label}${note}. ${curves.join(' ')}`;
}

interface PointText {
  x: string;
  y: string;
}

export const noMeasurements = (curve: string): string => `${curve}: no measurements.`;

/** "training: from 3.2 at step 0 to 0.04 at step 2000; lowest 0.03 at step 1980, highest 3.2 at step 0." */
export function curveText(
  curve: string,
  axis: string,
  points: Readonly<Record<'first' | 'last' | 'lowest' | 'highest', PointText>>,
): string {
  const at = ({ x, y }: PointText): string => `${y} at ${axis} ${x}`;
  const { first, last, lowest, highest } = points;
  return `${curve}: from ${at(first)} to ${at(last)}; lowest ${at(lowest)}, highest ${at(highest)}.`;
}

/** After the sentence of their mean. `widest`: the largest difference between them at one x. */
export const spreadText = (curves: number, widest: string): string =>
  `It is the mean of ${curves}, which differ by ${widest} at most.`;
