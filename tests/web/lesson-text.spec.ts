// A lesson is a text first: readable without scripts, beside a workbench that follows it, and that it does not
// contradict.
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, THEMES } from './axe';
import { check, checkOf, enter, taskOn } from './hands';
import { FIRST_LESSON, LESSONS, TEXTS } from './addresses';
import { cold, expect, open, place, press, settled, test } from './pages';
import { begin, figure, SMALL } from './trainings';

cold.describe('without scripts', () => {
  cold.use({ javaScriptEnabled: false });

  cold('a lesson can be read', async ({ page }) => {
    await page.goto(FIRST_LESSON);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const section of await page.getByRole('heading', { level: 2 }).all()) await expect(section).toBeVisible();
    await expect(page.locator('#nudge + details.after').getByText('At 5 the two items tie')).toBeVisible();
    await page.locator('.source summary').click();
    await expect(page.locator('.listing')).toBeVisible();
    await page.getByRole('link', { name: 'All lessons' }).click();
    const lessons = page.getByRole('navigation', { name: 'All lessons' }).getByRole('link');
    await expect(lessons).toHaveCount(LESSONS.length);
    await lessons.first().click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('0 ·');
  });
});

test('a lesson says where its core ends', async ({ page }) => {
  await open(page, FIRST_LESSON);
  const mark = page.locator('.deeper');
  await expect(mark).toHaveText(/^Going\sfurtherThe core of this lesson ends here, after about \d+ minutes\.$/);
  await mark.scrollIntoViewIfNeeded();
  const above = page.getByRole('heading', { name: 'Softmax in five operations' });
  const below = mark.locator('+ h2');
  const tops = await Promise.all(
    [above, mark, below].map((each) => each.evaluate((e) => e.getBoundingClientRect().top)),
  );
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    await expectAccessible(page, `the mark, ${theme}`, { within: '.deeper' });
  }
});

test('a step that is asked for is marked and stays, even if the page was just scrolling', async ({ page }) => {
  await open(page, FIRST_LESSON);
  await page.waitForTimeout(700); // until 600 ms after opening, scrolling is the browser’s
  await page.evaluate(() => {
    const [asked, other] = ['softmax/exp', 'softmax/subtract'].map((at) =>
      document.querySelector(`u-step[data-at="${at}"]`),
    );
    scrollBy(0, other!.getBoundingClientRect().top - innerHeight * 0.32 + 4);
    asked!.querySelector<HTMLButtonElement>('.to-bench')!.click();
  });
  await page.waitForTimeout(200); // the step that was scrolled to would be marked
  expect((await place(page)).name).toBe('softmax/exp');
  const step = page.locator('u-step[data-at="softmax/exp"]');
  await expect(step).toHaveClass('here');
  await press(page, 'Step forward');
  await expect(step).not.toHaveClass('here');
  await step.getByRole('button', { name: 'Show on the bench: softmax/exp' }).click();
  expect((await place(page)).name).toBe('softmax/exp');
});

test('reading on moves the bench, until the reader steps by hand', async ({ page }) => {
  await open(page, FIRST_LESSON);
  await page.waitForTimeout(700); // until 600 ms after opening, scrolling is the browser’s
  const read = (at: string): Promise<void> =>
    page
      .locator(`u-step[data-at="${at}"]`)
      .first()
      .evaluate((step) => scrollTo(0, step.getBoundingClientRect().top + scrollY - innerHeight * 0.3));
  await read('softmax/exp');
  await expect.poll(async () => (await place(page)).name).toBe('softmax/exp');
  await read('α');
  await expect.poll(async () => (await place(page)).name).toBe('α');
  await press(page, 'Last step');
  await press(page, 'Step back');
  await expect(page.locator('u-transport .says')).toHaveText('The loss');
  const { step } = await place(page);
  await read('softmax/sum');
  await page.waitForTimeout(400); // the bench would have moved
  expect((await place(page)).step).toBe(step);
});

