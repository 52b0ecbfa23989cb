// Where in a lesson the reader is led. An address that names a section opens with what the first paragraph of it about a
// tensor shows, so a link to a section is a link to a moment; what continues a lesson leads on from there to where the
// reader was. Fetched when the reader moves, or comes so.
import type { Lab } from '../lab/lab';
import { isLink } from '../lab/link/fragment';
import { CONTINUED } from '../lab/store/progress';
import { keepTypedHere, keepTypedInBrowser, typedInBrowser } from '../lab/store/web-storage';
import { Step } from './step';

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

/** The first step of a section, if there is one and it is not folded up until an answer. */
function stepOf(section: string): Step | undefined {
  const all = [...document.querySelectorAll('article.text :is(h2, u-step)')];
  const next = all[all.findIndex(({ id }) => id === section) + 1];
  return next instanceof Step && !next.closest('details:not([open])') ? next : undefined;
}

export async function openSection(lab: Lab): Promise<void> {
  const section = location.hash.slice(1);
  if (!document.getElementById(section)) return;
  if (!lab.trace) await new Promise((opened) => lab.addEventListener('run', opened, { once: true }));
  await stepOf(section)?.open();
}
