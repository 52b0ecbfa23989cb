// The workbench follows the reader: scrolling to a paragraph about a tensor moves the cursor there.
import { theLab } from '../lab';
import { sameCursor } from '../stepper/steps';
import { Step } from './step';

/** The line of the window where one reads, a third from the top: it is in one paragraph at a time. */
const READING_LINE = '-32% 0px -67.9% 0px';
/** Milliseconds in which a page may still restore its scroll position. */
const SETTLING = 600;
/** Milliseconds after a press in which the page still tells of the scrolling before it. */
const PRESSED = 250;

/** Only from where the page opens or from another paragraph's tensor: who has stepped on by hand is not pulled back. */
function mayFollow(): boolean {
  const { cursor, home, playing, busy, trace } = theLab();
  if (!trace || playing || busy) return false;
  if (cursor.node < 0 || sameCursor(cursor, home)) return true;
  return [...document.querySelectorAll<Step>('u-step')].some((step) => step.node?.id === cursor.node);
}

function enter(target: Element): void {
  if (target instanceof Step) {
    if (mayFollow()) target.show();
  } else theLab().reading(target.id);
}

export function followReading(): void {
  const targets = document.querySelectorAll('article.text h2[id], article.text u-step');
  const begun = performance.now();
  const observer = new IntersectionObserver(
    (entries) => {
      const now = performance.now();
      if (now - begun < SETTLING || now - Step.pressed < PRESSED) return;
      for (const { isIntersecting, target } of entries) if (isIntersecting) enter(target);
    },
    { rootMargin: READING_LINE },
  );
  targets.forEach((target) => observer.observe(target));
}

/** A link to a state also says which section was being read. */
export function openSection(): void {
  const { section } = theLab().state;
  if (section) document.getElementById(section)?.scrollIntoView();
}
