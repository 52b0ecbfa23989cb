// The top bar: the lesson menu, the dialog of keyboard shortcuts, the theme.
import { lessonsFolder, readContext } from '../../web/plugin/library';
import { readFileSync } from 'node:fs';
import { expectAccessible } from './axe';
import { enter, taskOn } from './hands';
import { FIRST_LESSON, FRONT, LESSONS, PAGES, TEXTS } from './addresses';
import { benchOf, expect, open, type Page, press, test, type WithLab } from './pages';
import { stored } from './storage';

test('the menu and the dialog pass axe; the theme goes from auto to light to dark and is kept', async ({ page }) => {
  await open(page, 'workbench/');
  await page.getByRole('button', { name: /^Lessons/ }).click();
  await expectAccessible(page, 'the menu');
  await page.keyboard.press('Escape');
  await press(page, 'Keyboard');
  await expectAccessible(page, 'the dialog');
  await page.keyboard.press('Escape');
  for (const theme of ['auto', 'light', 'dark', 'auto', 'light']) await press(page, `Theme: ${theme}`);
  await expect(page.getByRole('button', { name: 'Theme: dark', exact: true })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

const lessonsIn = (page: Page) =>
  page.getByRole('navigation', { name: 'Lessons', exact: true }).getByRole('listitem').getByRole('link');

test('the menu links to every lesson, one below the other', async ({ page }) => {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await open(page, 'workbench/');
    await page.getByRole('button', { name: /^Lessons/ }).click();
    const links = lessonsIn(page);
    await expect(links).toHaveCount(LESSONS.length);
    const boxes = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().toJSON() as DOMRect));
    for (const [i, box] of boxes.entries()) {
      expect(box.left).toBe(boxes[0]!.left);
      if (i) expect(box.top).toBeGreaterThanOrEqual(boxes[i - 1]!.bottom);
    }
  }
  await lessonsIn(page).last().click();
  await expect(page).toHaveURL(new RegExp(`${PAGES.at(-1)!}$`));
  await page.getByRole('navigation', { name: 'Other lessons' }).getByRole('link').last().click();
  await expect(page).toHaveURL(new RegExp(`${TEXTS[0]!}$`));
});

const summaries = readContext().folders.map(
  (name) => /^summary: (.*)$/m.exec(readFileSync(`${lessonsFolder}/${name}/lesson.md`, 'utf8'))![1]!,
);
const row = (page: Page, lesson: string) =>
  page.locator('[data-slug]').filter({ has: page.getByRole('link', { name: lesson }), visible: true });
const openList = async (page: Page): Promise<void> => {
  await page.goto(FRONT);
  await page.getByText('As a list').click();
};
/** Where each lesson stands on the front page. */
const places = (page: Page) =>
  page.locator('main .contents li').evaluateAll((all) => all.map((row) => row.getBoundingClientRect().toJSON()));
const goOn = (page: Page) => page.locator('.go-on a').filter({ visible: true });

test('the front page and the menu show progress and where to continue, without layout shifts', async ({ page }) => {
  await openList(page);
  await expect(row(page, 'A recurrent cell')).toContainText(/\smin \d+ exercises/);
  await expect(row(page, 'Sequence to sequence')).toContainText('needs Gates');
  await expect(page.locator('main .contents .summary')).toHaveText(summaries);
  const before = await places(page);
  await expect(goOn(page)).toHaveCount(0);
  await page.goto(FIRST_LESSON);
  const task = await taskOn(page, 'ratio');
  await enter(task.getByRole('textbox'), '20.0855');
  await expect(task.getByRole('status')).toContainText('Right.');
  await expect.poll(() => stored(page, 'solved')).toHaveLength(1);
  const next = page.getByRole('navigation', { name: 'Other lessons' }).getByRole('link').last();
  await next.scrollIntoViewIfNeeded();
  await expect.poll(() => stored(page, 'read')).toHaveLength(1); // a reader sees the link before they press it
  await next.click();
  await page.getByRole('link', { name: 'Unroll' }).click();
  await page.getByText('As a list').click();
  await expect(row(page, 'Softmax, from argmax')).toContainText(/\smin read, 1 of \d+ solved/);
  await expect(row(page, 'One step of learning')).toContainText(/\smin 0 of \d+ solved/);
  await expect(row(page, 'Sequence to sequence')).toContainText(/\smin \d+ exercises/);
  await expect(goOn(page)).toHaveText('Continue 2 · One step of learning');
  expect(await places(page)).toEqual(before);
  const stops = page.locator('.lines');
  await expect(stops.locator('[data-state=begun]')).toHaveCount(2);
  await expect(stops.locator('[data-here]')).toContainText('One step of learning');
  await page.getByRole('button', { name: /^Lessons/ }).click();
  await expect(row(page, 'Softmax, from argmax').last()).toContainText('read, 1 of');
  await expect(page.locator('.menu .contents .summary').filter({ visible: true })).toHaveText(summaries);
});

