// A line of words that the reader chooses, and how a language model goes on with it.
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { check, taskOn } from './hands';
import { benchOf, expect, open, test, type WithLab } from './pages';

const LESSON = 'lessons/recurrent-language-model/';
const LINE = ['sun', 'bee', 'sky', 'sea'];

const songs = (page: Page): Locator => page.locator('u-sing');
const sung = (song: Locator): Locator => song.locator('.sung button > span');
const editsOf = (page: Page): Promise<unknown[]> =>
  page.locator('u-lab').evaluate((host) => (host as WithLab).lab.state.edits.toSorted((a, b) => a.index - b.index));

async function choose(song: Locator, line: readonly string[]): Promise<void> {
  for (const [i, word] of line.entries()) {
    await expect(song.getByRole('combobox').nth(i)).toBeEnabled();
    await song.getByRole('combobox').nth(i).selectOption(word);
  }
}

async function sing(song: Locator): Promise<string[]> {
  await expect(song.getByRole('button', { name: 'Sing' })).toBeEnabled();
  await song.getByRole('button', { name: 'Sing' }).press('Enter');
  await expect(sung(song)).toHaveCount(LINE.length);
  return sung(song).allTextContents();
}

async function train(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Train 100 steps' }).first().click();
  const steps = (): Promise<number> => page.locator('u-lab').evaluate((host) => (host as WithLab).lab.training.step);
  await expect.poll(steps).toBe(100);
}

test('it sings nonsense, and after training the line that the reader chose', async ({ page }) => {
  await open(page, LESSON);
  const first = songs(page).first();
  await expect(first.getByRole('button', { name: 'Sing' })).toBeInViewport({ ratio: 1 });
  await choose(first, LINE);
  await expect(benchOf(page).locator('.token-word')).toHaveText(['bos', ...LINE, 'bis', ...LINE.slice(0, 3)]);
  const edits = await editsOf(page);
  expect(await sing(first)).not.toEqual(LINE);
  await expect(first.getByRole('status')).toContainText(/^[0-3] of 4 words are those of the line/);
  expect(await editsOf(page), 'the line is as it was').toEqual(edits);

  await train(page);
  await expect(sung(first), 'what the untrained model sang').toHaveCount(0);
  const second = songs(page).nth(1);
  expect(await sing(second)).toEqual(LINE);
  await expect(second.getByRole('status')).toContainText('4 of 4 words');
  expect(await editsOf(page)).toEqual(edits);
  await second.locator('.sung button').nth(2).press('Enter');
  expect(await editsOf(page), 'it read what it sang').toEqual(edits);
  const arcs = page.locator('u-unrolled [data-tensor="attention/α"] .arc');
  await expect(arcs).toHaveCount(7);
  const widths = await arcs.evaluateAll((all) => all.map((arc) => Number(arc.getAttribute('stroke-width'))));
  expect(widths.indexOf(Math.max(...widths)), 'the thickest goes to the third word').toBe(3);
  await expect(second.getByRole('status')).toContainText(
    /^After bee the likeliest word is sky, with a probability of [01]\.\d+\. The model looks most at 3rd \(sky\)/,
  );
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished))); // word by word
  await expectAccessible(page, 'a song');
});

test('it sings what it looks at; the chosen words solve an exercise; the page’s own words are no edits', async ({
  page,
}) => {
  await open(page, LESSON);
  await train(page);
  const song = songs(page).nth(2);
  expect(await sing(song)).toEqual(['sky', 'sea', 'day', 'sun']);
  await page
    .locator('u-lab')
    .evaluate((host) => (host as WithLab).lab.edit('attention/e', 5 * 9 + 1, Number.NEGATIVE_INFINITY));
  await expect(sung(song), 'what it sang before the edit').toHaveCount(0);
  expect((await sing(song))[0]).toBe('sea');
  await page.locator('u-lab').evaluate((host) => (host as WithLab).lab.undoEdit());
  await choose(song, ['bee']);
  const task = await taskOn(page, 'bee-first');
  await check(task);
  await expect(task.getByRole('status').first()).toContainText('Right');
  await choose(song, ['sky']);
  await expect.poll(() => editsOf(page)).toEqual([]);
});

test('an exercise that is started again has the line’s own words and the trained model', async ({ page }) => {
  await open(page, LESSON);
  await choose(songs(page).first(), LINE);
  const task = await taskOn(page, 'neighbour');
  await task.getByRole('button', { name: 'Start again' }).first().click();
  await expect.poll(() => page.locator('u-lab').evaluate((host) => (host as WithLab).lab.training.step)).toBe(100);
  expect(await editsOf(page)).toEqual([]);
});

test('a pressed word is looked for in a run that reads the song, and the next paragraph has the line’s own words', async ({
  page,
}) => {
  await open(page, LESSON);
  await train(page);
  const song = songs(page).nth(1);
  await choose(song, ['sky', 'sea', 'sky', 'sea']);
  await page.locator('u-lab').evaluate((host) => (host as WithLab).lab.edit('attention/e', 5 * 9 + 1, -1e4));
  const words = await sing(song);
  expect(words[0]).not.toBe('sky');
  await song.locator('.sung button').nth(2).click();
  const read = ['bos', 'sky', 'sea', 'sky', 'sea', 'bis', ...words.slice(0, 3)];
  await expect(benchOf(page).locator('.token-word')).toHaveText(read);
  await page.waitForTimeout(300); // the page takes scrolling for reading
  const next = page.locator('u-step[data-at="attention/α"]').first();
  await next.evaluate((step) => scrollTo({ top: scrollY + step.getBoundingClientRect().top - innerHeight * 0.3 }));
  await expect.poll(() => editsOf(page)).toEqual([{ name: 'attention/e', index: 46, value: -1e4 }]);
  expect(await page.locator('u-lab').evaluate((host) => (host as WithLab).lab.training.step)).toBe(100);
});

test('a model that does not look back sings, too', async ({ page }) => {
  await open(page, LESSON);
  await page.locator('u-try[data-set="attention"]').getByRole('button', { name: 'off' }).click();
  const song = songs(page).last();
  await sing(song);
  await song.locator('.sung button').first().click();
  await expect(song.getByRole('status')).toContainText(/^After bis the likeliest word is/);
  await expect(song.getByRole('status')).not.toContainText('looks');
});
