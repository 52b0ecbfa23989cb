// Timed: training is saved often enough.
import { expect, open, press, test } from './pages';
import { begin, keptBeyond, SMALL, stepsKept, stepsTrained } from './trainings';

/** Milliseconds of training. */
const MOST_LOST = 5_000;

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
