// Every try at a task, with its time. Tries are only added, each under a key of its own: neither another tab nor an imported
// record takes one away.
import { database } from './database';
import { attemptKey, tableIn, type Attempt } from './schema';
import { outcomeOf, withDatabase, type Outcome } from './storage';

export type Try = Omit<Attempt, 'at'>;

/** Null for what is damaged. Each lesson needs this as it opens: checked by hand, it spares the page a library. */
export function attemptIn(entry: unknown): Attempt | null {
  const { answer, right, at } = tableIn(entry);
  if (typeof answer !== 'string' || typeof right !== 'boolean') return null;
  return typeof at === 'number' && Number.isFinite(at) ? { answer, right, at } : null;
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
