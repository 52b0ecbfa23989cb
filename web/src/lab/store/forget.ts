// Removes the learner's work from this browser, on a machine that others use too.
import { database } from './database';

/** Drafts of own data, by their keys in this tab's storage. */
export const DRAFTS = { pairs: 'own-pairs', text: 'own-text' } as const;

/** Answers, progress, checkpoints and own data. Rejects if the browser keeps nothing, or does not let go of it. */
export async function forgetWork(): Promise<void> {
  for (const key of Object.values(DRAFTS)) sessionStorage.removeItem(key);
  const db = await database();
  const stores = [...db.objectStoreNames];
  const emptying = db.transaction(stores, 'readwrite');
  await Promise.all(stores.map((name) => emptying.objectStore(name).clear()));
  await emptying.done;
}
