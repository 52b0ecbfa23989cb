// The text that gives the answer to a prediction is folded up until the reader has answered or opens it.
import { expect, open, PAGES, test, type Page } from './pages';

const LESSON = PAGES[2]!;
const folded = (page: Page) => page.locator('#nudge + details.after');
const inside = (page: Page) => folded(page).getByText('Nothing happens at 3');
const option = (page: Page, value: number) => page.locator(`#nudge label:has([value="${value}"])`);
const task = (page: Page) => page.locator('#nudge');

/** Which options are right, by trying them. */
async function choose(page: Page, value: number): Promise<string> {
  await option(page, value).click();
  await task(page).getByRole('button', { name: 'Check' }).click();
  await expect(task(page).getByRole('status')).toHaveText(/Right\.|Not yet\./);
  return (await task(page).getByRole('status').textContent())!;
}

async function wrongAndRight(page: Page): Promise<{ wrong: number; right: number }> {
  const count = await page.locator('#nudge [type=radio]').count();
  let wrong = -1;
  for (let value = 0; value < count; value++) {
    if (/Right\./.test(await choose(page, value))) return { wrong, right: value };
    wrong = value;
    await expect(inside(page)).toBeHidden();
  }
  throw new Error('no option is right');
}

test('it is printed; it opens with the right answer, which a wrong one does not tell, and stays open', async ({
  page,
}) => {
  await open(page, LESSON);
  await page.emulateMedia({ media: 'print' });
  await expect(inside(page)).toBeVisible();
  await expect(folded(page).locator('summary')).toBeHidden();
  await page.emulateMedia({ media: null });
  await expect(inside(page)).toBeHidden();
  await wrongAndRight(page);
  await expect(inside(page)).toBeVisible();
  await expect(folded(page).locator('summary')).toBeHidden();
  await open(page, LESSON);
  await expect(inside(page)).toBeVisible();
  await expect(folded(page).locator('summary')).toBeHidden();
});

test('after a wrong answer the right one can be asked for', async ({ page }) => {
  await open(page, LESSON);
  await expect(task(page).getByRole('button', { name: 'Check' })).toBeEnabled();
  for (const value of [0, 1]) if (/Not yet\./.test(await choose(page, value))) break;
  await expect(task(page).getByRole('status')).not.toContainText('The answer.');
  await task(page).getByRole('button', { name: 'Show the answer' }).click();
  await expect(task(page).getByRole('status')).toContainText('The answer. Nothing at all. ');
  await expect(inside(page)).toBeVisible();
});

test('it opens by keyboard, and by a link into it', async ({ page }) => {
  await open(page, LESSON);
  await folded(page).locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(inside(page)).toBeVisible();
  await open(page, LESSON);
  await expect(inside(page)).toBeHidden();
  await folded(page)
    .locator('p')
    .first()
    .evaluate((text) => void (text.id = 'told'));
  await page.evaluate(() => void (location.hash = 'told'));
  await expect(inside(page)).toBeVisible();
});
