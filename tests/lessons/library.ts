// Every lesson of the lab, each engine in a test file of its own: they run side by side.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { lessonsFolder, readEach } from '../../web/plugin/library';
import { LessonProblem } from '../../web/plugin/problem';
import { checkLesson, type Weights } from './check-lesson';
import { ENGINES } from './sessions';

/** Those that the runner was asked for; all where it names none. */
const named = process.env.UNROLL_LESSONS?.split(',').filter(Boolean) ?? [];

/** A lesson that cannot be read fails by itself: the others are checked all the same. */
export const library = await Promise.all(
  readEach(process.env.UNROLL_LESSONS_FOLDER)
    .filter(([slug]) => !named.length || named.includes(slug))
    .map(
      async ([slug, reading]) =>
        [
          slug,
          await reading.catch((error: unknown) => (error instanceof LessonProblem ? error : Promise.reject(error))),
        ] as const,
    ),
);

const weightsOf: Weights = ({ folder, head }) => readFileSync(join(lessonsFolder, folder, head.trained!.weights));

export function checkLibrary(engine: (typeof ENGINES)[number][0]): void {
  describe.each(library)('/lessons/%s/', (_, lesson) => {
    if (lesson instanceof LessonProblem) return;
    const engines = ENGINES.filter(([name]) => name === engine);
    checkLesson(lesson, weightsOf, engines);
  });
}
