// Shuffling by a seed.
import { expect, it } from 'vitest';
import { shuffled } from '../../web/src/lesson/task/shuffled';

const SEEDS = Array.from({ length: 50 }, (_, i) => `${i} exercise`);

it('every order has each number once, and depends on the seed alone', () => {
  for (const seed of SEEDS)
    for (const count of [0, 1, 4, 9]) {
      const order = shuffled(count, seed);
      expect([...order].sort()).toEqual(Array.from({ length: count }, (_, i) => i));
      expect(shuffled(count, seed)).toEqual(order);
    }
});

it('other seeds give other orders, and every number comes first for some seed', () => {
  const orders = SEEDS.map((seed) => shuffled(4, seed));
  expect(new Set(orders.map(String)).size).toBeGreaterThan(10);
  expect(new Set(orders.map(([first]) => first)).size).toBe(4);
});