const sectionOf = (page: Page) => benchOf(page).evaluate(({ lab }: WithLab) => lab.state.section);
const place = (page: Page) => page.evaluate(() => localStorage.getItem('own-place-looking-back'));

/** Once it changes no more: the bench may still go with the text. */
async function placeLeft(page: Page): Promise<string> {
  let before: string | null = null;
  const rests = async (): Promise<boolean> => {
    const now = await place(page);
    const isSame = now !== null && now === before;
    before = now;
    return isSame;
  };
  await expect.poll(rests, { intervals: [1500] }).toBe(true);
  return before!;
}

test('a lesson that was reset at its beginning is continued there', async ({ page }) => {
  await open(page, 'lessons/looking-back/');
  await press(page, 'Step forward');
  await expect.poll(() => place(page)).toMatch(/^#v/);
  await press(page, 'Reset');
  await expect.poll(() => place(page)).toBeNull();
});

test('what continues a lesson leads to where it was left, with what was done there', async ({ page }) => {
  const there = page.getByRole('heading', { name: 'Could a rule say where to look?' });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await open(page, 'lessons/looking-back/');
    await there.evaluate((each) => each.scrollIntoView());
    const address = new URL(await placeLeft(page), page.url()).href;
    await page.goto(FRONT);
    await goOn(page).click();
    await expect(page).toHaveURL(address);
    await expect(there).toBeInViewport();
    await expect.poll(() => sectionOf(page)).toBe('could-a-rule-say-where-to-look'); // known once the page has settled
    await press(page, 'Step forward');
    await placeLeft(page);
    const said = await page.locator('u-transport .says').textContent();
    await page.goto(FRONT);
    await goOn(page).click();
    await expect(there).toBeInViewport();
    await expect(page.locator('u-transport .says')).toHaveText(said!);
    await page.getByRole('button', { name: /^Lessons/ }).click();
    await expect(goOn(page)).toContainText('Begin 10 ·');
    await page.evaluate(() => localStorage.clear());
  }
});

test('what continues a lesson leads to the paragraph, and another link to its heading', async ({ page }) => {
  await open(page, 'lessons/looking-back/');
  const paragraph = page.locator('#keys-and-a-query ~ p').nth(1);
  await paragraph.evaluate((each) => each.scrollIntoView());
  const [address, heading] = [await placeLeft(page), '#keys-and-a-query'].map((hash) => new URL(hash, page.url()).href);
  await page.goto(FRONT);
  await goOn(page).click();
  await expect(page).toHaveURL(address!);
  await expect(page.locator('u-transport .says')).toHaveText(/./);
  const below = async (): Promise<number> => (await paragraph.boundingBox())!.y;
  await expect.poll(below).toBeLessThan(150);
  await expect(paragraph).toBeInViewport();
  await page.goto(FRONT);
  await page.goto(heading!);
  await expect(page.locator('u-transport .says')).toHaveText(/./);
  await expect(page.locator('h2:target')).toBeInViewport();
  expect(await below()).toBeGreaterThan(150);
});
