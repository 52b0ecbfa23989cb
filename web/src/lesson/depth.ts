// How far down in its section the reader was: what continues a lesson leads to the section, and from there on to here.
// Fetched when the reader moves, or comes back.
import type { Lab } from '../lab/lab';
import { isLink } from '../lab/link/fragment';
import { CONTINUED } from '../lab/store/progress';
import { keepTypedHere, keepTypedInBrowser, typedInBrowser } from '../lab/store/web-storage';

const keyOf = (lesson: string): string => `below-${lesson}`;

/** The parts of the text, if it is not hidden. */
const blocks = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('article.text > *')].filter(({ offsetHeight }) => offsetHeight);

const indexOf = (all: HTMLElement[], heading: Element | null): number =>
  all.findIndex((each) => each.contains(heading));

/** CSS pixels from the top of the window, on which the bar lies. */
const BAR = 80;

/** When the reader leaves: the first part in sight, counted from its section's heading. */
export function keepDepth({ page, state }: Lab): void {
  const all = blocks();
  const here = all.findIndex((each) => each.getBoundingClientRect().bottom > BAR);
  const below = here - indexOf(all, document.getElementById(state.section));
  if (all.length) keepTypedInBrowser(keyOf(page.lesson), String(below));
}

/** Unless the reader has moved on from the heading. */
export function returnToDepth({ page, state }: Lab): void {
  keepTypedHere(CONTINUED, null);
  const heading = document.getElementById(isLink(location.hash) ? state.section : location.hash.slice(1));
  if (!heading || Math.abs(heading.getBoundingClientRect().top) > innerHeight / 3) return;
  const all = blocks();
  all[indexOf(all, heading) + Number(typedInBrowser(keyOf(page.lesson)))]?.scrollIntoView();
}
