// WCAG 2.2 AA by axe, on every page, in both themes, wide and narrow, and at 200 % text.
import AxeBuilder from '@axe-core/playwright';
import { expect, open, PAGES, press, test } from './pages';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

for (const path of PAGES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 360]) {
      test(`/${path} ${colorScheme} at ${width} px has no axe violation`, async ({ page }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: width === 360 ? 740 : 800 });
        await open(page, path);
        await press(page, 'Last step');
        const tabs = width === 360 ? ['Model', 'Weights', 'Code', 'Inspect'] : [null];
        for (const tab of tabs) {
          if (tab) await page.getByRole('tab', { name: tab }).click();
          const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
          expect(
            violations.map(({ id, nodes }) => `${tab ?? ''} ${id}: ${nodes.map((node) => node.html).join(' | ')}`),
          ).toEqual([]);
        }
      });
    }
  }

  test(`/${path} holds at 200 % text`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(page, path);
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await expect(page.getByRole('button', { name: 'Step forward', exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
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
