// What training has come to, and how it goes on: plain data that views read, and the clock that only the page has.
import type { CurvePoint } from '../engine/replay';
import type { EvaluationInfo, TrainInfo, WriteInfo } from '../types';

export type Status = 'idle' | 'running' | 'paused' | 'done' | 'diverged';

export interface Training {
  status: Status;
  step: number;
  /** The steps between which it goes, from when "Train" was first pressed. */
  from: number;
  target: number;
  loss: number;
  accuracy: number;
  examplesPerSecond: number;
  /** Seconds spent on it, and the seconds it will take in all. */
  elapsed: number;
  expected: number;
  curve: CurvePoint[];
  /** What the model writes now: for the pair on the bench, then for some that it has not seen. */
  samples: WriteInfo[];
  /** The test split as far as it has been looked at; null from the next step on. */
  evaluation: EvaluationInfo | null;
}

export const untrained = (step = 0, curve: CurvePoint[] = []): Training => ({
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
  samples: [],
  evaluation: null,
});

/** Pairs of the test split that a model is tested on, evenly spread over it. */
export const TEST_PAIRS = 200;

/** Points of a curve that is drawn some hundred pixels wide. */
const MOST_POINTS = 600;

/** With the new point at its end; the points before it stay evenly apart. */
export function extended(curve: CurvePoint[], { step, loss, accuracy }: TrainInfo): CurvePoint[] {
  const apart = (i: number): number => (curve.at(i)?.step ?? NaN) - (curve.at(i - 1)?.step ?? NaN);
  const crowded = curve.length > 2 && apart(-1) < apart(1);
  const all = [...(crowded ? curve.slice(0, -1) : curve), { step, loss, accuracy }];
  return all.length > MOST_POINTS ? all.filter((_, i) => i % 2 === 0) : all;
}

/** After a slice that took so many seconds. */
export function afterSlice(before: Training, info: TrainInfo, seconds: number): Training {
  const elapsed = before.elapsed + seconds;
  const done = info.step - before.from;
  const speed = info.examples / Math.max(seconds, 1e-3);
  return {
    ...before,
    step: info.step,
    loss: info.loss,
    accuracy: info.accuracy,
    examplesPerSecond: before.examplesPerSecond ? 0.9 * before.examplesPerSecond + 0.1 * speed : speed,
    elapsed,
    expected: (elapsed * (before.target - before.from)) / Math.max(done, 1),
    curve: extended(before.curve, info),
    evaluation: null,
  };
}
