// The two ways to do an exercise, by mouse and by keyboard alone, and actions common to many pages.
import type { Locator } from '@playwright/test';
import { drawn, expect, open, press, rested, showStage, type Page } from './pages';

/** In place of all that stands in the field with the focus. */
export async function typeOver(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** The value in the card of the chosen cell. A button pressed before is shown from the next frame on. */
export async function editTo(page: Page, value: string): Promise<void> {
  await rested(page);
  await drawn(page);
  await press(page, 'Change');
  await expect(page.locator('u-inspector input[name="value"]')).toBeFocused();
  await typeOver(page, value);
  await expect(page.getByRole('button', { name: 'Undo change' })).toBeEnabled();
}

/** On the workbench; waits until the model has run. */
export async function chooseModel(page: Page, kind: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption(kind);
  await rested(page);
}

/** On the workbench: fields for pairs or a text of the learner's own. */
export async function chooseOwnData(page: Page, kind = 'seq2seq'): Promise<void> {
  await chooseModel(page, kind);
  await page.getByRole('combobox', { name: 'Task' }).selectOption('own');
}

export async function openOwnData(page: Page, kind = 'seq2seq'): Promise<void> {
  await open(page, 'workbench/');
  await chooseOwnData(page, kind);
}

/** Exercises load when the first one is in sight. */
export async function seeTask(task: Locator): Promise<Locator> {
  await task.scrollIntoViewIfNeeded();
  await expect(task.locator('.answer, .btn').first()).toBeAttached();
  return task;
}

export const taskOn = (page: Page, id: string): Promise<Locator> => seeTask(page.locator(`u-task[id="${id}"]`));
export const checkOf = (task: Locator): Locator => task.getByRole('button', { name: 'Check' });
export const check = (task: Locator): Promise<void> => checkOf(task).click();

/** Chooses the first cell of a tensor among the numbers; without a name, of the first tensor there. Its card opens. */
export async function chooseCell(page: Page, tensor?: string): Promise<void> {
  await showStage(page, 'Numbers');
  const grids = tensor
    ? page.getByRole('grid', { name: new RegExp(`^Cells of ${tensor.replace(/[.+*]/g, '\\$&')}(,|$)`) })
    : page.locator('u-board [role=grid]');
  await grids.first().press('Home');
  await expect(page.locator('u-card dd').first()).toBeVisible();
}

/** The first cell of X, on the workbench's own model, among the numbers. */
export async function editX(page: Page, value: string): Promise<void> {
  await showStage(page, 'Numbers');
  await page.getByRole('grid', { name: 'Cells of X' }).click({ position: { x: 8, y: 8 } });
  await editTo(page, value);
}

export async function copiedLink(page: Page): Promise<string> {
  await press(page, 'Copy link');
  await expect(page.getByRole('status').filter({ hasText: 'Link copied' })).toBeAttached();
  return page.evaluate(() => navigator.clipboard.readText());
}

export interface Hands {
  press(button: Locator): Promise<void>;
  /** Types the text and presses Enter. */
  type(field: Locator, text: string): Promise<void>;
  /** Chooses the next option of those left: earlier ones have been chosen already. */
  choose(options: Locator, i: number): Promise<void>;
}

/** As if it were pasted into the field: Playwright would be slow to. */
export const paste = (field: Locator, text: string): Promise<void> =>
  field.evaluate((area: HTMLTextAreaElement, all) => {
    area.value = all;
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);

/** Types the text and selects the option. */
export async function enter(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press('Enter');
}

export const byMouse: Hands = {
  press: (button) => button.click(),
  choose: (options, i) => options.nth(i).check(),
  type: enter,
};

/** Where the focus is, relative to elements that should have it. */
const whereIsFocus = (wanted: Element[]): 'here' | 'before' | 'after' => {
  const { activeElement } = document;
  if (wanted.includes(activeElement!)) return 'here';
  const after = wanted[0]!.compareDocumentPosition(activeElement!) & Node.DOCUMENT_POSITION_FOLLOWING;
  return after ? 'after' : 'before';
};

/** Presses Tab, forward or back, until one of these has the focus, once they are there. */
export async function reach(page: Page, targets: Locator): Promise<void> {
  await expect(targets.first()).toBeAttached();
  for (let i = 0; i < 500; i++) {
    const focus = await targets.evaluateAll(whereIsFocus);
    if (focus === 'here') return;
    await page.keyboard.press(focus === 'before' ? 'Tab' : 'Shift+Tab');
  }
  throw new Error(`the keyboard never reached ${targets}`);
}

export const byKeys = (page: Page): Hands => ({
  async press(button) {
    await reach(page, button);
    await page.keyboard.press('Enter');
  },
  async choose(options, i) {
    await reach(page, options);
    await page.keyboard.press(i === 0 ? 'Space' : 'ArrowDown');
  },
  async type(field, text) {
    await reach(page, field);
    await typeOver(page, text);
  },
});
