// The learner's own run, where it suffices to grade a goal: no hidden session has to repeat it.
import { namesIn, parse } from '../expression/expression';
import { isTextName } from '../expression/expression-names';
import { findNode, tensorsOf } from '../find-node';
import { unwrap } from '../refused';
import type { Lab } from '../../lab/lab';
import type { Run } from '../changes';

/** Undefined if the goal is about more than tensors of the run, or if training is about to replace it. */
export function ownRun(lab: Lab, goal: string): Run | undefined {
  const { info, trace, run, busy } = lab;
  if (!info || !trace || !run || busy) return undefined;
  if (namesIn(parse(goal)).some((name) => isTextName(name) || !findNode(trace, name))) return undefined;
  const lookup: Run['lookup'] = (names) => tensorsOf(trace, names, (node) => unwrap(lab.engine.values(node.id)));
  return { info, trace, words: lab.task?.targetWords, loss: run.loss, lookup };
}
