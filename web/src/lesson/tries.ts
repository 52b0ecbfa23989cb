// What the learner answered, kept in this browser: no try is lost by a reload.
import { createStore, get, update } from 'idb-keyval';
import { unlessRefused } from '../state/kept';

export interface Try {
  /** As it was typed, or the option's position, or positions with commas. */
  answer: string;
  right: boolean;
}

type Kept = Record<string, Try[]>;

const MOST = 20;
const store = createStore('unroll-tries', 'tries');

/** Of all exercises of a lesson; empty if the browser keeps nothing. */
export const triesIn = async (lesson: string): Promise<Kept> =>
  (await unlessRefused(() => get<Kept>(lesson, store))) ?? {};

export function keepTry(lesson: string, task: string, made: Try): Promise<void> {
  const grown = (kept: Kept = {}): Kept => ({ ...kept, [task]: [...(kept[task] ?? []), made].slice(-MOST) });
  return unlessRefused(() => update<Kept>(lesson, grown, store));
}
