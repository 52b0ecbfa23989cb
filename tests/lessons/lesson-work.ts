// An experiment of a learner, with changes made by hand.
import { perform, type Work } from '../../web/src/lesson/run';
import { sortChanges, withChanges, type Changes } from '../../web/src/lesson/changes';
import { findNode } from '../../web/src/lab/cursor';
import type { Answer } from '../../web/src/lesson/task/answer';
import type { Experiment } from '../../web/src/engine/replay';
import type { Opened } from './sessions';

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
  const changed = { ...withChanges(base, sorted), checkpoint: base.checkpoint };
  const all = sorted.elements.every(([name]) => findNode(trace, name));
  // A tensor that only the changed settings bring, such as the matrix of another score.
  const where = all ? trace : (await perform(session, changed)).trace;
  return { ...changed, edits: sorted.elements.map(([name, at, value]) => editOf(where, name, at, value)) };
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
