// An address that names a section opens the lesson there, with what the first paragraph of it about a tensor shows. So a
// link to a section is a link to a moment. Fetched for such an address only.
import type { Lab } from '../lab/lab';
import { isLink } from '../lab/link/fragment';
import { Step } from './step';

/** The first step of a section, if there is one and it is not folded up until an answer. */
function stepOf(section: string): Step | undefined {
  const all = [...document.querySelectorAll('article.text :is(h2, u-step)')];
  const next = all[all.findIndex(({ id }) => id === section) + 1];
  return next instanceof Step && !next.closest('details:not([open])') ? next : undefined;
}

export async function openSection(lab: Lab): Promise<void> {
  const section = location.hash.slice(1);
  if (isLink(location.hash) || !document.getElementById(section)) return;
  if (!lab.trace) await new Promise((opened) => lab.addEventListener('run', opened, { once: true }));
  await stepOf(section)?.open();
}
