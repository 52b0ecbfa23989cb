// Takes over the three databases that came before the single, versioned one.
import { deleteDB, openDB } from 'idb';
import { hasOwnData } from '../../engine/own-data';
import { lessonNow } from '../old-names';
import { type Database, tableIn, undatedTries } from './schema';
import { fingerprint } from './fingerprint';
import type { Checkpoint } from '../../engine/replay';
import type { State } from '../../engine/types';

/** There was one per page: what the learner had trained there last. */
type LegacyCheckpoint = Checkpoint & { key: string; state: State; at: number };

const LEGACY = [
  ['unroll', 'progress'],
  ['unroll-tries', 'tries'],
  ['unroll-checkpoints', 'checkpoints'],
] as const;

export async function migrate(db: Database): Promise<void> {
  for (const [name, store] of LEGACY) {
    const old = await openDB(name);
    const entries = old.objectStoreNames.contains(store) ? await old.getAllKeys(store) : [];
    for (const key of entries) {
      const entry: unknown = await old.get(store, key);
      await migrateEntry(db, store, String(key), entry).catch(() => undefined); // a damaged one is left behind
    }
    old.close();
    void deleteDB(name).catch(() => undefined); // happens once no old tab has it open
  }
}

async function migrateEntry(
  db: Database,
  store: (typeof LEGACY)[number][1],
  lesson: string,
  entry: unknown,
): Promise<void> {
  if (store === 'checkpoints') return migrateCheckpoint(db, lesson, entry as LegacyCheckpoint);
  for (const [task, of] of Object.entries(tableIn(entry))) {
    const now = lessonNow(lesson, task);
    if (store === 'progress') await db.put('solved', { ...tableIn(await db.get('solved', now)), [task]: of }, now);
    else for (const [key, attempt] of undatedTries(now, { [task]: of })) await db.put('attempts', attempt, key);
  }
}

/** The engine that made it is unknown: kept only for own data, where checkpoints.ts accepts an earlier engine. */
async function migrateCheckpoint(db: Database, lesson: string, before: LegacyCheckpoint): Promise<void> {
  const { key, bytes, state, steps, curve, at } = before;
  if (!hasOwnData(state.config)) return;
  const id = fingerprint(key);
  await db.put('weights', bytes, id);
  const sum = fingerprint(bytes);
  const kept = { lesson, state, at, steps, target: steps, curve, engine: '', sum, size: bytes.length };
  await db.put('checkpoints', kept, id);
}
