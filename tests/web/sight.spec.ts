// What is in sight beside a lesson's own text: little, and the rest where one points or asks.
import type { Page } from '@playwright/test';
import { MOST_IN_SIGHT, charactersOf, textInSight } from '../sight.mjs';
import { lessonsOfSite } from '../site.mjs';
import { expect, open, press, some, test } from './pages';

const DENSE = ['softmax', 'four-words', 'many-heads', 'language-model', 'attention-today'];

test('every lesson has its bar, and on average they have a third of what they had', () => {
  expect(Object.keys(MOST_IN_SIGHT)).toEqual(lessonsOfSite());
  const bars = Object.values(MOST_IN_SIGHT);
  const all = bars.reduce((sum, most) => sum + most, 0);
  expect(all / bars.length).toBeLessThanOrEqual(21_856 / 23 / 3);
});

for (const lesson of some(lessonsOfSite(), (each) => DENSE.includes(each)))
  test(`${lesson} opens with little text outside its own column`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(page, `lessons/${lesson}/`);
    const texts = await textInSight(page);
    expect(charactersOf(texts), texts.join(' | ')).toBeLessThanOrEqual(MOST_IN_SIGHT[lesson]!);
  });

const inSight = async (page: Page): Promise<string> => (await textInSight(page)).join(' ');

test('what rests is heard, and seen when one points at its tensor or figure', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, 'lessons/softmax/');
  const second = page.locator('.tensor').nth(1);
  await expect(second).toHaveAccessibleName(/5/);
  expect(await inSight(page)).not.toMatch(/largest at item 1/);
  await second.locator('u-grid').hover({ position: { x: 8, y: 8 } });
  const pointed = await inSight(page);
  expect(pointed.match(/item 3/g)).toHaveLength(2);
  expect(pointed).toMatch(/largest at item 1/);
});

test('gradients are in the menu of the numbers until they are asked for', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  const modes = page.getByRole('group', { name: 'What the cells show' });
  await expect(modes).toHaveCount(0);
  await page.locator('.board-bar').getByRole('button', { name: 'More of this figure' }).click();
  await press(page, 'Gradients');
  await expect(modes.getByRole('button', { name: 'Gradients' })).toHaveAttribute('aria-pressed', 'true');
  await modes.getByRole('button', { name: 'Values' }).click();
  await expect(modes).toBeVisible();
});

for (const width of [1280, 360])
  test(`that the link was copied is seen beside its button, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 });
    await open(page, 'lessons/softmax/');
    await press(page, 'Copy link');
    const said = page.locator('u-top').getByText('Link copied');
    await expect(said).toBeInViewport({ ratio: 1 });
    await expect(said).toHaveCount(0, { timeout: 4_000 });
  });
