// Storage in a browser's database: what is read of it and forgotten, the limits, what is deleted first, and the message
// about what cannot be saved.
import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { database } from '../../web/src/lab/store/database';
import { keepOwnData, ownDataNamed } from '../../web/src/lab/store/own-store';
import { lastStored, checkpointFor, saveCheckpoint } from '../../web/src/lab/store/checkpoints';
import { emptyState, nameOf } from '../../web/src/lab/link/table';
import type { Page } from '../../web/src/lab/page';
import { forgetWork } from '../../web/src/lab/store/forget';
import { TYPED } from '../../web/src/lab/store/web-storage';
import { markOpen, markRead, markSolved, progressIn, solvedIn } from '../../web/src/lab/store/progress';
import { keepTry, triesOf } from '../../web/src/lab/store/attempts';
import { fingerprint } from '../../web/src/lab/store/fingerprint';
import { notSaved } from '../../web/src/messages/en/unsaved';

const MB = 2 ** 20;
const page = { lesson: 'here', config: {}, inputs: [], trained: null } as unknown as Page;
const STORES = ['checkpoints', 'weights', 'data', 'solved', 'attempts', 'opened', 'read'] as const;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const db = await database();
  for (const store of STORES) await db.clear(store);
  return () => vi.useRealTimers();
});

/** Another page of this host may have written what the browser kept. */
test('of what was chosen in a view only what can be chosen is read: it is assigned to the view', async () => {
  const shown = { 'u-heads': { look: 'heads', layer: 1, innerHTML: '<b>' } };
  const state = { ...emptyState('here'), shown };
  const meta = { lesson: 'here', state, steps: 5, target: 30, at: 1, curve: [], engine: '', sum: '', size: 1 };
  await (await database()).put('checkpoints', meta, 'slot');
  expect((await lastStored(page))?.state.shown).toEqual({ 'u-heads': { look: 'heads', layer: 1 } });
});

const kept = async (): Promise<Record<string, number>> => {
  const db = await database();
  const counts = await Promise.all([...db.objectStoreNames].map(async (name) => [name, await db.count(name)]));
  return Object.fromEntries(counts);
};

test('“Forget my work” deletes answers, progress, models, own data and drafts; other data stays', async () => {
  const keys = [...['pairs', 'text', 'reading', 'program-softmax'].map((key) => TYPED + key), 'of another page'];
  const drafts: Record<string, unknown> = Object.fromEntries(keys.map((key) => [key, 'a secret']));
  Object.defineProperty(drafts, 'removeItem', { value: (key: string) => delete drafts[key] });
  vi.stubGlobal('sessionStorage', drafts);
  vi.stubGlobal('localStorage', {});
  const db = await database();
  await Promise.all([
    keepOwnData('a secret\tun secret'),
    markSolved('lesson', 'exercise'),
    markOpen('lesson'),
    markRead('lesson'),
  ]);
  for (const store of ['attempts', 'checkpoints', 'weights'] as const) await db.put(store, { made: 'by me' }, 'lesson');
  expect(Object.values(await kept())).toEqual([1, 1, 1, 1, 1, 1, 1]);

  await forgetWork();
  expect(Object.values(await kept())).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(Object.keys(drafts)).toEqual(['of another page']);
});

const experimentOf = (seed: number) => ({ config: { seed }, inputs: [], pair: null, steps: 10, edits: [] });

/** Saves weights for the experiment with this seed, one second after the previous ones. */
function put(seed: number, size = 8): Promise<unknown> {
  vi.setSystemTime(Date.now() + 1000);
  const checkpoint = { steps: 10, bytes: new Uint8Array(size).fill(seed), curve: [] };
  return saveCheckpoint(page, { ...emptyState('here'), config: { seed } }, experimentOf(seed), checkpoint, 10);
}

/** The experiments with seeds up to this that are still stored. */
async function keptOf(seeds: number): Promise<number[]> {
  const all = Array.from({ length: seeds }, (_, seed) => seed);
  const found = await Promise.all(all.map((seed) => checkpointFor(page, emptyState('here'), experimentOf(seed))));
  return all.filter((seed) => found[seed]!.checkpoint?.bytes[0] === seed);
}

/** A browser with room for this many bytes of weights and this many data records. */
function fullAt({ weights = Infinity, data = Infinity }): void {
  const put = IDBObjectStore.prototype.put;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value: unknown, key) {
    if (this.name === 'data' && data-- <= 0) throw new DOMException('full', 'QuotaExceededError');
    if (this.name === 'weights' && (value as Uint8Array).length + held > weights)
      throw new DOMException('full', 'QuotaExceededError');
    if (this.name === 'weights') held += (value as Uint8Array).length;
    return put.call(this, value, key);
  });
  const remove = IDBObjectStore.prototype.delete;
  vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(function (this: IDBObjectStore, key) {
    if (this.name === 'weights') held -= MB;
    return remove.call(this, key);
  });
  let held = 0;
}

test('twenty checkpoints are kept: the oldest are deleted, with their weights', async () => {
  for (let seed = 0; seed < 23; seed++) expect(await put(seed)).toBe('kept');
  expect(await keptOf(23)).toEqual(Array.from({ length: 20 }, (_, i) => i + 3));
  expect(await (await database()).count('weights')).toBe(20);
});

test('50 MB of weights are kept: the oldest are deleted', async () => {
  for (let seed = 0; seed < 4; seed++) await put(seed, 15 * MB);
  expect(await keptOf(4)).toEqual([1, 2, 3]);
});

