// Every try at a task, with its time. Tries are only added, each under a key of its own: neither another tab nor an imported
// record takes one away.
import * as v from 'valibot';
import { database } from './database';
import { attemptKey, type Attempt } from './schema';
import { outcomeOf, withDatabase, type Outcome } from './storage';

export type Try = Omit<Attempt, 'at'>;

const attempt = v.object({ answer: v.string(), right: v.boolean(), at: v.pipe(v.number(), v.finite()) });

/** Null for what is damaged. */
export function attemptIn(entry: unknown): Attempt | null {
  const read = v.safeParse(attempt, entry);
  return read.success ? read.output : null;
}

/** What the browser did not keep since the page was opened: it can still be exported. */
export const unkept: { lesson: string; task: string; attempt: Attempt }[] = [];

export async function keepTry(lesson: string, task: string, { answer, right }: Try): Promise<Outcome> {
  const attempt = { answer, right, at: Date.now() };
  const key = attemptKey(lesson, task, attempt);
  const outcome = await outcomeOf(async () => (await database()).put('attempts', attempt, key));
  if (outcome !== 'kept') unkept.push({ lesson, task, attempt });
  return outcome;
}

/** The tries at a task, the last one last; none without storage. */
export async function triesOf(lesson: string, task: string): Promise<Attempt[]> {
  const all = await withDatabase((db) => db.getAll('attempts', keysOf(`${lesson}/${task}`)));
  return (all ?? []).map(attemptIn).filter((each) => each !== null);
}

/** Of all keys that begin with this text and a slash. */
const keysOf = (start: string): IDBKeyRange => IDBKeyRange.bound(`${start}/`, `${start}0`); // 0 follows the slash
