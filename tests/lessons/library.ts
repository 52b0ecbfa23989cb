// Every lesson of the lab. Each engine has its own test files, so that they run in parallel.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { wholeRun } from '../bindings/modules';
import { hasBench } from '../../web/plugin/lesson';
import { lessonsFolder } from '../../web/plugin/library';
import { LessonProblem } from '../../web/plugin/problem';
import { checkLesson } from './check-lesson';
import { checkLook } from './check-look';
import type { Weights } from '../../web/plugin/work';
import { readings } from './read';
import { ENGINES } from './sessions';

/** The lessons named by the runner, or all. */
const named = process.env.UNROLL_LESSONS?.split(',').filter(Boolean) ?? [];

/** An unreadable lesson fails on its own: the others are still checked. */
/** Whether a lesson's long training is repeated too: for "all", and for a lesson that was asked for. */
export const isPatient = wholeRun || named.length > 0;

export const library = await Promise.all(
  readings
    .filter(([slug]) => !named.length || named.includes(slug))
    .map(
      async ([slug, reading]) =>
        [
          slug,
          await reading.catch((error: unknown) => (error instanceof LessonProblem ? error : Promise.reject(error))),
        ] as const,
    ),
);

export const weightsOf: Weights = ({ folder, head }) =>
  readFileSync(join(lessonsFolder, folder, head.trained!.weights));

/** Checks every lesson, or one share of them. */
export function checkLibrary(engine: (typeof ENGINES)[number][0], share = 0, shares = 1): void {
  const mine = library.filter((_, i) => i % shares === share);
  if (!mine.length) it.skip('has no lesson in this share', () => undefined);
  describe.each(mine)('/lessons/%s/', (_, lesson) => {
    if (lesson instanceof LessonProblem) return;
    if (!hasBench(lesson)) return checkLook(lesson);
    const engines = ENGINES.filter(([name]) => name === engine);
    checkLesson(lesson, weightsOf, { engines, isPatient });
  });
}
