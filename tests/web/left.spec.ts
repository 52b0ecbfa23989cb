// Whatever a learner wrote, set, trained or answered is there when they come back to it, with or without a network. For
// more and other acts: UNROLL_ACTS=100 UNROLL_SEED=5 ./lab test tests/web/left.spec.ts
import { randomInt } from 'node:crypto';
import { Host, HOSTS } from '../offline-host.mjs';
import { answer, answers, ready } from './answers';
import { Learner } from './learner';
import { FIRST_LESSON } from './addresses';
import { cold, expect, open, some, test, wholeRun } from './pages';
import { WINDOW } from './playwright.config';
import { seeded } from './states';

const acts = Number(process.env.UNROLL_ACTS ?? (wholeRun ? 100 : 12));

if (process.env.UNROLL_ACTS) cold.describe.configure({ retries: 0 });

cold(`after ${acts} random acts`, async ({ browser }) => {
  cold.setTimeout(60_000 + acts * 20_000);
  const seed = Number(process.env.UNROLL_SEED ?? 1);
  const how = HOSTS[seed % HOSTS.length]!;
  const host = await new Host(how).start();
  const context = await browser.newContext({ ...WINDOW, serviceWorkers: 'allow' });
  const learner = new Learner(context, host, seeded(seed));
  await cold.step(`seed ${seed}, ${how.what}`, async () => {
    await learner.begin();
    for (let i = 0; i < acts; i++) await learner.act();
  });
  await context.close();
  await host.stop();
});

// Answers that were not checked yet are there after a reload, and after another lesson.

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
