// The text and the bench do not contradict each other: numbers say for which settings they hold.
import type { Locator } from '@playwright/test';
import { expect, open, press, settled, test } from './pages';
import { begin, figure, SMALL } from './trainings';

/** Of its text, in pixels. */
const sizeOf = (element: Locator): Promise<string> => element.evaluate((each) => getComputedStyle(each).fontSize);

test('at another temperature, the numbers in the text say that they hold with temperature 1', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  await expect(page.locator('data.held')).toHaveCount(0);
  await page.locator('u-try').first().getByText('0', { exact: true }).first().click();
  await settled(page);
  const number = page.locator('data.val:not(.given)').first();
  await expect(number).toHaveClass(/held/);
  await expect(number).toHaveAttribute('title', 'with temperature 1');
  expect(await sizeOf(number)).toBe(await sizeOf(number.locator('..')));
  await expect(page.getByText('The numbers in the text hold with temperature 1.').first()).toBeVisible();
  const exp = page.locator('u-step[data-at="softmax/exp"]');
  const button = exp.locator('.to-bench');
  await expect(button).toHaveText('Show on the bench with temperature 1');
  await expect(page.locator('u-step.here:has(data.val)')).toHaveCount(0);
  await button.click();
  await settled(page);
  await expect(exp).toHaveClass(/here/);
  await expect(button).toHaveText('Show on the bench');
  await expect(page.locator('data.held')).toHaveCount(0);
});

test('with forced colours, the cells of a heat map keep different colours', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page, 'lessons/softmax/');
  await settled(page);
  const colours = await page
    .locator('u-grid canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d')!.getImageData(0, Math.floor(height / 4), width, 1);
      return new Set(Array.from({ length: width }, (_, x) => data.slice(4 * x, 4 * x + 3).join())).size;
    });
  expect(colours).toBeGreaterThan(3);
  await page.emulateMedia({ forcedColors: 'none' });
});

test('accuracy says that it is of the batch, and exact match of how many unseen pairs', async ({ page }) => {
  await begin(page, SMALL);
  await press(page, 'Train');
  await expect.poll(() => figure(page, 'accuracy')).toMatch(/^[\d.]+ % of the batch$/);
  await press(page, 'Stop'); // exact match takes its place once training has ended
  await expect.poll(() => figure(page, 'exact match')).toMatch(/^[\d.]+ % of [\d,]+ unseen pairs$/);
});
