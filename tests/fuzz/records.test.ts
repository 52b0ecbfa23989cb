// Stored records: any content of the browser's database is either valid or ignored.
import 'fake-indexeddb/auto'; // for IDBKeyRange
import assert from 'node:assert/strict';
import { it, vi } from 'vitest';
import { fingerprint } from '../../web/src/lab/store/fingerprint';
import { checkpointFor, dropCheckpoint, lastStored } from '../../web/src/lab/store/checkpoints';
import { migrate } from '../../web/src/lab/store/legacy-database';
import { ownDataNamed } from '../../web/src/lab/store/own-store';
import { markSolved, progressIn, solvedIn, whereNext } from '../../web/src/lab/store/progress';
import { configKey } from '../../web/src/engine/types';
import { experimentOf } from '../../web/src/lab/changes';
import { keptWords } from '../../web/src/lab/notice';
import { choices } from '../../web/src/lab/link/schema';
import { emptyState, nameOf, pack } from '../../web/src/lab/link/table';
import { keepTry, triesOf } from '../../web/src/lab/store/attempts';
import type { Database } from '../../web/src/lab/store/schema';
import type { Page } from '../../web/src/lab/page';
import { JUNK, mutated } from '../web/links';
import { anyState, below, pick, type Random } from '../web/states';
import { expectUnpolluted, fuzz } from './fuzz';

/** A database in memory: copies values like the browser's, but without the delay. */
const kept = vi.hoisted(() => {
  const stores: Record<string, Map<string, unknown>> = {};
  const store = (name: string): Map<string, unknown> => (stores[name] ??= new Map());
  const access = (name: string) => ({
    get: async (key: string) => store(name).get(key),
    put: async (value: unknown, key: string) => void store(name).set(key, value),
  });
  return {
    stores,
    store,
    objectStoreNames: { contains: () => true },
    get: (name: string, key: string) => access(name).get(key),
    put: (name: string, value: unknown, key: string) => access(name).put(value, key),
    getAllKeys: async (name: string) => [...store(name).keys()],
    getAll: async (name: string, { lower, upper }: { lower: string; upper: string }) =>
      [...store(name)].filter(([key]) => lower <= key && key <= upper).map(([, value]) => value),
    delete: async (name: string, key: string) => void store(name).delete(key),
    transaction: (names: string | string[]) => ({ store: access(String(names)), objectStore: access, done: undefined }),
    close: () => undefined,
  };
});
vi.mock('../../web/src/lab/store/database', () => ({ database: async () => kept }));
vi.mock('../../web/node_modules/idb/build/index.js', () => ({
  openDB: async () => kept,
  deleteDB: async () => undefined,
}));

/** Values that a database can hold but JSON cannot. */
function oddities(): unknown[] {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const buried = { valueOf: 1, toString: 1 };
  return [
    ...JUNK,
    undefined,
    NaN,
    Infinity,
    -0,
    10n,
    new Date(NaN),
    new Map([[1, 2]]),
    new Uint8Array(3),
    cycle,
    buried,
  ];
}
const ODD = oddities();

const page = { lesson: 'here', config: {}, inputs: [], trained: null, seed: 1 } as unknown as Page;
const experiment = { config: {}, inputs: [], pair: null, steps: 30, edits: [] };
const WEIGHTS = Uint8Array.of(1, 2, 3);
/** The page's key for the experiment. */
const SLOT = fingerprint(`${configKey(experiment.config)} []`);

/** A good record, or one with one to three odd parts. */
function damaged(record: unknown, random: Random): unknown {
  for (let changes = below(random, 4); changes > 0; changes--) record = mutated(record, ODD, random);
  return record;
}

const anyCheckpoint = (random: Random): unknown =>
  damaged(
    {
      lesson: 'here',
      state: { ...anyState(random), lesson: 'here' },
      steps: 10,
      target: 30,
      at: 1e12,
      curve: [{ step: 1, loss: 0.5, accuracy: 0 }],
      engine: '',
      sum: fingerprint(WEIGHTS),
      size: WEIGHTS.length,
    },
    random,
  );

