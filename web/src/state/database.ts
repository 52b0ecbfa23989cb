// The database of this browser: what the learner has answered and trained, and the data they brought.
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';

const NAME = 'unroll-work';
/** A new version has its own branch in `upgrade`, which leads there from every version before. */
const VERSION = 2;
const OF_VERSION_1 = ['solved', 'tries', 'checkpoints', 'weights', 'data'] as const;
const STORES = [...OF_VERSION_1, 'opened'] as const;

/** What is read from it is believed as far as it is checked: it may be damaged, or of another page of this host. */
type Schema = DBSchema & Record<(typeof STORES)[number], { key: string; value: unknown }>;
export type Database = IDBPDatabase<Schema>;

let opened: Promise<Database> | null = null;

/** Throws where the browser keeps nothing. */
export function database(): Promise<Database> {
  opened ??= open().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

async function open(): Promise<Database> {
  let made = false;
  const db = await openDB<Schema>(NAME, VERSION, {
    upgrade(fresh, from) {
      if (from < 1) for (const store of OF_VERSION_1) fresh.createObjectStore(store);
      if (from < 2) fresh.createObjectStore('opened');
      made = from < 1;
    },
    // A page of a newer version waits for this one to let go.
    blocking: (_now, _wanted, event) => ((event.target as IDBDatabase).close(), (opened = null)),
    terminated: () => (opened = null),
  });
  if (made && (await hasThoseOfBefore())) await (await import('./database-before')).takeOver(db);
  return db;
}

async function hasThoseOfBefore(): Promise<boolean> {
  const all = await indexedDB.databases();
  return all.some(({ name }) => name === 'unroll' || name === 'unroll-tries' || name === 'unroll-checkpoints');
}
