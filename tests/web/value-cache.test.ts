// Fetching values from a worker: requests made together become one call and one notification.
import { beforeEach, expect, test, vi } from 'vitest';
import { ValueCache } from '../../web/src/lab/value-cache';
import type { Reply } from '../../web/src/engine/types';

const fine = (value: number): Reply<Float32Array> => ({ ok: true, value: Float32Array.of(value) });
const refused: Reply<Float32Array> = { ok: false, code: 'E_WORKER', message: 'The engine stopped.', detail: '' };

/** A worker that answers on command. */
function held() {
  const calls: { nodes: readonly number[]; answer: (replies: Reply<Float32Array>[]) => void }[] = [];
  let told = 0;
  const values = new ValueCache(
    (nodes) => new Promise((answer) => calls.push({ nodes, answer })),
    () => told++,
  );
  const answer = async (call: number, ...replies: Reply<Float32Array>[]): Promise<void> => {
    calls[call]!.answer(replies);
    await vi.advanceTimersByTimeAsync(0);
  };
  /** Simulates a render of elements that request these nodes. */
  const render = async (...nodes: number[]): Promise<void> => {
    nodes.forEach((node) => values.get(node));
    await vi.advanceTimersByTimeAsync(1);
  };
  return { values, answer, render, asked: () => calls.map(({ nodes }) => nodes), told: () => told };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test('values requested in one turn make one call and one notification', async () => {
  const { values, answer, render, asked, told } = held();
  await render(1, 2, 1, 3);
  expect(asked()).toEqual([[1, 2, 3]]);
  await render(2);
  expect(asked()).toHaveLength(1);
  await answer(0, fine(1), fine(2), fine(3));
  expect(told()).toBe(1);
  expect([1, 2, 3].map((node) => values.get(node)?.[0])).toEqual([1, 2, 3]);
});

test('a late answer for the previous run is not used for the next', async () => {
  const { values, answer, render, asked, told } = held();
  await render(1);
  values.clear();
  await render(1);
  expect(asked()).toEqual([[1], [1]]);
  await answer(1, fine(2));
  await answer(0, fine(1));
  expect(told()).toBe(1);
  expect(values.get(1)).toEqual(Float32Array.of(2));
});

test('requests for the previous run are not sent for the next', async () => {
  const { values, render, asked } = held();
  values.get(1);
  values.clear();
  await render(2);
  expect(asked()).toEqual([[2]]);
});

test('a refused value does not delay the others, and is requested again', async () => {
  const { values, answer, render, asked, told } = held();
  await render(1, 2);
  await answer(0, fine(1), refused);
  expect(told()).toBe(1);
  expect(values.get(1)).toEqual(Float32Array.of(1));
  await render(1, 2);
  expect(asked()).toEqual([[1, 2], [2]]);
  await answer(1, refused);
  expect(told(), 'refused ones alone are not told of').toBe(1);
});

test('values on screen are refreshed in one call, and the old ones stay until then', async () => {
  const { values, answer, render, asked, told } = held();
  await render(1, 2);
  await answer(0, fine(1), fine(2));
  const renewed = values.renew();
  expect(asked()).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(values.get(2)).toEqual(Float32Array.of(2));
  await answer(1, fine(3), fine(4));
  await renewed;
  expect(told()).toBe(2);
  expect([1, 2].map((node) => values.get(node)?.[0])).toEqual([3, 4]);
});
