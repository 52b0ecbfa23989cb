// The editor of a program in the workbench.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { chooseModel } from './hands';
import { expect, open, rested } from './pages';

export const program = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../lessons/programs/${name}.py`, import.meta.url)), 'utf8');

export const editor = (page: Page): Locator => page.locator('u-program .cm-content');
export const line = (page: Page, number: number): Locator =>
  editor(page)
    .locator('.cm-line')
    .nth(number - 1);
export const shape = (page: Page, number: number): Locator => line(page, number).locator('.cm-shape');
export const mistake = (page: Page): Locator => page.locator('u-program').getByRole('status');

export async function choose(page: Page, kind: string): Promise<void> {
  await open(page, 'workbench/');
  await chooseModel(page, kind);
  await expect(editor(page)).toBeVisible();
}

/** Puts a program in place of the one there, line by line. The editor indents a new line, which the next text replaces. */
export async function type(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  for (const each of text.trimEnd().split('\n')) {
    if (each) await page.keyboard.insertText(each);
    await page.keyboard.press('Escape'); // closes a list of names
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Home');
  }
  await page.keyboard.press('Delete');
}

/** Types at the end of a line. */
export async function typeAfter(page: Page, number: number, text: string): Promise<void> {
  await line(page, number).click();
  await page.keyboard.press('End');
  await page.keyboard.type(text);
}

/** Writes a line above the program. */
export async function writeAbove(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

export const run = (page: Page): Promise<void> => page.keyboard.press('ControlOrMeta+Enter');

/** Runs the program to its end. */
export async function runWhole(page: Page): Promise<void> {
  await run(page);
  await rested(page);
}

export const textOf = (page: Page): Promise<string> =>
  editor(page).evaluate((content) => {
    const lines = [...content.querySelectorAll('.cm-line')].map((each) => {
      const own = each.cloneNode(true) as Element;
      for (const widget of own.querySelectorAll('.cm-shape')) widget.remove();
      return own.textContent;
    });
    return lines.join('\n');
  });
