// What a learner does in a browser, whichever drives it.
import { setTimeout as sleep } from 'node:timers/promises';
import { lessonsOfSite } from '../site.mjs';

/** Those with a model: not the glossary, nor the page behind the last lesson. */
export const LESSONS = lessonsOfSite().map((slug) => `lessons/${slug}/`);
export const PAGES = ['', 'workbench/', ...LESSONS];

/** Milliseconds that a busy machine may take. */
const PATIENCE = 180_000;

/** What the page answers once that is not nothing. */
export async function until(browser, what, act, ...words) {
  for (const last = Date.now() + PATIENCE; Date.now() < last; await sleep(50)) {
    const value = await browser.evaluate(act, ...words);
    if (value) return value;
  }
  throw new Error(`${what}: not within ${PATIENCE / 1000} s`);
}

/** "step 3 of 12" as two numbers, once the model has run and the bench is at rest. */
export const stepShown = (browser) =>
  until(browser, 'a step is shown', () => {
    const [, step, of] = /step (\d+) of (\d+)/.exec(document.querySelector('u-transport')?.textContent) ?? [];
    const rests = document.querySelector('u-bench')?.getAttribute('aria-busy') === 'false';
    return of && rests ? { step: Number(step), of: Number(of) } : null;
  });

export async function open(browser, address) {
  await browser.goto(address);
  // WebKit's driver may answer while the page before is still there.
  await until(browser, address, (wanted) => location.href.replace(/#.*/, '') === wanted, address);
  return stepShown(browser);
}

/** With the mouse, on the button of that name. */
export async function press(browser, name) {
  const place = await until(browser, `a button "${name}"`, middleOf, name);
  await browser.clickAt(place.x, place.y);
}

/** In the page: the middle of the button, once it is in view and stands still. */
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

/** To the last step of the trace. */
export async function stepToEnd(browser) {
  await press(browser, 'Last step');
  await until(browser, 'the last step is reached', () => {
    const [, step, of] = /step (\d+) of (\d+)/.exec(document.querySelector('u-transport').textContent);
    return step === of;
  });
}

/** What went wrong on the page that is open, and on those before as far as the browser's driver tells of it. */
export const complaints = async (browser) => [
  ...browser.heard.splice(0),
  ...(await browser.evaluate(() => globalThis.heard.splice(0))),
];
