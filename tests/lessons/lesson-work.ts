// The experiment of a lesson, and a learner's own with changes made by hand.
import type { BenchLesson } from '../../web/plugin/lesson';
import { perform, type Work } from '../../web/src/lesson/run';
import { sortChanges, toNumber, withChanges, type Changes, sameConfig } from '../../web/src/lesson/changes';
import { findNode } from '../../web/src/lab/cursor';
import type { Answer } from '../../web/src/lesson/task/answer';
import type { Experiment } from '../../web/src/engine/replay';
import type { Opened } from './sessions';

/** The weights of a lesson's own model, from the file beside it. */
export type Weights = (lesson: BenchLesson) => Uint8Array;

/** The lesson's own experiment. */
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

/** What a learner does, or answers. */
export type Given = { changes: Changes } | { answer: Answer };

/** Applies changes as a learner would by hand: as settings, inputs and edits of the experiment. */
export async function settled(session: Opened, base: Work, given: Given): Promise<Answer> {
  if ('answer' in given) return given.answer;
  const { info, trace } = await perform(session, base);
  const sorted = sortChanges(
    given.changes,
    info.inputs.map(({ name }) => name),
  );
  return {
    ...withChanges(base, sorted),
    checkpoint: base.checkpoint,
    edits: sorted.elements.map(([name, at, value]) => editOf(trace, name, at, value)),
  };
}

function editOf(
  trace: Awaited<ReturnType<typeof perform>>['trace'],
  name: string,
  at: readonly number[],
  value: number,
): Experiment['edits'][number] {
  const node = findNode(trace, name)!;
  const index = at.reduce((flat, position, axis) => flat * (axis ? node.shape[axis]! : 1) + position, 0);
  return { name: node.name, index, value };
}
