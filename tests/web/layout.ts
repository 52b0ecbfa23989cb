// Checks of the layout, and of text at 200 %, with every tab of the bench. Functions that run inside the page are
// self-contained.

/** Elements outside the window, overlapping elements, and cells too small for their numbers. */
import { expect, expectStep, place, press, wholeRun, type Page } from './pages';

export function layoutFaults(): string[] {
  const [width, height] = [document.documentElement.clientWidth, innerHeight];
  const named = (element: Element): string =>
    `${element.tagName} ${element.className} ${element.textContent?.trim().slice(0, 20)}`;
  const shown = (selector: string): HTMLElement[] =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (element) => element.getClientRects().length > 0 && !element.closest('.vh, .katex-mathml, .tools span, svg *'),
    );
  const scrolls = (element: Element): boolean =>
    element.parentElement !== null &&
    (['auto', 'scroll'].includes(getComputedStyle(element.parentElement).overflowX) || scrolls(element.parentElement));
  const out = shown('body *').filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return (left < -0.5 || right > width + 0.5) && !scrolls(element);
  });
  const controls = shown('.top a, .top button, .tabs button, .tr-row button, .tr-row .count, .scrub');
  const over = controls.filter((one, i) =>
    controls.slice(0, i).some((other) => {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    }),
  );
  const cut = controls.filter((one) => one.scrollWidth > one.clientWidth + 1);
  const below =
    innerWidth < 600 ? shown('.tr-row button').filter((b) => b.getBoundingClientRect().bottom > height) : [];
  const small = shown('.board .cells').filter((cells) => {
    const [rows, columns] = ['aria-rowcount', 'aria-colcount'].map((name) => Number(cells.getAttribute(name)));
    const numbered = rows! <= 8 && columns! <= 8; // larger ones are a picture, and numbers only where they fit
    return numbered && (cells.clientHeight / rows! < 26 || cells.clientWidth / columns! < 28);
  });
  const wide = document.documentElement.scrollWidth > width ? ['the page scrolls sideways'] : [];
  const list = (what: string, elements: Element[]): string[] => elements.map((element) => `${what}: ${named(element)}`);
  return [
    ...wide,
    ...list('out of the window', out),
    ...list('overlapping', over),
    ...list('cut', cut),
    ...list('below the window', below),
    ...list('too small', small),
  ];
}

/** Not counted as controls: buttons that read as words, and a pressed choice, which labels what is drawn. */
const WORDS =
  '.term, .token, u-translator .w, .movable-word, .gate-name, li > .link, .belongs > *, [aria-pressed=true]';
export const CONTROLS = `button:not(${WORDS}), summary, [role=tab], [role=slider][aria-label=Step], u-top, u-problem, u-pair, nav`;

/** Controls on paper, and parts of the text that are not there; a record of progress needs no word on how to use it. */
export function paperFaults(controls: string): string[] {
  const named = (element: Element): string =>
    `${element.tagName}.${element.className} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 30)}`;
  const seen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
  const all = (selector: string): Element[] => [...document.querySelectorAll(selector)];
  const missing = all('article.text :is(h1, h2, h3, p, math), figure').filter(
    (element) =>
      !element.closest('u-task, dialog, [popover], details, u-progress .acts, .lead:has(~ u-progress)') &&
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

/** The layout shift since the page began to load: the share of the window that moved, times the distance. */
export const shifted = (): Promise<number> =>
  new Promise((done) => {
    const sum = (list: PerformanceEntryList): number =>
      list.reduce((all, entry) => all + (entry as unknown as { value: number }).value, 0);
    new PerformanceObserver((list) => done(sum(list.getEntries()))).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => done(0), 50); // the observer is not called if nothing moved
  });

/** The picture of a lesson that has just opened is cut off. */
export function pictureFaults(): string[] {
  const box = (selector: string): DOMRect | undefined => document.querySelector(selector)?.getBoundingClientRect();
  const [pane, figure] = [box('[data-pane="picture"]'), box('u-bench-views figure')];
  // Many heads, the block diagram and blocks of attention are taller than the bench, as is a text of fifty words.
  const fits = !/\/(many-heads|the-block|language-model|attention-today)\//.test(location.pathname);
  return fits && pane && figure && figure.bottom > pane.bottom + 1 ? ['the figure is cut'] : [];
}

/** Among the code, a lesson that has just opened highlights a line of what it names, wholly in view; unless it opens elsewhere. */
export function codeFaults(): string[] {
  if (document.querySelector<HTMLElement & { lab: { page: { opens: string | null } } }>('u-bench')!.lab.page.opens)
    return [];
  const { file, first, last } = JSON.parse(document.querySelector<HTMLElement>('u-lab')!.dataset.code!) as {
    file: string;
    first: number;
    last: number;
  };
  const box = (selector: string): DOMRect | undefined => document.querySelector(selector)?.getBoundingClientRect();
  const line = Number(document.querySelector('.ln.on .no')?.textContent);
  const shown = document.querySelector('u-code .phead')?.textContent?.trim();
  const [code, lit] = [box('.src'), box('.ln.on')];
  const faults = {
    [`lit: ${shown}:${line}`]: shown !== file || line < first || line > last,
    'the lit line is cut': !code || !lit || lit.top < code.top - 1 || lit.bottom > code.bottom + 1,
  };
  return Object.keys(faults).filter((fault) => faults[fault]);
}

/** What is cut off in the card of the chosen cell, and the card itself. */
export function cardFaults(): string[] {
  const box = (selector: string): DOMRect | undefined => document.querySelector(selector)?.getBoundingClientRect();
  const [work, buttons, card, transport] = ['u-card .work', 'u-card .foot', 'u-card', 'u-transport'].map(box);
  const wide = [...document.querySelectorAll('u-card dd')].filter((dd) => dd.scrollWidth > dd.clientWidth + 1);
  const faults = {
    'no card': !card,
    'the formula is cut': !!work && (work.bottom > buttons!.top + 1 || buttons!.bottom > card!.bottom + 1),
    'a number sticks out': wide.length > 0,
    'the card covers the transport': !!card && card.bottom > transport!.top + 1,
  };
  return Object.keys(faults).filter((fault) => faults[fault as keyof typeof faults]);
}

/** Two ways to double the text size: in the browser's settings, and on the page itself. */
export const ENLARGE: Record<string, (page: Page, size: number) => Promise<unknown>> = {
  'in the browser': async (page, size) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Page.enable');
    await session.send('Page.setFontSizes', { fontSizes: { standard: 16 * size, fixed: 13 * size } });
  },
  'on the page': (page, size) =>
    page.evaluate((percent) => (document.documentElement.style.fontSize = percent), size === 1 ? '' : `${100 * size}%`),
};

/** Checks the page at 200 % with every tab of the bench; the two ways alternate. */
export async function expectRoomForLargeText(page: Page, turn: number): Promise<void> {
  const tabs = page.getByRole('tab');
  const { step } = await place(page);
  for (const [w, [how, enlarge]] of Object.entries(ENLARGE).entries()) {
    if (!wholeRun && w !== turn % 2) continue;
    await enlarge(page, 2);
    await press(page, 'Last step');
    for (let i = 0; i < Math.max(1, await tabs.count()); i++) {
      if (await tabs.count()) await tabs.nth(i).click();
      await expect.soft.poll(() => page.evaluate(layoutFaults), `200 % text, set ${how}, tab ${i}`).toEqual([]);
    }
    await enlarge(page, 1);
    await press(page, 'Reset');
    await expectStep(page, step);
  }
}
