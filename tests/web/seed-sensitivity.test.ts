// Asking whether the seed affects a model: only the latest question counts.
import { expect, test } from 'vitest';
import type { Experiment } from '../../web/src/engine/replay';
import { SeedSensitivity } from '../../web/src/lab/seed-sensitivity';

const of = (config: Experiment['config']): Experiment => ({ config, inputs: [], pair: null, steps: 0, edits: [] });

/** An engine that answers on command. */
function asked() {
  const calls: { signal: AbortSignal; answer: (depends: boolean) => void }[] = [];
  const dependsOnSeed = (_: Experiment, signal: AbortSignal): Promise<boolean> =>
    new Promise((answer) => calls.push({ signal, answer }));
  const question = new SeedSensitivity(dependsOnSeed, () => undefined);
  return { question, calls };
}

test('a question overtaken by another is cancelled, and its answer ignored', async () => {
  const { question, calls } = asked();
  const first = question.ask(of({ kind: 'attention', words: 4 }));
  const second = question.ask(of({ kind: 'attention', words: 5 }));
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  calls[1]!.answer(true);
  await second;
  calls[0]!.answer(false);
  await first;
  expect(question.decides).toBe(true);
});

test('so is a question overtaken by a model that learns a task', async () => {
  const { question, calls } = asked();
  const first = question.ask(of({ kind: 'attention' }));
  await question.ask(of({ kind: 'seq2seq', task: 'reverse' }));
  calls[0]!.answer(false);
  await first;
  expect(question.decides).toBe(true);
});

test('the same question is asked only once', async () => {
  const { question, calls } = asked();
  void question.ask(of({ kind: 'attention', seed: 1 }));
  void question.ask(of({ kind: 'attention', seed: 2 }));
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([false]);
});
