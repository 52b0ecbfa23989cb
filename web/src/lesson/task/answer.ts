// An answer to a task, and the verdict on it.
import type { Run, Work } from '../changes';
import type { AnsweredTask } from '../format/tasks';
import type { Said } from './said';

export interface Verdict {
  right: boolean;
  said: Said;
  /** Wrong because of earlier changes: offer to restore the lesson's own model. */
  offerReset?: true;
}

/** An answer that cannot be read; it does not count as a try. */
export class UnreadableAnswer extends Error {}

/** The learner's experiment, and its run if that is at hand. */
export interface GoalAnswer extends Work {
  run?: Run;
}

/** The answer to each kind of task: the learner's experiment, a text, or positions. */
export type AnswerOf<K extends AnsweredTask['kind']> = K extends 'goal'
  ? GoalAnswer
  : K extends 'number' | 'write'
    ? string
    : number[];
export type Answer = AnswerOf<AnsweredTask['kind']>;
