// Actions taken while the engine is still busy with earlier ones, or while the bench moves on: none is lost, and none
// applies to an outdated state or to another cell.
import type { Locator, Page } from '@playwright/test';
import { check, chooseCell, chooseModel, editX, enter, taskOn } from './hands';
import { drawn, expect, expectStep, notice, open, place, press, rested, settled, showStage, test } from './pages';
import type { Held } from './watched';
import { begin, figure, SMALL } from './trainings';
import { bench, LAYER } from './views-bench';

/** A model that trains in a few seconds. */
const LEARNER = { ...SMALL, steps: 300 };

const setting = (page: Page, name: string): Locator => page.locator(`u-setup [name="${name}"]`);

/** The workbench with a small model that learns. */
async function learner(page: Page, config: object = LEARNER): Promise<void> {
  await begin(page, config);
  await settled(page);
}

/** Acts on the workbench while its engine is held back, then lets the page come to rest. */
async function whileHeld(page: Page, engine: Held, act: () => Promise<unknown>, config?: object): Promise<void> {
  await learner(page, config);
  await engine.hold();
  await act();
  await drawn(page);
  await engine.release();
  await rested(page);
}

async function trainFor(page: Page, steps: number): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Steps to train' });
  await enter(field, String(steps));
  await press(page, 'Train');
}

/** The first lesson, with its engine held back until released. */
async function heldLesson(page: Page, engine: Held): Promise<void> {
  await open(page, 'lessons/softmax/');
  await settled(page);
  await engine.hold();
}

/** Types and checks before the engine has received what was typed. */
async function expectRight(page: Page, engine: Held, task: Locator): Promise<void> {
  await check(task);
  await drawn(page);
  await engine.release();
  await expect(task.getByRole('status')).toContainText('Right.');
}

test('Check grades what was typed last, however soon it is pressed', async ({ page, engine }) => {
  await heldLesson(page, engine);
  await page.locator('u-try[data-set="temperature"]').last().getByRole('textbox').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('2.5');
  await expectRight(page, engine, await taskOn(page, 'halfway'));
});

test('Check grades all numbers typed one after another', async ({ page, engine }) => {
  await heldLesson(page, engine);
  const scores = page.locator('u-try[data-input="e"]').getByRole('textbox');
  for (const [i, score] of ['3', '7', '4', '3', '3'].entries()) await enter(scores.nth(i), score);
  await expectRight(page, engine, await taskOn(page, 'shift'));
});

test('work done after Start again, or after resetting an input, is kept', async ({ page, engine }) => {
  await open(page, 'lessons/softmax/');
  const scores = page.locator('u-try[data-input="e"]').getByRole('textbox');
  await enter(scores.first(), '5');
  await expect(page.getByRole('button', { name: 'Reset e' })).toBeEnabled();
  await settled(page);
  await engine.hold();
  await (await taskOn(page, 'shift')).getByRole('button', { name: 'Start again' }).click();
  await enter(scores.nth(1), '7');
  await engine.release();
  await expect(scores.first()).toHaveValue('1'); // the lesson's own
  await settled(page);
  await rested(page);
  await expect(scores.nth(1)).toHaveValue('7');
  await engine.hold();
  await press(page, 'Reset e');
  await enter(scores.nth(2), '8');
  await engine.release();
  await expect(scores.nth(1)).not.toHaveValue('7');
  await settled(page);
  await rested(page);
  await expect(scores.nth(2)).toHaveValue('8');
});

test('Train takes the number of steps set before it', async ({ page, engine }) => {
  await whileHeld(page, engine, async () => {
    await page.getByText('More settings').click();
    await setting(page, 'steps').fill('50');
    await press(page, 'Train');
  });
  expect(await figure(page, 'step')).toBe('50');
});

test('Train pressed twice before its turn trains once', async ({ page, engine }) => {
  await whileHeld(page, engine, async () => {
    await press(page, 'Reset');
    await page.getByRole('textbox', { name: 'Steps to train' }).fill('40');
    await press(page, 'Train');
    await press(page, 'Train');
  });
  expect(await figure(page, 'step')).toBe('40');
});

test('training that has not begun gives way too', async ({ page, engine }) => {
  const act = async (): Promise<void> => {
    await press(page, 'Reset');
    await press(page, 'Train');
    await enter(setting(page, 'hidden'), '8');
  };
  await whileHeld(page, engine, act, SMALL);
  expect(await figure(page, 'step')).toBe('0');
});

