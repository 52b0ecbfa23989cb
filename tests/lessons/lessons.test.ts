// Every lesson of the lab.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lessonsFolder, readLibrary } from '../../web/plugin/library';
import { checkLesson } from './check-lesson';

const library = await readLibrary();

it('there are lessons', () => expect(library.length).toBeGreaterThanOrEqual(2));

describe.each(library.map((lesson) => [lesson.slug, lesson] as const))('%s', (_, lesson) => {
  checkLesson(lesson, ({ slug, head }) => readFileSync(join(lessonsFolder, slug, head.trained!.weights)));

  it('has at least three exercises, of more than one kind', () => {
    const tasks = Object.values(lesson.found.tasks);
    expect(tasks.filter(({ name }) => name === 'exercise').length).toBeGreaterThanOrEqual(3);
    expect(new Set(tasks.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(2);
  });
});
