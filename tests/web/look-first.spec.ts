// Lesson 0: the translator in the text, the prediction about it, and what the text says one sees.
import type { Page } from '@playwright/test';
import { expectAccessible, THEMES } from './axe';
import { FRONT } from './addresses';
import { cold, expect, test } from './pages';
import { stored } from './storage';

const PATH = 'lessons/look-first/';
const NARROW = { width: 360, height: 740 };

const said = (page: Page) => page.locator('u-translator .say');
const english = (page: Page, word: string) =>
  page.getByRole('group', { name: /^English words/ }).getByRole('button', { name: word, exact: true });
const french = (page: Page, word: string) =>
  page.getByRole('group', { name: /^French words/ }).getByRole('button', { name: word, exact: true });
const writes = (page: Page, words: string): Promise<void> =>
  expect(page.locator('u-translator .written .w')).toHaveText(words.split(' '));
const undo = (page: Page) => page.getByRole('button', { name: 'Undo everything' });
const task = (page: Page) => page.locator('u-task');
const status = (page: Page) => task(page).getByRole('status');
const answer = (page: Page) => page.locator('details.after');

test('a word that is chosen while another is being hidden does not undo it', async ({ page }) => {
  await page.goto(PATH);
  await french(page, 'vache').click();
  await expect(said(page)).toContainText('looks most at cow');
  await french(page, 'vache').click();
  await page.evaluate(() => {
    const press = (row: string, word: string): void =>
      [...document.querySelectorAll<HTMLElement>(`u-translator ${row} .w`)]
        .find(({ textContent }) => textContent!.trim() === word)!
        .click();
    press('.read', 'apple');
    press('.written', 'pomme');
  });
  await expect(said(page)).toContainText('looks most at the');
});

test('Start opens it, without the bench; a prediction is answered, and what the text says is seen', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  await page.goto(FRONT);
  await page.getByRole('link', { name: /^Start lesson 0/ }).click();
  await expect(page).toHaveURL(new RegExp(`/${PATH}$`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('0 · What does a model look at?');
  await expect(page.locator('u-translator')).toBeInViewport({ ratio: 1 });
  await expect(page.locator('.top .loc')).toHaveText(/^0 of \d+$/);

  const check = task(page).getByRole('button', { name: 'Check' });
  await check.click();
  await expect(status(page)).toHaveText('Not checked. No answer selected yet: choose one, then check.');
  await task(page).getByRole('radio', { name: 'None', exact: true }).check();
  await check.click();
  await expect(status(page)).toContainText('Not yet. The model has read the whole sentence.');
  await expect(answer(page)).not.toHaveAttribute('open');
  await writes(page, 'la vache noire mange la pomme');
  await task(page).getByRole('radio', { name: 'Only vache', exact: true }).check();
  await expect(status(page)).toBeEmpty();
  await check.click();
  await expect(status(page)).toContainText('Right.');
  await expect(answer(page)).toHaveAttribute('open');
  await expect.poll(() => stored(page, 'solved')).toHaveLength(1);

  await english(page, 'cow').click();
  await writes(page, 'la souris noire mange la pomme');
  await undo(page).click();
  await french(page, 'vache').click();
  await expect(said(page)).toContainText('looks most at cow');
  await english(page, 'apple').click();
  await writes(page, 'la pomme noire mange la pomme');
  await undo(page).click();
  await english(page, 'apple').click();
  await writes(page, 'la vache noire mange la pomme');
  await french(page, 'pomme').click();
  await expect(said(page)).toContainText('looks most at the');
  await french(page, 'pomme').click();
  await english(page, 'the').last().click();
  await writes(page, 'la vache noire mange la vache');
  await expect(page.locator('u-translator')).toBeInViewport({ ratio: 1 }); // it stays beside the text

  expect(asked.filter((url) => /\/(elements|bench|numbers|task|check|engine_program)-/.test(url))).toEqual([]);
  await page.getByRole('navigation', { name: 'Other lessons' }).scrollIntoViewIfNeeded();
  await expect.poll(() => stored(page, 'read')).toHaveLength(1);
  await page.reload();
  await expect(answer(page)).toHaveAttribute('open');
  await expect(task(page).locator('h3 small')).toHaveText('solved · 1 of 1');
  await page.goto(FRONT);
  await expect(page.locator('[data-stop=look-first]')).toHaveAttribute('data-state', 'done');
  await expect(page.locator('.go-on a').filter({ visible: true })).toHaveText(/^Begin 1 · /);
});

test('by keyboard at 360 px: nothing is cut, and the answer is shown after a wrong one', async ({ page }) => {
  await page.setViewportSize(NARROW);
  await page.goto(PATH);
  await french(page, 'noire').focus();
  await page.keyboard.press('Enter');
  await expect(said(page)).toHaveText(/^For noire the model looks most at black/);
  await page.keyboard.press('Escape');
  await task(page).getByRole('radio', { name: 'vache and noire', exact: true }).focus();
  await page.keyboard.press('Space');
  await task(page).getByRole('button', { name: 'Check' }).focus();
  await page.keyboard.press('Enter');
  await expect(status(page)).toContainText('Not yet. An adjective belongs to its noun.');
  const show = task(page).getByRole('button', { name: 'Show the answer' });
  await show.focus();
  await page.keyboard.press('Enter');
  await expect(status(page)).toHaveText(/^\s*The answer\. Only vache\./);
  await expect(answer(page)).toHaveAttribute('open');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
  for (const each of await page.locator('u-translator .w').all()) {
    const { x, width, height } = (await each.boundingBox())!;
    expect(x).toBeGreaterThanOrEqual(8);
    expect(x + width).toBeLessThanOrEqual(NARROW.width - 8);
    expect(height).toBeGreaterThanOrEqual(44);
  }
});

for (const [name, size] of Object.entries({ wide: { width: 1280, height: 800 }, narrow: NARROW }))
  test(`passes axe, ${name}`, async ({ page }) => {
    await page.setViewportSize(size);
    await page.goto(PATH);
    await expect(task(page).getByRole('button', { name: 'Check' })).toBeVisible();
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await expectAccessible(page, `${name}, ${theme}`);
    }
  });

