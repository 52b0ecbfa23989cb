// Entry point of the interactive parts of a lesson; on other pages it finds nothing to do. The workbench follows the reader,
// numbers say for which settings they hold, and wide formulas can be scrolled with the keyboard.
import { formula } from '#messages/lesson/controls';
import './source.css';
import './try';
import type { Stage } from '../engine/types';
import { hostOf, type Lab } from '../lab/lab';
import { isLink } from '../lab/link/fragment';
import { mainLab } from '../lab/lab-root';
import { CONTINUED } from '../lab/store/progress';
import { typedAt } from '../lab/store/web-storage';
import { sameCursor } from '../lab/cursor';
import { inSight } from '../ui/lab-element';
import { readerMoves } from '../ui/reader-moves';
import { holdsWith } from './lesson-data';
import { Step } from './step';

/** Where the reading line lies, as a part of the window's height. */
const LINE = 0.32;
/** Root margin that leaves all that lies above it, however far: no jump passes over it. */
const ABOVE_LINE = '1000000px 0px -68% 0px';
/** Milliseconds after loading in which the browser may still restore the scroll position. */
const SETTLING = 600;
/** Milliseconds after a press in which the scrolling before it may still be reported. */
const PRESSED = 250;

/** Only from the opening position or another paragraph's tensor: a reader who stepped by hand is not pulled back. */
function mayFollow({ host, lab }: Step): boolean {
  const { cursor, home, playing, busy, trace, selection } = lab;
  if (!trace || playing || busy) return false;
  if (cursor.node < 0 || sameCursor(cursor, home)) return true;
  const isShown = ({ node }: Step): boolean => node?.id === cursor.node && node.name === selection?.node;
  return [...host.querySelectorAll<Step>('u-step')].some(isShown);
}

function enter(target: HTMLElement): void {
  const { lab } = hostOf(target);
  if (target instanceof Step) void enterStep(target);
  if (!document.activeElement?.closest('u-bench')) lab.speakOf(stageAt(target) ?? lab.page.stage);
}

/** A step that speaks of another model than the bench has brings it. */
async function enterStep(step: Step): Promise<void> {
  Step.entered = step;
  if ((await import('./scenes')).isOnBench(step) && mayFollow(step)) step.show();
}

/** The stage that the text speaks of at this place: the one named last. */
function stageAt(place: Element): Stage | undefined {
  const before = [...document.querySelectorAll<HTMLElement>('article.text [data-stage]')].filter(
    (each) => each === place || each.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  return before.at(-1)?.dataset.stage as Stage | undefined;
}

/** The part of the text that is read is the last one above the reading line, as the page is scrolled. */
function followReading(): void {
  const begun = performance.now();
  let here: HTMLElement | undefined;
  let frame = 0;
  const look = (): void => {
    frame = 0;
    const parts = document.querySelectorAll<HTMLElement>('article.text :is(u-step, [data-stage])');
    const last = [...parts].findLast(
      (part) => part.offsetHeight && part.getBoundingClientRect().top < innerHeight * LINE,
    );
    if (last === here && Step.entered) return;
    here = last;
    const now = performance.now();
    if (last && now - begun > SETTLING && now - Step.pressed > PRESSED) enter(last);
  };
  addEventListener('scroll', () => (frame ||= requestAnimationFrame(look)));
  void readerMoves.then(() => import('./scenes')); // here before the first step is read
}

/** The section being read is that of the last heading above the reading line. */
function followSections(lab: Lab): void {
  const above = new Set<Element>();
  let settled = false;
  const read = (): void => {
    const section = [...above].reduce(later, null)?.id ?? '';
    if (settled && section !== lab.state.section) lab.reading(section);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) above[isIntersecting ? 'add' : 'delete'](target);
      read();
    },
    { rootMargin: ABOVE_LINE },
  );
  for (const heading of document.querySelectorAll('article.text h2[id]')) observer.observe(heading);
  setTimeout(() => ((settled = true), read()), SETTLING);
}

const later = (first: Element | null, second: Element): Element =>
  first && first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_PRECEDING ? first : second;

/** Marks each number of the text that the bench contradicts, and says on it for what it holds. */
function markNumbers(): void {
  const first = document.querySelector('article data.val');
  if (!first) return;
  const { lab } = hostOf(first);
  const mark = (): void => {
    const words = holdsWith(lab);
    for (const number of document.querySelectorAll<HTMLElement>('article data.val:not(.given)')) {
      number.classList.toggle('held', words !== '');
      number.title = words;
    }
  };
  lab.addEventListener('run', mark);
  mark();
}

/** Makes formulas that scroll focusable regions; the others stay out of the tab order. */
function reachFormulas(): void {
  const all = [...document.querySelectorAll('.katex-display')];
  const watched = new ResizeObserver((entries) => {
    for (const { target } of entries)
      if (target.scrollWidth > target.clientWidth) makeRegion(target, formula(all.indexOf(target) + 1));
      else for (const name of ['tabindex', 'role', 'aria-label']) target.removeAttribute(name);
  });
  for (const part of all) watched.observe(part);
}

function makeRegion(part: Element, label: string): void {
  part.setAttribute('tabindex', '0');
  part.setAttribute('role', 'region');
  part.setAttribute('aria-label', label);
}

/** A path through the lessons goes on as it began, with a stage pinned. */
function keepPath(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('article .next a')) link.search = location.search;
}

/** Elements that not every lesson has, or not where it opens. */
const PARTS: Readonly<Record<string, () => Promise<unknown>>> = {
  'u-task': () => import('./task/task'),
  'u-compare': () => import('./compare/compare'),
  'u-training': () => import('./training'),
  'u-write': () => import('./write/write'),
  'u-sing': () => import('./sing/sing'),
};

/** Each kind is fetched once the reader moves, or at once if it is in sight: the page opens first. */
async function bringPart(name: string, fetchPart: () => Promise<unknown>): Promise<void> {
  const all = [...document.querySelectorAll(name)];
  if (!all.length || customElements.get(name)) return; // app/look.ts has a <u-task> of its own
  await Promise.race([readerMoves, ...all.map((each) => inSight(each, '0px'))]);
  await fetchPart();
}

/** Follows how far down the reader is, from the first movement on; and goes back there if a lesson is continued. */
async function followDepth(lab: Lab): Promise<void> {
  if (typedAt(CONTINUED) === lab.page.lesson) {
    const { returnToDepth } = await import('./depth');
    if (lab.trace) returnToDepth(lab);
    else lab.addEventListener('run', () => returnToDepth(lab), { once: true });
  }
  await readerMoves;
  const { keepDepth } = await import('./depth');
  addEventListener('pagehide', () => keepDepth(lab));
}

async function openNamedSection(lab: Lab): Promise<void> {
  if (location.hash && !isLink(location.hash)) await (await import('./depth')).openSection(lab);
}

const main = mainLab();
if (main) {
  void openNamedSection(main.lab);
  addEventListener('hashchange', () => void openNamedSection(main.lab));
  followSections(main.lab);
  void followDepth(main.lab);
}
followReading();
keepPath();
reachFormulas();
markNumbers();
for (const [name, fetchPart] of Object.entries(PARTS)) void bringPart(name, fetchPart);
