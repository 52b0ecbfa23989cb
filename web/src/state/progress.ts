// Which exercises the learner has solved, in this browser only.
import { createStore, get, update } from 'idb-keyval';

export type Solved = Record<string, true>;

const store = createStore('unroll', 'progress');

/** Ids of the solved exercises of a lesson; empty if the browser keeps nothing (private mode). */
export const solvedIn = (lesson: string): Promise<Solved> =>
  get<Solved>(lesson, store).then(
    (known) => known ?? {},
    () => ({}),
  );

/** Remembers an exercise as solved; silently nothing if the browser keeps nothing. */
export function markSolved(lesson: string, exercise: string): Promise<void> {
  return update<Solved>(lesson, (known) => ({ ...known, [exercise]: true }), store).catch(() => undefined);
}
