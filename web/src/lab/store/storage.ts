// Access to the work that the browser keeps. It may keep nothing: a private window, no room, site data blocked.
import { database } from './database';
import { tableIn, type Database } from './schema';

/** Undefined if asking fails; if site data is blocked, even asking throws. */
export async function orUndefined<R>(ask: () => R | Promise<R>): Promise<R | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

/** Milliseconds that the browser has to answer: another tab may hold the database, or the disk be stuck. */
const PATIENCE = 3000;
/** Once it was late, the page waits no longer than this until it answers again. */
const IMPATIENCE = 200;
let patience = PATIENCE;

class Late extends Error {}

function inTime<R>(work: Promise<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    const late = (): void => {
      patience = IMPATIENCE;
      reject(new Late());
    };
    const timer = setTimeout(late, patience);
    const answered = (): void => {
      clearTimeout(timer);
      patience = PATIENCE;
    };
    work.then(resolve, reject);
    work.then(answered, answered);
  });
}

/** Undefined if the browser keeps nothing, or does not answer. */
export const withDatabase = <R>(ask: (db: Database) => Promise<R>): Promise<R | undefined> =>
  orUndefined(() => inTime(database().then(ask)));

/**
 * The outcome of a write: kept; the browser has no room left; it does not answer; a newer build of this page, in another
 * tab, has changed the database; the browser keeps nothing at all.
 */
export type Outcome = 'kept' | 'full' | 'late' | 'newer' | 'refused';

/** Work that the browser may not keep: training, pairs or a text of the learner's own. */
export type Unsaved = 'trained' | 'brought';

export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError';

export async function outcomeOf(write: () => Promise<unknown>): Promise<Outcome> {
  try {
    await inTime(write());
    return 'kept';
  } catch (error) {
    return why(error);
  }
}

function why(error: unknown): Outcome {
  if (error instanceof Late) return 'late';
  if (isFull(error)) return 'full';
  return error instanceof DOMException && error.name === 'VersionError' ? 'newer' : 'refused';
}

/** Replaces one entry by a function of its old value, which `tableIn` reads. */
export const updateStored = (
  store: 'solved',
  key: string,
  grown: (before: Readonly<Record<string, unknown>>) => object,
): Promise<Outcome> =>
  outcomeOf(async () => {
    const change = (await database()).transaction(store, 'readwrite');
    await change.store.put(grown(tableIn(await change.store.get(key))), key);
    await change.done;
  });
