// Another model on the workbench, a reload, or a lesson in between: what was written, set and trained is there after it.
import type { Page } from '@playwright/test';
import { addressed } from './acts';
import { choose, editor, run, textOf, type } from './editor';
import { enter } from './hands';
import { linkTo } from './links';
import { FIRST_LESSON, expect, holdable, notice, open, press, rested, some, test } from './pages';
import { resumed, train } from './trainings';

const STOPPED = 'The engine stopped';
const model = (page: Page, kind: string): Promise<unknown> =>
  page.getByRole('combobox', { name: 'Model', exact: true }).selectOption(kind);

async function change(page: Page, kind: string): Promise<void> {
  await model(page, kind);
  await rested(page);
}

/** Writes a comment above the program, so that it still fits its task. */
async function write(page: Page, comment: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type(`# ${comment}`);
  await page.keyboard.press('Enter');
}

for (const kind of some(['program', 'program_lm', 'program_seq2seq'], (_, i) => i === 0))
  test(`${kind}: the program that was run and the one being typed stay, and no engine stops`, async ({ page }) => {
    await choose(page, kind);
    await write(page, 'mine');
    await run(page);
    await rested(page);
    await write(page, 'not run yet');
    const text = await textOf(page);
    for (const other of ['softmax', 'recurrent', 'attention']) {
      await change(page, other);
      await page.waitForTimeout(300); // the engine would stop after the change
      await expect(notice(page)).not.toContainText(STOPPED);
    }
    await change(page, kind);
    await expect.poll(() => textOf(page)).toBe(text);
    await press(page, 'Undo changes');
    await expect.poll(() => textOf(page)).toMatch(/^# mine\n/);
  });

test('what is typed while a program starts to run is kept', async ({ page }) => {
  const engine = await holdable(page);
  await choose(page, 'program');
  await write(page, 'mine');
  await engine.hold();
  await run(page);
  await write(page, 'typed meanwhile');
  await engine.release();
  await rested(page);
  const text = await textOf(page);
  await change(page, 'softmax');
  await change(page, 'program');
  await expect.poll(() => textOf(page)).toBe(text);
});

test('each kind of program has a draft of its own, which a reload and a lesson in between keep', async ({ page }) => {
  await choose(page, 'program');
  await write(page, 'a function');
  await change(page, 'program_lm');
  await write(page, 'a language model');
  await addressed(page);
  await page.reload();
  await rested(page);
  await expect.poll(() => textOf(page)).toMatch(/^# a language model\n/);
  await open(page, FIRST_LESSON);
  await open(page, 'workbench/');
  await change(page, 'program');
  await expect.poll(() => textOf(page)).toMatch(/^# a function\n/);
  await change(page, 'program_lm');
  await expect.poll(() => textOf(page)).toMatch(/^# a language model\n/);
});

test('a program that was run is there in another tab, and on the next visit', async ({ page }) => {
  await choose(page, 'program');
  await type(page, 'def twice(x=ones(2)):\n    return 2 * x');
  await run(page);
  await rested(page);
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
  await change(page, 'softmax');
  await change(page, 'program_seq2seq');
  await resumed(page, 20);
  await expect(page.getByRole('textbox', { name: 'Seed' })).toHaveValue('5');
  await expect(notice(page)).toContainText('as you left it');
  await press(page, 'Start afresh');
  await rested(page);
  await resumed(page, 0);
});

test('a part of a model is kept while another is written', async ({ page }) => {
  await open(page, 'workbench/');
  const part = (name: string): Promise<unknown> => page.locator('u-setup select[name="part"]').selectOption(name);
  await part('score');
  await rested(page);
  await expect(editor(page)).toBeVisible();
  await write(page, 'my score');
  await run(page);
  await rested(page);
  await part('attention');
  await rested(page);
  await part('none');
  await rested(page);
  await part('score');
  await rested(page);
  await expect.poll(() => textOf(page)).toMatch(/^# my score\n/);
  await expect(notice(page)).not.toContainText(STOPPED);
});

test('the model of a plain visit is as it was left, and offers to start afresh; a link opens its own', async ({
  page,
}) => {
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

test('what is changed after a reload is there in another tab, with a program of the learner’s own', async ({
  page,
}) => {
  await choose(page, 'program_lm');
  await write(page, 'mine');
  await run(page);
  await rested(page);
  await addressed(page);
  await page.reload();
  await rested(page);
  await enter(page.getByRole('textbox', { name: 'Seed' }), '5');
  await rested(page);
  const other = await page.context().newPage();
  await page.close();
  await choose(other, 'program_lm');
  await expect(other.getByRole('textbox', { name: 'Seed' })).toHaveValue('5');
});
