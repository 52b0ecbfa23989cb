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

/** Changes one entry by what it was. */
export const updateKept = <R>(
  store: 'solved' | 'tries',
  key: string,
  grown: (before: R | undefined) => R,
): Promise<void> =>
  unlessRefused(async () => {
    const change = (await database()).transaction(store, 'readwrite');
    await change.store.put(grown((await change.store.get(key)) as R | undefined), key);
    await change.done;
  });
