// Where a learner continues, how long a lesson takes, and in which order a seed puts its options.
import { expect, it } from 'vitest';
import { parseMarkdown } from '../../web/plugin/markdown';
import { minutesOf } from '../../web/plugin/core';
import { whereNext, type Progress } from '../../web/src/lab/store/progress';
import { shuffled } from '../../web/src/lesson/task/shuffled';

/** Lessons with three exercises each: how many are solved, and when the lesson was last open. */
const lessons = (...all: [solved: number, opened: number][]): Progress[] =>
  all.map(([solved, opened], i) => ({ lesson: String(i), exercises: 3, solved, opened, read: false }));

it.each([
  ['the first, where none was open', lessons([0, 0], [0, 0]), undefined, '0'],
  ['the one that was open last', lessons([1, 5], [2, 9], [0, 7]), undefined, '1'],
  ['the next that is not done', lessons([0, 5], [3, 9], [3, 0], [1, 0]), undefined, '3'],
  ['an earlier one if all later ones are done', lessons([2, 5], [3, 9], [3, 8]), undefined, '0'],
  ['another than the one that is open', lessons([1, 5], [2, 9], [0, 0]), '1', '2'],
])('goes on with %s', (_, all, here, next) => expect(whereNext(all, here)?.lesson).toBe(next));

it('continues nowhere if all are done', () => expect(whereNext(lessons([3, 1], [3, 2]))).toBeNull());

it('counts words and exercises, and rounds to five minutes', () => {
  const words = (count: number) => parseMarkdown('word '.repeat(count)).children;
  expect(minutesOf(words(10), 0)).toBe(5);
  expect(minutesOf(words(1500), 0)).toBe(10);
  expect(minutesOf(words(1500), 5)).toBe(20);
  expect(minutesOf(parseMarkdown(`\`\`\`yaml\n${'word '.repeat(1500)}\n\`\`\``).children, 0)).toBe(5);
});

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
