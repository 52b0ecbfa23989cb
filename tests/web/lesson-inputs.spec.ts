// A step of the text overrides what the reader painted or typed; the page says so, and undo restores it.
import type { Locator, Page } from '@playwright/test';
import { expect, open, press, test } from './pages';

const LESSON = 'lessons/masks/';
const PAINTED = /^the sees cat, sleeps, pad 1 and pad 2\./;
const caption = (page: Page): Locator => page.locator('u-mask figcaption');
const notice = (page: Page): Locator => page.locator('u-problem');

/** The first cell of the mask. */
async function paint(page: Page): Promise<void> {
  await page.locator('u-mask').getByRole('grid', { name: 'Cells of the mask' }).focus();
  await page.keyboard.press('Space');
  await expect(caption(page)).toHaveText(PAINTED);
}

const step = (page: Page, given: string): Locator => page.locator(`u-step[data-given='${given}'] .to-bench`).first();

test('a step that sets the mask replaces a painted one, and undo restores it', async ({ page }) => {
  await open(page, LESSON);
  await paint(page);
  await step(page, '{"mask":"none","padding":0}').click();
  await expect(caption(page)).toHaveText(/^the sees every key/);
  await expect(notice(page)).toContainText('Your changed mask was replaced.');
  await notice(page).getByRole('button', { name: 'Undo' }).click();
  await expect(caption(page)).toHaveText(PAINTED);
  await step(page, '{"mask":"causal","padding":0}').click();
  await expect(caption(page)).toHaveText(/^the sees the\. cat sees the and cat\./);
});

test('so does a button of the text, for a whole mask that was filled in', async ({ page }) => {
  await open(page, LESSON);
  await page.locator('u-mask').getByRole('button', { name: 'Causal' }).click();
  await expect(caption(page)).toHaveText(/^the sees the\./);
  await page.locator('u-try[data-set="mask"]').getByRole('button', { name: 'none' }).click();
  await expect(caption(page)).toHaveText(/^the sees every key/);
  await expect(notice(page)).toContainText('Your changed mask was replaced');
});

test('a step can set an input of its own', async ({ page }) => {
  await open(page, LESSON);
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
  await expect(notice(page)).not.toContainText('replaced');
  await press(page, 'Reset');
  await expect(notice(page)).toContainText('1 changed input');
  await expect(own).not.toHaveClass('here');
});
