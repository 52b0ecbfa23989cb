// On paper: the text and the figures, and nothing that only a screen can do.
import { expect, open, settled, test } from './pages';

/** Some words are buttons, and read as words. A choice that is made tells what is drawn; answers take a pencil. */
const WORDS = '.term, .token, .movable-word, .gate-name, li > .link, .belongs > *, [aria-pressed=true]';
const CONTROLS = `button:not(${WORDS}), summary, [role=tab], [role=slider][aria-label=Step], u-top, u-problem, u-pair, nav`;

/** What is left of the screen, and what is missing of the lesson. */
function faults(controls: string): string[] {
  const named = (element: Element): string =>
    `${element.tagName}.${element.className} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 30)}`;
  const seen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
  const all = (selector: string): Element[] => [...document.querySelectorAll(selector)];
  const missing = all('article.text :is(h1, h2, h3, p, math), figure').filter(
    (element) =>
      !element.closest('u-task, dialog, [popover], details') &&
      (element.matches('figure') || element.textContent!.trim()) &&
      !seen(element),
  );
  return [
    ...all(controls)
      .filter(seen)
      .map((element) => `left: ${named(element)}`),
    ...missing.map((element) => `missing: ${named(element)}`),
  ];
}

for (const path of [
  'lessons/01-softmax/',
  'lessons/13-pictures/',
  'lessons/15-four-words/',
  'lessons/21-encoder-decoder/',
])
  test(`/${path} on paper is text and figures, and nothing to click`, async ({ page }) => {
    await open(page, path);
    await settled(page);
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(faults, CONTROLS)).toEqual([]);
  });
