// Late content has its space reserved: nothing moves while the reader reads or presses it.
import { shifted } from './layout';
import { cold, expect, open, settled, test } from './pages';

for (const [slug, width] of [
  ['pictures', 360],
  ['many-heads', 1280],
] as const)
  cold(`/lessons/${slug}/ does not shift while it loads for the first time, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(page, `lessons/${slug}/`);
    await settled(page);
    expect(await page.evaluate(shifted)).toBeLessThan(0.03);
  });

test('a click is not lost when the model writes text above the button meanwhile', async ({ page }) => {
  await open(page, 'lessons/language-model/');
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
  await expect(task.getByRole('status')).toContainText('No answer selected yet');
});
