// Every lesson of the lab.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lessonsFolder, readEach } from '../../web/plugin/library';
import { LessonProblem } from '../../web/plugin/problem';
import { checkLesson } from './check-lesson';

/** A lesson that cannot be read fails by itself: the others are checked all the same. */
const library = await Promise.all(
  readEach().map(
    async ([slug, reading]) =>
      [
        slug,
        await reading.catch((error: unknown) => (error instanceof LessonProblem ? error : Promise.reject(error))),
      ] as const,
  ),
);

it('there are lessons', () => expect(library.length).toBeGreaterThanOrEqual(2));

describe.each(library)('%s', (_, lesson) => {
  it('can be read', () => expect(lesson instanceof LessonProblem ? lesson.message : '').toBe(''));
  if (lesson instanceof LessonProblem) return;

  checkLesson(lesson, ({ slug, head }) => readFileSync(join(lessonsFolder, slug, head.trained!.weights)));

  it('has at least three exercises, of more than one kind', () => {
    const tasks = Object.values(lesson.found.tasks);
    expect(tasks.filter(({ name }) => name === 'exercise').length).toBeGreaterThanOrEqual(3);
    expect(new Set(tasks.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(2);
  });
});
