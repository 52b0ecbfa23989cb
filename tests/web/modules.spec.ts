// Models of several engine modules on one page: one worker per module in use, and none of the learner's work lost.
import { chooseModel, enter } from './hands';
import { drawn, expect, notice, open, place, press, rested, settled, test } from './pages';
import { modulesOf } from './watched';
import type { Page } from '@playwright/test';

const WORKBENCH = 'workbench/';
const COMPARED = 'lessons/encoder-decoder/';

const model = (page: Page) => page.getByRole('combobox', { name: 'Model' });

/** The learner's model with a seed of its own, at its last step. */
async function work(page: Page): Promise<string> {
  await enter(page.getByRole('textbox', { name: 'Seed' }), '21');
  await rested(page);
  await press(page, 'Last step');
  return settled(page);
}

test('another model runs in another worker, the first ends; going back gives the same numbers', async ({ page }) => {
  const fetched = modulesOf(page);
  await open(page, WORKBENCH);
  const numbers = await work(page);
  for (const kind of ['seq2seq', 'transformer', 'captioner']) {
    await chooseModel(page, kind);
    expect(fetched.at(-1)).toBe(kind);
    await expect.poll(() => page.workers().length).toBe(1);
  }
  await chooseModel(page, 'attention');
  expect(await work(page)).toBe(numbers);
  await expect.poll(() => page.workers().length).toBe(1);
});

test('the bench is busy as soon as a model is chosen, also while its recipe loads', async ({ page }) => {
  await open(page, WORKBENCH);
  await rested(page);
  const held = page.workers()[0]!.evaluate(() => {
    for (const end = Date.now() + 1000; Date.now() < end;);
  });
  await model(page).selectOption({ label: 'Sequence to sequence' });
  await drawn(page);
  await expect(page.locator('u-bench')).toHaveAttribute('aria-busy', 'true', { timeout: 1 });
  await held;
  await rested(page);
});

test('a worker that was switched is replaced after a crash like the first', async ({ page }) => {
  await open(page, WORKBENCH);
  await chooseModel(page, 'seq2seq');
  const numbers = await work(page);
  const where = await place(page);
  await expect.poll(() => page.workers().length).toBe(1);
  await page
    .workers()[0]!
    .evaluate(() => self.close())
    .catch(() => undefined);
  await expect(page.getByText(/engine stopped and was restarted/)).toBeVisible();
  await rested(page);
  expect(await place(page)).toEqual(where);
  expect(await settled(page)).toBe(numbers);
});

test('if the engine cannot start, the page says so and stays readable', async ({ page }) => {
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto('workbench/');
  await expect(page.locator('u-problem')).toContainText('The engine could not start: reload the page');
  await expect(page.getByRole('heading', { name: 'Workbench', level: 1 })).toBeVisible();
});

test('if a module fails to load, the page says so, the model before stays, and it can be retried', async ({ page }) => {
  await open(page, WORKBENCH);
  const numbers = await work(page);
  const where = await place(page);
  await page.route('**/engine_seq2seq*.wasm', (route) => route.abort());
  await model(page).selectOption({ label: 'Sequence to sequence' });
  await expect(page.locator('u-problem')).toContainText('could not be loaded: try again');
  await rested(page);
  await expect(model(page)).toHaveValue('attention');
  expect(await place(page)).toEqual(where);
  expect(await settled(page)).toBe(numbers);

  await page.unroute('**/engine_seq2seq*.wasm');
  await chooseModel(page, 'seq2seq');
  await expect(page.locator('u-problem')).not.toContainText('could not be loaded');
});

test('after a site update, a missing module asks for a reload', async ({ page }) => {
  await open(page, WORKBENCH);
  await page.route('**/engine_seq2seq*.wasm', (route) => route.abort());
  await page.route('**/workbench/*', (route) => route.fulfill({ body: '<script src="another"></script>' }));
  await model(page).selectOption({ label: 'Sequence to sequence' });
  await expect(notice(page)).toContainText('Unroll has been updated since this page was opened: reload it.');
  await expect(model(page)).toHaveValue('attention');
});

test.describe('without a script that every page has', () => {
  test.use({ complains: true });

  test('a message takes the place of the page', async ({ page }) => {
    await page.route('**/assets/elements-*.js', (route) => route.abort());
    await page.goto(WORKBENCH);
    await expect(page.getByRole('alert')).toHaveText('Part of this page could not be loaded: try again.');
  });
});

test('a comparison with a model of another module has a worker for it while it runs', async ({ page }) => {
  const fetched = modulesOf(page);
  await open(page, COMPARED);
  await press(page, 'Last step');
  const numbers = await settled(page);
  const compare = page.locator('u-compare').first();
  await compare.scrollIntoViewIfNeeded();
  await compare.getByRole('button', { name: 'Train both' }).click();
  await expect(compare.locator('u-runs')).toBeVisible({ timeout: 30_000 });
  await expect(compare.getByText(/^step [1-9]\d* of/)).toBeVisible({ timeout: 30_000 });
  // The tasks of the lesson have a worker besides, with the language of their answers.
  const besides = fetched.includes('program') ? 1 : 0;
  expect(fetched.filter((name) => name !== 'program')).toEqual(['transformer', 'seq2seq']);
  expect(page.workers()).toHaveLength(2 + besides);
  await compare.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => page.workers().length).toBe(1 + besides);
  expect(await settled(page)).toBe(numbers);
});
