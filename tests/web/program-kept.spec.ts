// What stays of a program: its weights when it is edited, and all of it when it is exported.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { choose, editor, mistake, program, run, shape, textOf, type } from './editor';
import { linkTo } from './links';
import { expect, notice, open, press, rested, test } from './pages';
import { figure, resumed, train } from './trainings';

const QUICK = { kind: 'program_seq2seq', task: 'reverse', batch: 8, optimiser: 'adam', learning_rate: 0.01 };
const average = program('average');
/** With one weight more. */
const edited = average.replace(
  /return (.*)$/m,
  'b = parameter("b", (TARGET_VOCABULARY,), init="zeros")\n    return $1 + b',
);

/** Clearly less than log 14, of a model that knows nothing of 14 words. */
const TRAINED = 2.2;
const lossOf = async (page: Page): Promise<number> => parseFloat(await figure(page, 'loss'));

test('weights whose name and shape stay are kept when a trained program is edited', async ({ page }) => {
  await open(page, `workbench/${linkTo({ lesson: '', config: QUICK, program: average })}`);
  await rested(page);
  await train(page, 200);
  expect(await lossOf(page)).toBeLessThan(TRAINED);
  await type(page, edited);
  await expect(mistake(page)).toHaveText('');
  await run(page);
  await rested(page);
  await expect(notice(page)).toHaveText(/Kept \d weights from step 200\. New: b\./);
  await resumed(page, 200);
  await train(page, 1);
  await resumed(page, 201);
  expect(await lossOf(page)).toBeLessThan(TRAINED);
  await page.reload();
  await resumed(page, 201);
  await train(page, 1);
  await resumed(page, 202);
  expect(await lossOf(page)).toBeLessThan(TRAINED);
});

test('Undo brings the earlier program back, trained', async ({ page }) => {
  await open(page, `workbench/${linkTo({ lesson: '', config: QUICK, program: average })}`);
  await rested(page);
  await train(page, 40);
  await type(page, edited);
  await run(page);
  await rested(page);
  await notice(page).getByRole('button', { name: 'Undo' }).click();
  await rested(page);
  await resumed(page, 40);
  await expect.poll(() => textOf(page)).toBe(average);
});

test('another browser says that it lacks the weights that were kept', async ({ page }) => {
  const state = { lesson: '', config: QUICK, program: edited, steps: 40, over: 'abcdef' };
  await open(page, `workbench/${linkTo(state)}`);
  await rested(page);
  await expect(notice(page)).toContainText('are not in this browser');
  await resumed(page, 0);
});

test('a program is exported for PyTorch, and comes back by paste', async ({ page }) => {
  await choose(page, 'program');
  const text = await textOf(page);
  const download = page.waitForEvent('download');
  await press(page, 'Save .py');
  const file = await download;
  expect(file.suggestedFilename()).toBe('program.py');
  const script = readFileSync((await file.path())!, 'utf8');
  expect(script).toContain('import torch');
  expect(script).toContain(`# ---- program ----\n${text}`);
  await type(page, 'def f(x=ones(2)):\n    return x');
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await editor(page).evaluate((content, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, script);
  await expect.poll(() => textOf(page)).toBe(text);
  await expect(shape(page, 3)).toHaveText('4 × 5');
});

test('a text that stops the engine which checks it leaves the trained model alone', async ({ page }) => {
  await open(page, `workbench/${linkTo({ lesson: '', config: QUICK, program: average })}`);
  await rested(page);
  await train(page, 20);
  await expect(mistake(page)).toHaveText('');
  for (const worker of page.workers())
    await worker.evaluate(() => {
      const { onmessage } = self;
      self.onmessage = (event) => {
        if ((event.data as { method: string }).method === 'outline') postMessage({ kind: 'dead', message: 'a trap' });
        else onmessage!.call(self as never, event);
      };
    });
  await editor(page).click();
  await page.keyboard.type('#');
  await expect(mistake(page)).toContainText('stopped the engine that checks what you type');
  await expect(notice(page)).toBeEmpty();
  await page.keyboard.press('Backspace');
  await expect(mistake(page), 'another engine checks').toHaveText('');
  await train(page, 1);
  await resumed(page, 21);
});
