// On the workbench, another model beside the one there: as a person compares them, by mouse, by keys, and on a phone.
import { readFileSync } from 'node:fs';
import type { Locator } from '@playwright/test';
import type { Config } from '../../web/src/engine/types';
import { addressed, reload } from './acts';
import { FIRST_LESSON } from './addresses';
import { expectAccessible, THEMES } from './axe';
import { chooseModel, copiedLink, enter, reach } from './hands';
import { linkTo } from './links';
import { cold, expect, notice, open, press, rested, test, type Page } from './pages';
import { small } from './trainings';
import { sessionOf, tested } from './views-engine';
import { value as granted } from '../bindings/modules';

const MODEL = small({ length: 6, steps: 40 }) as Config;

const beside = (page: Page): Locator => page.locator('u-beside');
const list = (page: Page, name: string): Locator => beside(page).getByRole('combobox', { name, exact: true });
const train = (page: Page): Promise<void> => press(beside(page), 'Train both');
const trained = (page: Page): Promise<void> =>
  expect(beside(page).getByText(/^Trained for/)).toBeVisible({ timeout: 60_000 });
const rowOf = (page: Page, i: number): Promise<string[]> =>
  beside(page).locator('.final tbody tr').nth(i).locator('td').allTextContents();

async function openBeside(page: Page, config: object = MODEL): Promise<void> {
  await open(page, `workbench/${linkTo({ lesson: '', config })}`);
  await rested(page);
  await press(beside(page), 'Beside another model');
}

test('one setting changed: what the page shows is what the engine computes', async ({ page }) => {
  await openBeside(page);
  await list(page, 'Setting').selectOption('Hidden size');
  await expect(beside(page)).toContainText('They differ in one setting: Hidden size 16 → 32. Both train for 40 steps.');
  await enter(beside(page).getByLabel('Changed to'), '24');
  await expect(beside(page)).toContainText('Hidden size 16 → 24');
  await train(page);
  await trained(page);
  for (const [i, hidden] of [16, 24].entries()) {
    const session = await sessionOf({ ...MODEL, hidden, seed: 7 });
    granted(session.train(40));
    const [, , exact] = await rowOf(page, i);
    expect(Number(exact)).toBeCloseTo(tested(session, 500).exactMatch, 3);
  }
  await expect(beside(page).locator('u-curves svg.drawn')).toHaveCount(2);
  await expect(beside(page)).toContainText(
    'encoder.0.W has shape (48, 8) in the first model and (72, 8) in the second.',
  );
});

test('the first tensor that differs opens among the numbers, with its largest difference', async ({ page }) => {
  await openBeside(page);
  await train(page);
  await trained(page);
  await expect(beside(page)).toContainText(
    /Before training: the first tensor that differs is\s+encoder\.0\.t0\/h\s+of shape \(1, 16\)/,
  );
  const said = await beside(page).locator('p', { hasText: 'Before training' }).innerText();
  const [, at, value] = /most at \(0, (\d+)\), with (\S+) in the first model/.exec(said)!;
  await beside(page).getByRole('button', { name: 'Show encoder.0.t0/h among the numbers' }).first().click();
  const card = page.locator('u-card');
  await expect(card).toContainText(`encoder.0.t0/h [0, ${at}]`);
  const numberIn = (text: string): number => Number(text.trim().replace('−', '-'));
  const shown = numberIn((await card.locator('dd').first().textContent())!);
  expect(shown).toBeCloseTo(numberIn(value!), 1); // the card has fewer digits
});

test('what both write is exported as a table', async ({ page }) => {
  await openBeside(page);
  await train(page);
  await trained(page);
  const download = page.waitForEvent('download');
  await press(beside(page), 'Export as CSV');
  const lines = readFileSync((await (await download).path())!, 'utf8')
    .trim()
    .split('\n');
  expect(lines[0]).toBe('position,target,Cell gru,"p, Cell gru",Cell rnn,"p, Cell rnn"');
  expect(lines.at(-1)).toMatch(/^whole output,,,0\.\d+,,0\.\d+$/);
  expect(lines.length).toBe(2 + (await beside(page).locator('.written tbody tr').count()) - 1);
});

