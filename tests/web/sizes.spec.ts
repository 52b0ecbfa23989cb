// Layout by window size: touch targets are large enough, a tablet has two columns, a large screen is used.
import { layoutFaults } from './layout';
import { cold, expect, open, settled, some, test, type Page } from './pages';

const LESSON = 'lessons/alignment/';

/** Touch targets that are too small. Exempt: words in a line of text, and the scrubber, which has step buttons. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('a, button, select, input, summary, [role=tab]')]
      .filter(
        (each) => each.checkVisibility({ visibilityProperty: true }) && getComputedStyle(each).display !== 'inline',
      )
      .filter((each) => !each.matches('.term, .contents a, .grab'))
      .map((each) => [each, (each.closest('label') ?? each).getBoundingClientRect()] as const)
      .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 43.5)
      .map(([each, { width, height }]) => `${each.outerHTML.slice(0, 60)} ${width} × ${height}`),
  );

/** Layout faults, except small numbers in cells, which are allowed at the default text size. */
const faults = async (page: Page): Promise<string[]> =>
  (await page.evaluate(layoutFaults)).filter((fault) => !fault.startsWith('too small'));

/** The boxes of the text and the bench, from left to right. */
const columns = (page: Page): Promise<DOMRect[]> =>
  page.locator('article.text, .bench').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));

/** Lines of engine code that wrap. */
const brokenLines = (page: Page): Promise<string[]> =>
  page.locator('.ln code').evaluateAll((all) => {
    const rows = (code: Element): number => new Set([...code.getClientRects()].map(({ top }) => Math.round(top))).size;
    return all.filter((code) => rows(code) > 1).map((code) => code.textContent!);
  });

/** Scrolling panels without room at the right edge for an overlay scrollbar such as WebKit's. */
const crowdedPanels = (page: Page): Promise<string[]> =>
  page.locator('.panel').evaluateAll((all) => {
    const scrolls = (panel: Element): boolean => /auto|scroll/.test(getComputedStyle(panel).overflowY);
    const room = (panel: Element): number =>
      panel.getBoundingClientRect().right -
      Math.max(...[...panel.children].map((child) => child.getBoundingClientRect().right));
    return all
      .filter((panel) => scrolls(panel) && room(panel) < 12)
      .map((panel) => `${panel.getAttribute('data-panel')}: ${room(panel)}`);
  });

cold.describe('on a touch screen', () => {
  cold.use({ hasTouch: true, isMobile: true });

  const screens = [
    [LESSON, 360, 740],
    [LESSON, 820, 1180],
    ['workbench/', 1024, 768],
    ['', 360, 740],
  ] as const;
  for (const [path, width, height] of some(screens, (_, i) => i % 2 === 0))
    cold(`/${path} at ${width} × ${height}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await open(page, path);
      const tabs = page.getByRole('tab');
      expect(await tabs.count()).toBe(width < 768 ? (path ? 5 : 4) : 0);
      for (let i = 0; i < Math.max(1, await tabs.count()); i++) {
        if (await tabs.count()) await tabs.nth(i).click();
        await settled(page);
        expect.soft(await smallTargets(page), `tab ${i}`).toEqual([]);
        expect.soft(await faults(page), `tab ${i}`).toEqual([]);
      }
      if (width < 768) return;
      const [text, bench] = await columns(page);
      expect(bench!.left).toBeGreaterThanOrEqual(text!.right - 1);
      await expect(page.getByRole('button', { name: 'Step forward', exact: true })).toBeInViewport({ ratio: 1 });
    });
});

test('a large screen is used, and resizing the window causes no errors', async ({ page }) => {
  await page.addInitScript(() =>
    addEventListener('error', ({ message }) => document.body.setAttribute('data-heard', message)),
  );
  await page.setViewportSize({ width: 2560, height: 1440 });
  await open(page, 'lessons/seq2seq/');
  await settled(page);
  const [text, bench] = await columns(page);
  expect(text!.width).toBeLessThan(700);
  expect(bench!.right).toBeGreaterThan(2500);
  expect(bench!.width).toBeGreaterThan(1800);
  expect(await faults(page)).toEqual([]);
  expect(await page.locator('.ln code').count()).toBeGreaterThan(50);
  expect(await brokenLines(page)).toEqual([]);
  for (const width of [1440, 1100, 820, 360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await settled(page);
    if (width > 1200) expect(await crowdedPanels(page), `${width} px`).toEqual([]);
  }
  expect(await page.locator('body').getAttribute('data-heard')).toBeNull();
});
