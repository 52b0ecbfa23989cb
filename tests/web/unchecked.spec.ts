// Answers that were not checked yet are there after a reload, and after another lesson.
import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { FIRST_LESSON, expect, open, test } from './pages';
import { seeded } from './states';

/** What stands in the answer of every exercise of the page. */
const answers = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => {
    const answerIn = (task: Element): string => {
      const order = [...task.querySelectorAll<HTMLElement>('.order > *')].map(({ dataset }) => dataset.step);
      const field = task.querySelector<HTMLInputElement>('input.entry, input[type=radio]:checked');
      return order.join(',') || (field?.value ?? '');
    };
    return Object.fromEntries([...document.querySelectorAll('u-task')].map((task) => [task.id, answerIn(task)]));
  });

async function ready(page: Page, path: string): Promise<void> {
  await open(page, path);
  await expect(page.locator('u-task[data-kind=choose] .answer, u-task .answer').last()).toBeAttached();
}

/** Answers one exercise at random, and does not check it. */
async function answer(page: Page, random: () => number): Promise<void> {
  const pick = async (selector: string): Promise<void> => {
    const all = page.locator(selector);
    const count = await all.count();
    if (count) await all.nth(Math.floor(random() * count)).click();
  };
  const fields = page.locator('u-task input.entry');
  const act = random();
  if (act < 0.3) return pick('u-task input[type=radio]');
  if (act < 0.6) return pick('u-task .order button:not([aria-disabled=true])');
  const count = await fields.count();
  if (count) await fields.nth(Math.floor(random() * count)).fill(`e[${Math.floor(random() * 9)}] + (`);
}

for (const lesson of [FIRST_LESSON, 'lessons/seq2seq/'])
  test(`in ${lesson}, after random answers`, async ({ page }) => {
    const seed = Number(process.env.UNROLL_SEED ?? randomInt(1e6));
    const random = seeded(seed);
    await ready(page, lesson);
    const begun = await answers(page);
    for (let i = 0; i < 12; i++) await answer(page, random);
    const given = await answers(page);
    expect(given, `seed ${seed}`).not.toEqual(begun);
    await page.reload();
    await expect.poll(() => answers(page), `seed ${seed}, after a reload`).toEqual(given);
    await open(page, 'workbench/');
    await ready(page, lesson);
    await expect.poll(() => answers(page), `seed ${seed}, after another page`).toEqual(given);
  });

test('an expression that cannot be read stays, and one that is checked takes its place', async ({ page }) => {
  await ready(page, FIRST_LESSON);
  const task = page.locator('u-task', { has: page.locator('input.entry.write') }).first();
  const field = task.locator('input.entry.write');
  await field.fill('exp(e');
  await task.getByRole('button', { name: 'Check' }).click();
  await expect(task.getByRole('status')).not.toBeEmpty();
  await page.reload();
  await expect(field).toHaveValue('exp(e');
  await field.fill('exp(e)');
  await task.getByRole('button', { name: 'Check' }).click();
  await expect(task.getByRole('status')).not.toBeEmpty();
  await page.reload();
  await expect(field).toHaveValue('exp(e)');
});
