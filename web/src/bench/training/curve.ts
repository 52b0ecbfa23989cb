// The chart of a training: each batch behind, the moving average in front, unseen pairs dashed, other seeds as ranges.
import * as texts from '#messages/bench/training';
import type { UnseenPoint } from '../../engine/replay';
import type { Curve, CurvesData, Point } from '../../figures/charts/curves-layout';
import type { Training } from '../../lab/training';
import { turnOf, type Turn } from './by-heart';
import type { SeedRun } from './seeds';
import { halfLifeOf, smoothed } from './smoothing';

export type Measure = 'loss' | 'accuracy';
export const MEASURES: readonly Measure[] = ['loss', 'accuracy'];

type Progress = Pick<Training, 'step' | 'curve' | 'unseen'>;

const ofBatches = ({ curve }: Progress, measure: Measure): Point[] =>
  curve.map((point): Point => [point.step, point[measure]]);

/** Of unseen pairs the share written without a mistake stands for the accuracy, which only batches have. */
const ofUnseen = (points: readonly UnseenPoint[], measure: Measure): Point[] =>
  points.flatMap(({ step, loss, exact }) => {
    const value = measure === 'loss' ? loss : exact;
    return value === undefined ? [] : [[step, value] satisfies Point];
  });

const average = (training: Progress, measure: Measure): Point[] =>
  smoothed(ofBatches(training, measure), halfLifeOf(training.step));

/** Null before there are two points. */
export function curvesOf(
  training: Progress,
  seeds: readonly SeedRun[],
  { measure, isTexts }: { measure: Measure; isTexts: boolean },
): CurvesData | null {
  if (training.curve.length < 2) return null;
  const unseen: Curve = {
    name: texts.unseenLine(isTexts),
    role: 'weight',
    dashed: true,
    points: ofUnseen(training.unseen, measure),
  };
  const others = seeds.map(({ seed, points }): Curve => {
    const name = texts.seedLine(seed);
    return { name, among: texts.OTHER_SEEDS, role: 'state', points: ofUnseen(points, measure) };
  });
  return {
    stage: true,
    title: texts.CURVE_TITLES[measure],
    x: { label: texts.STEP },
    y: { label: measure === 'loss' ? texts.LOSS : texts.ACCURACY, from: 0, ...(measure === 'accuracy' && { to: 1 }) },
    curves: [
      { name: texts.EACH_BATCH, pale: true, points: ofBatches(training, measure) },
      { name: texts.TRAINING_LINE, role: 'ink', points: average(training, measure) },
      ...[unseen, ...others].filter(({ points }) => points.length),
    ],
  };
}

export const turnIn = (training: Progress): Turn | null =>
  turnOf(average(training, 'loss'), ofUnseen(training.unseen, 'loss'));

/** The losses on unseen pairs after the same steps, this model's among them; null before two of them are known. */
export function spreadOf(training: Progress, seeds: readonly SeedRun[], steps: number): number[] | null {
  const all = [training.unseen, ...seeds.map(({ points }) => points)];
  const losses = all.flatMap((points) => points.find(({ step }) => step === steps)?.loss ?? []);
  return losses.length < 2 ? null : losses.sort((a, b) => a - b);
}
