// Interventions in lessons: what a change says is what the engine does, in runs, in what is written and in what is measured.
import { afterAll, describe, expect, it } from 'vitest';
import { perform, type Work } from '../../web/src/lesson/run';
import type { Changes } from '../../web/src/lesson/changes';
import { openWasm } from './sessions';

const session = await openWasm();
afterAll(() => session.close());

const base: Work = {
  config: {
    ...{ kind: 'seq2seq', task: 'reverse', attention: 'bahdanau', embedding: 6, hidden: 8, attention_size: 6 },
    ...{ optimiser: 'adam', learning_rate: 0.02, batch: 16, seed: 1 },
  },
  inputs: [],
  pair: ['abcd', 'dcba'],
  steps: 40,
  edits: [],
};

async function valuesUnder(changes: Changes, name: string): Promise<number[]> {
  const { lookup } = await perform(session, base, changes);
  const found = (await lookup([name]))(name)!;
  return Array.from(found.values);
}

const weights = 'decoder.t1.attention/α';

describe('a change', () => {
  it('hides a word of the source at every position, as edits of its scores do', async () => {
    const edits: Changes = Object.fromEntries(
      [0, 1, 2, 3, 4].map((t) => [`decoder.t${t}.attention/e[0,0,2]`, '-inf'] as const),
    );
    const hidden = await valuesUnder({ hide: 'c' }, weights);
    expect(hidden[2]).toBe(0);
    expect(hidden).toEqual(await valuesUnder(edits, weights));
    expect(hidden).toEqual(await valuesUnder({ hide: 'decoder.t*.attention/e[:, :, 2]' }, weights));
  });

  it('silences, averages and patches tensors, several in their order', async () => {
    const h = await valuesUnder({}, 'encoder/h');
    const size = h.length / 4;
    expect(await valuesUnder({ silence: ['encoder/h[:, 0]', 'encoder/h[:, 1]'] }, 'encoder/h')).toEqual([
      ...Array(2 * size).fill(0),
      ...h.slice(2 * size),
    ]);
    const averaged = await valuesUnder({ average: 'encoder/h' }, 'encoder/h');
    expect(averaged.slice(0, size)).toEqual(averaged.slice(size, 2 * size));
    const other = await valuesUnder({ pair: ['dcba', 'abcd'] }, 'encoder/h');
    expect(await valuesUnder({ patch: ['encoder/h', 'dcba', 'abcd'] }, 'encoder/h')).toEqual(other);
  });

  it('freezes a parameter from the first step, and stops a gradient', async () => {
    const name = 'target_embedding.weight';
    expect(await valuesUnder({ freeze: name, steps: 40 }, name)).toEqual(await valuesUnder({ steps: 0 }, name));
    expect(await valuesUnder({ steps: 40 }, name)).not.toEqual(await valuesUnder({ steps: 0 }, name));
    const stopped = await valuesUnder({ detach: 'decoder.t*.attention/c' }, '∂attention.v');
    expect(stopped.every((each) => each === 0)).toBe(true);
    expect(await valuesUnder({}, '∂attention.v')).not.toEqual(stopped);
  });

  it('is in force in what is written and measured', async () => {
    const names = ['loss', 'log_probability'];
    const measured = async (changes: Changes): Promise<(number | undefined)[]> => {
      const lookup = await (await perform(session, base, changes)).lookup(names);
      return names.map((name) => lookup(name)?.values[0]);
    };
    const [plain, silent] = [await measured({}), await measured({ silence: 'decoder.t*.attention/c' })];
    expect(silent[0]).toBeGreaterThan(plain[0]!);
    expect(silent[1]).not.toBe(plain[1]);
    expect(await measured({})).toEqual(plain);
  });

  it('that is impossible is refused in a sentence', async () => {
    await expect(perform(session, base, { silence: 'nothing' })).rejects.toThrow('"nothing"');
    await expect(perform(session, base, { patch: ['encoder/h', 'abc', 'cba'] })).rejects.toThrow('(1, 3, 16)');
    await expect(perform(session, base, { hide: 'z' })).rejects.toThrow('"z"');
  });
});