/** Everything the page does with a record's state, except running a model. */
function expectState(state: ReturnType<typeof emptyState>): void {
  for (const [field, value] of Object.entries(emptyState('')))
    if (value !== null) assert.equal(typeof state[field as 'lesson'], typeof value, field);
  assert(Number.isFinite(state.cursor.node + state.cursor.scope));
  for (const choice of Object.values(state.shown)) assert(Object.keys(choice).every((name) => name in choices));
  pack(state, null);
  configKey(experimentOf(page, state).config);
}

async function tryCheckpoint(random: Random): Promise<boolean> {
  kept.store('checkpoints').set(SLOT, anyCheckpoint(random)).set('another', anyCheckpoint(random));
  kept.store('weights').set(SLOT, pick(random, [WEIGHTS, WEIGHTS, Uint8Array.of(1, 2), ...ODD]));
  const last = await lastStored(page);
  if (last) expectState(last.state);
  if (last) assert.match(keptWords(last.steps, last.at), /ago\.$/);
  const { checkpoint } = await checkpointFor(page, emptyState('here'), experiment);
  if (checkpoint) assert.deepEqual(checkpoint.bytes, WEIGHTS);
  await dropCheckpoint(SLOT);
  return last !== null;
}

async function tryProgress(random: Random): Promise<boolean> {
  kept.store('solved').set('here', damaged({ ratio: true, shift: true }, random));
  kept.store('opened').set('here', damaged(1e12, random));
  const all = await progressIn([
    ['here', ['ratio', 'shift']],
    ['there', ['__proto__']],
  ]);
  for (const { solved, opened } of all) assert(Number.isFinite(solved + opened));
  whereNext(all);
  assert.equal(await markSolved('here', 'ratio'), 'kept');
  assert.equal((await solvedIn('here')).ratio, true);
  return all[0]!.solved > 0;
}

async function tryTries(random: Random): Promise<boolean> {
  for (let at = below(random, 30); at > 0; at--)
    kept.store('attempts').set(`here/ratio/${at}`, damaged({ answer: '2', right: random() < 0.5, at }, random));
  const before = await triesOf('here', 'ratio');
  for (const { answer, right } of before) assert.equal(`${typeof answer} ${typeof right}`, 'string boolean');
  assert.equal(await keepTry('here', 'ratio', { answer: '3', right: true }), 'kept');
  const after = await triesOf('here', 'ratio');
  assert(after.some(({ answer, right }) => answer === '3' && right));
  assert.equal(after.length, before.length + 1);
  return before.length > 0;
}

async function tryOwnData(random: Random): Promise<boolean> {
  const name = nameOf('a\tb');
  kept.store('data').set(name, damaged({ data: pick(random, ['a\tb', 'c\td']), at: 1e12 }, random));
  const data = await ownDataNamed(name);
  assert(data === undefined || data === 'a\tb');
  return data !== undefined;
}

/** The separate databases of old versions: their content is migrated or dropped. */
async function tryLegacy(random: Random): Promise<boolean> {
  kept
    .store('checkpoints')
    .set('here', damaged({ ...(anyCheckpoint(random) as object), key: 'k', bytes: WEIGHTS }, random));
  kept.store('tries').set('here', damaged({ ratio: [] }, random));
  await migrate(kept as unknown as Database);
  return kept.store('checkpoints').has(fingerprint('k'));
}

async function tryRecord(random: Random): Promise<boolean> {
  for (const store of Object.values(kept.stores)) store.clear();
  const accepted = await pick(random, [tryCheckpoint, tryProgress, tryTries, tryOwnData, tryLegacy])(random);
  expectUnpolluted();
  return accepted;
}

it('records', { timeout: 1e9 }, () => fuzz('records', tryRecord));