test('Stop is at once, and leaves the curves so far', async ({ page }) => {
  await openBeside(page, { ...MODEL, steps: 20_000 });
  await train(page);
  await expect(beside(page).getByText(/^step [1-9][\d,]* of 20,000$/)).toBeVisible({ timeout: 60_000 });
  const took = await beside(page).evaluate(async (element) => {
    const button = [...element.querySelectorAll('button')].find(({ textContent }) => textContent!.trim() === 'Stop')!;
    const began = performance.now();
    button.click();
    while (!/Stopped/.test(element.textContent!)) await new Promise(requestAnimationFrame);
    return performance.now() - began;
  });
  expect(took).toBeLessThan(100);
  await expect(beside(page).locator('u-runs')).toBeVisible();
  await expect(beside(page)).not.toContainText('After training');
});

test('another kind of model, three seeds: the same task, in words what differs', async ({ page }) => {
  await openBeside(page, { ...MODEL, steps: 5 });
  await list(page, 'The other model is').selectOption('of another kind');
  await list(page, 'Other model').selectOption('Transformer');
  await list(page, 'Seeds').selectOption('3 seeds');
  await expect(beside(page)).toContainText(
    'The first trains for 5 steps, the second for 1,600, as their settings say.',
  );
  await train(page);
  await expect(
    beside(page)
      .locator('.hint')
      .getByText(/^step [1-9]/),
  ).toBeVisible({ timeout: 60_000 });
  await press(beside(page), 'Stop');
  await expect(beside(page)).toContainText(/Only the first model has\s+\S+\s*\.\s+Only the second model has /);
  const [loss] = await rowOf(page, 0);
  expect(loss).toMatch(/^\d\.\d+ \(\d\.\d+ to \d\.\d+\)$|^\d+$/);
});

test('a model that was left here is compared as it was left; one with another task is refused', async ({ page }) => {
  await open(page, 'workbench/');
  await chooseModel(page, 'transformer');
  await enter(page.locator('u-setup [name=model_size]'), '16');
  await rested(page);
  await chooseModel(page, 'seq2seq');
  await press(beside(page), 'Beside another model');
  await list(page, 'The other model is').selectOption('one you left here');
  await expect(list(page, 'Other model')).toHaveValue('transformer');
  await expect(beside(page)).toContainText('as their settings say');
  await page.locator('u-setup select[name=task]').selectOption('copy');
  await rested(page);
  await expect(beside(page)).toContainText(
    'Task: Transformer, as you left it learns reverse, words up to 10, and the model here copy, words up to 10.',
  );
  await expect(beside(page).getByRole('button', { name: 'Train both' })).toBeDisabled();
});

test('a bad value, and models too large for the page, are refused before anything is trained', async ({ page }) => {
  await openBeside(page);
  await list(page, 'Setting').selectOption('Hidden size');
  const value = beside(page).getByLabel('Changed to');
  await enter(value, 'many');
  await expect(beside(page).getByRole('alert').first()).toContainText(/hidden.*many/);
  await expect(beside(page).getByRole('button', { name: 'Train both' })).toBeDisabled();
  await enter(value, '16');
  await expect(beside(page)).toContainText('Hidden size is 16 here already: choose another value');
  await enter(value, '32');
  await expect(beside(page).getByRole('button', { name: 'Train both' })).toBeEnabled();
});

test('what is compared is in the link, and there after a reload, another task, and a lesson in between', async ({
  page,
}) => {
  await openBeside(page);
  await list(page, 'Setting').selectOption('Hidden size');
  await enter(beside(page).getByLabel('Changed to'), '24');
  await addressed(page);
  const isThere = async (): Promise<void> => {
    await expect(list(page, 'Setting')).toHaveValue('hidden');
    await expect(beside(page).getByLabel('Changed to')).toHaveValue('24');
  };
  await reload(page);
  await isThere();
  const link = await copiedLink(page);
  await page.locator('u-setup select[name=task]').selectOption('copy');
  await rested(page);
  await isThere();
  await open(page, FIRST_LESSON);
  await open(page, 'workbench/');
  await chooseModel(page, 'seq2seq');
  await isThere();
  await page.goto('about:blank');
  await open(page, link);
  await isThere();
  await expect(notice(page)).toBeEmpty();
});

