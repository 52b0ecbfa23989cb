// The card of a chosen cell: what the number is in words, its path, three digits or all of them.
import { expect, open, press, showStage, test } from './pages';

const HEIGHT = 800;

test('a chosen cell is said in words, with its path, its shape by letters, and three digits', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  await open(page, 'lessons/looking-back/');
  await page.getByRole('tab', { name: 'Numbers' }).click();
  const grid = page.getByRole('grid', { name: 'Cells of decoder.t1.attention/α, the weights for “g”' });
  await grid.press('ArrowRight');
  const card = page.locator('u-card');
  await expect(card.locator('.name')).toHaveText('The weights for g');
  await expect(card.locator('.where')).toHaveText('decoder.t1.attention/α [0, 0, 1]');
  await expect(card.locator('.cell')).toHaveText(/^\s*weight of a\s*1 × S = 1 × 5\s*$/);
  await expect(page.getByRole('group', { name: 'Chosen: the weights for “g”, weight of “a”' })).toBeVisible();

  const value = card.locator('dd').first();
  const short = (await value.textContent())!.trim();
  await press(page, 'All digits');
  await expect(value).not.toHaveText(short);
  await press(page, 'All digits');
  await expect(value).toHaveText(short);
  const [box, foot] = [await card.boundingBox(), await card.locator('.foot .acts').boundingBox()];
  expect(foot!.y + foot!.height).toBeLessThanOrEqual(box!.y + box!.height);
  expect(box!.y + box!.height).toBeLessThanOrEqual(HEIGHT);
});

test('the card of a score covers no weight that the score moves', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  await open(page, 'lessons/softmax/');
  await showStage(page, 'Numbers');
  await page.getByRole('grid', { name: /^Cells of e(,|$)/ }).click({ position: { x: 190, y: 20 } });
  const card = page.locator('u-card');
  await expect(card.locator('.where')).toHaveText('e [2]');
  const weights = (await page.getByRole('grid', { name: /^Cells of α(,|$)/ }).boundingBox())!;
  await expect
    .poll(async () => {
      const box = (await card.boundingBox())!;
      return box.x >= weights.x + weights.width || box.y >= weights.y + weights.height;
    })
    .toBe(true);
});

test('on a phone the card is a sheet, and the chosen cell is in sight above it', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, 'lessons/looking-back/');
  await showStage(page, 'Numbers');
  await page.locator('u-board [role=grid]').last().press('End');
  const chosen = (): Promise<number> =>
    page.locator('u-board u-grid').evaluateAll((grids) => {
      const card = document.querySelector('u-card')!.getBoundingClientRect();
      const cell = grids.map((grid) => (grid as HTMLElement & { chosen: DOMRect | null }).chosen).find(Boolean)!;
      return card.top - cell.bottom;
    });
  await expect(page.locator('u-card dd').first()).toBeVisible();
  await expect.poll(chosen).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('Escape');
  await expect(page.locator('u-card')).toHaveCount(0);
});
