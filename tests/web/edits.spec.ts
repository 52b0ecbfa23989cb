// Editing values while the bench moves on: an edit begun on one cell is never applied to another.
import { chooseModel, editX, enter } from './hands';
import { drawn, expect, holdable, notice, open, press, settled, test } from './pages';
import { LAYER, bench } from './views-bench';

test('a half-typed value does not go to the next tensor; the longest numbers fit side by side', async ({ page }) => {
  await open(page, 'workbench/');
  for (let i = 0; i < 3; i++) await press(page, 'Step forward');
  await press(page, 'Edit value');
  await page.keyboard.type('5');
  await press(page, 'Step forward');
  await expect(page.locator('u-inspector form')).toHaveCount(0);

  await editX(page, '-0.094804764');
  await press(page, 'Last step');
  const numbers = page.locator('.insp-body dd');
  await expect(numbers.first()).toHaveText('−0.094804764');
  const wide = (all: Element[]): boolean[] => all.map((number) => number.scrollWidth > number.clientWidth);
  expect(await numbers.evaluateAll(wide)).toEqual([false, false]);
});

test('neither a gradient check nor the refusal of a setting stays beside another model', async ({ page }) => {
  await open(page, 'workbench/');
  await press(page, 'Last step');
  await press(page, 'Gradients');
  await page.locator('figure[data-tensor="∂W_Q"] canvas').click({ position: { x: 10, y: 8 } });
  await press(page, 'Check gradient');
  const checked = page.locator('u-inspector [role=status]');
  await expect(checked).toHaveText(/^Finite difference −?\d.*: agrees (to .*|exactly)\.$/);
  await press(page, 'New seed');
  await expect(notice(page)).toContainText(/New seed/);
  await expect(checked).toBeEmpty();

  await enter(page.getByRole('textbox', { name: 'Seed' }), 'many');
  const refused = page.locator('u-problem .problem');
  await expect(refused).toContainText('seed is NaN');
  await chooseModel(page, 'softmax');
  await expect(refused).toHaveCount(0);
});

test('pressing a mask cell twice quickly leaves it unchanged, and a held key paints once', async ({ page }) => {
  await bench(page, LAYER, ['mask']);
  const grid = page.locator('u-mask').getByRole('grid', { name: 'Cells of the mask' });
  const cell = page.locator('u-mask').getByRole('gridcell');
  const space = (...repeats: boolean[]) =>
    grid.evaluate((cells, all) => {
      for (const repeat of all) cells.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', repeat, bubbles: true }));
    }, repeats);
  await grid.focus();
  await space(false, false);
  await settled(page);
  await expect(cell).toHaveText(/^the sees the, weight/);
  await space(false, true, true, true, true, true);
  await settled(page);
  await expect(cell).toHaveText('the does not see the');
});

test('a verdict does not appear beside a newer answer; two checks in a moment are one try', async ({ page }) => {
  const engine = await holdable(page);
  await open(page, 'lessons/softmax/');
  await settled(page);
  const task = page.locator('u-task[id="ratio"]');
  const field = task.getByRole('textbox');
  await field.fill('7.4');
  await task.locator('form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit(); // twice quickly is one try: no solution is offered yet
    form.requestSubmit();
  });
  await expect(task.getByRole('status')).toContainText('Not yet.');
  await settled(page);
  await expect(task.getByRole('button', { name: 'Show a solution' })).toHaveCount(0);
  await engine.hold();
  await enter(field, '3');
  await field.fill('20.0855');
  await engine.release();
  await expect(task.getByText('Your tries: 7.4 · 3')).toBeVisible();
  await expect(field).toHaveValue('20.0855');
  await expect(task.getByRole('status')).toBeEmpty();
});

test('a moved word stays in place while the engine works, and can be moved again', async ({ page }) => {
  const engine = await holdable(page);
  await bench(page, LAYER, ['permute']);
  await settled(page);
  await engine.hold();
  const words = page.locator('u-permute').getByRole('listitem');
  await page.locator('u-permute').getByRole('button', { name: 'tired' }).focus();
  for (const key of [' ', 'ArrowLeft', ' ']) await page.keyboard.press(key);
  await drawn(page);
  await expect(words).toHaveText(['the', 'animal', 'tired', 'was', 'Original order']);
  for (const key of [' ', 'ArrowLeft', ' ']) await page.keyboard.press(key);
  await engine.release();
  await expect(page.locator('u-permute')).toContainText(/The outputs are|The output rows have changed/);
  await expect(words).toHaveText(['the', 'tired', 'animal', 'was', 'Original order']);
});
