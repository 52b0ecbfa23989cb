// Two labs on one page: each has its own model, cursor, edits and training, and keys control the one in use.
import { expectAccessible } from './axe';
import { enter } from './hands';
import type { Locator } from '@playwright/test';
import { drawn, expect, expectStep, open, openBench, type Page, placeOf, test, type WithLab } from './pages';
import { stored } from './storage';

const LEARNS = { kind: 'seq2seq', task: 'reverse', hidden: 8, length: 4 };

/** The main lab of the page, and one that is added later. */
const first = (page: Page): Locator => page.locator('u-lab[linked]');
const second = (page: Page): Locator => page.locator('u-lab:not([linked])');

async function addLab(page: Page, config: object): Promise<void> {
  await page.evaluate((config) => {
    const bench = Object.assign(document.createElement('u-bench'), { ariaLabel: 'Second workbench' });
    const lab = document.createElement('u-lab');
    lab.append(bench);
    Object.assign(lab.dataset, { config, seed: '7' });
    document.querySelector('main')!.append(lab);
  }, JSON.stringify(config));
  await expect(second(page).locator('u-transport')).toContainText(/\d+ of \d+/);
}

async function openTwo(page: Page, config: object = { kind: 'attention' }): Promise<void> {
  await open(page, 'lessons/01-softmax/');
  // Reading moves the main lab, and the page scrolls past the text to the second one.
  await page.evaluate(() => document.querySelectorAll('article.text u-step').forEach((step) => step.remove()));
  await addLab(page, config);
}

async function press(lab: Locator, name: string): Promise<void> {
  if (name.startsWith('Show as ')) await lab.getByRole('button', { name: 'More of this figure' }).first().click();
  if (['First step', 'Last step', 'Reset', 'New seed'].includes(name)) await press(lab, 'More');
  await lab.getByRole('button', { name, exact: true }).first().click();
}

const showStage = (lab: Locator, name: string): Promise<void> => lab.getByRole('tab', { name }).click();

const figureOf = (lab: Locator, name: string): Locator =>
  lab.locator('u-train .figures div', { has: lab.page().getByText(name, { exact: true }) }).locator('dd');

const stepOf = async (lab: Locator): Promise<number> => {
  await drawn(lab.page());
  return (await placeOf(lab.locator('u-bench'))).step;
};

/** Everything a lab shows of its model: cursor, cells, inspector, code. */
async function shownIn(lab: Locator): Promise<string> {
  await drawn(lab.page());
  return lab.locator('u-bench').innerText();
}

/** Has the lab write its state where it may: the page's own write may take the place of the first. */
const saved = (lab: Locator): Promise<void> =>
  lab.evaluate(async ({ lab }: WithLab) => {
    for (let i = 0; i < 2; i++) await lab.trainer.saveState();
  });

/** Shows both boards as tables, whose numbers can be read. */
async function showTables(page: Page): Promise<void> {
  for (const lab of [first(page), second(page)]) {
    await showStage(lab, 'Numbers');
    await press(lab, 'Last step');
    await press(lab, 'Show as table');
    await expect(lab.locator('u-board td[data-index]').first()).toHaveText(/\d/);
  }
}

