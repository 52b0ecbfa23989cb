// The page "Your progress": what was read, solved and tried; exported, imported and printed. And what is said where the browser
// keeps nothing.
import type { Page } from '@playwright/test';
import { readFile, writeFile } from 'node:fs/promises';
import { expectAccessibleEverywhere } from './axe';
import { byKeys, enter, reach, taskOn } from './hands';
import { cold, expect, forget, open, test } from './pages';
import { stored } from './storage';

const PAGE = 'lessons/progress/';
const row = (page: Page, lesson: string) => page.locator(`[data-record="${lesson}"]`);
const cell = (page: Page, name: string, lesson = 'softmax') => row(page, lesson).locator(`[data-is="${name}"]`);
const alert = (page: Page) => page.locator('u-progress').getByRole('alert');
const button = (page: Page, name: string) => page.locator('u-progress').getByRole('button', { name, exact: true });

/** Answers the first exercise, each time with the next of these. */
async function answer(page: Page, ...answers: string[]): Promise<void> {
  await open(page, 'lessons/softmax/');
  const task = await taskOn(page, 'ratio');
  for (const each of answers) {
    await enter(task.getByRole('textbox'), each);
    await expect(task.getByRole('status')).toContainText(each === '20.0855' ? 'Right.' : 'Not yet.');
  }
  await expect.poll(() => stored(page, 'attempts')).toHaveLength(answers.length);
}

async function exported(page: Page, press: () => Promise<unknown>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  expect(download.suggestedFilename()).toMatch(/^unroll-progress-\d{4}-\d\d-\d\d\.json$/);
  return readFile(await download.path(), 'utf8');
}

const choose = (page: Page, text: string): Promise<void> =>
  page
    .locator('u-progress input')
    .setInputFiles({ name: 'progress.json', mimeType: 'application/json', buffer: Buffer.from(text) });

async function expectTwoTries(page: Page): Promise<void> {
  await expect(cell(page, 'solved')).toHaveText(/^1 of \d+$/);
  await expect(cell(page, 'answered')).toHaveText('1');
  await expect(cell(page, 'tries')).toHaveText('2');
  await expect(cell(page, 'last')).toHaveText(/20\d\d/);
  await expect(page.locator('u-progress')).toContainText(/solved 1 of \d+ exercises, in 2 tries/);
}

test('a wrong and a right try are shown, exported, forgotten, imported and shown again', async ({ page, baseURL }) => {
  await answer(page, '3', '20.0855');
  await page.goto(PAGE);
  await expectTwoTries(page);
  await expect(cell(page, 'read')).toHaveText('–');
  const file = await exported(page, () => button(page, 'Export').click());
  await forget(page, baseURL!);
  await page.reload();
  await expect(cell(page, 'solved')).toHaveText(/^0 of/);
  await expect(cell(page, 'tries')).toHaveText('–');
  await choose(page, file);
  await expect(page.getByText('The file was imported.')).toBeVisible();
  await expectTwoTries(page);
  await page.reload();
  await expectTwoTries(page);
  await open(page, 'lessons/softmax/');
  await expect((await taskOn(page, 'ratio')).locator('h3')).toContainText('solved');
  await expect(await taskOn(page, 'ratio')).toContainText('Your tries: 3 · 20.0855');
});

