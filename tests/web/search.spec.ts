// The search in the page: how it opens, how a hit is chosen, and where it leads.
import { chooseCell } from './hands';
import { expectAccessible, THEMES } from './axe';
import { expect, open, press, test, type Page } from './pages';

const field = (page: Page) => page.getByRole('combobox', { name: /^Search lessons/ });
const chosen = (page: Page) => page.getByRole('option', { selected: true });

async function search(page: Page, query: string): Promise<void> {
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(query);
}

test('opens by a key, finds, and Enter leads to the word in the glossary', async ({ page }) => {
  await page.goto('lessons/about/');
  await search(page, 'alignment model');
  await expect(chosen(page)).toContainText('score function');
  await expect(chosen(page)).toContainText('Word');
  const id = await chosen(page).getAttribute('id');
  await expect(field(page)).toHaveAttribute('aria-activedescendant', id!);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/lessons\/glossary\/#score-function$/);
  await expect(page.locator('#score-function')).toBeInViewport();
});

test('arrows choose and go round, Escape closes and gives the focus back', async ({ page }) => {
  await page.goto('lessons/about/');
  const button = page.getByRole('button', { name: /^Search/ });
  await button.click();
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('softmax');
  const options = page.getByRole('option');
  await page.keyboard.press('ArrowDown');
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  await expect(options.last()).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Search' })).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('leads to a place on the page that is open, also by a click', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  await page.locator('h1').click();
  await search(page, 'a misprint');
  await page.getByRole('option', { name: /Section A misprint/ }).click();
  await expect(page.getByRole('dialog', { name: 'Search' })).toHaveCount(0);
  await expect(page.locator('#a-misprint')).toBeInViewport();
});

test('a model opens on the workbench', async ({ page }) => {
  await page.goto('lessons/about/');
  await search(page, 'captioner');
  await page.getByRole('option', { name: /^Model Captioner/ }).click();
  await expect(page).toHaveURL(/workbench\/#v1\./);
  await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toHaveValue('captioner');
});

test('the key is a letter where one types, and none if letters are turned off', async ({ page }) => {
  await open(page, 'workbench/');
  await chooseCell(page, 'X');
  await page.keyboard.type('1');
  await page.keyboard.type('/');
  await expect(page.locator('u-inspector input.entry')).toHaveValue('1/');
  await expect(page.locator('u-search')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await press(page, 'Keyboard');
  await page.getByLabel('Single-letter keys').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await expect(page.locator('u-search')).toHaveCount(0);
  await press(page, 'Keyboard');
  await page.getByLabel('Single-letter keys').check();
});

test('says so if there is nothing, and passes axe at both widths and themes', async ({ page }) => {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto('lessons/about/');
    await search(page, 'qqqqqqq');
    await expect(page.getByRole('status').filter({ hasText: 'Nothing found for “qqqqqqq”' })).toBeVisible();
    await expectAccessible(page, `nothing, ${width} px`, { within: 'dialog.search' });
    await field(page).fill('attention');
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `hits, ${width} px, ${colorScheme}`, { within: 'dialog.search' });
    }
    for (const option of await page.getByRole('option').all())
      expect((await option.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test('nothing of it is loaded before it is opened', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('lessons/about/');
  await page.waitForLoadState('networkidle');
  expect(asked.filter((url) => url.includes('search'))).toEqual([]);
});
