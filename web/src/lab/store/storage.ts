// Access to the work that the browser keeps. It may keep nothing: a private window, no room, site data blocked.
import { database } from './database';
import type { Database } from './schema';

/** Undefined if asking fails; if site data is blocked, even asking throws. */
export async function orUndefined<R>(ask: () => R | Promise<R>): Promise<R | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

/** Undefined if the browser keeps nothing. */
export const withDatabase = <R>(ask: (db: Database) => Promise<R>): Promise<R | undefined> =>
  orUndefined(async () => ask(await database()));

/** The outcome of a write: kept; the browser has no room left; the browser keeps nothing at all. */
export type Outcome = 'kept' | 'full' | 'refused';

/** Work that the browser may not keep: training, pairs or a text of the learner's own, solved exercises. */
export type Unsaved = 'trained' | 'brought' | 'solved';

export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError';

export async function outcomeOf(write: () => Promise<unknown>): Promise<Outcome> {
  try {
    await write();
    return 'kept';
  } catch (error) {
    return isFull(error) ? 'full' : 'refused';
  }
}

/** Replaces one entry by a function of its old value, which `tableIn` reads. */
export const updateStored = (
  store: 'solved' | 'tries',
  key: string,
  grown: (before: Readonly<Record<string, unknown>>) => object,
): Promise<Outcome> =>
  outcomeOf(async () => {
    const change = (await database()).transaction(store, 'readwrite');
    await change.store.put(grown(tableIn(await change.store.get(key))), key);
    await change.done;
  });

/** The entry as a table; anything else, which is damage, counts as an empty one. */
export const tableIn = (entry: unknown): Readonly<Record<string, unknown>> =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? (entry as Record<string, unknown>) : {};
