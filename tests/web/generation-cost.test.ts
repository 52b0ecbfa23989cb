// The cost of each generated word, shown beside the generation view.
import { expect, it, vi } from 'vitest';
import { cost as costText } from '../../web/src/messages/en/figures/generation';
import { Costs } from '../../web/src/figures/generation/generation-cost';
import type { Trace } from '../../web/src/engine/types';

const cost = { cacheBytes: 1280, multiplyAdds: 9400, multiplyAddsUncached: 47000 };
const trace = (): Trace => ({ nodes: [], scopes: [] });

it('is given with and without the cache', () => {
  expect(costText(cost)).toBe('KV cache: 1,280 bytes. Next word: 9,400 multiply-adds; without the cache, 47,000');
});

it('is requested once per position, and again for another run', async () => {
  const ask = vi.fn(async () => ({ ok: true, value: cost }) as const);
  const arrived = vi.fn();
  const costs = new Costs(ask, arrived);
  const run = trace();
  expect(costs.at(run, 3)).toBeNull();
  await vi.waitFor(() => expect(arrived).toHaveBeenCalledOnce());
  expect(costs.at(run, 3)).toBe(cost);
  expect(ask).toHaveBeenCalledOnce();
  expect(costs.at(trace(), 3)).toBeNull();
  expect(ask).toHaveBeenCalledTimes(2);
});

it('is nothing for a model without a cache', async () => {
  const ask = vi.fn(async () => ({ ok: false, code: 'E_INPUT', message: 'no cache', detail: '' }) as const);
  const costs = new Costs(ask, () => undefined);
  const run = trace();
  costs.at(run, 1);
  await ask.mock.results[0]!.value;
  expect(costs.at(run, 1)).toBeNull();
  expect(ask).toHaveBeenCalledOnce();
});
