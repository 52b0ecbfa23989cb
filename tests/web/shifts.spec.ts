// What comes late finds its room: nothing that is being read or pressed is moved away under the reader.
import type { Page } from '@playwright/test';
import { expect, open, settled, test } from './pages';

/** The browser's own sum: what part of the window was moved, times how far. As a web vital, up to 0.1 is good. */
const MOST = 0.03;

/** From the first paint on. */
async function countShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = Object.assign(window, { shifted: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) counted.shifted += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifted: number }).shifted);
}

for (const slug of ['13-pictures', '18-many-heads', '20-the-block', '22-language-model'])
  for (const width of [1280, 360])
    test(`/lessons/${slug}/ stays where it is while it loads, at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      const shifted = await countShifts(page);
      await open(page, `lessons/${slug}/`);
      await settled(page);
      expect(await shifted()).toBeLessThan(MOST);
    });

test('a press is not lost to what the model has written above it meanwhile', async ({ page }) => {
  await open(page, 'lessons/22-language-model/');
  const task = page.locator('u-task[id="circle"]');
  const check = task.getByRole('button', { name: 'Check' });
  const held = page.workers()[0]!.evaluate(() => {
    for (const end = Date.now() + 1000; Date.now() < end;);
  });
  await check.evaluate((button) => button.scrollIntoView({ block: 'end' }));
  const { x, y, width, height } = (await check.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  const written = page.locator('u-write[data-method="sample"][data-show="text"] .written');
  await expect(written).toHaveCount(0);
  await held;
  await expect(written).toBeVisible();
  await page.mouse.up();
  await expect(task.getByRole('status')).toContainText('No answer is chosen yet');
});
