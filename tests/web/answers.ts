// Answers to a lesson's exercises that are given and not checked.
import type { Page } from '@playwright/test';
import { expect, open } from './pages';
import { below, type Random } from './states';

/** What stands in the answer of every exercise of the page. */
export const answers = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => {
    const answerIn = (task: Element): string => {
      const order = [...task.querySelectorAll<HTMLElement>('.order > *')].map(({ dataset }) => dataset.step);
      const field = task.querySelector<HTMLInputElement>('input.entry, input[type=radio]:checked');
      return order.join(',') || (field?.value ?? '');
    };
    return Object.fromEntries([...document.querySelectorAll('u-task')].map((task) => [task.id, answerIn(task)]));
  });

/** Waits until every exercise has its form. They load when one is in sight; then the page is where it was. */
export async function answerable(page: Page): Promise<void> {
  const at = await page.evaluate(() => scrollY);
  await page.locator('u-task').first().scrollIntoViewIfNeeded();
  await expect(page.locator('u-task[data-kind=choose] .answer, u-task .answer').last()).toBeAttached();
  await page.evaluate((y) => scrollTo(0, y), at);
}

export async function ready(page: Page, path: string): Promise<void> {
  await open(page, path);
  await answerable(page);
}

/** Answers one exercise at random, and does not check it. */
export async function answer(page: Page, random: Random): Promise<void> {
  const pick = async (selector: string): Promise<void> => {
    const all = page.locator(selector);
    const count = await all.count();
    if (count) await all.nth(below(random, count)).click();
  };
  const fields = page.locator('u-task input.entry');
  const act = random();
  if (act < 0.3) return pick('u-task input[type=radio]');
  if (act < 0.6) return pick('u-task .order button:not([aria-disabled=true])');
  const count = await fields.count();
  if (count) await fields.nth(below(random, count)).fill(`e[${below(random, 9)}] + (`);
}
