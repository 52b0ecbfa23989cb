// Training in the page: to its bar, paused, stopped, diverged; started by a link, and up to the most that a link can
// hold.
import type { CurvesData } from '../../web/src/figures/charts/curves-layout';
import { expectAccessible } from './axe';
import { enter } from './hands';
import { linkTo } from './links';
import { benchOf, expect, notice, open, press, rested, test, type WithLab } from './pages';
import {
  begin,
  countSteps,
  ended,
  figure,
  LARGE,
  panel,
  REVERSE,
  SMALL,
  small,
  stepsTrained,
  train,
  trainBeyond,
} from './trainings';

test('reverse is learnt to its bar, and its output can be watched meanwhile', async ({ page }) => {
  await begin(page, REVERSE);
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
  const learnt = async (): Promise<Record<string, number>> =>
    panel(page)
      .locator('u-curves')
      .evaluate((view) => {
        const { curves } = (view as unknown as { data: CurvesData }).data;
        return Object.fromEntries(curves.map(({ name, points }) => [name, points.at(-1)![1]]));
      });
  const loss = await learnt();
  expect(loss['each batch']).toBeLessThan(0.5);
  expect(loss['new pairs']).toBeLessThan(0.5);
  await panel(page).getByRole('button', { name: 'accuracy' }).click();
  const accuracy = await learnt();
  expect(accuracy['each batch']).toBeGreaterThan(0.9);
  expect(accuracy['new pairs']).toBeGreaterThan(0.9);
});

test('an invalid number of steps is refused; paused training resumes where it was; Stop ends it', async ({ page }) => {
  await begin(page, SMALL);
  const field = page.getByRole('textbox', { name: 'Steps to train' });
  for (const typed of ['0', '-3', '1e9', 'many', '']) {
    await enter(field, typed);
    await expect(page.locator('u-problem')).toContainText('use a whole number from 1 to 100000');
    await expect(field).toHaveValue('20000');
  }
  await trainBeyond(page, 20);
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

test('a link that would train for a long time trains briefly and asks before going on', async ({ page }) => {
  await page.goto(`workbench/${linkTo({ lesson: '', config: LARGE, steps: 100_000, stage: 'training' })}`);
  const words = /^Training is at step [\d,]+ of 100,000: the rest will take about [\d,]+ minutes on this device\.$/;
  await expect(notice(page).locator('p')).toHaveText(words, { timeout: 20_000 });
  await rested(page);
  const before = await stepsTrained(page);
  await press(page, 'Continue training');
  await expect.poll(() => stepsTrained(page)).toBeGreaterThan(before);
  await press(page, 'Stop');
});

test('training started by a link can be stopped at once', async ({ page }) => {
  await page.addInitScript(() => {
    const look = (): void => {
      const stop = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Stop');
      if (stop) stop.click();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(`workbench/${linkTo({ lesson: '', config: LARGE, steps: 300, stage: 'training' })}`);
  await expect(notice(page)).not.toHaveText('');
  await rested(page);
  const words = await notice(page).locator('p').textContent();
  const [, step] = /^Training is at step (\d+) of 300/.exec(words!)!;
  expect(await stepsTrained(page)).toBe(Number(step));
  expect(Number(step)).toBeLessThan(300);
});

test('a model is trained for as many steps as a link can hold, and no more', async ({ page }) => {
  const asked = await countSteps(page);
  await begin(page, small({ steps: 100_000 }));
  const stand = (step: number): Promise<void> =>
    benchOf(page).evaluate(({ lab }: WithLab, step) => {
      lab.training = { ...lab.training, step, target: step };
    }, step);
  await stand(99_990);
  await train(page, 300);
  expect(await asked()).toBe(10);
  await stand(100_000);
  await press(page, 'Train');
  await expect(notice(page)).toContainText('This model has been trained for 100,000 steps, the most a link can hold');
  expect(await asked()).toBe(10);
});

test('after the end of its schedule a model still learns, and the page says how', async ({ page }) => {
  const words = 'The schedule of 30 steps has ended: further training restarts it.';
  await begin(page, small({ steps: 30, warmup: 5, learning_rate: 0.01 }));
  await expect(page.getByText(words)).toHaveCount(0);
  await press(page, 'Train');
  await ended(page);
  await expect(page.getByText(words)).toBeVisible();
  const loss = parseFloat(await figure(page, 'loss'));
  await train(page, 150);
  expect(parseFloat(await figure(page, 'loss'))).toBeLessThan(0.9 * loss);
});

test('the curve has its names at the ends of its lines, fills the stage, and has a table', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, `lessons/looking-back/${linkTo({ lesson: 'looking-back', stage: 'training' })}`);
  await expect(panel(page)).toContainText('This model has not been trained here. Train it to see a curve.');
  await train(page, 150);
  const curves = panel(page).locator('u-curves');
  await expect(curves.locator('.end-name')).toHaveText([/^training\s*[\d.]+/, /^new pairs\s*[\d.]+/]);
  const [drawn, name] = await Promise.all(
    [curves.locator('svg.drawn'), curves.locator('.end-name').first()].map((part) => part.boundingBox()),
  );
  expect(drawn!.height).toBeGreaterThanOrEqual(320);
  expect(name!.x).toBeGreaterThan(drawn!.x + drawn!.width / 2);
  await expect(curves.locator('.curve.pale')).toHaveCount(1);
  await expect(panel(page)).toContainText('The dashed line is the loss on new pairs kept out of training.');
  await expectAccessible(page, 'the curve of a training', { within: 'u-train' });
  await press(curves, 'Show as table');
  await expect(curves.getByRole('columnheader')).toHaveText(['step', 'each batch', 'training', 'new pairs']);
  await press(curves, 'Show as figure');
  await panel(page).getByRole('button', { name: 'accuracy' }).click();
  await expect(curves.locator('.end-name').first()).toHaveText(/^training/);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(curves.locator('.end-name')).toHaveCount(2);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('other seeds train beside the model, which stays as it is, and are there after another stage', async ({
  page,
}) => {
  await begin(page, small());
  await train(page, 40);
  const before = await figure(page, 'loss');
  await press(page, 'Three other seeds');
  const words = /^After 40 steps from 4 seeds the loss on new pairs is [\d.]+ to [\d.]+\./;
  await expect(panel(page).locator('.seeds .hint')).toHaveText(words, { timeout: 30_000 });
  expect([await figure(page, 'loss'), await stepsTrained(page)]).toEqual([before, 40]);
  await page.getByRole('tab', { name: 'Picture' }).click();
  await page.getByRole('tab', { name: 'Training' }).click();
  await expect(panel(page).locator('u-curves .end-name')).toHaveText([/^training/, /^new pairs/, /^other seeds/]);
  await expect(panel(page).locator('u-curves .range').first()).toBeAttached();
  await press(page, 'Three more seeds');
  await press(page, 'Stop the other seeds');
  await expect(panel(page).getByRole('button', { name: 'Three more seeds' })).toBeVisible();
});
