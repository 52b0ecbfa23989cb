// Values on their way from a worker to the page: all of them are told of, whatever else is on its way.
import { expect, test } from 'vitest';
import { ValueCache } from '../../web/src/lab/value-cache';
import type { Reply } from '../../web/src/engine/types';

type Answer = (reply: Reply<Float32Array>) => void;

const fine = (value: number): Reply<Float32Array> => ({ ok: true, value: Float32Array.of(value) });
const refused: Reply<Float32Array> = { ok: false, code: 'E_WORKER', message: 'The engine stopped.' };

/** A worker that answers when it is told to. */
function held() {
  const answers: Answer[] = [];
  let told = 0;
  const values = new ValueCache(
    () => new Promise((answer) => answers.push(answer)),
    () => told++,
  );
  const answer = async (call: number, reply: Reply<Float32Array>): Promise<void> => {
    answers[call]!(reply);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { values, answer, calls: () => answers.length, told: () => told };
}

/** Values that have just been told of have patience. */
async function justTold() {
  const worker = held();
  worker.values.get(0);
  await worker.answer(0, fine(0));
  expect(worker.told()).toBe(1);
  return worker;
}

test('those asked for together arrive together', async () => {
  const { values, answer, told } = await justTold();
  values.get(1);
  values.get(2);
  await answer(1, fine(1));
  expect(told()).toBe(1);
  await answer(2, fine(2));
  expect(told()).toBe(2);
  expect(values.get(1)).toEqual(Float32Array.of(1));
});

test('an answer that is still due to the run before does not hold up those of the next', async () => {
  const { values, answer, told } = await justTold();
  values.get(1);
  values.clear();
  values.get(1);
  await answer(2, fine(2));
  expect(told()).toBe(2);
  await answer(1, fine(1));
  expect(values.get(1)).toEqual(Float32Array.of(2));
});

test('one that is refused last does not hold up the others, and is asked for again', async () => {
  const { values, answer, calls, told } = await justTold();
  values.get(1);
  values.get(2);
  await answer(1, fine(1));
  await answer(2, refused);
  expect(told()).toBe(2);
  values.get(2);
  expect(calls()).toBe(4);
});

test('refused ones alone are not told of', async () => {
  const { values, answer, told } = await justTold();
  values.get(1);
  await answer(1, refused);
  expect(told()).toBe(1);
});
