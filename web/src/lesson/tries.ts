// What the learner answered, kept in this browser: no try is lost by a reload.
import { fromKept, updateKept } from '../state/kept';

export interface Try {
  /** As it was typed, or the option's position, or positions with commas. */
  answer: string;
  right: boolean;
}

type Kept = Record<string, Try[]>;

const MOST = 20;

/** Of all exercises of a lesson; empty if the browser keeps nothing. */
export const triesIn = async (lesson: string): Promise<Kept> =>
  ((await fromKept((db) => db.get('tries', lesson))) as Kept | undefined) ?? {};

export const keepTry = (lesson: string, task: string, made: Try): Promise<void> =>
  updateKept<Kept>('tries', lesson, (kept = {}) => ({ ...kept, [task]: [...(kept[task] ?? []), made].slice(-MOST) }));
