// Training in the page: to its bar, paused, stopped, diverged.
import type { CurvesData } from '../../web/src/figures/charts/curves-layout';
import { enter } from './hands';
import { expect, press, test } from './pages';
import { begin, ended, figure, panel, REVERSE, SMALL, stepsTrained } from './trainings';

test('reverse is learnt to its bar, and its output can be watched meanwhile', async ({ page }) => {
  await begin(page, REVERSE);
  await press(page, 'Curves and samples');
  await press(page, 'Train');
  await ended(page);
  await expect.poll(() => figure(page, 'exact match'), { timeout: 20_000 }).toMatch(/^\d/);
  const tested = panel(page).locator('.tested');
  await expect(tested.getByRole('progressbar')).toHaveCount(0, { timeout: 20_000 });
  expect(parseFloat(await figure(page, 'exact match'))).toBeGreaterThanOrEqual(99);
  await expect(tested).toContainText('On 200 pairs it has not seen in training');
  for (const sample of await panel(page).locator('.samples li').all()) {
    const [read, wrote] = await sample.locator('span.read, span.wrote').allTextContents();
    expect([...read!].reverse().join('')).toBe(wrote);
  }
  await expect(panel(page).locator('u-curves svg').first()).toBeVisible();
  const learnt = await panel(page)
    .locator('u-curves')
    .evaluate((view) => {
      const { curves } = (view as unknown as { data: CurvesData }).data;
      return Object.fromEntries(curves.map(({ name, points }) => [name, points.at(-1)![1]]));
    });
  expect(learnt.accuracy).toBeGreaterThan(0.9);
  expect(learnt.loss).toBeLessThan(0.5);
});

test('an invalid number of steps is refused; paused training resumes where it was; Stop ends it', async ({ page }) => {
  await begin(page, SMALL);
  const field = page.getByRole('textbox', { name: 'Steps to train' });
  for (const typed of ['0', '-3', '1e9', 'many', '']) {
    await enter(field, typed);
    await expect(page.locator('u-problem')).toContainText('use a whole number from 1 to 100000');
    await expect(field).toHaveValue('20000');
  }
  await press(page, 'Train');
  await expect.poll(() => stepsTrained(page), { timeout: 30_000 }).toBeGreaterThan(20);
  await press(page, 'Pause');
  await ended(page);
  expect(await figure(page, 'step')).toMatch(/ of 20,000$/);
  await press(page, 'Stop');
  await expect(panel(page).getByRole('button', { name: 'Stop' })).toHaveCount(0);
  expect(await figure(page, 'step')).toMatch(/^[\d,]+$/);
});

test('diverging training ends at once, with the reason and the last good weights', async ({ page }) => {
  await begin(page, { ...SMALL, optimiser: 'rmsprop', clip_norm: 1e6, learning_rate: 10, schedule: 'constant' });
  await press(page, 'Train');
  await expect(page.locator('u-problem')).toContainText('lower learning_rate, which is 10.', { timeout: 20_000 });
  await ended(page);
  expect(await figure(page, 'loss')).not.toContain('NaN');
  await press(page, 'Step forward');
});
