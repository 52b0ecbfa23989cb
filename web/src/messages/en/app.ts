// The bar at the top of every page, its shortcuts, and the progress in the lists of lessons.
import { grouped } from '../intl';

export const UNROLL = 'Unroll';
export const MAIN = 'Main';
export const LESSONS = 'Lessons';
export const WRITE_YOUR_OWN = 'Write your own';
export const WORKBENCH = 'Workbench';
export const TEACH = 'Teach';
/** "3 of 25": the open lesson among all, or a task among those of its lesson. */
export const placeAmong = (number: number, count: number): string => `${grouped(number)} of ${grouped(count)}`;

/** The first two stops of the Tab key. */
export const SKIP = 'Skip';
export const SKIP_TO_TEXT = 'Skip to the text';
export const SKIP_TO_BENCH = 'Skip to the bench';

export const SEARCH = 'Search';
/** What a button does, and the key that does it too. */
export const withKey = (name: string, key: string): string => `${name} (${key})`;
const THEMES = { auto: 'auto', light: 'light', dark: 'dark' };
export const themeIs = (theme: keyof typeof THEMES): string => `Theme: ${THEMES[theme]}`;

export const COPY_LINK = 'Copy link';
export const LINK_COPIED = 'Link copied';
export const LINK_IN_ADDRESS = 'The link is in the address bar';

export const KEYBOARD = 'Keyboard';
export const CLOSE = 'Close';
export const WHERE_KEYS_ACT =
  'These keys act while the bench has the focus: click it, or press Tab at the top of the page and choose “Skip to the bench”. Elsewhere they scroll the text.';
export const ARROW_KEYS =
  'In a table of numbers, the arrow keys move from cell to cell. Type a number to change the cell.';
export const SINGLE_LETTERS = 'Single-letter keys';

export const CONTINUE = 'Continue';
export const ALL_DONE = 'All done';
/** Of a lesson, in the lists. */
export const progressWords = ({
  read,
  solved,
  exercises,
}: Record<'solved' | 'exercises', number> & { read: boolean }): string =>
  `${read ? 'read, ' : ''}${grouped(solved)} of ${grouped(exercises)} solved`;

/** In the list of keys. */
export const OPEN_SEARCH = 'Search, anywhere on the page';
