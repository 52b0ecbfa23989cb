// Writes and removes checkpoints. Tabs that train the same experiment are kept apart: each writes to a slot of its own for
// as long as it is open. Loaded with the training panel: a page that trains nothing does without.
import { requestLock } from '../../engine/protocol';
import type { Database } from './schema';
import { isFull } from './storage';

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

/** What is written of a checkpoint. */
interface Written {
  slot: string;
  meta: object;
  weights: Uint8Array;
}

/** Makes room among `all`, then writes. */
export async function write(db: Database, checkpoint: Written, all: readonly Kept[]): Promise<void> {
  const others = all.filter((each) => each.slot !== checkpoint.slot).sort((a, b) => b.at - a.at);
  let bytes = checkpoint.weights.length;
  const over = others.findIndex(({ size }, i) => (bytes += size) > LIMITS.bytes || i >= LIMITS.entries - 1);
  const free = await removable(others);
  const tooMany = over < 0 ? [] : others.slice(over);
  const removed = free.filter((each) => tooMany.includes(each));
  for (const each of removed) await remove(db, each.slot);
  const rest = free.filter((each) => !removed.includes(each));
  await writeEvicting(db, checkpoint, rest);
}

/** If the browser has no room left, removes the oldest checkpoints one by one until the write succeeds. */
async function writeEvicting(db: Database, checkpoint: Written, others: Kept[]): Promise<void> {
  try {
    await put(db, checkpoint);
  } catch (error) {
    const oldest = others.at(-1);
    if (!isFull(error) || !oldest) throw error;
    await remove(db, oldest.slot);
    await writeEvicting(db, checkpoint, others.slice(0, -1));
  }
}

async function put(db: Database, { slot, meta, weights }: Written): Promise<void> {
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

/** By the first slot of an experiment: the one that this tab writes to. */
const mine = new Map<string, Promise<string>>();

/** The first of these slots that no other tab holds, and the first of all if they hold every one. */
export function slotOf(slots: readonly string[]): Promise<string> {
  const [first] = slots as [string];
  const slot = mine.get(first) ?? take(slots);
  mine.set(first, slot);
  return slot;
}

async function take(slots: readonly string[]): Promise<string> {
  for (const slot of slots) if (await isFree(slot)) return slot;
  return slots[0]!;
}

/** Milliseconds that the browser has to answer: then the slot counts as free to write to, and as held to remove. */
const PATIENCE = 1000;
const lockOf = (slot: string): string => `unroll-checkpoint ${slot}`;

/**
 * If free, the slot is held from then on, or with `release` no longer than the answer takes. Without the Web Locks API, or
 * if it refuses, every slot counts as free.
 */
function isFree(slot: string, release = false): Promise<boolean> {
  return new Promise((answer) => {
    const hold = (lock: Lock | null): Promise<void> | undefined => {
      answer(lock !== null);
      return lock && !release ? new Promise(() => undefined) : undefined;
    };
    setTimeout(() => answer(!release), PATIENCE);
    const free = (): void => answer(true);
    requestLock(lockOf(slot), hold, { ifAvailable: true }).then(free, free);
  });
}

/** True if another tab writes to it. */
export async function isHeldElsewhere(slot: string): Promise<boolean> {
  const held = await Promise.all(mine.values());
  return !held.includes(slot) && !(await isFree(slot, true));
}
