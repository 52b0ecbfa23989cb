// The paths through the lessons, and what each lesson needs: what is refused, and where.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { courseMap } from '../../web/plugin/course-map';
import { lessonsFolder, readLibrary } from '../../web/plugin/library';
import { lessonsOn, readPaths, timeOf } from '../../web/plugin/paths';
import { duration, pathTime } from '../../web/src/messages/en/front';
import { LessonProblem } from '../../web/plugin/problem';
import { complaint, HEAD } from '../lessons/bad-lesson';

const LESSONS = ['softmax', 'order'];

function refusal(yaml: string): string {
  try {
    readPaths(yaml, LESSONS);
  } catch (error) {
    if (error instanceof LessonProblem) return error.message;
    throw error;
  }
  return 'no complaint';
}

it.each([
  [
    '- name: A\n  about: B.\n  lessons: [softmax, orders]',
    '3:22: The list of paths: 0.lessons.1 is "orders"; use the name of a lesson: softmax or order.',
  ],
  ['- name: A\n  lessons: [order]', '1:3: The list of paths lacks "0.about": add it, as lessons/README.md describes.'],
  ['- name: A\n  about: B.\n  minutes: 60', '3:3: The list of paths has no "minutes"; remove it or correct its name.'],
  ['- name: A\n  about: B.\n  lessons: []', '3:12: The list of paths: 0.lessons is []; use a list of at least 1.'],
  ['[]', '1:1: The list of paths is []: use a list of at least 1.'],
])('a mistake in a path has its place: %j', (yaml, words) => expect(refusal(yaml)).toBe(`lessons/paths.yaml:${words}`));

it('a path without lessons has all of them, in their order', () => {
  expect(readPaths('- name: A\n  about: B.', LESSONS)).toEqual([{ name: 'A', about: 'B.', lessons: LESSONS }]);
});

it('a lesson needs earlier lessons only', async () => {
  const needing = HEAD.replace('seed: 1', 'needs: [four-words]\nseed: 1');
  expect(await complaint(needing)).toBe(
    'lessons/01-softmax/lesson.md:6:9: The front matter: needs.0 is "four-words"; use no "needs", as no lesson is before this one.',
  );
});

it('every path leads through lessons that exist, and its time is the sum of theirs', async () => {
  const lessons = await readLibrary();
  const slugs = lessons.map(({ slug }) => slug);
  const paths = readPaths(readFileSync(`${lessonsFolder}/paths.yaml`, 'utf8'), slugs);
  expect(paths.map(({ name }) => name)).toEqual(['One hour', 'One class', 'Who reads code', 'A semester']);
  expect(paths.at(-1)!.lessons).toEqual(slugs);
  const sum = (minutes: number[]): number => minutes.reduce((all, each) => all + each, 0);
  const whole = sum(lessons.map(({ time }) => time.whole));
  expect(timeOf(lessons)).toEqual({ core: sum(lessons.map(({ time }) => time.core)), whole });
  expect(timeOf(lessonsOn(paths[0]!, lessons)).core, 'One hour').toBeLessThanOrEqual(60);
  expect(timeOf(lessonsOn(paths[1]!, lessons)).core, 'One class').toBeLessThanOrEqual(45);
  const map = courseMap({ lessons, paths } as Parameters<typeof courseMap>[0], './');
  expect(Array.from(map.matchAll(/data-stop="([\w-]+)"/g), ([, slug]) => slug)).toEqual(slugs);
  const lines = Array.from(map.matchAll(/<path data-to="([\w-]+)"/g), ([, slug]) => slug);
  expect(lines).toEqual(lessons.flatMap(({ slug, head }) => head.needs.map(() => slug)));
});

it('both times of a lesson, a part or a path are in one unit', () => {
  expect(duration({ core: 20, whole: 30 })).toBe('20–30\u00a0min');
  expect(duration({ core: 100, whole: 170 })).toBe('2–3\u00a0h');
  expect(duration({ core: 5, whole: 5 })).toBe('5\u00a0min');
  expect(pathTime({ core: 55, whole: 90 })).toBe(
    '55\u00a0min for the core of each lesson, 90\u00a0min for everything.',
  );
});
