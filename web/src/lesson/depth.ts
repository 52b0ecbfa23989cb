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

const firstInSight = (): HTMLElement | undefined => blocks().find((each) => each.getBoundingClientRect().bottom > BAR);

/**
 * Keeps the first part in sight, counted from its section's heading, when the reader leaves. It is the part after the last
 * scrolling, not the one in sight by then: where a text above has just become shorter or longer, the browser scrolls after
 * it in its next frame only, and would have left before.
 */
export function keepDepth(lab: Lab): void {
  let here = firstInSight();
  let frame = 0;
  const look = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => (here = firstInSight()));
  };
  addEventListener('scroll', look, { passive: true });
  addEventListener('pagehide', () => {
    const all = blocks();
    const below = all.indexOf(here!) - indexOf(all, document.getElementById(lab.state.section));
    if (all.includes(here!)) keepTypedInBrowser(keyOf(lab.page.lesson), String(below));
  });
}

/** Unless the reader has moved on from the heading. */
export function returnToDepth({ page, state }: Lab): void {
  keepTypedHere(CONTINUED, null);
  const heading = document.getElementById(isLink(location.hash) ? state.section : location.hash.slice(1));
  if (!heading || Math.abs(heading.getBoundingClientRect().top) > innerHeight / 3) return;
  const all = blocks();
  all[indexOf(all, heading) + Number(typedInBrowser(keyOf(page.lesson)))]?.scrollIntoView();
}
