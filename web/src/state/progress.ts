// Which exercises the learner has solved, in this browser only.
import { fromKept, updateKept } from './kept';

export type Solved = Record<string, true>;

/** Ids of the solved exercises of a lesson; empty if the browser keeps nothing. */
export const solvedIn = async (lesson: string): Promise<Solved> =>
  ((await fromKept((db) => db.get('solved', lesson))) as Solved | undefined) ?? {};

/** Remembers an exercise as solved; silently nothing if the browser keeps nothing. */
export const markSolved = (lesson: string, exercise: string): Promise<void> =>
  updateKept<Solved>('solved', lesson, (known) => ({ ...known, [exercise]: true }));