test('a link to a comparison with a model that was left in another browser says that it is not here', async ({
  page,
}) => {
  const shown = { beside: { look: 'left transformer ', at: 1 } };
  await open(page, `workbench/${linkTo({ lesson: '', config: MODEL, shown })}`);
  await expect(beside(page)).toContainText('no longer in this browser: choose another one.');
});

test('a model without a task runs once: another score differs only from there on', async ({ page }) => {
  await open(page, 'workbench/');
  await press(beside(page), 'Beside another model');
  await list(page, 'Setting').selectOption('Score');
  await list(page, 'Changed to').selectOption('dot');
  await press(beside(page), 'Run both');
  await expect(beside(page)).toContainText(/Here: the first tensor that differs is\s+attention\/e\s+of shape/);
});

test('two rungs: the upper one is drawn, then both are measured, and either comes to the workbench', async ({
  page,
}) => {
  await page.route('**/assets/*.js', async (route) => {
    const reply = await route.fetch();
    const body = (await reply.text()).replace(/(steps"?:)(1500|1\.5e3|15e2)/, '$18');
    await route.fulfill({ response: reply, body });
  });
  await openBeside(page);
  await list(page, 'The other model is').selectOption('the next rung of the ladder');
  await list(page, 'Rungs').selectOption('read both ways → attention');
  await expect(beside(page)).toContainText('(Bahdanau et al., 2014)');
  await expect(beside(page).getByRole('button', { name: 'Train both' })).toBeDisabled();
  const sliders = beside(page).getByRole('slider', { name: /^length/ });
  await sliders.first().focus();
  await page.keyboard.press('ArrowUp');
  await page.reload();
  await rested(page);
  await expect(list(page, 'Rungs')).toHaveValue('4');
  await expect(sliders.first()).toHaveValue('55');
  await train(page);
  await trained(page);
  await expect(beside(page).locator('.verdict')).toContainText(
    'On average, “attention” writes as much without a mistake as the rung below it. The largest gap is at length 3: you drew 55 %, it wrote 0 %.',
  );
  await press(beside(page), 'Take “attention” to the workbench');
  await rested(page);
  await expect(page.locator('u-setup select[name=attention]')).toHaveValue('bahdanau');
  await expect(page.locator('u-setup select[name=task]')).toHaveValue('copy');
  await expect(beside(page).locator('.verdict')).toBeVisible();
  await press(notice(page) as never, 'Undo');
  await rested(page);
  await expect(page.locator('u-setup select[name=task]')).toHaveValue('reverse');
});

test('by keys alone', async ({ page }) => {
  await open(page, `workbench/${linkTo({ lesson: '', config: MODEL })}`);
  await rested(page);
  await reach(page, beside(page).getByRole('button', { name: 'Beside another model' }));
  await page.keyboard.press('Enter');
  await reach(page, list(page, 'Changed to'));
  await page.keyboard.press('ArrowDown');
  await expect(beside(page)).toContainText('Cell gru → rnn relu');
  await reach(page, beside(page).getByRole('button', { name: 'Train both' }));
  await page.keyboard.press('Enter');
  await trained(page);
  await reach(
    page,
    beside(page)
      .getByRole('button', { name: /^Show encoder/ })
      .first(),
  );
  await page.keyboard.press('Enter');
  await expect(page.locator('u-card')).toContainText('encoder.0.t0/h');
});

cold.describe('on a phone', () => {
  cold.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  cold('it fits, and axe finds nothing', async ({ page }) => {
    await openBeside(page);
    await train(page);
    await trained(page);
    await page.evaluate(() => scrollTo(0, 0)); // the top bar and the sheet would cover parts of it
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `beside, ${colorScheme}`, { within: 'u-beside' });
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
});
