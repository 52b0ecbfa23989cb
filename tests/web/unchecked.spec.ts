// Answers that were not checked yet are there after a reload, and after another lesson.
import { randomInt } from 'node:crypto';
import { answer, answers, ready } from './answers';
import { FIRST_LESSON, expect, open, some, test } from './pages';
import { seeded } from './states';

for (const lesson of some([FIRST_LESSON, 'lessons/seq2seq/'], (_, i) => i === 1))
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
