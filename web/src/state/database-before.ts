// What stood in three databases, before there was one with a version.
import { deleteDB, openDB } from 'idb';
import { hasOwnData } from '../engine/own-data';
import type { Database } from './database';
import { fingerprint } from './fingerprint';
import type { Checkpoint } from '../engine/replay';
import type { State } from '../types';

/** There was one for every page, of whatever the learner had trained there last. */
type CheckpointBefore = Checkpoint & { key: string; state: State; at: number };

const BEFORE = [
  ['unroll', 'progress'],
  ['unroll-tries', 'tries'],
  ['unroll-checkpoints', 'checkpoints'],
] as const;

export async function takeOver(db: Database): Promise<void> {
  for (const [name, store] of BEFORE) {
    const old = await openDB(name);
    const entries = old.objectStoreNames.contains(store) ? await old.getAllKeys(store) : [];
    for (const key of entries) await take(db, store, String(key), await old.get(store, key));
    old.close();
    void deleteDB(name).catch(() => undefined); // once no tab of then is open
  }
}

async function take(db: Database, store: (typeof BEFORE)[number][1], lesson: string, entry: unknown): Promise<void> {
  if (store === 'checkpoints') return takeCheckpoint(db, lesson, entry as CheckpointBefore);
  await db.put(store === 'tries' ? 'tries' : 'solved', entry, lesson);
}

/** It does not say which engine made it, so it is of use only where nobody can make it again. */
async function takeCheckpoint(db: Database, lesson: string, before: CheckpointBefore): Promise<void> {
  const { key, bytes, state, steps, curve, at } = before;
  if (!hasOwnData(state.config)) return;
  const id = fingerprint(key);
  await db.put('weights', bytes, id);
  const sum = fingerprint(bytes);
  await db.put(
    'checkpoints',
    { lesson, state, at, steps, target: steps, curve, engine: '', sum, size: bytes.length },
    id,
  );
}
