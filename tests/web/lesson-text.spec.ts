// A lesson is a text first: readable without scripts, beside a workbench that follows it.
import { enter } from './hands';
import { cold, expect, open, PAGES, place, press, test, TEXTS } from './pages';

const LESSONS = PAGES.filter((path) => path.startsWith('lessons/'));

cold.describe('without scripts', () => {
  cold.use({ javaScriptEnabled: false });

  cold('a lesson can be read', async ({ page }) => {
    await page.goto(LESSONS[0]!);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const section of await page.getByRole('heading', { level: 2 }).all()) await expect(section).toBeVisible();
    await expect(page.locator('#nudge + details.after').getByText('Nothing happens at 3')).toBeVisible();
    await page.locator('.source summary').click();
    await expect(page.locator('.listing')).toBeVisible();
    await page.getByRole('link', { name: 'All lessons' }).click();
    const lessons = page.getByRole('navigation', { name: 'All lessons' }).getByRole('link');
    await expect(lessons).toHaveCount(LESSONS.length);
    await lessons.first().click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('1 ·');
  });
});

test('a step that is asked for is marked and stays, even if the page was just scrolling', async ({ page }) => {
  await open(page, LESSONS[0]!);
  await page.waitForTimeout(700);
  await page.evaluate(() => {
    const [asked, other] = ['softmax/exp', 'softmax/subtract'].map((at) =>
      document.querySelector(`u-step[data-at="${at}"]`),
    );
    scrollBy(0, other!.getBoundingClientRect().top - innerHeight * 0.32 + 4);
    asked!.querySelector<HTMLButtonElement>('.to-bench')!.click();
  });
  await page.waitForTimeout(200);
  expect((await place(page)).name).toBe('softmax/exp');
  const step = page.locator('u-step[data-at="softmax/exp"]');
  await expect(step).toHaveClass('here');
  await press(page, 'Step forward');
  await expect(step).not.toHaveClass('here');
  await step.getByRole('button', { name: 'Show on the bench: softmax/exp' }).click();
  expect((await place(page)).name).toBe('softmax/exp');
});

test('reading on moves the bench, until the reader steps by hand', async ({ page }) => {
  await open(page, LESSONS[0]!);
  await page.waitForTimeout(700);
  const read = (at: string): Promise<void> =>
    page
      .locator(`u-step[data-at="${at}"]`)
      .evaluate((step) => scrollTo(0, step.getBoundingClientRect().top + scrollY - innerHeight * 0.3));
  await read('softmax/exp');
  await expect.poll(async () => (await place(page)).name).toBe('softmax/exp');
  await read('α');
  await expect.poll(async () => (await place(page)).name).toBe('α');
  await press(page, 'Last step');
  const { of } = await place(page);
  await press(page, 'Step back');
  await press(page, 'Step back');
  await read('softmax/sum');
  await page.waitForTimeout(400);
  expect((await place(page)).step).toBe(of - 2);
});

test('a glossary word opens its definition below it, by mouse and by keyboard', async ({ page }) => {
  await open(page, LESSONS[0]!);
  const word = page.getByRole('button', { name: 'argmax' }).first();
  await word.focus();
  await page.keyboard.press('Enter');
  const meaning = page.locator('.meaning:popover-open');
  await expect(meaning).toContainText('The position of the largest of several numbers.');
  const [below, of] = await Promise.all([meaning.boundingBox(), word.boundingBox()]);
  expect(below!.y).toBeGreaterThanOrEqual(of!.y + of!.height);
  expect(below!.y).toBeLessThan(of!.y + of!.height + 20);
  await page.keyboard.press('Escape');
  await expect(meaning).toHaveCount(0);
  await word.click();
  await meaning.getByRole('link', { name: 'In the glossary' }).click();
  await expect(page.locator('dt:target')).toHaveText('argmax');
  await page.locator('dt:target + dd').getByRole('link', { name: /^1 · / }).click();
  await expect(page.getByRole('button', { name: 'argmax' }).first()).toBeVisible();
});

test('a page without a workbench opens glossary definitions too', async ({ page }) => {
  await page.goto(TEXTS[0]!);
  await expect(page.getByRole('button', { name: /^Lessons/ })).toBeVisible();
  const word = page.locator('.term').first();
  await word.click();
  const [below, of] = await Promise.all([page.locator('.meaning:popover-open').boundingBox(), word.boundingBox()]);
  expect(below!.y - of!.y - of!.height).toBeCloseTo(6, 0);
});

test('a setting and an input can be changed in the text, and bad values are refused', async ({ page }) => {
  await open(page, LESSONS[0]!);
  const temperature = page.locator('u-try[data-set="temperature"]').first();
  await temperature.getByRole('button', { name: '0', exact: true }).click();
  await press(page, 'Show as table');
  const weights = page.locator('table[data-tensor="α"] td[data-index]');
  await expect(weights).toHaveText(['0', '1', '0', '0', '0']);
  const field = temperature.getByRole('textbox');
  await enter(field, '-3');
  await expect(page.locator('u-problem')).toContainText('temperature is -3: use a number, 0 to 1000.');
  await expect(field).toHaveValue('0');
  await press(page, 'Dismiss');

  const scores = page.locator('u-try[data-input="e"]').getByRole('textbox');
  await enter(scores.nth(4), '9');
  await expect(weights).toHaveText(['0', '0', '0', '0', '1']);
  await enter(scores.nth(0), 'many');
  await expect(page.locator('u-try[data-input="e"] [role=alert]')).toContainText('e[item 0] cannot be “many”');
  await expect(page.locator('u-problem .problem')).toHaveCount(0);
  await expect(scores.nth(0)).toHaveValue('1');
  await enter(scores.nth(0), '0,5');
  await expect(scores.nth(0)).toHaveValue('0.5');
  await expect(page.locator('u-try[data-input="e"] [role=alert]')).toBeEmpty();
  await press(page, 'Reset e');
  await expect(scores.nth(4)).toHaveValue('1');
});
