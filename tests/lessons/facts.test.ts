// Facts that lessons can use about a model with a task, besides its tensors.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { perform, type Work } from '../../web/src/lesson/run';
import type { Config } from '../../web/src/engine/types';
import { openWasm, type Opened } from './sessions';

let session: Opened;
beforeAll(async () => void (session = await openWasm()));
afterAll(() => session.close());

const work = (config: Config): Work => ({ config, inputs: [], pair: null, steps: 0, edits: [] });

async function facts(config: Config, names: string[]): Promise<(number | undefined)[]> {
  const { lookup } = await perform(session, work(config));
  const found = await lookup(names);
  return names.map((name) => found(name)?.values[0]);
}

it('counts what a KV cache holds and saves', async () => {
  const lm = { kind: 'transformer_lm', task: 'stories', model_size: 12, heads: 3, layers: 2, seed: 1 };
  const [ten, one, twenty, anew, first] = await facts(lm, [
    'cache_bytes(10)',
    'multiply_adds(1)',
    'multiply_adds(20)',
    'multiply_adds_anew(20)',
    'multiply_adds_anew(1)',
  ]);
  expect(ten).toBe(2 * 2 * 12 * 10 * 4); // layers, keys and values, numbers, positions, bytes
  expect(one).toBe(first);
  expect(twenty! - one!).toBe(19 * 2 * 2 * 12); // 19 more positions to attend to, in each layer
  expect(anew).toBeGreaterThan(10 * twenty!);
});

it('has no costs for a model without a cache', async () => {
  const gru = { kind: 'seq2seq', task: 'reverse', embedding: 4, hidden: 4, attention_size: 4, seed: 1 };
  await expect(facts(gru, ['cache_bytes(3)'])).rejects.toThrow('has no KV cache');
});

it('counts correct pronouns', async () => {
  const guessing = { kind: 'transformer', task: 'translate-en-fr', model_size: 8, heads: 2, feed_forward: 8, seed: 1 };
  expect(await facts(guessing, ['pronoun_accuracy'])).toEqual([0]);
});
