// The front page: what is said of the course, its paths and its lessons, by the build and by the page.
import { counted, grouped, listed } from '../intl';

export const START = 'Start';
export const PATHS = 'Paths';

const HOUR = 60;
/** "45 min", "2 h", "13 h": a sum of estimates, so hours are rounded. */
export const duration = (minutes: number): string =>
  minutes < 2 * HOUR ? `${grouped(minutes)} min` : `${grouped(Math.round(minutes / HOUR))} h`;
/** After the sentence that says what a path is. */
export const pathTime = (minutes: number): string => `${duration(minutes)} with every exercise.`;
export const needs = (titles: readonly string[]): string => `needs ${listed(titles)}`;

export const FACTS = { audience: 'For', time: 'Time', needed: 'You need' };
export const AUDIENCE = 'students, engineers and teachers';
export const NEEDED = 'school mathematics; a little Python helps';
export const wholeTime = (first: number, all: number): string =>
  `${duration(first)} for the idea, ${duration(all)} for everything`;

export const DOORS = 'Four doors';
export const LEARN = 'Learn';
export const learnAbout = (lessons: number): string =>
  `${counted(lessons, { one: 'lesson', other: 'lessons' })}, each with a model to step through and questions to answer.`;
export const WRITE_ABOUT = 'A few lines of Python. Train it here in seconds, keep it as a PyTorch file.';
export const OPEN_WORKBENCH = 'Open the workbench';
export const WORKBENCH_ABOUT = 'Every model, every operation and every number, without a lesson.';
export const TEACH_WITH_IT = 'Teach with it';
export const TEACH_ABOUT = 'Hand out one state as a link, show it on a projector, print it with its drawings.';

/** What the marks on the map mean. */
export const KEY = { done: 'done', begun: 'begun', here: 'you are here', open: 'open' };
