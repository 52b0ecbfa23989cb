// The bar at the top: the menu of lessons, the dialog of keys, the theme.
import { expectAccessible } from './axe';
import { expect, open, PAGES, press, test } from './pages';

test('the menu and the dialog have no axe violation', async ({ page }) => {
  await open(page, 'workbench/');
  await page.getByRole('button', { name: /^Lessons/ }).click();
  await expectAccessible(page, 'the menu');
  await page.keyboard.press('Escape');
  await press(page, 'Keyboard');
  await expectAccessible(page, 'the dialog');
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
