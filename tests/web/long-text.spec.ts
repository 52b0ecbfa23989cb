// Megabytes of the learner's own text: they are read beside the page, and what is read of an older text is dropped.
import { expect, open, press, rested, test, type Page } from './pages';

const line = (i: number): string =>
  `The cat number ${i} sees the dog.\tLe chat ${i} voit le chien !\tCC-BY 2.0 tatoeba.org #${i}\n`;
const lines = (characters: number): string => {
  const all: string[] = [];
  for (let [i, length] = [0, 0]; length < characters; i++) length += all[all.push(line(i)) - 1]!.length;
  return all.join('');
};
const field = (page: Page) => page.getByLabel('Your pairs');
const report = (page: Page) => page.locator('u-own-data [data-read]');

async function begin(page: Page): Promise<void> {
  await open(page, 'workbench/');
  await page.getByRole('combobox', { name: 'Model' }).selectOption('seq2seq');
  await rested(page);
  await page.getByRole('combobox', { name: 'Task' }).selectOption('own');
}

/** As if it were pasted: Playwright would be slow to. */
const paste = (page: Page, text: string): Promise<void> =>
  field(page).evaluate((area: HTMLTextAreaElement, all) => {
    area.value = all;
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);

test('5 MB are read in a worker, and what is typed meanwhile is read instead', async ({ page }) => {
  test.slow();
  await begin(page);
  const workers = page.workers().length;
  await paste(page, lines(5e6));
  await expect(report(page)).toHaveText(/^Read [\d,]+ pairs: column 1 and column 2 of 3/, { timeout: 30_000 });
  expect(page.workers().length).toBe(workers + 1);
  await paste(page, lines(4e6));
  await page.waitForTimeout(310); // its reading has begun
  await paste(page, 'a b\tc\nd\te');
  await expect(report(page)).toHaveText('Read 2 pairs: column 1 and column 2 of 2, separated by tabs.');
  await page.waitForTimeout(1500); // the answer to the older text would be there
  await expect(report(page)).toHaveText('Read 2 pairs: column 1 and column 2 of 2, separated by tabs.');
});

test('pairs that are not read yet are used once they are', async ({ page }) => {
  await begin(page);
  await paste(page, lines(30_000));
  await press(page, 'Use these pairs');
  await expect(page.getByText(/^In use: [\d,]+ pairs for training/)).toBeVisible({ timeout: 30_000 });
});

test('a reading that takes long says so, and typing goes on', async ({ page }) => {
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...call: Parameters<typeof post>): void {
      const isText = typeof (call[0] as { text?: unknown }).text === 'string';
      if (isText) setTimeout(() => post.apply(this, call), 2500);
      else post.apply(this, call);
    } as typeof post;
  });
  await begin(page);
  await paste(page, lines(30_000));
  const reading = page.getByText('Reading your text…');
  await expect(reading).toBeVisible();
  await field(page).focus();
  await page.keyboard.type('x');
  await expect(field(page)).toHaveValue(/x$|^x/);
  await expect(report(page)).toHaveText(/^Read [\d,]+ pairs/, { timeout: 20_000 });
  await expect(reading).toHaveCount(0);
});

test('where no worker starts, the page reads it itself', async ({ page }) => {
  await begin(page);
  await page.evaluate(() => Object.assign(globalThis, { Worker: undefined }));
  await paste(page, lines(30_000));
  await expect(report(page)).toHaveText(/^Read [\d,]+ pairs/);
});

test('a long draft is there after a reload right after it was typed', async ({ page }) => {
  await begin(page);
  await paste(page, lines(30_000));
  await page.reload();
  await rested(page);
  await page.getByRole('combobox', { name: 'Model' }).selectOption('seq2seq');
  await rested(page);
  await page.getByRole('combobox', { name: 'Task' }).selectOption('own');
  await expect(field(page)).toHaveValue(/^The cat number 0 sees/);
});
