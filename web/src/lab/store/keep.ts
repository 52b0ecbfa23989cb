// Writes and removes checkpoints. Loaded with the training panel: a page that trains nothing does without.
import type { Database } from './schema';
import { isHeldElsewhere } from './slots';
import { isFull } from './storage';

export { slotOf } from './slots';

/** What matters here of a checkpoint's metadata. */
interface Kept {
  slot: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** Bytes of its weights. */
  size: number;
}

/** Limits on all checkpoints together; beyond them the oldest are removed. */
const LIMITS = { entries: 20, bytes: 50 * 2 ** 20 };

/** Makes room among `all`, then writes. */
export async function write(
  db: Database,
  slot: string,
  meta: object,
  weights: Uint8Array,
  all: readonly Kept[],
): Promise<void> {
  const others = all.filter((each) => each.slot !== slot).sort((a, b) => b.at - a.at);
  let bytes = weights.length;
  const over = others.findIndex(({ size }, i) => (bytes += size) > LIMITS.bytes || i >= LIMITS.entries - 1);
  const free = await removable(others);
  const tooMany = over < 0 ? [] : others.slice(over);
  const removed = free.filter((each) => tooMany.includes(each));
  for (const each of removed) await remove(db, each.slot);
  const rest = free.filter((each) => !removed.includes(each));
  await writeEvicting(db, slot, meta, weights, rest);
}

/** If the browser has no room left, removes the oldest checkpoints one by one until the write succeeds. */
async function writeEvicting(
  db: Database,
  slot: string,
  meta: object,
  weights: Uint8Array,
  others: Kept[],
): Promise<void> {
  try {
    await put(db, slot, meta, weights);
  } catch (error) {
    const oldest = others.at(-1);
    if (!isFull(error) || !oldest) throw error;
    await remove(db, oldest.slot);
    await writeEvicting(db, slot, meta, weights, others.slice(0, -1));
  }
}

async function put(db: Database, slot: string, meta: object, weights: Uint8Array): Promise<void> {
  const writing = db.transaction(['checkpoints', 'weights'], 'readwrite');
  await Promise.all([
    writing.objectStore('weights').put(weights, slot),
    writing.objectStore('checkpoints').put(meta, slot),
    writing.done,
  ]);
}

/** Those that no other tab writes to. */
async function removable(all: readonly Kept[]): Promise<Kept[]> {
  const held = await Promise.all(all.map(({ slot }) => isHeldElsewhere(slot)));
  return all.filter((_, i) => !held[i]);
}

async function remove(db: Database, slot: string): Promise<void> {
  await db.delete('checkpoints', slot);
  await db.delete('weights', slot);
}

/** Unless another tab writes to it. */
export async function removeFree(db: Database, slot: string): Promise<void> {
  if (!(await isHeldElsewhere(slot))) await remove(db, slot);
}