test('what has the focus is not below the translator', async ({ page }) => {
  await page.goto(PATH);
  await page.locator('article .next a').last().focus();
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Shift+Tab');
    const hidden = await page.evaluate(() => {
      const [here, above] = [document.activeElement!, document.querySelector('u-translator')!];
      if (above.contains(here)) return false;
      return (
        here.closest('article') !== null &&
        here.getBoundingClientRect().top < above.getBoundingClientRect().bottom - 1 &&
        here.getBoundingClientRect().bottom > above.getBoundingClientRect().top
      );
    });
    expect(hidden, await page.evaluate(() => document.activeElement!.textContent)).toBe(false);
  }
});

test('a link to it is its address, and on paper it has no controls', async ({ page }) => {
  await page.goto(PATH);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Link copied' })).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('u-translator svg')).toBeVisible();
  await expect(page.getByText('Press Undo everything, then cow')).toBeVisible();
  for (const control of ['.top', '.do', '.next', 'u-task .btn'])
    await expect(page.locator(control).first()).toBeHidden();
});

test.describe('without the model', () => {
  test.use({ complains: true });

  test('the prediction is not checked, and another press tries again', async ({ page }) => {
    await page.route('**/translator.safetensors', (route) => route.abort());
    await page.goto(PATH);
    await task(page).getByRole('radio').first().check();
    await task(page).getByRole('button', { name: 'Check' }).click();
    await expect(status(page)).toContainText('Not checked.');
    await page.unrouteAll();
    await task(page).getByRole('button', { name: 'Check' }).click();
    await expect(status(page)).toContainText(/Right\.|Not yet\./);
  });
});

cold.describe('offline', () => {
  cold.use({ serviceWorkers: 'allow' });

  cold('it works once its model was used', async ({ page, context }) => {
    await page.goto(PATH);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await english(page, 'cow').click();
    await writes(page, 'la souris noire mange la pomme');
    const isKept = (): Promise<boolean> =>
      page.evaluate(async () => {
        const wanted = performance.getEntriesByType('resource').map(({ name }) => name);
        const found = await Promise.all([location.href, ...wanted].map((url) => caches.match(url)));
        return found.every(Boolean);
      });
    await expect.poll(isKept).toBe(true);
    await context.setOffline(true);
    await page.reload();
    await english(page, 'cow').click();
    await writes(page, 'la souris noire mange la pomme');
  });
});
