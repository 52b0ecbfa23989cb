// The question whether the seed decides anything: only the last one is of interest.
import { expect, test } from 'vitest';
import type { Experiment } from '../../web/src/engine/replay';
import type { Probes } from '../../web/src/lab/probes';
import { SeedSensitivity } from '../../web/src/lab/seed-sensitivity';

const of = (config: Experiment['config']): Experiment => ({ config, inputs: [], pair: null, steps: 0, edits: [] });

/** An engine that answers when it is told to. */
function asked() {
  const calls: { signal: AbortSignal; answer: (depends: boolean) => void }[] = [];
  const dependsOnSeed = (_: Experiment, signal: AbortSignal): Promise<boolean> =>
    new Promise((answer) => calls.push({ signal, answer }));
  const question = new SeedSensitivity({ dependsOnSeed } as unknown as Probes, () => undefined);
  return { question, calls };
}

test('a question that another one overtakes is cancelled, and its answer is not heard', async () => {
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

test('so is one before a model that learns a task', async () => {
  const { question, calls } = asked();
  const first = question.ask(of({ kind: 'attention' }));
  await question.ask(of({ kind: 'seq2seq', task: 'reverse' }));
  calls[0]!.answer(false);
  await first;
  expect(question.decides).toBe(true);
});

test('the same question is asked once', async () => {
  const { question, calls } = asked();
  void question.ask(of({ kind: 'attention', seed: 1 }));
  void question.ask(of({ kind: 'attention', seed: 2 }));
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([false]);
});
