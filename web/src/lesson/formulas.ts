// Keyboard access to formulas that are wider than the text and scroll on their own.
import { formula } from '#messages/lesson/controls';

/** Makes formulas that scroll focusable regions; the others stay out of the tab order. */
export function reachFormulas(): void {
  const all = [...document.querySelectorAll('.katex-display')];
  const watched = new ResizeObserver((entries) => {
    for (const { target } of entries)
      if (target.scrollWidth > target.clientWidth) makeRegion(target, formula(all.indexOf(target) + 1));
      else for (const name of ['tabindex', 'role', 'aria-label']) target.removeAttribute(name);
  });
  for (const each of all) watched.observe(each);
}

function makeRegion(part: Element, label: string): void {
  part.setAttribute('tabindex', '0');
  part.setAttribute('role', 'region');
  part.setAttribute('aria-label', label);
}