test('a setting derived from another takes earlier changes into account', async ({ page, engine }) => {
  await whileHeld(page, engine, async () => {
    await setting(page, 'attention').selectOption('luong');
    await setting(page, 'task').selectOption('copy');
  });
  await expect(setting(page, 'task')).toHaveValue('copy');
  await expect(setting(page, 'attention')).toHaveValue('luong');
});

test('holding a key keeps stepping, but presses a button once', async ({ page, engine }) => {
  await open(page, 'workbench/');
  await settled(page);
  await page.locator('u-transport .count').click(); // the keys are the bench's
  await page.keyboard.down('ArrowRight');
  await page.keyboard.down('ArrowRight');
  await page.keyboard.up('ArrowRight');
  await expectStep(page, 2);
  await engine.hold();
  await page.keyboard.down(' ');
  await page.keyboard.down(' ');
  await page.keyboard.up(' ');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
});

test('a second new seed does not report dropped training again', async ({ page, engine }) => {
  await learner(page);
  await trainFor(page, 10);
  await expect.poll(() => figure(page, 'step')).toBe('10');
  await rested(page);
  await settled(page);
  await engine.hold();
  await press(page, 'New seed');
  await press(page, 'New seed');
  await drawn(page);
  await engine.release();
  await rested(page);
  await expect(notice(page)).toContainText(/New seed \d+\./);
});

test('steps and selections made while the engine works stay', async ({ page, engine }) => {
  await open(page, 'workbench/');
  for (let i = 0; i < 3; i++) await press(page, 'Step forward');
  await settled(page);
  await engine.hold();
  await setting(page, 'mask').selectOption('causal');
  await press(page, 'Step forward');
  await chooseCell(page, 'X');
  const { step } = await place(page);
  expect(step).toBeGreaterThan(3);
  await engine.release();
  await rested(page);
  await drawn(page);
  await expectStep(page, step);
  await expect(page.locator('u-inspector')).toContainText(/The input\s*X\s*\[0, 0\]/);
});

test('steps made after a Reset stay', async ({ page, engine }) => {
  await learner(page);
  for (let i = 0; i < 3; i++) await press(page, 'Step forward');
  await settled(page);
  await page.evaluate(() => {
    // The first call to the new model once it is shown: which pairs are watched.
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...call: Parameters<typeof post>): void {
      const { method, args } = call[0] as { method: string; args: unknown[] };
      if (method === 'pairs' && args[1] === 1)
        (globalThis as unknown as { engine: { holds: boolean } }).engine.holds = true;
      post.apply(this, call);
    } as typeof post;
  });
  await press(page, 'Reset');
  await expectStep(page, 0);
  await press(page, 'Step forward');
  const { name } = await place(page);
  await engine.release();
  await rested(page);
  await drawn(page);
  expect((await place(page)).name).toBe(name);
});

test('a half-typed value does not go to the next tensor; the longest numbers fit side by side', async ({ page }) => {
  await open(page, 'workbench/');
  await chooseCell(page, 'X');
  await press(page, 'Change');
  await page.keyboard.type('5');
  await page.getByRole('grid', { name: 'Cells of W_Q' }).press('Home');
  await expect(page.locator('u-inspector form')).toHaveCount(0);

  await editX(page, '-0.094804764');
  await press(page, 'Last step');
  await press(page, 'All digits');
  const numbers = page.locator('.insp-body dd');
  await expect(numbers.first()).toHaveText('−0.094804764');
  const wide = (all: Element[]): boolean[] => all.map((number) => number.scrollWidth > number.clientWidth);
  expect(await numbers.evaluateAll(wide)).toEqual([false, false]);
});

test('neither a gradient check nor the refusal of a setting stays beside another model', async ({ page }) => {
  await open(page, 'workbench/');
  await showStage(page, 'Numbers');
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

test('a verdict does not appear beside a newer answer; two quick checks are one try', async ({ page, engine }) => {
  await open(page, 'lessons/softmax/');
  await settled(page);
  const task = await taskOn(page, 'ratio');
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

test('a moved word stays in place while the engine works, and can be moved again', async ({ page, engine }) => {
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
