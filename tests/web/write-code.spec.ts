// Exercises in which the reader writes a function: mistakes are marked, wrong programs get their reason, work is kept.
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { seeTask } from './hands';
import { expect, open, test } from './pages';

/** The functions of the first lesson; puzzles come later. */
const task = (page: Page): Locator => page.locator('u-task:is([id="softmax-in-code"], [id="round"])');
const editor = (page: Page): Locator => task(page).locator('.cm-content');
const status = (page: Page): Locator => task(page).getByRole('status');
const press = (page: Page, name: string): Promise<void> => task(page).getByRole('button', { name }).click();

async function begin(page: Page): Promise<void> {
  await open(page, 'lessons/softmax/');
  await seeTask(task(page));
  await press(page, 'Write it');
  await expect(editor(page)).toBeFocused();
}

async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

const RIGHT = 'def softmax(x):\n    e = exp(x - x.amax(-1, keepdim=True))\n    return e / e.sum(-1, keepdim=True)\n';

test('a wrong program gets its reason, a broken one its place, and a right one is kept', async ({ page }) => {
  await begin(page);
  await write(page, 'def softmax(x):\n    e = exp(x)\n    return e / e.sum()\n');
  await expect(editor(page).locator('.cm-shape').last()).toHaveText('4 × 3');
  await press(page, 'Check');
  await expect(status(page)).toContainText('Not yet. Each row is a choice of its own');
  await write(page, 'def softmax(x):\n    return exp(x) / exp(x).summ(-1)\n');
  await expect(task(page).locator('.mistake')).toContainText(
    'line 2, column 27: a tensor of 4 × 3 has no attribute summ. Did you mean sum?',
  );
  await press(page, 'Check');
  await expect(status(page)).toContainText('Not checked. line 2');
  await write(page, 'def softmax(x):\n    return x.softmax(-1)\n');
  await press(page, 'Check');
  await expect(status(page)).toContainText('softmax is what you are to write');
  await write(page, RIGHT);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(status(page)).toContainText('Right. Values and gradients are the engine’s own in 3 cases.');
  await expect(task(page).locator('h3')).toContainText('solved');
  await page.reload();
  await expect(task(page).locator('h3')).toContainText('solved');
  await press(page, 'Write it');
  await expect(editor(page)).toContainText('e / e.sum(-1, keepdim=True)');
});

test('hints come one by one, then a solution, and the reader’s own text stays', async ({ page }) => {
  await begin(page);
  await press(page, 'Hint');
  await press(page, 'Another hint');
  await expect(task(page).locator('.hint-text')).toHaveCount(2);
  await expect(task(page).getByRole('button', { name: 'Show a solution' })).toHaveCount(0);
  for (const more of ['x', 'x + 1']) {
    await write(page, `def softmax(x):\n    return ${more}\n`);
    await press(page, 'Check');
    await expect(status(page)).toContainText('Not yet.');
  }
  await press(page, 'Show a solution');
  await expect(task(page).locator('.program-solution')).toContainText('amax');
  await expect(editor(page)).toContainText('x + 1');
  await page.evaluate(() => scrollTo(0, 0)); // nothing is half under the bar
  await expectAccessible(page, 'a function being written');
});

test('what is being written outlasts a reload', async ({ page }) => {
  await begin(page);
  await write(page, 'def softmax(x):\n    return 7 * x\n');
  await page.reload();
  await press(page, 'Write it');
  await expect(editor(page)).toContainText('return 7 * x');
});

test('the workbench opens with the function and its call', async ({ page }) => {
  await begin(page);
  await write(page, RIGHT);
  const opened = page.waitForEvent('popup');
  await press(page, 'Step through yours on the workbench');
  const bench = await opened;
  await expect(bench.locator('u-program .cm-content')).toContainText('return softmax(x)');
  await expect(bench.locator('u-transport')).toContainText(/\d+ of \d+/);
});

test('a puzzle shows the code around the answer, says what a wrong one looked at, and is solved', async ({ page }) => {
  await open(page, 'lessons/four-words/');
  await expect(task(page).locator('h3')).toContainText('Puzzle: cat, dog, cow');
  await press(page, 'Write it');
  await expect(task(page).locator('.program-given')).toContainText('Q = stack([query(x) for x in X])');
  const keys = '\n\ndef key(x):\n    return x\n';
  await write(page, `def query(x):\n    return 5 * cat([x[2:], x[:2]])${keys}`);
  await press(page, 'Check');
  await expect(status(page)).toHaveText(
    /Not yet\. Here X is \[\[1, 0, 0\], .* Position 0 looks at position 1 with 0\.8997; it should be more than 0\.99\. .* too little\./,
  );
  await write(page, `def query(x):\n    return 10 * cat([x[2:], x[:2]])${keys}\ndef weights(X):\n    return X\n`);
  await press(page, 'Check');
  await expect(status(page)).toContainText('weights is defined by the exercise');
  await page.evaluate(() => scrollTo(0, 0)); // nothing is half under the bar
  await expectAccessible(page, 'a puzzle being solved');
  await write(page, `def query(x):\n    return 10 * cat([x[2:], x[:2]])${keys}`);
  await press(page, 'Check');
  await expect(status(page)).toContainText('Right. The puzzle is solved: it holds in 4 cases.');
  const opened = page.waitForEvent('popup');
  await press(page, 'Step through yours on the workbench');
  await expect((await opened).locator('u-program .cm-content')).toContainText('return weights(X)');
});
