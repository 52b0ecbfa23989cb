// Where the reader was in each lesson: the last heading of its text that came into the upper part of the window. What
// continues a lesson leads back there.
import { keepTypedInBrowser, typedInBrowser } from '../lab/store/web-storage';

const keyOf = (lesson: string): string => `place-${lesson}`;

/** The fragment that leads there, such as #scores; empty for the beginning. */
export const placeIn = (lesson: string): string => typedInBrowser(keyOf(lesson)) ?? '';

/** Part of the window's height below which a heading is not read yet. */
const UPPER = 0.4;

/** Follows the reading from the first movement on: a lesson that was only opened keeps its place. */
export function followPlace(lesson: string): void {
  const headings = [...document.querySelectorAll('article.text h2[id]')];
  let isFirst = true;
  const passing = new IntersectionObserver(
    () => {
      const last = headings.findLast((each) => each.getBoundingClientRect().top < innerHeight * UPPER);
      if (!isFirst) keepTypedInBrowser(keyOf(lesson), last ? `#${last.id}` : null);
      isFirst = false;
    },
    { rootMargin: `0px 0px ${-100 * (1 - UPPER)}% 0px` },
  );
  for (const heading of headings) passing.observe(heading);
}
