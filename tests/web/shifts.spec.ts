// What comes late finds its room: nothing that is being read or pressed is moved away under the reader.
import { shifted } from './layout';
import { cold, expect, open, settled, test } from './pages';

for (const [slug, width] of [
  ['pictures', 360],
  ['many-heads', 1280],
] as const)
  cold(`/lessons/${slug}/ stays where it is while it loads for the first time, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(page, `lessons/${slug}/`);
    await settled(page);
    expect(await page.evaluate(shifted)).toBeLessThan(0.03);
  });

test('a press is not lost to what the model has written above it meanwhile', async ({ page }) => {
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