test('a lesson is read once its end was in sight; the menu and the map lead to the page', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  await page.getByRole('navigation', { name: 'Other lessons' }).scrollIntoViewIfNeeded();
  await expect.poll(() => stored(page, 'read')).toHaveLength(1);
  await page.getByRole('button', { name: /^Lessons/ }).click();
  await expect(page.locator('.menu [data-slug="softmax"] .done')).toHaveText(/^read, 0 of \d+ solved$/);
  await page.locator('.menu').getByRole('link', { name: 'Your progress' }).click();
  await expect(cell(page, 'read')).toHaveText(/20\d\d/);
  await page.goto('');
  await page.locator('#course .more').getByRole('link', { name: 'Your progress' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your progress');
});

test('a file that is refused changes nothing, and each reason is a sentence', async ({ page }) => {
  await answer(page, '3', '20.0855');
  await page.goto(PAGE);
  const file = await exported(page, () => button(page, 'Export').click());
  for (const [text, sentence] of [
    [file.slice(0, 100), 'The end of the file is missing'],
    ['a text', 'This is not a progress file'],
    [file.replace('"version": 1', '"version": 9'), 'A newer version of Unroll wrote this file'],
    [file.replace('softmax', 'softmin'), 'The file has the lesson “softmin”'],
    [file.replace(/"opened": \d+/, '"opened": -1'), 'The file is damaged at lessons.softmax.opened'],
  ] as const) {
    await choose(page, text);
    await expect(alert(page)).toContainText(sentence);
    await expect(alert(page)).toContainText('Nothing was imported, and nothing was lost.');
    await expectTwoTries(page);
  }
  const large = test.info().outputPath('large.json');
  await writeFile(large, Buffer.alloc(50 * 2 ** 20, ' '));
  await page.locator('u-progress input').setInputFiles(large);
  await expect(alert(page)).toContainText('The file has 50 MB');
  await choose(page, file);
  await expect(alert(page)).toBeEmpty();
});

test('by keyboard alone: to the page from the menu, export, and the dialog for a file', async ({ page }) => {
  await page.goto(PAGE);
  const keys = byKeys(page);
  await reach(page, button(page, 'Export'));
  await exported(page, () => page.keyboard.press('Enter'));
  const dialog = page.waitForEvent('filechooser');
  await keys.press(button(page, 'Import'));
  await (await dialog).setFiles({ name: 'a', mimeType: 'text/plain', buffer: Buffer.from('{}') });
  await expect(alert(page)).toContainText('This is not a progress file');
  await expect(button(page, 'Import')).toBeFocused();
});

test('the page passes axe in both themes, wide and at 360 px, where nothing is cut', async ({ page }) => {
  await answer(page, '3', '20.0855');
  await page.goto(PAGE);
  await choose(page, 'a text');
  await expect(alert(page)).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test('on paper it has a line for the name, the table, and no buttons', async ({ page }) => {
  await page.goto(PAGE);
  await expect(button(page, 'Print')).toBeVisible();
  await expect(page.locator('.by-hand')).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.by-hand')).toBeVisible();
  await expect(row(page, 'softmax')).toBeVisible();
  await expect(button(page, 'Print')).toBeHidden();
});

cold(
  'without scripts the table names every lesson, and a sentence says why it is empty',
  async ({ browser, baseURL }) => {
    const page = await browser.newPage({ javaScriptEnabled: false, baseURL });
    await page.goto(PAGE);
    await expect(page.locator('noscript p')).toContainText('runs no scripts on this page');
    await expect(row(page, 'softmax')).toContainText('1 · Softmax');
    await expect(cell(page, 'solved')).toHaveText(/^0 of \d+$/);
    await page.close();
  },
);

/** Runs in the page: `full` refuses every answer, else there is no database at all. */
function refuseAnswers(full: boolean): void {
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...entry: Parameters<typeof put>) {
    if (this.name === 'attempts') throw new DOMException('full', 'QuotaExceededError');
    return put.apply(this, entry);
  } as typeof put;
  if (full) return;
  IDBFactory.prototype.open = () => {
    throw new DOMException('no', 'SecurityError');
  };
}

for (const [full, sentence] of [
  [true, 'This browser has no space left to save what you answer'],
  [false, 'This browser saves nothing for this site: what you answer'],
] as const)
  test(`storage that is ${full ? 'full' : 'forbidden'}: said once, and the answers can be exported`, async ({
    page,
  }) => {
    await page.addInitScript(refuseAnswers, full);
    await open(page, 'lessons/softmax/');
    const task = await taskOn(page, 'ratio');
    await enter(task.getByRole('textbox'), '3');
    const said = page.locator('.unkept');
    await expect(said).toContainText(sentence);
    const [field, foot] = [await task.getByRole('textbox').boundingBox(), await said.boundingBox()];
    expect(field!.y + field!.height, 'the field is not under it').toBeLessThanOrEqual(foot!.y);
    const before = JSON.parse(await exported(page, () => said.getByRole('button', { name: /^Export/ }).click()));
    expect(before.lessons.softmax.tries.ratio).toMatchObject([{ answer: '3', right: false }]);
    await said.getByRole('button', { name: 'Dismiss' }).click();
    await enter(task.getByRole('textbox'), '20.0855');
    await expect(task.getByRole('status')).toContainText('Right.');
    await expect(task.locator('h3')).toContainText('solved');
    await expect(said).toHaveCount(0);
    await page.goto(PAGE);
    if (!full) await expect(alert(page)).toContainText('This browser keeps nothing for this site');
    await choose(page, JSON.stringify(before));
    await expect(alert(page)).toContainText('the imported progress');
  });
