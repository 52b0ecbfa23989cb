// Another model on the workbench, a reload, or a lesson in between: what was written, set and trained is there after
// it. And what stays of a program: its weights when it is edited, and all of it when it is exported.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { addressed, reload } from './acts';
import { choose, editor, mistake, program, run, runWhole, shape, textOf, type, writeAbove } from './editor';
import { chooseModel, enter } from './hands';
import { linkTo } from './links';
import { FIRST_LESSON } from './addresses';
import { expect, notice, open, press, rested, some, test } from './pages';
import { figure, resumed, train } from './trainings';

const STOPPED = 'The engine stopped';

/** A comment, so that the program still fits its task. */
const write = (page: Page, comment: string): Promise<void> => writeAbove(page, `# ${comment}`);

for (const kind of some(['program', 'program_lm', 'program_seq2seq'], (_, i) => i === 0))
  test(`${kind}: the program that was run and the one being typed stay, and no engine stops`, async ({ page }) => {
    await choose(page, kind);
    await write(page, 'mine');
    await runWhole(page);
    await write(page, 'not run yet');
    const text = await textOf(page);
    for (const other of ['softmax', 'recurrent', 'attention']) {
      await chooseModel(page, other);
      await page.waitForTimeout(300); // the engine would stop after the change
      await expect(notice(page)).not.toContainText(STOPPED);
    }
    await chooseModel(page, kind);
    await expect.poll(() => textOf(page)).toBe(text);
    await press(page, 'Undo changes');
    await expect.poll(() => textOf(page)).toMatch(/^# mine\n/);
  });

test('what is typed while a program starts to run is kept', async ({ page, engine }) => {
  await choose(page, 'program');
  await write(page, 'mine');
  await engine.hold();
  await run(page);
  await write(page, 'typed meanwhile');
  await engine.release();
  await rested(page);
  const text = await textOf(page);
  await chooseModel(page, 'softmax');
  await chooseModel(page, 'program');
  await expect.poll(() => textOf(page)).toBe(text);
});

test('each kind of program has a draft of its own, which a reload and a lesson in between keep', async ({ page }) => {
  await choose(page, 'program');
  await write(page, 'a function');
  await chooseModel(page, 'program_lm');
  await write(page, 'a language model');
  await reload(page);
  await rested(page);
  await expect.poll(() => textOf(page)).toMatch(/^# a language model\n/);
  await open(page, FIRST_LESSON);
  await open(page, 'workbench/');
  await chooseModel(page, 'program');
  await expect.poll(() => textOf(page)).toMatch(/^# a function\n/);
  await chooseModel(page, 'program_lm');
  await expect.poll(() => textOf(page)).toMatch(/^# a language model\n/);
});

test('a program that was run is there in another tab, and on the next visit', async ({ page }) => {
  await choose(page, 'program');
  await type(page, 'def twice(x=ones(2)):\n    return 2 * x');
  await runWhole(page);
  const other = await page.context().newPage();
  await page.close();
  await choose(other, 'program');
  await expect.poll(() => textOf(other)).toMatch(/^def twice/);
});

test('the training, the settings and the seed of a model are there when it is chosen again', async ({ page }) => {
  await choose(page, 'program_seq2seq');
  await enter(page.getByRole('textbox', { name: 'Seed' }), '5');
  await rested(page);
  await train(page, 20);
  await resumed(page, 20);
  await chooseModel(page, 'softmax');
  await chooseModel(page, 'program_seq2seq');
  await resumed(page, 20);
  await expect(page.getByRole('textbox', { name: 'Seed' })).toHaveValue('5');
  await expect(notice(page)).toContainText('as you left it');
  await press(page, 'Start afresh');
  await rested(page);
  await resumed(page, 0);
});

test('a part of a model is kept while another is written', async ({ page }) => {
  await open(page, 'workbench/');
  const choosePart = async (name: string): Promise<void> => {
    await page.locator('u-setup select[name="part"]').selectOption(name);
    await rested(page);
  };
  await choosePart('score');
  await expect(editor(page)).toBeVisible();
  await write(page, 'my score');
  await runWhole(page);
  for (const name of ['attention', 'none', 'score']) await choosePart(name);
  await expect.poll(() => textOf(page)).toMatch(/^# my score\n/);
  await expect(notice(page)).not.toContainText(STOPPED);
});

test('the model of a plain visit is as left, and offers to start afresh; a link opens its own', async ({ page }) => {
  await open(page, 'workbench/');
  const score = page.locator('u-setup select[name="score"]');
  await score.selectOption('concat');
  await rested(page);
  await open(page, FIRST_LESSON);
  await open(page, 'workbench/');
  await expect(score).toHaveValue('concat');
  await expect(notice(page)).toContainText('as you left it');
  await press(page, 'Start afresh');
  await expect(score).toHaveValue('scaled_dot');
  await rested(page);
  await open(page, FIRST_LESSON);
  await open(page, 'workbench/');
  await rested(page);
  await expect(score).toHaveValue('scaled_dot');
  await score.selectOption('concat');
  await addressed(page);
  await open(page, FIRST_LESSON);
  await open(page, `workbench/${linkTo({ lesson: '' })}`);
  await rested(page);
  await expect(score).toHaveValue('scaled_dot');
});

test('what is changed after a reload is there in another tab, with the learner’s own program', async ({ page }) => {
  await choose(page, 'program_lm');
  await write(page, 'mine');
  await runWhole(page);
  await reload(page);
  await rested(page);
  await enter(page.getByRole('textbox', { name: 'Seed' }), '5');
  await rested(page);
  const other = await page.context().newPage();
  await page.close();
  await choose(other, 'program_lm');
  await expect(other.getByRole('textbox', { name: 'Seed' })).toHaveValue('5');
});

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
  await runWhole(page);
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
  await runWhole(page);
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