for (const name of ['the main lab', 'another'])
  test(`steps, an edit and a reset in ${name} leave the rest unchanged`, async ({ page }) => {
    const [here, other] = name === 'another' ? [second, first] : [first, second];
    await openTwo(page);
    await showTables(page);
    await expect(page).toHaveURL(/#v1\./);
    const address = page.url();
    const [own, before] = [await shownIn(here(page)), await shownIn(other(page))];
    await press(here(page), 'First step');
    expect(await stepOf(here(page))).toBe(0);
    await press(here(page), 'Step forward');
    await press(here(page), 'Show as cells');
    await here(page).locator('u-board [role=grid]').first().press('Home');
    await press(here(page), 'Change');
    await here(page)
      .getByLabel(/^New value of/)
      .fill('3.5');
    await press(here(page), 'Set');
    await expect(here(page).locator('u-inspector .was-edited')).toHaveText('edited');
    expect(await shownIn(here(page))).not.toBe(own);
    expect(await shownIn(other(page))).toBe(before);
    for (const lab of [first(page), second(page)]) await saved(lab);
    const now = await page.evaluate(() => location.href);
    expect(now === address, 'the address tells of the main lab alone').toBe(name === 'another');
    await press(here(page), 'Reset');
    await expect(here(page).locator('.was-edited')).toHaveCount(0);
    expect(await shownIn(other(page))).toBe(before);
  });

test('training one does not train the other; trained alike, they reach the same loss', async ({ page }) => {
  await openBench(page, { config: LEARNS });
  await addLab(page, LEARNS);
  for (const lab of [first(page), second(page)]) await showStage(lab, 'Training');
  const untouched = await shownIn(first(page));
  const losses = [];
  for (const lab of [second(page), first(page)]) {
    await enter(lab.getByLabel('Steps to train'), '40');
    await press(lab, 'Train');
    await expect(figureOf(lab, 'step')).toHaveText(/^40\b/, { timeout: 60_000 });
    await expect(lab.getByRole('button', { name: 'Train', exact: true })).toBeVisible();
    losses.push(await figureOf(lab, 'loss').textContent());
    if (losses.length === 1) expect(await shownIn(first(page))).toBe(untouched);
    const kept = (): Promise<number> => stored(page, 'checkpoints').then(({ length }) => length);
    await expect.poll(kept, 'only the main lab keeps its training').toBe(losses.length - 1);
  }
  expect(losses[0]).toBe(losses[1]);
});

test('keys control the lab whose bench has the focus or was clicked, and else none', async ({ page }) => {
  await openTwo(page);
  const steps = async (): Promise<number[]> => [await stepOf(first(page)), await stepOf(second(page))];
  const [at, other] = await steps();
  await page.keyboard.press('Home');
  expect(await steps()).toEqual([at, other]);
  await first(page).locator('u-transport .count').click();
  await page.keyboard.press('Home');
  expect(await steps()).toEqual([0, other]);
  await second(page).locator('u-transport .count').click();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  expect(await steps()).toEqual([0, 1]);
  await first(page).getByRole('slider', { name: 'Step' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect(await steps()).toEqual([2, 1]);
  expect(at).toBeGreaterThan(0);
});

test('the page is accessible, and no id occurs twice', async ({ page }) => {
  await openTwo(page, LEARNS);
  for (const lab of [first(page), second(page)]) await press(lab, 'Last step');
  const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  await expectAccessible(page, 'two labs');
});

test('removing a lab ends its worker; moving it keeps its model', async ({ page }) => {
  await openTwo(page);
  await press(second(page), 'Step forward');
  const workers = page.workers().length;
  await second(page).evaluate((lab) => lab.parentElement!.prepend(lab));
  expect(await stepOf(second(page))).toBe(1);
  await second(page).evaluate((lab) => lab.remove());
  await expect.poll(() => page.workers().length).toBe(workers - 1);
  await press(first(page), 'First step');
  expect(await stepOf(first(page))).toBe(0);
});

test('the main lab that a script takes out of the page and puts back goes on', async ({ page }) => {
  await open(page, 'workbench/');
  await press(page.locator('u-lab[linked]'), 'Step forward');
  await expectStep(page, 1);
  await page.evaluate(async () => {
    const lab = document.querySelector('u-lab[linked]')!;
    const place = document.createComment('');
    lab.replaceWith(place);
    await new Promise((later) => setTimeout(later, 100));
    place.replaceWith(lab);
  });
  await expectStep(page, 1);
  await press(page.locator('u-lab[linked]'), 'Step forward');
  await expectStep(page, 2);
});
