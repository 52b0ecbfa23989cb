// This browser's database: the learner's answers, progress and checkpoints, and the data they brought.
import { openDB, type IDBPTransaction } from 'idb';
import { lessonNow, newName, withoutNumber } from '../old-names';
import { type Database, OF_VERSION_1, type Schema, type Store, tableIn, undatedTries } from './schema';

const NAME = 'unroll-work';
/** Each version adds a branch to `upgrade`, so that every earlier version can be upgraded. */
const VERSION = 5;
/** Those that had an entry for each lesson, by its name, in version 2. */
const BY_LESSON = ['solved', 'tries', 'opened'] as const;

type Upgrade = IDBPTransaction<Schema, Store[], 'versionchange'>;

let opened: Promise<Database> | null = null;

/** Rejects if the browser keeps nothing. */
export function database(): Promise<Database> {
  opened ??= open().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

async function open(): Promise<Database> {
  let isNew = false;
  const db = await openDB<Schema>(NAME, VERSION, {
    upgrade(fresh, from, _to, change) {
      if (from < 1) for (const store of OF_VERSION_1) fresh.createObjectStore(store);
      if (from < 2) fresh.createObjectStore('opened');
      if (from < 4) for (const store of ['read', 'attempts'] as const) fresh.createObjectStore(store);
      void moveEntries(change, from, () => fresh.deleteObjectStore('tries'));
      isNew = from < 1;
    },
    // A page with a newer version waits for this connection to close.
    blocking: (_now, _wanted, event) => ((event.target as IDBDatabase).close(), (opened = null)),
    terminated: () => (opened = null),
  });
  if (isNew && (await hasLegacyDatabases())) await (await import('./legacy-database')).migrate(db);
  return db;
}

/** Runs within the upgrade: all entries are moved, or none. */
async function moveEntries(change: Upgrade, from: number, dropTries: () => void): Promise<void> {
  if (from < 3) await renameLessons(change);
  if (from < 4) await moveTries(change);
  if (from < 4) dropTries();
  if (from < 5) await moveTasks(change);
}

async function moveTries(change: Upgrade): Promise<void> {
  const [tries, attempts] = [change.objectStore('tries'), change.objectStore('attempts')];
  for (const lesson of await tries.getAllKeys())
    for (const [key, attempt] of undatedTries(lesson, await tries.get(lesson))) await attempts.put(attempt, key);
}

async function renameLessons(change: Upgrade): Promise<void> {
  for (const name of BY_LESSON) {
    const store = change.objectStore(name);
    for (const key of await store.getAllKeys()) {
      const entry = await store.get(key);
      await store.delete(key);
      await store.put(entry, withoutNumber(key));
    }
  }
}

/** To the lesson that each is in now. */
async function moveTasks(change: Upgrade): Promise<void> {
  const [solved, attempts] = [change.objectStore('solved'), change.objectStore('attempts')];
  for (const lesson of await solved.getAllKeys())
    for (const [task, is] of Object.entries(tableIn(await solved.get(lesson)))) {
      const now = lessonNow(lesson, task);
      if (now !== lesson) await solved.put({ ...tableIn(await solved.get(now)), [task]: is }, now);
    }
  for (const key of await attempts.getAllKeys()) {
    const [lesson = '', task = ''] = key.split('/');
    const now = lessonNow(lesson, task);
    if (now !== lesson) await attempts.put(await attempts.get(key), now + key.slice(lesson.length));
    if (now !== lesson) await attempts.delete(key);
  }
  await leaveMerged(change);
}

/** A lesson that is a section now was open when it was; that its end was read says nothing of the whole. */
async function leaveMerged(change: Upgrade): Promise<void> {
  for (const name of ['opened', 'solved', 'read'] as const) {
    const store = change.objectStore(name);
    for (const lesson of await store.getAllKeys()) {
      const now = newName(lesson);
      if (now === lesson) continue;
      if (name === 'opened' && !(await store.get(now))) await store.put(await store.get(lesson), now);
      await store.delete(lesson);
    }
  }
}

async function hasLegacyDatabases(): Promise<boolean> {
  const all = await indexedDB.databases();
  return all.some(({ name }) => name === 'unroll' || name === 'unroll-tries' || name === 'unroll-checkpoints');
}
