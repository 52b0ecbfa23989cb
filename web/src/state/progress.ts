// Which exercises the learner has solved, in this browser only.
import { createStore, get, update } from 'idb-keyval';
import { unlessRefused } from './kept';

export type Solved = Record<string, true>;

const store = createStore('unroll', 'progress');

/** Ids of the solved exercises of a lesson; empty if the browser keeps nothing. */
export const solvedIn = async (lesson: string): Promise<Solved> =>
  (await unlessRefused(() => get<Solved>(lesson, store))) ?? {};

/** Remembers an exercise as solved; silently nothing if the browser keeps nothing. */
export function markSolved(lesson: string, exercise: string): Promise<void> {
  return unlessRefused(() => update<Solved>(lesson, (known) => ({ ...known, [exercise]: true }), store));
}
