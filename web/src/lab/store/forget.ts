// Removes the learner's work from this browser, on a machine that others use too.
import { database } from './database';
import { TYPED } from './web-storage';

/** Answers, progress, checkpoints and own data. Rejects if the browser keeps nothing, or does not let go of it. */
export async function forgetWork(): Promise<void> {
  for (const store of [sessionStorage, localStorage])
    for (const key of Object.keys(store).filter((each) => each.startsWith(TYPED))) store.removeItem(key);
  const db = await database();
  const stores = [...db.objectStoreNames];
  const emptying = db.transaction(stores, 'readwrite');
  await Promise.all(stores.map((name) => emptying.objectStore(name).clear()));
  await emptying.done;
}
