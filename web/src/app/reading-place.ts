// Where the reader was in each lesson: the section being read and, if anything was done, all that a link would hold. What
// continues a lesson leads back there.
import { isLink } from '../lab/link/fragment';
import type { Lab } from '../lab/lab';
import { keepTypedInBrowser, typedInBrowser } from '../lab/store/web-storage';

/** Milliseconds after a change in which the address follows it. */
const PAUSE = 1_000;

const keyOf = (lesson: string): string => `place-${lesson}`;

/** The fragment that leads there; empty for the beginning. */
export const placeIn = (lesson: string): string => typedInBrowser(keyOf(lesson)) ?? '';

const placeNow = ({ state: { section } }: Lab): string =>
  isLink(location.hash) ? location.hash : section && `#${section}`;

/** A lesson that was only opened, at its beginning, keeps its place; one whose state was reset there does not. */
export function followPlace(lab: Lab): void {
  let timer = 0;
  let kept = false;
  const keep = (): void => {
    const place = placeNow(lab);
    if (place || kept) keepTypedInBrowser(keyOf(lab.page.lesson), place || null);
    kept ||= place !== '';
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(keep, PAUSE);
  };
  for (const topic of ['choice', 'run', 'cursor', 'selection'] as const) lab.addEventListener(topic, soon);
  addEventListener('pagehide', keep);
}
