// A learner's actions, independent of the browser's driver.
import { setTimeout as sleep } from 'node:timers/promises';
import { lessonsOfSite } from '../site.mjs';

/** Pages with a model: not the glossary, nor the page after the last lesson. */
export const LESSONS = lessonsOfSite().map((slug) => `lessons/${slug}/`);
export const PAGES = ['workbench/', ...LESSONS];

/** Milliseconds; a busy machine may be slow. */
const PATIENCE = 180_000;

/** Waits until the page returns a truthy value. */
export async function until(browser, what, act, ...words) {
  for (const last = Date.now() + PATIENCE; Date.now() < last; await sleep(50)) {
    const value = await browser.evaluate(act, ...words);
    if (value) return value;
  }
  throw new Error(`${what}: not within ${PATIENCE / 1000} s`);
}

/** How many operations have run, once the model has run and the bench is at rest. */
export const stepShown = (browser) =>
  until(browser, 'a step is shown', () => {
    const bench = document.querySelector('u-bench');
    if (!document.querySelector('u-transport .says') || bench?.getAttribute('aria-busy') !== 'false') return null;
    const { trace, cursor } = bench.lab;
    const steps = trace.nodes.filter(({ phase }) => phase !== 'leaf');
    return { step: steps.filter(({ id }) => id <= cursor.node).length, of: steps.length };
  });

export async function open(browser, address) {
  await browser.goto(address);
  // WebKit's driver may answer while the previous page is still there.
  await until(browser, address, (wanted) => location.href.replace(/#.*/, '') === wanted, address);
  return stepShown(browser);
}

/** Clicks the button with this name. */
export async function press(browser, name) {
  const place = await until(browser, `a button "${name}"`, middleOf, name);
  await browser.clickAt(place.x, place.y);
}

/** Runs in the page: the centre of the button, once it is in view and no longer moves. */
async function middleOf(name) {
  const called = (button) => button.getAttribute('aria-label') ?? button.textContent.trim();
  const button = [...document.querySelectorAll('button')].find(
    (each) => called(each) === name && each.getClientRects().length,
  );
  button?.scrollIntoView({ block: 'nearest' });
  const before = button?.getBoundingClientRect();
  await new Promise((later) => setTimeout(later, 300));
  const now = button?.getBoundingClientRect();
  if (!now || now.x !== before.x || now.y !== before.y) return null;
  const [x, y] = [now.x + now.width / 2, now.y + now.height / 2];
  return button.contains(document.elementFromPoint(x, y)) && { x, y };
}

/** Goes to the last step of the trace. */
export async function stepToEnd(browser) {
  await press(browser, 'More');
  await press(browser, 'Last step');
  await until(browser, 'the last step is reached', () => {
    const { trace, cursor } = document.querySelector('u-bench').lab;
    return trace.nodes.every(({ id, phase }) => phase === 'leaf' || id <= cursor.node);
  });
}

/** Errors on the open page, and on earlier ones as far as the browser's driver reports them. */
export const complaints = async (browser) => [
  ...browser.heard.splice(0),
  ...(await browser.evaluate(() => globalThis.heard.splice(0))),
];
