// The loss along the gradient of one tensor: where a plain step of each learning rate would land.
import * as texts from '#messages/lesson/training';
import { unwrap } from '../engine/refused';
import { replay, type Experiment } from '../engine/replay';
import { findNode } from '../lab/cursor';
import { currentExperiment } from './lesson-data';
import type { CurvesData, Point } from '../figures/charts/curves-layout';
import type { RemoteSession } from '../engine/remote';
import type { Lab } from '../lab/lab';

/** 0 to 10, the largest that the engine takes. */
const RATES = Array.from({ length: 41 }, (_, i) => i / 4);

/** The loss at e − η g for each learning rate η and for `own`; empty if no gradient reaches the tensor. */
async function landings(session: RemoteSession, experiment: Experiment, name: string, own: number): Promise<Point[]> {
  const { trace } = await unwrap(replay(session, experiment));
  const node = findNode(trace, name);
  const slopes = node && (await session.gradients(node.id));
  if (!slopes?.ok) return [];
  const values = await unwrap(session.values(node!.id));
  const others = experiment.edits.filter((edit) => edit.name !== node!.name);
  const lossAt = async (rate: number): Promise<Point> => {
    const moved = [...values].map((x, index) => ({ name: node!.name, index, value: x - rate * slopes.value[index]! }));
    return [rate, (await unwrap(session.setEdits([...others, ...moved]))).loss];
  };
  const points: Point[] = [];
  for (const rate of [...new Set([...RATES, own])].sort((a, b) => a - b)) points.push(await lossAt(rate));
  return points;
}

/** As a chart with the learning rate of the bench marked; null without a gradient. */
export async function chartAlong(lab: Lab, name: string): Promise<CurvesData | null> {
  const own = Number(lab.config().learning_rate);
  const experiment = currentExperiment(lab);
  const points = await lab.probe((session) => landings(session, experiment, name, own));
  if (!points.length) return null;
  return {
    title: texts.LOSS_BY_RATE,
    x: { label: texts.RATE, from: 0, to: RATES.at(-1)! },
    y: { label: texts.LOSS, from: 0 },
    curves: [
      { name: texts.AFTER_A_STEP, role: 'ink', points },
      { name: texts.withRate(own), role: 'score', dots: true, points: points.filter(([rate]) => rate === own) },
    ],
  };
}
