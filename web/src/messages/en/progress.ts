// The page that shows progress, and what it says of a file that is not imported.
import { counted, grouped } from '../intl';

export const PROGRESS = 'Your progress';
export const PROGRESS_SUMMARY =
  'What you have read, solved and tried, lesson by lesson. Only this browser keeps it: export it to carry it elsewhere, or print it.';
export const WITHOUT_SCRIPTS =
  'Your browser runs no scripts on this page, so it cannot fill in what you did. You can print the table and fill it in by hand.';
/** Lines to fill in by hand. */
export const NAME_LINE = 'Name';
export const DATE_LINE = 'Date';

export const LESSON = 'Lesson';
export const READ = 'Read';
export const SOLVED = 'Solved';
export const ANSWERED = 'Answered';
export const TRIES = 'Tries';
export const LAST = 'Last';
export const NOTHING_YET = '–';
/** "3 of 7". */
export const outOf = (count: number, all: number): string => `${grouped(count)} of ${grouped(all)}`;

export interface Sum {
  read: number;
  lessons: number;
  solved: number;
  exercises: number;
  tries: number;
}

export const sum = ({ read, lessons, solved, exercises, tries }: Sum): string =>
  `You have read ${outOf(read, lessons)} lessons and solved ${outOf(solved, exercises)} exercises, in ${counted(tries, { one: 'try', other: 'tries' })}.`;
export const UNREADABLE =
  'This browser keeps nothing for this site, so there is no progress to show. Allow site data in its settings.';

export const EXPORT = 'Export';
export const IMPORT = 'Import';
export const PRINT = 'Print';
/** Of a button that stands alone. */
export const EXPORT_PROGRESS = 'Export my progress';
export const fileName = (day: string): string => `unroll-progress-${day}.json`;
export const IMPORTED = 'The file was imported. What was here before is still here.';

/** After each reason. */
export const notImported = (reason: string): string => `${reason} Nothing was imported, and nothing was lost.`;

const megabytes = (bytes: number): string => `${grouped(Math.ceil(bytes / 2 ** 20))} MB`;
export const tooLarge = (bytes: number, most: number): string =>
  `The file has ${megabytes(bytes)}, and a progress file has at most ${megabytes(most)}: choose the file that Export saved.`;
export const UNREADABLE_FILE = 'Your browser could not read the file: choose it again.';
export const CUT = 'The end of the file is missing: export it again, or copy it again.';
export const NOT_PROGRESS = 'This is not a progress file: choose the file that Export saved.';
export const NEWER_FILE = 'A newer version of Unroll wrote this file: reload this page, then import the file again.';
export const unknownLesson = (name: string): string =>
  `The file has the lesson “${name}”, which this version of Unroll does not have: reload this page, then import the file again.`;
export const twice = (name: string): string =>
  `The file has “${name}” twice in the same place, so it does not say which of the two holds.`;
export const reserved = (name: string): string =>
  `The file has the name “${name}”, which no lesson or exercise can have.`;
export const TOO_DEEP = 'The file has more brackets inside brackets than a progress file.';
/** `place` is like "lessons.softmax.read"; "" for the file as a whole. */
export const damagedAt = (place: string): string =>
  `The file is damaged${place ? ` at ${place}` : ''}: export it again.`;
