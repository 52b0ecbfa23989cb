// The lessons, read once for all test files that share a process, as it takes seconds.
import type { Lesson } from '../../web/plugin/lesson';
import { readEach } from '../../web/plugin/library';

export const readings = readEach(process.env.UNROLL_LESSONS_FOLDER);
for (const [, lesson] of readings) lesson.catch(() => undefined); // whoever asks for it hears of its mistake

/** Rejects with LessonProblem at the first mistake. */
export const allLessons = (): Promise<Lesson[]> => Promise.all(readings.map(([, lesson]) => lesson));
