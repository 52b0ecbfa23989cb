// The learner's answers, stored in this browser: a reload loses no try.
import * as v from 'valibot';
import { withDatabase, tableIn, updateStored, type Outcome } from '../../lab/store/storage';

const tries = v.array(
  v.object({
    /** As typed, the option's index, indices with commas, or "checked" for a goal. */
    answer: v.string(),
    right: v.boolean(),
  }),
);
export type Try = v.InferOutput<typeof tries>[number];

const MAX_TRIES = 20;

/** The tries of an exercise; none without storage, or if the entry is not valid. */
export const triesOf = async (lesson: string, task: string): Promise<Try[]> =>
  triesIn(tableIn(await withDatabase((db) => db.get('tries', lesson)))[task]);

export const keepTry = (lesson: string, task: string, attempt: Try): Promise<Outcome> =>
  updateStored('tries', lesson, (kept) => ({ ...kept, [task]: [...triesIn(kept[task]), attempt].slice(-MAX_TRIES) }));

function triesIn(entry: unknown): Try[] {
  const read = v.safeParse(tries, entry);
  return read.success ? read.output : [];
}
