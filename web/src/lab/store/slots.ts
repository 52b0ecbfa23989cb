// Keeps tabs that train the same experiment apart: each writes to a slot of its own for as long as it is open.

import { requestLock } from '../../engine/locks';
import { slotsOf } from './slot-names';

const mine = new Map<string, Promise<string>>();

/** "id", or "id 2" and so on if other tabs hold those before; "id" if they hold all. */
export function slotOf(id: string): Promise<string> {
  const slot = mine.get(id) ?? take(id);
  mine.set(id, slot);
  return slot;
}

async function take(id: string): Promise<string> {
  for (const slot of slotsOf(id)) if (await isFree(slot)) return slot;
  return id;
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
    requestLock(lockOf(slot), hold, { ifAvailable: true }).then(
      () => answer(true),
      () => answer(true),
    );
  });
}

/** True if another tab writes to it. */
export async function isHeldElsewhere(slot: string): Promise<boolean> {
  const own = await Promise.all(mine.values());
  return !own.includes(slot) && !(await isFree(slot, true));
}
