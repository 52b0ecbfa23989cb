// What each word takes to write, beside the view of writing.
import { expect, it, vi } from 'vitest';
import { Costs, costText } from '../../web/src/views/generation-cost';
import type { Trace } from '../../web/src/types';

const cost = { cacheBytes: 1280, multiplyAdds: 9400, multiplyAddsAnew: 47000 };
const trace = (): Trace => ({ nodes: [], scopes: [] });

it('is told with and without the cache', () => {
  expect(costText(cost)).toBe('KV cache: 1,280 bytes. Next word: 9,400 multiply-adds; 47,000 without it');
});

it('is asked of the engine once a position, and again for another run', async () => {
  const ask = vi.fn(async () => cost);
  const arrived = vi.fn();
  const costs = new Costs(ask, arrived);
  const run = trace();
  expect(costs.behind(run, 3)).toBeNull();
  await vi.waitFor(() => expect(arrived).toHaveBeenCalledOnce());
  expect(costs.behind(run, 3)).toBe(cost);
  expect(ask).toHaveBeenCalledOnce();
  expect(costs.behind(trace(), 3)).toBeNull();
  expect(ask).toHaveBeenCalledTimes(2);
});

it('is nothing for a model without a cache', async () => {
  const ask = vi.fn(async () => null);
  const costs = new Costs(ask, () => undefined);
  const run = trace();
  costs.behind(run, 1);
  await ask.mock.results[0]!.value;
  expect(costs.behind(run, 1)).toBeNull();
  expect(ask).toHaveBeenCalledOnce();
});
