// The experiment of a lesson, as its page opens.
import { sameConfig, toNumber } from '../src/lesson/changes';
import type { Work } from '../src/lesson/run';
import type { Experiment } from '../src/engine/replay';
import type { BenchLesson } from './lesson';

/** The weights of a lesson's own model, from the file beside it. */
export type Weights = (lesson: BenchLesson) => Uint8Array;

export function workOf(lesson: BenchLesson, weights: Weights): Work {
  const { head, found } = lesson;
  const inputs = Object.entries(head.inputs).map(([name, values]) => ({
    name,
    values: [values].flat().map(toNumber),
    at: 0,
  }));
  const own: Experiment = {
    config: { ...head.model, seed: head.seed } as Experiment['config'],
    inputs,
    pair: head.pair ?? null,
    steps: head.trained?.steps ?? 0,
    edits: [],
  };
  const shipped = head.trained && { steps: head.trained.steps, bytes: weights(lesson), curve: [] };
  const stepChanges = found.anchors.map(({ given }) => given);
  return { ...own, stepChanges, checkpoint: async (other) => (shipped && sameConfig(own, other) ? shipped : null) };
}
