// Training is saved in the browser as it runs: a reload in the middle goes on from what was saved.
import type { Page } from '@playwright/test';
import { expect, open, press, rested, test } from './pages';
import { begin, ended, figure, keptBeyond, SMALL, stepsKept, stepsTrained } from './trainings';

/** About 30 steps a second: slow enough to tell retraining from loading. */
const SLOW = { ...SMALL, embedding: 64, hidden: 128, attention_size: 128, batch: 64 };

/** Milliseconds of training. */
const MOST_LOST = 5_000;

/** The first step of training that is shown, before its panel has opened. */
const resumedAt = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    type Shown = { lab?: { training: { step: number } } } | null;
    const step = (): number => (document.querySelector('u-bench') as unknown as Shown)?.lab?.training.step ?? 0;
    while (!step()) await new Promise((later) => setTimeout(later, 1));
    return step();
  });

test('a reload during training restores the checkpoint at once, and offers the rest', async ({ page }) => {
  await begin(page, SLOW, { steps: 0 });
  await press(page, 'Train');
  const first = await keptBeyond(page, 0);
  const before = await stepsTrained(page);
  const kept = await keptBeyond(page, first);
  await page.reload();
  expect(await resumedAt(page)).toBeGreaterThanOrEqual(kept);
  await ended(page);
  const after = await stepsTrained(page);
  expect(after).toBeGreaterThanOrEqual(before);
  await expect(page.locator('u-problem')).toContainText(`Training is at step ${after.toLocaleString('en')} of 20,000`);
  await press(page, 'Continue training');
  await expect.poll(() => stepsTrained(page), { timeout: 30_000 }).toBeGreaterThan(after);
  expect(await figure(page, 'step')).toMatch(/ of 20,000$/);
});

test('after a reload, training can continue and ends with the same bits', async ({ page }) => {
  await begin(page, SMALL, { steps: 0 });
  await press(page, 'Train');
  await expect.poll(() => stepsTrained(page), { timeout: 30_000 }).toBeGreaterThan(40);
  const before = await stepsTrained(page);
  await keptBeyond(page, before - 1);
  await page.reload();
  await ended(page);
  const after = await stepsTrained(page);
  expect(after).toBeGreaterThanOrEqual(before);
  const resumed = await figure(page, 'loss');
  await begin(page, SMALL, { steps: after });
  await expect.poll(() => figure(page, 'loss')).toBe(resumed);
});

test('a returning learner is offered the trained model', async ({ page }) => {
  await begin(page, SMALL);
  await press(page, 'Train');
  await expect.poll(() => stepsTrained(page), { timeout: 30_000 }).toBeGreaterThan(40);
  await press(page, 'Stop');
  await ended(page);
  await rested(page); // saved
  const steps = await stepsTrained(page);
  await page.goto('about:blank');
  await open(page, 'workbench/');
  await expect(
    page.getByText(`You trained a model here for ${steps.toLocaleString('en')} steps, a minute ago.`),
  ).toBeVisible();
  await press(page, 'Continue from there');
  await ended(page);
  expect(await stepsTrained(page)).toBe(steps);
});

test('closing the tab during training loses at most five seconds of it', async ({ page }) => {
  await begin(page, SMALL);
  await press(page, 'Train');
  const first = await keptBeyond(page, 0);
  // The step shown may be up to a fifth of a second older than the stored one.
  await expect.poll(() => stepsTrained(page)).toBeGreaterThanOrEqual(first);
  const before = await stepsTrained(page);
  await expect.poll(() => stepsKept(page), { message: 'saved again', timeout: MOST_LOST }).toBeGreaterThan(first);
  await page.close();
  const later = await page.context().newPage();
  await open(later, 'workbench/');
  const offer = later.getByText(/^You trained a model here for [\d,]+ steps, a minute ago\.$/);
  const steps = parseInt(/[\d,]+/.exec((await offer.textContent())!)![0].replace(',', ''), 10);
  expect(steps).toBeGreaterThanOrEqual(before);
  await press(later, 'Continue from there');
  await expect.poll(() => stepsTrained(later)).toBe(steps);
  await press(later, 'Train');
  await expect.poll(() => stepsTrained(later)).toBeGreaterThan(steps);
});
