// The addresses of the built site's pages.
import { TEXTS as NAMES_OF_TEXTS } from '../../web/plugin/links';
import { wholeRun } from '../bindings/modules';
import { allLessonsOfSite, lessonsOfSite } from '../site.mjs';

export const SUB_PATH = 'some/where/';

const pathOf = (name: string): string => `lessons/${name}/`;
const asked = process.env.UNROLL_LESSONS?.split(',').map(pathOf) ?? [];
/** Whether all is checked of a page: for "all", and if its lesson was asked for. */
export const isWhole = (path: string): boolean => wholeRun || asked.includes(path);

/** The front page has no model until it is touched. */
export const FRONT = '';
/** All lessons, in their order. */
export const LESSONS = allLessonsOfSite().map(pathOf);
/** Pages with a workbench. */
export const PAGES = ['workbench/', ...lessonsOfSite().map(pathOf)];
/** One page for every engine module. */
export const SOME = [
  'workbench/',
  'lessons/softmax/',
  'lessons/looking-back/',
  'lessons/pictures/',
  'lessons/encoder-decoder/',
];
/** Text-only pages; the one after the last lesson comes first. */
export const TEXTS = NAMES_OF_TEXTS.map(pathOf);
/** With a workbench. */
export const FIRST_LESSON = PAGES[1] ?? '';

export { site } from '../site.mjs';