test('a glossary word opens its definition below it, by mouse and by keyboard', async ({ page }) => {
  await open(page, FIRST_LESSON);
  const word = page.getByRole('button', { name: 'argmax' }).first();
  await word.evaluate((each) => each.scrollIntoView({ block: 'center' })); // there is room below it
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
  await open(page, FIRST_LESSON);
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
  await expect(weights.last()).toHaveText(/^0\.98/); // at the temperature of that paragraph
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

// A step of the text overrides what the reader painted or typed; the page says so, and undo restores it.

const PAINTED = /^the sees cat, sleeps, pad 1 and pad 2\./;
const caption = (page: Page): Locator => page.locator('u-mask figcaption');
const problem = (page: Page): Locator => page.locator('u-problem');

/** The first cell of the mask. */
async function paint(page: Page): Promise<void> {
  await page.locator('u-mask').getByRole('grid', { name: 'Cells of the mask' }).focus();
  await page.keyboard.press('Space');
  await expect(caption(page)).toHaveText(PAINTED);
}

const step = (page: Page, given: string): Locator => page.locator(`u-step[data-given='${given}'] .to-bench`).first();

test('a step that sets the mask replaces a painted one, and undo restores it', async ({ page }) => {
  await open(page, 'lessons/masks/');
  await paint(page);
  await step(page, '{"mask":"none","padding":0}').click();
  await expect(caption(page)).toHaveText(/^the sees every key/);
  await expect(problem(page)).toContainText('Your changed mask was replaced.');
  await problem(page).getByRole('button', { name: 'Undo' }).click();
  await expect(caption(page)).toHaveText(PAINTED);
  await step(page, '{"mask":"causal","padding":0}').click();
  await expect(caption(page)).toHaveText(/^the sees the\. cat sees the and cat\./);
});

test('so does a button of the text, for a whole mask that was filled in', async ({ page }) => {
  await open(page, 'lessons/masks/');
  await page
    .locator('xpath=(//u-try[@data-set="mask"])[1]/preceding::u-step[1]//button[contains(@class, "to-bench")]')
    .click();
  await page.locator('u-mask').getByRole('button', { name: 'Causal' }).click();
  await expect(caption(page)).toHaveText(/^the sees the\./);
  await page.locator('u-try[data-set="mask"]').getByRole('button', { name: 'none' }).click();
  await expect(caption(page)).toHaveText(/^the sees every key/);
  await expect(problem(page)).toContainText('Your changed mask was replaced');
});

test('a step can set an input of its own', async ({ page }) => {
  await open(page, 'lessons/masks/');
  const X = Array.from({ length: 20 }, (_, i) => i % 3);
  await page.locator('article.text').evaluate(
    (article, given) => {
      const paragraph = document.createElement('u-step');
      Object.assign(paragraph.dataset, { at: 'attention/α', given: JSON.stringify(given) });
      paragraph.id = 'own';
      article.append(paragraph);
    },
    { X },
  );
  const own = page.locator('#own');
  await own.getByRole('button').click();
  await expect(own).toHaveClass('here');
  await expect(problem(page)).not.toContainText('replaced');
  await press(page, 'Reset');
  await expect(problem(page)).toContainText('1 changed input');
  await expect(own).not.toHaveClass('here');
});

// Numbers say for which settings they hold.

/** Of its text, in pixels. */
const sizeOf = (element: Locator): Promise<string> => element.evaluate((each) => getComputedStyle(each).fontSize);

test('at another temperature, the numbers in the text say that they hold with temperature 1', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  await expect(page.locator('data.held')).toHaveCount(0);
  await page.locator('u-try').first().getByText('0', { exact: true }).first().click();
  await settled(page);
  const number = page.locator('data.val:not(.given)').first();
  await expect(number).toHaveClass(/held/);
  await expect(number).toHaveAttribute('title', 'with temperature 1');
  expect(await sizeOf(number)).toBe(await sizeOf(number.locator('..')));
  const exp = page.locator('u-step[data-at="softmax/exp"]');
  const button = exp.locator('.to-bench');
  await expect(button).toHaveText('Show on the bench with temperature 1');
  await expect(page.locator('u-step.here:has(data.val)')).toHaveCount(0);
  await button.click();
  await settled(page);
  await expect(exp).toHaveClass(/here/);
  await expect(button).toHaveText('Show on the bench');
  await expect(page.locator('data.held')).toHaveCount(0);
});

test('with forced colours, the cells of a heat map keep different colours', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page, 'lessons/softmax/');
  await settled(page);
  const colours = await page
    .locator('u-grid canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d')!.getImageData(0, Math.floor(height / 4), width, 1);
      return new Set(Array.from({ length: width }, (_, x) => data.slice(4 * x, 4 * x + 3).join())).size;
    });
  expect(colours).toBeGreaterThan(3);
  await page.emulateMedia({ forcedColors: 'none' });
});

