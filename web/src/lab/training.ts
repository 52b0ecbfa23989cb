// The progress of training: plain data that views read, with the timing that only the page measures.
import type { CurvePoint, UnseenPoint } from '../engine/replay';
import type { EvaluationInfo, GenerationInfo, TrainInfo } from '../engine/types';

export type Status = 'idle' | 'running' | 'paused' | 'done' | 'diverged';

export interface Training {
  status: Status;
  step: number;
  /** First and last step of the run that began when "Train" was pressed; pausing does not change them. */
  from: number;
  target: number;
  loss: number;
  accuracy: number;
  examplesPerSecond: number;
  /** Seconds spent on the run so far, and expected in all. */
  elapsed: number;
  expected: number;
  curve: CurvePoint[];
  /** At some of the steps: on the same validation pairs each time. */
  unseen: UnseenPoint[];
  /** What the model generates now for some validation pairs. */
  samples: GenerationInfo[];
  /** Results on the test split so far; null again after the next step. */
  evaluation: EvaluationInfo | null;
}

export const untrained = (step = 0, curve: CurvePoint[] = [], unseen: UnseenPoint[] = []): Training => ({
  status: 'idle',
  step,
  from: step,
  target: step,
  loss: curve.at(-1)?.loss ?? NaN,
  accuracy: curve.at(-1)?.accuracy ?? NaN,
  examplesPerSecond: 0,
  elapsed: 0,
  expected: 0,
  curve,
  unseen,
  samples: [],
  evaluation: null,
});

/** Number of test pairs to evaluate, evenly spread over the split. */
export const TEST_PAIRS = 200;

/** Maximum points of a curve, which is drawn a few hundred pixels wide. */
const MAX_POINTS = 600;

/** The curve with the new point at its end; the points before it stay evenly spaced. */
export function extended<Measured extends { step: number }>(curve: Measured[], point: Measured): Measured[] {
  const apart = (i: number): number => (curve.at(i)?.step ?? NaN) - (curve.at(i - 1)?.step ?? NaN);
  const crowded = curve.length > 2 && apart(-1) < apart(1);
  const all = [...(crowded ? curve.slice(0, -1) : curve), point];
  return all.length > MAX_POINTS ? all.filter((_, i) => i % 2 === 0) : all;
}

/** The progress after a slice that took `seconds`. */
export function afterSlice(before: Training, info: TrainInfo, seconds: number): Training {
  const elapsed = before.elapsed + seconds;
  const { step, loss, accuracy } = info;
  const done = step - before.from;
  const speed = info.examples / Math.max(seconds, 1e-3);
  return {
    ...before,
    ...{ step, loss, accuracy },
    examplesPerSecond: before.examplesPerSecond ? 0.9 * before.examplesPerSecond + 0.1 * speed : speed,
    elapsed,
    expected: (elapsed * (before.target - before.from)) / Math.max(done, 1),
    curve: extended(before.curve, { step, loss, accuracy }),
    evaluation: null,
  };
}
