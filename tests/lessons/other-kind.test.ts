// Changing the kind of model keeps the task and the training settings, wherever a lesson does so.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Comparison } from '../../web/src/lesson/format/comparisons';
import { perform } from '../../web/src/lesson/run';
import { checkComparison } from './check-comparison';
import { openWasm, type Opened } from './sessions';

const base = {
  config: { kind: 'transformer', task: 'copy', length: 2, model_size: 8, heads: 2, feed_forward: 8, batch: 8, seed: 1 },
  inputs: [],
  pair: ['ab', 'ab'] as [string, string],
  steps: 0,
  edits: [],
};
const other = { kind: 'seq2seq', hidden: 8, embedding: 4 };

let session: Opened;
beforeAll(async () => void (session = await openWasm()));
afterAll(() => session.close());

it('in given settings', async () => {
  const run = await perform(session, base, { ...other, pair: ['ba', 'ba'] });
  expect(run.info).toMatchObject({ kind: 'seq2seq', seed: 1 });
  expect((await run.lookup(['target'])).text!('target')).toBe('ba');
});

it('and keeps no input of the previous kind', async () => {
  const attention = { ...base, config: { kind: 'attention', words: 2, size: 1 }, pair: null };
  const given = { ...attention, inputs: [{ name: 'X', values: [1, 2], at: 0 }] };
  const { info } = await perform(session, given, { kind: 'softmax', scores: [1, 2] });
  expect(info.inputs.map(({ name }) => name)).not.toContain('X');
});

it('in a comparison', async () => {
  const runs = [
    { label: 'own', with: {} },
    { label: 'other', with: other },
  ];
  await checkComparison(session, base, { kind: 'training', steps: 2, pairs: 2, runs } satisfies Comparison);
});
