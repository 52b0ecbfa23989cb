// Keeps tabs that train the same experiment apart: each writes to a slot of its own for as long as it is open.

const MAX_TABS = 20;
const mine = new Map<string, Promise<string>>();

/** "id", or "id 2" and so on if other tabs hold those before; "id" if they hold all. */
export function slotOf(id: string): Promise<string> {
  const slot = mine.get(id) ?? take(id);
  mine.set(id, slot);
  return slot;
}

/** All slots that slotOf may return. */
export const slotsOf = (id: string): string[] =>
  Array.from({ length: MAX_TABS }, (_, tab) => (tab ? `${id} ${tab + 1}` : id));

async function take(id: string): Promise<string> {
  for (const slot of slotsOf(id)) if (await isFree(slot)) return slot;
  return id;
}

/** If free, the slot is held from then on. Without the Web Locks API, or if it refuses, every slot counts as free. */
function isFree(slot: string): Promise<boolean> {
  const locks = globalThis.navigator?.locks;
  if (!locks) return Promise.resolve(true);
  return new Promise((answer) => {
    const hold = (lock: Lock | null): Promise<void> | undefined => {
      answer(lock !== null);
      return lock ? new Promise(() => undefined) : undefined;
    };
    locks.request(`unroll-checkpoint ${slot}`, { ifAvailable: true }, hold).catch(() => answer(true));
  });
}
