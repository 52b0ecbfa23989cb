// A state with many edits is rebuilt in one run, and has the bits that its edits give one by one.
import { afterAll, beforeEach, expect, it } from 'vitest';
import { replay, type Experiment, type ReplayOptions } from '../../web/src/engine/replay';
import type { RemoteSession } from '../../web/src/engine/remote';
import type { Edit } from '../../web/src/engine/types';
import { openWasm, type Opened } from '../lessons/sessions';
import { pick, seeded } from './states';
import { value as granted } from '../bindings/modules';

const CONFIG = { kind: 'attention', score: 'additive', mask: 'none', seed: 4 };
const NAMES = ['X', 'mask', 'attention/α', 'e', 'nothing', 'c'];

const [one, other] = [await openWasm(), await openWasm()];
const { setEdits } = one;
let calls = 0;
one.setEdits = (edits) => (calls++, setEdits(edits));
beforeEach(() => void (calls = 0));
afterAll(() => [one, other].forEach((each) => each.close()));

const rebuilt = (edits: Edit[], options: ReplayOptions = {}) => {
  const experiment: Experiment = { config: CONFIG, inputs: [], pair: null, steps: 0, edits };
  return replay(one as unknown as RemoteSession, experiment, options);
};

async function everything(session: Opened): Promise<string> {
  const { nodes } = granted(await session.trace());
  const values = await Promise.all(nodes.map(async ({ id }) => [...granted(await session.values(id))]));
  return JSON.stringify(nodes.map(({ name }, i) => [name, values[i]!.map(String)]));
}

/** The edits that are refused, in their order. */
async function oneByOne(edits: readonly Edit[]): Promise<Edit[]> {
  granted(await other.load(CONFIG));
  granted(await other.run([]));
  const refused: Edit[] = [];
  for (const edit of edits) if (!(await other.edit(edit.name, edit.index, edit.value)).ok) refused.push(edit);
  return refused;
}

it('a thousand edits are one call', async () => {
  const edits = Array.from({ length: 1000 }, (_, i) => ({ name: 'X', index: i % 12, value: i / 7 }));
  granted(await rebuilt(edits));
  expect(calls).toBe(1);
  expect(await oneByOne(edits)).toEqual([]);
  expect(await everything(one)).toBe(await everything(other));
});

it('drawn edits, some refused: the same are refused, and every bit is the same', async () => {
  const random = seeded(5);
  for (let round = 0; round < 60; round++) {
    const value = (): number => pick(random, [0, -1.5, 3, NaN, -Infinity, 1e9]);
    const edit = (): Edit => ({ name: pick(random, NAMES), index: Math.floor(random() * 14), value: value() });
    const edits = Array.from({ length: Math.floor(random() * 12) }, edit);
    const dropped: Edit[] = [];
    granted(await rebuilt(edits, { onEditDropped: (refused) => dropped.push(refused) }));
    expect(dropped).toEqual(await oneByOne(edits));
    expect(await everything(one)).toBe(await everything(other));
  }
});

it('without leave to drop one, the refusal is of the first edit that is refused', async () => {
  const edits = [
    { name: 'X', index: 0, value: 1 },
    { name: 'X', index: 99, value: 1 },
    { name: 'nothing', index: 0, value: 1 },
  ];
  expect(await rebuilt(edits)).toMatchObject({ ok: false, message: expect.stringContaining('index is 99') });
});

it('what is stopped leaves the edits in place that were', async () => {
  const good = (index: number): Edit => ({ name: 'X', index, value: 2 });
  const edits = [good(0), good(1), { name: 'nothing', index: 0, value: 1 }, good(2)];
  const left: Edit[] = [];
  const onEdits = (asked: readonly Edit[], inPlace: number): boolean => {
    if (!inPlace) return true;
    left.push(...asked);
    return false;
  };
  granted(await rebuilt(edits, { onEdits }));
  expect(left).toEqual(edits.slice(2));
  await oneByOne(edits.slice(0, 2));
  expect(await everything(one)).toBe(await everything(other));
});
