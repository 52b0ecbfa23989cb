// Values that are edited while the bench moves on: what was begun on one cell is never done to another.
import { expect, open, press, test } from './pages';

test('a value that is being typed is not the next tensor’s when the steps move on', async ({ page }) => {
  await open(page, 'workbench/');
  for (let i = 0; i < 3; i++) await press(page, 'Step forward');
  await press(page, 'Edit value');
  await page.keyboard.type('5');
  await press(page, 'Step forward');
  await expect(page.locator('u-inspector form')).toHaveCount(0);
});