test('if the browser is full, as many of the oldest are deleted as needed', async () => {
  fullAt({ weights: 4 * MB });
  for (let seed = 0; seed < 4; seed++) expect(await put(seed, MB)).toBe('kept');
  expect(await put(4, 2 * MB)).toBe('kept');
  expect(await keptOf(5)).toEqual([2, 3, 4]);
});

test('if it is full and there is nothing to delete, the page says so', async () => {
  fullAt({ weights: MB });
  expect(await put(0, 2 * MB)).toBe('full');
  fullAt({ data: 0 });
  expect(await keepOwnData('a\tb')).toBe('full');
  expect(notSaved('brought', 'full')).toBe(
    'This browser has no space left to save your own data: it will be lost when the page closes. Delete the data of other sites, or keep a copy of it.',
  );
});

test('invalid records are ignored', async () => {
  const db = await database();
  for (const junk of [7, 'text', null, [1], { ratio: 5 }, { ratio: [{ answer: 1 }] }]) {
    await db.put('solved', junk, 'softmax');
    await db.clear('attempts');
    await db.put('attempts', junk, 'softmax/ratio/0');
    await db.put('opened', { at: junk }, 'softmax');
    await db.put('read', { at: junk }, 'softmax');
    await db.put('data', junk, nameOf('c\td'));
    expect(await progressIn([['softmax', ['ratio', 'shift']]])).toEqual([
      { lesson: 'softmax', exercises: 2, solved: 0, opened: 0, read: false },
    ]);
    expect(await triesOf('softmax', 'ratio')).toEqual([]);
    expect(await keepTry('softmax', 'ratio', { answer: '2', right: true })).toBe('kept');
    expect(await triesOf('softmax', 'ratio')).toEqual([{ answer: '2', right: true, at: Date.now() }]);
    expect(await markSolved('softmax', 'shift')).toBe('kept');
    expect((await solvedIn('softmax')).shift).toBe(true);
    expect(await ownDataNamed(nameOf('c\td'))).toBe(undefined);
  }
});

test('an invalid time of opening counts as never opened', async () => {
  for (const at of [NaN, Infinity, 'now', { at: 1 }]) {
    await (await database()).put('opened', at, 'softmax');
    expect((await progressIn([['softmax', []]]))[0]!.opened).toBe(0);
  }
});

/** The last checkpoint of a lesson whose state is the one that was saved, with this in it. */
async function storedWith(odd: object) {
  await put(1);
  const db = await database();
  const [slot] = await db.getAllKeys('checkpoints');
  const kept = (await db.get('checkpoints', slot!)) as object;
  await db.put('checkpoints', { ...kept, lesson: 'odd', state: { ...emptyState('odd'), ...odd } }, slot!);
  return lastStored({ ...page, lesson: 'odd' });
}

test.each([{ section: 5 }, { shown: null }, { seed: 'x' }, { cursor: { node: 0 } }, { config: { size: 10n } }])(
  'a checkpoint whose state holds %o is removed',
  async (odd) => {
    expect(await storedWith(odd)).toBe(null);
    expect(await (await database()).count('checkpoints')).toBe(0);
  },
);

test('extra properties of a list in a checkpoint are dropped', async () => {
  const edits = Object.assign([{ name: 'X', index: 0, value: 1 }], { constructor: 1 });
  expect((await storedWith({ edits }))!.state.edits.map(({ name }) => name)).toEqual(['X']);
});

test('twenty data records are kept; invalid ones are deleted first', async () => {
  const db = await database();
  await db.put('data', 5, 'junk');
  await db.put('data', { data: 'x', at: { valueOf: 1, toString: 1 } }, 'no time');
  for (let i = 0; i < 20; i++) {
    vi.setSystemTime(Date.now() + 1000);
    expect(await keepOwnData(`${i}\t${i}`)).toBe('kept');
  }
  expect((await db.getAllKeys('data')).sort()).toEqual(
    Array.from({ length: 20 }, (_, i) => nameOf(`${i}\t${i}`)).sort(),
  );
});

test('tries, and training on the learner’s own data, are migrated from the separate old databases', async () => {
  (await database()).close();
  vi.resetModules();
  await new Promise<void>((done) => (indexedDB.deleteDatabase('unroll-work').onsuccess = () => done()));
  const bytes = Uint8Array.of(1, 2, 3);
  const before = { key: 'k', bytes, steps: 4, curve: [], at: 5 };
  const old = (name: string, store: string, entries: Record<string, unknown>): Promise<void> =>
    new Promise((done) => {
      const opening = indexedDB.open(name, 1);
      opening.onupgradeneeded = () => {
        const made = opening.result.createObjectStore(store);
        for (const [key, entry] of Object.entries(entries)) made.put(entry, key);
      };
      opening.onsuccess = () => (opening.result.close(), done());
    });
  await old('unroll-tries', 'tries', { '01-softmax': { ratio: [{ answer: '2', right: true }] } });
  await old('unroll-checkpoints', 'checkpoints', {
    '': { ...before, state: { ...emptyState(''), config: { pairs: 'a\tb' } } },
    damaged: { key: 'j' },
    softmax: { ...before, state: emptyState('softmax') },
    transformer: { ...before, key: 'l', state: { ...emptyState('transformer'), config: { text: 'a b' } } },
  });
  const db = await (await import('../../web/src/lab/store/database')).database();
  expect(await db.getAll('attempts')).toEqual([{ answer: '2', right: true, at: 0 }]);
  expect((await db.getAllKeys('checkpoints')).sort()).toEqual([fingerprint('k'), fingerprint('l')].sort());
  expect(await db.get('checkpoints', fingerprint('k'))).toMatchObject({
    steps: 4,
    engine: '',
    sum: fingerprint(bytes),
  });
  expect(await db.get('weights', fingerprint('k'))).toEqual(bytes);
});
