// What the browser keeps of the learner's work. It may keep nothing: a private window, no room, a site's data blocked.
import { database, type Database } from './database';

/** Undefined if the browser keeps nothing; where a site's data is blocked, to ask at all throws. */
export async function unlessRefused<R>(ask: () => R | Promise<R>): Promise<R | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

/** Undefined if the browser keeps nothing. */
export const fromKept = <R>(ask: (db: Database) => Promise<R>): Promise<R | undefined> =>
  unlessRefused(async () => ask(await database()));

/** How writing ended: kept; the browser has no room left; the browser keeps nothing at all. */
export type Outcome = 'kept' | 'full' | 'refused';

export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError';

export async function outcomeOf(write: () => Promise<unknown>): Promise<Outcome> {
  try {
    await write();
    return 'kept';
  } catch (error) {
    return isFull(error) ? 'full' : 'refused';
  }
}

/** Changes one entry by what it was; what is no table is none. */
export const updateKept = (
  store: 'solved' | 'tries',
  key: string,
  grown: (before: Readonly<Record<string, unknown>>) => object,
): Promise<Outcome> =>
  outcomeOf(async () => {
    const change = (await database()).transaction(store, 'readwrite');
    await change.store.put(grown(tableIn(await change.store.get(key))), key);
    await change.done;
  });

/** What was read may be damaged: what is no table is an empty one. */
export const tableIn = (entry: unknown): Readonly<Record<string, unknown>> =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? (entry as Record<string, unknown>) : {};
