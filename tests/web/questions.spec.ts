// The page of questions: answers are kept as they are given, nothing is said of them before the second form is answered, and they
// leave the browser only as a file.
import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { expectAccessibleEverywhere } from './axe';
import { byKeys, reach } from './hands';
import { expect, test } from './pages';

const PAGE = 'lessons/questions/';
const part = (page: Page) => page.locator('u-questions').first();
const button = (page: Page, name: string) => part(page).getByRole('button', { name, exact: true });
const shown = (page: Page) => part(page).locator('.form:not([data-away])');

/** Chooses the option at that place in every question of the form on the page. */
async function answerAll(page: Page, option: number): Promise<void> {
  const sets = shown(page).getByRole('group');
  const count = await sets.count();
  for (let i = 0; i < count; i++) await sets.nth(i).getByRole('radio').nth(option).check();
}

async function begin(page: Page): Promise<void> {
  await page.goto(PAGE);
  await expect(shown(page)).toHaveCount(1);
}

test('answers stay through a reload, and are compared once both forms are answered', async ({ page }) => {
  await begin(page);
  const first = await shown(page).getAttribute('data-form');
  await shown(page).getByRole('group').first().getByRole('radio').nth(1).check();
  await expect(part(page)).toContainText('4 questions are still without an answer.');
  await page.reload();
  await expect(shown(page)).toHaveAttribute('data-form', first!);
  await expect(shown(page).getByRole('group').first().getByRole('radio').nth(1)).toBeChecked();
  await answerAll(page, 0);
  await expect(part(page)).toContainText('Now read the part');
  await expect(part(page).locator('.outcome')).toHaveCount(0);
  await button(page, 'I have read it: ask me again').click();
  await expect(shown(page)).not.toHaveAttribute('data-form', first!);
  await answerAll(page, 1);
  await page.goto('lessons/softmax/');
  await page.goto(PAGE);
  await button(page, 'Compare my answers').click();
  await expect(part(page).locator('.outcome')).toHaveCount(10);
  await expect(part(page).locator('.outcome.right')).not.toHaveCount(0);
  await expect(part(page).locator('.outcome.wrong')).not.toHaveCount(0);
});

test('an answer that no question has is left out, and the others are shown', async ({ page }) => {
  await begin(page);
  await answerAll(page, 0);
  await page.goto('lessons/progress/');
  const at = Date.now();
  const tries = { 'ratio-before': [{ at, answer: '7 x', right: true }] };
  const lesson = { opened: 0, read: 0, solved: [], tries };
  const record = JSON.stringify({ unroll: 'progress', version: 1, lessons: { questions: lesson } });
  await page
    .locator('u-progress input')
    .setInputFiles({ name: 'progress.json', mimeType: 'application/json', buffer: Buffer.from(record) });
  await expect(page.locator('u-progress')).toContainText('The file was imported.');
  await begin(page);
  await expect(part(page)).toContainText('1 question is still without an answer.');
});

test('the file has each answer, its form and whether it was right', async ({ page }) => {
  await begin(page);
  await answerAll(page, 1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Save my answers as a file').click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^unroll-answers-\d{4}-\d\d-\d\d\.json$/);
  const file = JSON.parse(await readFile(await download.path(), 'utf8')) as { answers: Record<string, unknown> };
  const form = Number(await shown(page).getAttribute('data-form')) + 1;
  expect(file).toMatchObject({ unroll: 'questions', part: 'Part I' });
  expect(Object.keys(file.answers)).toHaveLength(5);
  expect(file.answers['ratio-before']).toMatchObject({ form, right: form === 2 });
});

test('the answers go with the record of progress, there and back', async ({ page }) => {
  await begin(page);
  await answerAll(page, 0);
  await page.goto('lessons/progress/');
  const progress = page.locator('u-progress');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    progress.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  await progress.locator('input').setInputFiles(await download.path());
  await expect(progress).toContainText('The file was imported.');
});

test('by keyboard, and without a complaint of axe, in both themes and at 360 px', async ({ page }) => {
  await begin(page);
  const radio = shown(page).getByRole('radio').first();
  await reach(page, radio);
  await page.keyboard.press('Space');
  await expect(radio).toBeChecked();
  await answerAll(page, 2);
  await byKeys(page).press(button(page, 'I have read it: ask me again'));
  await answerAll(page, 0);
  await byKeys(page).press(button(page, 'Compare my answers'));
  await expect(part(page).locator('.outcome')).toHaveCount(10);
  await expectAccessibleEverywhere(page);
});
