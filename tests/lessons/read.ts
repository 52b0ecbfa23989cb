// The lessons, read once for all test files that share a process, as it takes seconds.
import { hasBench, type BenchLesson, type Lesson } from '../../web/plugin/lesson';
import { readEach } from '../../web/plugin/library';

export const readings = readEach(process.env.UNROLL_LESSONS_FOLDER);
for (const [, lesson] of readings) lesson.catch(() => undefined); // whoever asks for it hears of its mistake

/** Those with a model. Rejects with LessonProblem at the first mistake in any lesson. */
export const allLessons = async (): Promise<BenchLesson[]> =>
  (await Promise.all(readings.map(([, lesson]) => lesson))).filter(hasBench);

export function benched(lesson: Lesson): BenchLesson {
  if (hasBench(lesson)) return lesson;
  throw new Error(`${lesson.slug} has no model`);
}
