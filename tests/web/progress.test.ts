// Where a learner continues, and how long a lesson takes.
import { expect, it } from 'vitest';
import { parseMarkdown } from '../../web/plugin/markdown';
import { minutesOf } from '../../web/plugin/lesson';
import { whereNext, type Progress } from '../../web/src/lab/store/progress';

/** Lessons with three exercises each: how many are solved, and when the lesson was last open. */
const lessons = (...all: [solved: number, opened: number][]): Progress[] =>
  all.map(([solved, opened], i) => ({ lesson: String(i), exercises: 3, solved, opened }));

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
