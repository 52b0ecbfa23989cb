// What the learner answered, kept in this browser: no try is lost by a reload.
import { createStore, get, update } from 'idb-keyval';

export interface Try {
  /** As it was typed, or the option's position, or positions with commas. */
  answer: string;
  right: boolean;
}

type Kept = Record<string, Try[]>;

const MOST = 20;
const store = createStore('unroll-tries', 'tries');

/** Of all exercises of a lesson; empty if the browser keeps nothing (private mode). */
export const triesIn = (lesson: string): Promise<Kept> =>
  get<Kept>(lesson, store).then(
    (kept) => kept ?? {},
    () => ({}),
  );

export const keepTry = (lesson: string, task: string, made: Try): Promise<void> =>
  update<Kept>(lesson, (kept = {}) => ({ ...kept, [task]: [...(kept[task] ?? []), made].slice(-MOST) }), store).catch(
    () => undefined,
  );
