// What the learner answered, kept in this browser: no try is lost by a reload.
import * as v from 'valibot';
import { fromKept, tableIn, updateKept, type Outcome } from '../state/kept';

const tries = v.array(
  v.object({
    /** As it was typed, or the option's position, or positions with commas. */
    answer: v.string(),
    right: v.boolean(),
  }),
);
export type Try = v.InferOutput<typeof tries>[number];

const MOST = 20;

/** Of an exercise of a lesson; none if the browser keeps nothing, or something else. */
export const triesOf = async (lesson: string, task: string): Promise<Try[]> =>
  triesIn(tableIn(await fromKept((db) => db.get('tries', lesson)))[task]);

export const keepTry = (lesson: string, task: string, made: Try): Promise<Outcome> =>
  updateKept('tries', lesson, (kept) => ({ ...kept, [task]: [...triesIn(kept[task]), made].slice(-MOST) }));

function triesIn(entry: unknown): Try[] {
  const read = v.safeParse(tries, entry);
  return read.success ? read.output : [];
}
