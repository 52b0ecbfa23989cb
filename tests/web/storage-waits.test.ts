// Storage that does not answer, another tab, and a newer build of the page: nothing waits for them, and nothing is lost.
import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { notSaved } from '../../web/src/messages/en/unsaved';
import type { Page } from '../../web/src/lab/page';

const page = { lesson: 'here', config: {}, inputs: [], trained: null } as unknown as Page;
const experiment = { config: { seed: 1 }, inputs: [], pair: null, steps: 10, edits: [] };

/** The modules of a tab of its own. */
async function tab() {
  vi.resetModules();
  const [checkpoints, own, { emptyState }] = await Promise.all([
    import('../../web/src/lab/store/checkpoints'),
    import('../../web/src/lab/store/own-store'),
    import('../../web/src/lab/link/table'),
  ]);
  const state = { ...emptyState('here'), config: { seed: 1 } };
  const save = (steps: number, fill = steps) => {
    const checkpoint = { steps, bytes: new Uint8Array(8).fill(fill), curve: [] };
    return checkpoints.saveCheckpoint(page, state, { ...experiment, steps }, checkpoint, 10);
  };
  return { save, find: () => checkpoints.checkpointFor(page, state, experiment), keepOwnData: own.keepOwnData };
}

/** Locks that the tabs of this test share: a slot is held for ever by the tab that asks first. */
function shareLocks(): void {
  const held = new Set<string>();
  const request = async (name: string, _: LockOptions, hold: (lock: object | null) => unknown): Promise<unknown> => {
    if (held.has(name)) return hold(null);
    held.add(name);
    await hold({});
    return held.delete(name);
  };
  vi.stubGlobal('navigator', { locks: { request } });
}

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()));

test('a database that never opens holds nothing up for long, and the page says what to do', async () => {
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => new IDBOpenDBRequest());
  const { save, find } = await tab();
  const began = performance.now();
  expect(await save(4)).toBe('late');
  expect((await find()).checkpoint?.steps, 'kept in the page').toBe(4);
  expect(await save(5)).toBe('late');
  expect(performance.now() - began).toBeLessThan(5000);
  expect(notSaved('trained', 'late')).toContain('Close the other tabs of Unroll');
});

test('locks that never answer, or throw, hold nothing up', async () => {
  vi.stubGlobal('navigator', { locks: { request: () => new Promise(() => undefined) } });
  expect(await (await tab()).save(4)).toBe('kept');
  const request = (): never => {
    throw new DOMException('no', 'SecurityError');
  };
  vi.stubGlobal('navigator', { locks: { request } });
  expect(await (await tab()).save(4)).toBe('kept');
});

test('where a newer build has changed the database, the page asks for a reload', async () => {
  await new Promise((opened) => (indexedDB.open('unroll-work', 99).onsuccess = opened));
  expect(await (await tab()).save(4)).toBe('newer');
  expect(notSaved('trained', 'newer')).toContain('Reload this page');
});

test('a checkpoint that another tab writes while it is read is no damage, and stays', async () => {
  shareLocks();
  const [one, other] = [await tab(), await tab()];
  await one.save(3);
  const get = IDBObjectStore.prototype.get;
  let meanwhile: Promise<unknown> | undefined;
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
    const read = get.call(this, key);
    if (this.name === 'checkpoints')
      meanwhile ??= new Promise((done) => read.addEventListener('success', done)).then(() => one.save(7));
    return read;
  });
  const { checkpoint, lost } = await other.find();
  await meanwhile;
  expect(lost).toBeNull();
  expect([3, 7]).toContain(checkpoint?.steps);
  vi.restoreAllMocks();
  expect((await (await tab()).find()).checkpoint?.bytes[0]).toBe(7);
});

test('a damaged checkpoint that another tab writes to is not removed', async () => {
  shareLocks();
  const one = await tab();
  await one.save(3);
  const db = await (await import('../../web/src/lab/store/database')).database();
  const [slot] = await db.getAllKeys('weights');
  await db.put('weights', new Uint8Array(8), slot!);
  expect((await (await tab()).find()).lost).toBe('damaged');
  expect(await db.getAllKeys('weights')).toEqual([slot]);
});

test('own data is kept once there is room', async () => {
  const { keepOwnData } = await tab();
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(await keepOwnData('a\tb')).toBe('full');
  full.mockRestore();
  expect(await keepOwnData('a\tb')).toBe('kept');
});