test('accuracy says that it is of the batch, and exact match of how many unseen pairs', async ({ page }) => {
  await begin(page, SMALL);
  await press(page, 'Train');
  await expect.poll(() => figure(page, 'accuracy')).toMatch(/^[\d.]+ % of the batch$/);
  await press(page, 'Stop'); // exact match takes its place once training has ended
  await expect.poll(() => figure(page, 'exact match')).toMatch(/^[\d.]+ % of [\d,]+ unseen pairs$/);
});

// The text that gives the answer to a prediction is folded up until the reader has answered or opens it.

const folded = (page: Page) => page.locator('#nudge + details.after');
const inside = (page: Page) => folded(page).getByText('At 5 the two items tie');
const option = (page: Page, value: number) => page.locator(`#nudge label:has([value="${value}"])`);
const task = (page: Page) => taskOn(page, 'nudge');

/** Which options are right, by trying them. */
async function choose(page: Page, value: number): Promise<string> {
  await option(page, value).click();
  await check(await task(page));
  await expect((await task(page)).getByRole('status')).toHaveText(/Right\.|Not yet\./);
  return (await (await task(page)).getByRole('status').textContent())!;
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

test('it is printed; it opens with the right answer, which no wrong one tells, and stays open', async ({ page }) => {
  await open(page, FIRST_LESSON);
  await page.emulateMedia({ media: 'print' });
  await expect(inside(page)).toBeVisible();
  await expect(folded(page).locator('summary')).toBeHidden();
  await page.emulateMedia({ media: null });
  await expect(inside(page)).toBeHidden();
  await wrongAndRight(page);
  await expect(inside(page)).toBeVisible();
  await expect(folded(page).locator('summary')).toBeHidden();
  await open(page, FIRST_LESSON);
  await task(page);
  await expect(inside(page)).toBeVisible();
  await expect(folded(page).locator('summary')).toBeHidden();
});

test('after a wrong answer the right one can be asked for', async ({ page }) => {
  await open(page, FIRST_LESSON);
  await expect(checkOf(await task(page))).toBeEnabled();
  for (const value of [0, 1]) if (/Not yet\./.test(await choose(page, value))) break;
  await expect((await task(page)).getByRole('status')).not.toContainText('The answer.');
  await (await task(page)).getByRole('button', { name: 'Show the answer' }).click();
  await expect((await task(page)).getByRole('status')).toContainText('The answer. Nothing at all. ');
  await expect(inside(page)).toBeVisible();
});

test('it opens by keyboard, and by a link into it', async ({ page }) => {
  await open(page, FIRST_LESSON);
  await folded(page).locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(inside(page)).toBeVisible();
  await open(page, FIRST_LESSON);
  await expect(inside(page)).toBeHidden();
  await folded(page)
    .locator('p')
    .first()
    .evaluate((text) => void (text.id = 'told'));
  await page.evaluate(() => void (location.hash = 'told'));
  await expect(inside(page)).toBeVisible();
});
