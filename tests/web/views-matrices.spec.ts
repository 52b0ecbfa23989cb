// The figures of a matrix on the bench: its singular values and its rows as a map, by pointer and by keyboard, against
// NumPy, and through training.
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { FIRST_LESSON } from './addresses';
import { benchOf, expect, open, openBench, press, test, type WithLab } from './pages';
import { expectClean, expectExports, showView, summaryOf } from './views-bench';
import { numberIn } from './views-engine';

const header = readFileSync(new URL('../engine/linalg/numpy_values.h', import.meta.url), 'utf8');
/** Values that NumPy computed: see numpy_values.py. */
const numpy = (name: string): number[] =>
  new RegExp(`\\b${name} = \\{([^}]*)\\}`).exec(header)![1]!.split(',').map(Number);

/** A recurrent network in which X is NumPy's matrix. */
const READS_TALL = { kind: 'recurrent', size: 3, hidden: 4, positions: 5, X: numpy('tall') };
const LEARNS = { kind: 'seq2seq', task: 'reverse', attention: 'bahdanau', embedding: 8, hidden: 12, seed: 7, batch: 8 };

const bench = async (page: Page, config: object, view: string): Promise<Locator> => {
  await openBench(page, { config, views: ['spectrum', 'map'] });
  await showView(page, view);
  return page.locator(`u-${view}`);
};

/** The numbers of the table, row by row. */
async function numbersOf(view: Locator): Promise<number[]> {
  await press(view, 'Show as table');
  const texts = await view.locator('.twin td').allTextContents();
  await press(view, 'Show as figure');
  return texts.map(numberIn);
}

const near = (actual: readonly number[], wanted: readonly number[]): void => {
  expect(actual).toHaveLength(wanted.length);
  for (const [i, value] of wanted.entries()) expect(Math.abs(actual[i]! - value)).toBeLessThan(1e-5);
};

test('the first lesson fetches neither', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await open(page, FIRST_LESSON);
  expect(asked.filter((url) => /\/(spectrum|map|matrix-figure)-/.test(url))).toEqual([]);
});

test('the spectrum has NumPy’s singular values, follows what is selected, and goes from bar to bar by key', async ({
  page,
}) => {
  const view = await bench(page, READS_TALL, 'spectrum');
  await expect(view.getByLabel('Matrix')).toHaveValue('cell.0.U');
  await expect(summaryOf(view)).toContainText('Going back one position, a gradient is multiplied by cell.0.U');
  await view.getByLabel('Matrix').selectOption('X');
  await expect(view.locator('.bars rect')).toHaveCount(3);
  near(await numbersOf(view), numpy('tall_singular_values'));
  await expect(summaryOf(view)).toContainText('condition number, is 2.02.');
  await view.getByRole('listbox').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(summaryOf(view)).toHaveText('singular value 3 of 3: 4.38911');
  await benchOf(page).evaluate(({ lab }: WithLab) => lab.select('cell.0.W', 0));
  await expect(view.getByLabel('Matrix')).toHaveValue('cell.0.W');
  await expectExports(page, view, 3);
});

test('the gates of a cell have a spectrum each', async ({ page }) => {
  const config = { kind: 'recurrent', cell: 'lstm', hidden: 4, orthogonal: true, scale: 0.9 };
  const view = await bench(page, config, 'spectrum');
  const gates = view.getByRole('group', { name: 'Gate' }).getByRole('button');
  await expect(gates).toHaveText(['i', 'f', 'g', 'o']);
  await gates.nth(1).click();
  await expect(summaryOf(view)).toContainText('cell.0.U, gate f, 4 × 4: the largest singular value is 0.9');
});

test('the map has NumPy’s points, and tells of the point under the pointer and at the cursor', async ({ page }) => {
  const view = await bench(page, READS_TALL, 'map');
  await expect(view.getByRole('combobox', { name: 'Rows of' })).toHaveValue('X');
  await expect(view.locator('.dots circle')).toHaveCount(5);
  near(await numbersOf(view), numpy('tall_points'));
  await expect(view.locator('.axis-name')).toHaveText([
    'axis 1: 54 % of the variance →',
    '↑ axis 2: 39 % of the variance',
  ]);
  await view.locator('.dots circle').nth(4).hover();
  await expect(summaryOf(view)).toContainText(/^4: 3\.29 on axis 1, −3\.21 on axis 2\. Nearest by all 3 numbers:/);
  await page.mouse.move(0, 0);
  await view.getByRole('listbox').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await expect(summaryOf(view)).toContainText(/^[1-4]: \S+ on axis 1/);
  await expectExports(page, view, 5);
});

test('the map of embeddings has the words of the task, and its points move in training, but no axis turns round', async ({
  page,
}) => {
  test.setTimeout(60_000);
  const view = await bench(page, LEARNS, 'map');
  await expect(view.getByRole('combobox', { name: 'Rows of' })).toHaveValue(/embedding/);
  await expect(view.locator('.token-word').filter({ hasText: /^[a-h]$/ })).not.toHaveCount(0);
  let before = await numbersOf(view);
  let moved = 0;
  for (let slice = 0; slice < 4; slice++) {
    await benchOf(page).evaluate(({ lab }: WithLab) => lab.train(() => 5));
    await expect.poll(async () => (await numbersOf(view)).join()).not.toBe(before.join());
    const now = await numbersOf(view);
    for (const axis of [0, 1]) {
      const along = now.filter((_, i) => i % 2 === axis).reduce((sum, x, i) => sum + x * before[2 * i + axis]!, 0);
      expect(along).toBeGreaterThan(0);
    }
    moved += now.filter((value, i) => value !== before[i]).length;
    before = now;
  }
  expect(moved).toBeGreaterThan(before.length);
});

for (const view of ['spectrum', 'map'])
  test(`the ${view} has no accessibility violations, drawn and as a table, and fits 360 px`, async ({ page }) => {
    await bench(page, LEARNS, view);
    await expectClean(page, `u-${view}`);
  });
