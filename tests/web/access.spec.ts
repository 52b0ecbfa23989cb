// WCAG 2.2 AA by axe, on every page, in both themes, wide and narrow, and at 200 % text.
import AxeBuilder from '@axe-core/playwright';
import { expect, open, PAGES, press, test } from './pages';
import type { Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Twice the usual size of text: as a reader sets it in the browser, or on the page itself. */
const ENLARGE = {
  'set in the browser': async (page: Page): Promise<void> => {
    const session = await page.context().newCDPSession(page);
    await session.send('Page.enable');
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  },
  'set on the page': async (): Promise<void> => undefined,
};

/** What sticks out of the window, what lies over something else, and cells too small for their numerals. */
function faults(): string[] {
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

for (const path of PAGES) {
  for (const width of [1280, 360]) {
    test(`/${path} at ${width} px has no axe violation, light and dark`, async ({ page }) => {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 800 });
      await open(page, path);
      await press(page, 'Last step');
      const tabs = width === 360 ? ['Model', 'Weights', 'Code', 'Inspect'] : [null];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const tab of tabs) {
          if (tab) {
            await page.getByRole('tab', { name: tab }).click();
            await expect(page.getByRole('tabpanel', { name: tab })).toHaveText(/\S/);
          }
          const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
          const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
          expect(told, `${colorScheme} ${tab ?? ''}`).toEqual([]);
        }
      }
    });
  }

  for (const width of [1280, 360]) {
    for (const [how, enlarge] of Object.entries(ENLARGE)) {
      test(`/${path} at ${width} px holds 200 % text, ${how}`, async ({ page }) => {
        await page.setViewportSize({ width, height: width === 360 ? 740 : 800 });
        await enlarge(page);
        await open(page, path);
        if (how === 'set on the page') await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
        await press(page, 'Last step');
        const tabs = page.getByRole('tab');
        for (let i = 0; i < Math.max(1, await tabs.count()); i++) {
          if (await tabs.count()) await tabs.nth(i).click();
          expect(await page.evaluate(faults)).toEqual([]);
        }
      });
    }
  }
}

test('the menu and the dialog have no axe violation', async ({ page }) => {
  await open(page, 'workbench/');
  await page.getByRole('button', { name: /^Lessons/ }).click();
  const menu = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  await page.keyboard.press('Escape');
  await press(page, 'Keyboard');
  const dialog = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  expect([...menu.violations, ...dialog.violations].map(({ id }) => id)).toEqual([]);
});

test('the menu leads to every lesson, one below the other', async ({ page }) => {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await open(page, 'workbench/');
    await page.getByRole('button', { name: /^Lessons/ }).click();
    const links = page.getByRole('navigation', { name: 'Lessons' }).getByRole('link');
    await expect(links).toHaveCount(PAGES.length - 2);
    const boxes = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().toJSON() as DOMRect));
    for (const [i, box] of boxes.entries()) {
      expect(box.left).toBe(boxes[0]!.left);
      if (i) expect(box.top).toBeGreaterThanOrEqual(boxes[i - 1]!.bottom);
    }
  }
  await page.getByRole('navigation', { name: 'Lessons' }).getByRole('link').last().click();
  await expect(page).toHaveURL(new RegExp(`${PAGES.at(-1)!}$`));
});

test('1280 × 800 holds the whole workbench without scrolling', async ({ page }) => {
  for (const path of PAGES) {
    await open(page, path);
    await press(page, 'Last step');
    const spare = await page.locator('u-bench').evaluate((bench) => bench.clientHeight - bench.scrollHeight);
    expect(spare).toBeGreaterThanOrEqual(0);
  }
});

test('the theme goes from auto to light to dark and is kept', async ({ page }) => {
  await open(page, 'workbench/');
  for (const [now, next] of [
    ['auto', 'light'],
    ['light', 'dark'],
    ['dark', 'auto'],
    ['auto', 'light'],
    ['light', 'dark'],
  ]) {
    await press(page, `Theme: ${now}`);
    await expect(page.getByRole('button', { name: `Theme: ${next}`, exact: true })).toBeVisible();
  }
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
