// The front page: what is said of the course, its paths and its lessons, by the build and by the page.
import { counted, grouped, listed } from '../intl';

export const START = 'Start';
/** Beside it. */
export const firstLesson = (number: number, time: Time): string => `lesson ${number}, ${duration(time)}`;
export const PATHS = 'Paths';

/** In minutes, of the core and of the whole. */
interface Time {
  core: number;
  whole: number;
}

const HOUR = 60;
/** Both in the same unit: sums of estimates, so hours are rounded. */
function inUnits({ core, whole }: Time): [core: string, whole: string, unit: string] {
  const [size, unit] = whole < 2 * HOUR ? [1, 'min'] : [HOUR, 'h'];
  return [grouped(Math.round(core / size)), grouped(Math.round(whole / size)), unit];
}
/** "20–30 min", "8–13 h". */
export function duration(time: Time): string {
  const [core, whole, unit] = inUnits(time);
  return `${core === whole ? whole : `${core}–${whole}`}\u00a0${unit}`;
}
/** After the sentence that says what a path is. */
export function pathTime(time: Time): string {
  const [core, whole, unit] = inUnits(time);
  return `${core}\u00a0${unit} for the core of each lesson, ${whole}\u00a0${unit} for everything.`;
}
export const needs = (titles: readonly string[]): string => `needs ${listed(titles)}`;

export const FACTS = { audience: 'For', time: 'Time', needed: 'You need' };
export const AUDIENCE = 'students, engineers and teachers';
export const NEEDED = 'school mathematics; a little Python helps';
export const wholeTime = (first: Time, all: Time): string => `${duration(first)} for the idea, ${duration(all)} in all`;

/** Under the translator: the lessons that explain it. */
export const HOW_IT_WORKS = 'How attention works';
export const HOW_IT_LEARNED = 'How it learned this';

export const DOORS = 'Four doors';
export const LEARN = 'Learn';
export const learnAbout = (lessons: number): string =>
  `${counted(lessons, { one: 'lesson', other: 'lessons' })}, each with a model to step through and questions to answer.`;
export const WRITE_ABOUT = 'A few lines of Python. Train it here in seconds, keep it as a PyTorch file.';
export const OPEN_WORKBENCH = 'Open the workbench';
export const WORKBENCH_ABOUT = 'Every model, every operation and every number, without a lesson.';
export const TEACH_WITH_IT = 'Teach with it';
export const TEACH_ABOUT = 'Hand out one state as a link, show it on a projector, print it with its drawings.';

/** What the marks on the map mean, and its lines. */
export const KEY = {
  open: 'on this path',
  off: 'not on it',
  begun: 'begun',
  done: 'done',
  here: 'you are here',
  line: 'what a lesson needs',
};
