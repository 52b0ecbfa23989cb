// Actions taken while the engine is still busy with earlier ones: none is lost, and none applies to an outdated state.
import { enter } from './hands';
import { drawn, expect, expectStep, type Held, holdable, notice, open, press, rested, settled, test } from './pages';
import { begin, figure, SMALL } from './trainings';
import type { Locator, Page } from '@playwright/test';

/** A model that trains in a few seconds. */
const LEARNER = { ...SMALL, steps: 300 };

const taskOn = (page: Page, id: string): Locator => page.locator(`u-task[id="${id}"]`);
const check = (task: Locator): Promise<void> => task.getByRole('button', { name: 'Check' }).click();
const setting = (page: Page, name: string): Locator => page.locator(`u-setup [name="${name}"]`);

/** The workbench with a small model that learns. */
async function learner(page: Page, config: object = LEARNER): Promise<void> {
  await begin(page, config);
  await settled(page);
}

/** Acts on the workbench while its engine is held back, then lets the page come to rest. */
async function whileHeld(page: Page, act: () => Promise<unknown>, config?: object): Promise<void> {
  const engine = await holdable(page);
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
async function heldLesson(page: Page): Promise<Held> {
  const engine = await holdable(page);
  await open(page, 'lessons/softmax/');
  await settled(page);
  await engine.hold();
  return engine;
}

/** Types and checks before the engine has received what was typed. */
async function expectRight(page: Page, engine: Held, task: Locator): Promise<void> {
  await check(task);
  await drawn(page);
  await engine.release();
  await expect(task.getByRole('status')).toContainText('Right.');
}

test('Check grades what was typed last, however soon it is pressed', async ({ page }) => {
  const engine = await heldLesson(page);
  await page.locator('u-try[data-set="temperature"]').last().getByRole('textbox').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('2.5');
  await expectRight(page, engine, taskOn(page, 'halfway'));
});

test('Check grades all numbers typed one after another', async ({ page }) => {
  const engine = await heldLesson(page);
  const scores = page.locator('u-try[data-input="e"]').getByRole('textbox');
  for (const [i, score] of ['3', '7', '4', '3', '3'].entries()) {
    await enter(scores.nth(i), score);
  }
  await expectRight(page, engine, taskOn(page, 'shift'));
});

test('work done after Start again, or after resetting an input, is kept', async ({ page }) => {
  const engine = await holdable(page);
  await open(page, 'lessons/softmax/');
  const scores = page.locator('u-try[data-input="e"]').getByRole('textbox');
  await enter(scores.first(), '5');
  await expect(page.getByRole('button', { name: 'Reset e' })).toBeEnabled();
  await settled(page);
  await engine.hold();
  await taskOn(page, 'shift').getByRole('button', { name: 'Start again' }).click();
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

test('Train takes the number of steps set before it', async ({ page }) => {
  await whileHeld(page, async () => {
    await page.getByText('More settings').click();
    await setting(page, 'steps').fill('50');
    await press(page, 'Train');
  });
  expect(await figure(page, 'step')).toBe('50');
});

test('Train pressed twice before its turn trains once', async ({ page }) => {
  await whileHeld(page, async () => {
    await press(page, 'Reset');
    await page.getByRole('textbox', { name: 'Steps to train' }).fill('40');
    await press(page, 'Train');
    await press(page, 'Train');
  });
  expect(await figure(page, 'step')).toBe('40');
});

test('training that has not begun gives way too', async ({ page }) => {
  const act = async (): Promise<void> => {
    await press(page, 'Reset');
    await press(page, 'Train');
    await enter(setting(page, 'hidden'), '8');
  };
  await whileHeld(page, act, SMALL);
  expect(await figure(page, 'step')).toBe('0');
});

test('a setting derived from another takes earlier changes into account', async ({ page }) => {
  await whileHeld(page, async () => {
    await setting(page, 'attention').selectOption('luong');
    await setting(page, 'task').selectOption('copy');
  });
  await expect(setting(page, 'task')).toHaveValue('copy');
  await expect(setting(page, 'attention')).toHaveValue('luong');
});

test('holding a key keeps stepping, but presses a button once', async ({ page }) => {
  const engine = await holdable(page);
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

test('a second new seed does not report dropped training again', async ({ page }) => {
  const engine = await holdable(page);
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

test('steps and selections made while the engine works stay', async ({ page }) => {
  const engine = await holdable(page);
  await open(page, 'workbench/');
  for (let i = 0; i < 3; i++) await press(page, 'Step forward');
  await settled(page);
  await engine.hold();
  await setting(page, 'mask').selectOption('causal');
  await press(page, 'Step forward');
  await page.getByRole('grid', { name: 'Cells of X' }).click({ position: { x: 8, y: 8 } });
  await expectStep(page, 4);
  await engine.release();
  await rested(page);
  await drawn(page);
  await expectStep(page, 4);
  await expect(page.locator('u-inspector')).toContainText(/X\s*4 × 3\s*\[0, 0\]/);
});

test('steps made after a Reset stay', async ({ page }) => {
  const engine = await holdable(page);
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
  await engine.release();
  await rested(page);
  await drawn(page);
  await expectStep(page, 1);
});
