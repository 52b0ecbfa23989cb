// Removes the learner's work from this browser, on a machine that others use too.
import { database } from './database';

/** Drafts of own data, by their keys in this tab's storage. */
export const DRAFTS = { pairs: 'own-pairs', text: 'own-text' } as const;

/** Beginning of the keys of programs that are being written, one for each page. */
export const PROGRAM_DRAFT = 'own-program ';

/** Answers, progress, checkpoints and own data. Rejects if the browser keeps nothing, or does not let go of it. */
export async function forgetWork(): Promise<void> {
  const own = (key: string): boolean => key.startsWith(PROGRAM_DRAFT) || Object.values<string>(DRAFTS).includes(key);
  for (const key of Object.keys(sessionStorage).filter(own)) sessionStorage.removeItem(key);
  const db = await database();
  const stores = [...db.objectStoreNames];
  const emptying = db.transaction(stores, 'readwrite');
  await Promise.all(stores.map((name) => emptying.objectStore(name).clear()));
  await emptying.done;
}
