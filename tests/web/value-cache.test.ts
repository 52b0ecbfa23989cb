// Fetching values from a worker: requests made together become one call and one notification.
import { beforeEach, expect, test, vi } from 'vitest';
import { ValueCache } from '../../web/src/lab/lab-store';
import type { Reply } from '../../web/src/engine/types';

const fine = (value: number): Reply<Float32Array> => ({ ok: true, value: Float32Array.of(value) });
const refused: Reply<Float32Array> = { ok: false, code: 'E_WORKER', message: 'The engine stopped.', detail: '' };

/** A worker that answers on command. */
function held() {
  const calls: { nodes: readonly number[]; answer: (replies: Reply<Float32Array>[]) => void }[] = [];
  let notified = 0;
  const values = new ValueCache(
    (nodes) => new Promise((answer) => calls.push({ nodes, answer })),
    () => notified++,
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
  return { values, answer, render, asked: () => calls.map(({ nodes }) => nodes), notified: () => notified };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test('values requested in one turn make one call and one notification', async () => {
  const { values, answer, render, asked, notified } = held();
  await render(1, 2, 1, 3);
  expect(asked()).toEqual([[1, 2, 3]]);
  await render(2);
  expect(asked()).toHaveLength(1);
  await answer(0, fine(1), fine(2), fine(3));
  expect(notified()).toBe(1);
  expect([1, 2, 3].map((node) => values.get(node)?.[0])).toEqual([1, 2, 3]);
});

test('a late answer for the previous run is not used for the next', async () => {
  const { values, answer, render, asked, notified } = held();
  await render(1);
  values.clear();
  await render(1);
  expect(asked()).toEqual([[1], [1]]);
  await answer(1, fine(2));
  await answer(0, fine(1));
  expect(notified()).toBe(1);
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
  const { values, answer, render, asked, notified } = held();
  await render(1, 2);
  await answer(0, fine(1), refused);
  expect(notified()).toBe(1);
  expect(values.get(1)).toEqual(Float32Array.of(1));
  await render(1, 2);
  expect(asked()).toEqual([[1, 2], [2]]);
  await answer(1, refused);
  expect(notified(), 'refused ones alone are no news').toBe(1);
});

test('values on screen are refreshed in one call, and the old ones stay until then', async () => {
  const { values, answer, render, asked, notified } = held();
  await render(1, 2);
  await answer(0, fine(1), fine(2));
  const renewed = values.renew();
  expect(asked().map(String)).toEqual(['1,2', '1,2']);
  expect(values.get(2)).toEqual(Float32Array.of(2));
  await answer(1, fine(3), fine(4));
  await renewed;
  expect(notified()).toBe(2);
  expect([1, 2].map((node) => values.get(node)?.[0])).toEqual([3, 4]);
});

test('what was on screen is asked for as soon as there is a new run, by the numbers it has there', async () => {
  const { values, answer, render, asked, notified } = held();
  await render(1, 2, 3);
  await answer(0, fine(1), fine(2), fine(3));
  values.clear((node) => (node === 2 ? -1 : node + 10));
  expect(asked()[1]).toEqual([11, 13]);
  await answer(1, fine(4), fine(5));
  expect(notified()).toBe(2);
  await render(11, 13);
  expect(asked()).toHaveLength(2);
  expect([11, 13].map((node) => values.get(node)?.[0])).toEqual([4, 5]);
});

test('values that a run has not changed are the same array', async () => {
  const { values, answer, render } = held();
  await render(1, 2);
  await answer(0, fine(NaN), fine(0));
  const [same, other] = [values.get(1), values.get(2)];
  values.clear((node) => node);
  await answer(1, fine(NaN), fine(-0));
  expect(values.get(1)).toBe(same);
  expect(values.get(2)).not.toBe(other);
});
