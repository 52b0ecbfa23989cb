// The board, the code pane and the inspector on the workbench show what the engine computed.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import {
  benchOf,
  expect,
  open,
  openNumbers,
  type WithLab,
  place,
  press,
  showStage,
  tabled,
  test,
  toOperation,
} from './pages';
import { numberIn, tensorsOf } from './views-engine';

const CONFIG = { kind: 'attention', score: 'scaled_dot', mask: 'none', seed: 7 };
const cells = (page: Page, name: string) => page.locator(`figure[data-tensor="${name}"] [role=grid]`);

/** All cells of the visible tables: tensor name, flat index, text. */
const tables = async (page: Page): Promise<[string, number, string][]> => {
  await tabled(page);
  return page
    .locator('table[data-tensor] td[data-index]')
    .evaluateAll((list) =>
      list.map((td) => [
        td.closest('table')!.dataset.tensor!,
        Number((td as HTMLElement).dataset.index),
        td.textContent!.trim(),
      ]),
    );
};

/** Steps to just before the update. */
async function toEndOfBackward(page: Page): Promise<void> {
  await press(page, 'Last step');
  while ((await place(page)).name.startsWith('update')) await press(page, 'Step back');
}

test.beforeEach(async ({ page }) => {
  await openNumbers(page, 'workbench/');
});

for (const what of ['Values', 'Gradients']) {
  test(`every cell of the tables is the engine's value, bit for bit: ${what.toLowerCase()}`, async ({ page }) => {
    const tensors = await tensorsOf(CONFIG);
    await press(page, 'Last step');
    await press(page, what);
    await press(page, 'Show as table');
    await expect(page.locator('td[data-index]').last()).not.toBeEmpty();
    const shown = await tables(page);
    expect(new Set(shown.map(([name]) => name)).size).toBe(what === 'Values' ? 13 : 11);
    for (const [name, index, text] of shown) {
      if (what === 'Gradients') expect(name).toMatch(/^∂/);
      expect(Math.fround(numberIn(text)), `${name}[${index}]`).toBe(tensors.get(name)![index]);
    }
    expect(shown.length).toBe(12 + 27 + 36 + 32 + 12 + 1 + (what === 'Values' ? 16 + 12 : 0));
  });
}

test('values that are not reached yet are hollow, in cells and in tables', async ({ page }) => {
  await press(page, 'Step forward');
  await expect(page.locator('figure.hollow')).toHaveCount(6);
  await press(page, 'Show as table');
  const names = (await tables(page)).filter(([, , text]) => text === '').map(([name]) => name);
  expect([...new Set(names)]).toEqual(['attention/K', 'attention/V', 'attention/e', 'attention/α', 'attention/c', 'L']);
});

test('arrow keys move between cells and do not step', async ({ page }) => {
  await press(page, 'Last step');
  await press(page, 'Values');
  const before = await place(page);
  await cells(page, 'attention/α').focus();
  for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
  await expect(page.locator('u-inspector')).toContainText('[1, 2]');
  await expect(cells(page, 'attention/α').getByRole('gridcell')).toContainText('[1, 2]: 0.');
  expect(await place(page)).toEqual(before);
  await press(page, 'All digits');
  const tensors = await tensorsOf(CONFIG);
  const shown = await page.locator('u-inspector dd[data-tensor="attention/α"]').textContent();
  expect(Math.fround(numberIn(shown!))).toBe(tensors.get('attention/α')![6]);
});

test('an edit by keyboard changes only what depends on it, and undo restores every digit', async ({ page }) => {
  await press(page, 'Last step');
  await press(page, 'Values');
  await press(page, 'Show as table');
  await expect(page.locator('td[data-index]').last()).not.toBeEmpty();
  const before = await tables(page);
  await press(page, 'Show as cells');
  await cells(page, 'attention/V').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'New value of attention/V, [0, 0]' }).fill('2.5');
  await page.keyboard.press('Enter');
  await expect(page.locator('u-inspector')).toContainText('Set by you');
  await expect(page.locator('u-inspector .in-symbols')).toHaveCount(0);
  await expect(cells(page, 'attention/V')).toBeFocused();
  await page.keyboard.press('Escape'); // the card covers what is below its cell
  await press(page, 'Show as table');
  const changed = async (): Promise<string[]> => {
    const after = await tables(page);
    return [...new Set(after.filter(([, , text], i) => text !== before[i]![2]).map(([name]) => name))];
  };
  await expect.poll(changed).toEqual(['attention/V', 'attention/c', 'L']);
  await press(page, 'Show as cells');
  await cells(page, 'attention/V').press('Home');
  await press(page, 'Undo change');
  await cells(page, 'attention/V').press('Escape');
  await press(page, 'Show as table');
  await expect.poll(changed).toEqual([]);
});

test('an invalid value is refused in a sentence, and the old one stays', async ({ page }) => {
  await page.locator('figure[data-tensor="X"] canvas').click({ position: { x: 10, y: 8 } });
  await press(page, 'Change');
  const field = page.getByRole('textbox', { name: /^New value of X/ });
  const before = await field.inputValue();
  for (const [typed, said] of [
    ['NaN', /X\[0, 0\] cannot be “NaN”: enter a number from −1000000 to 1000000/],
    ['', /X\[0, 0\] is empty: enter a number/],
    ['1e39', /X\[0, 0\] cannot be 1e39/],
    ['-inf', /X\[0, 0\] cannot be -inf.*Only masks and scores accept -inf/],
  ] as const) {
    await field.fill(typed);
    await press(page, 'Set');
    await expect(page.locator('u-inspector [role=alert]')).toHaveText(said);
    await expect(page.locator('u-problem .problem')).toHaveCount(0);
  }
  await press(page, 'Cancel');
  await press(page, 'All digits');
  const shown = await page.locator('u-inspector dd[data-tensor="X"]').textContent();
  expect(Math.fround(numberIn(shown!))).toBe(Math.fround(Number(before)));
});

test('a gradient check is described in words', async ({ page }) => {
  await press(page, 'Last step');
  await press(page, 'Gradients');
  await page.locator('figure[data-tensor="∂W_Q"] canvas').click({ position: { x: 10, y: 8 } });
  await press(page, 'Check gradient');
  await expect(page.locator('u-inspector [role=status]')).toHaveText(
    /^Finite difference −?\d.*: agrees (to .*|exactly)\.$/,
  );
});

test('a line of code and its tensor highlight each other', async ({ page }) => {
  await press(page, 'Step forward');
  const line = page.locator('.ln.on');
  await line.hover();
  await expect(page.locator('u-heatmap.bright')).toHaveCount(1);
  const name = await page.locator('u-heatmap.bright figure').getAttribute('data-tensor');
  await cells(page, name!).hover();
  await expect(line).toHaveClass(/bright/);
});

test('numbers are exported unchanged', async ({ page }) => {
  const tensors = await tensorsOf(CONFIG);
  await press(page, 'Last step');
  await press(page, 'Values');
  await cells(page, 'attention/c').press('Home');
  await press(page, 'Export');
  for (const format of ['CSV', 'SVG', 'PNG']) {
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, `attention/c as ${format}`)]);
    expect(download.suggestedFilename()).toBe(`attention-c.${format.toLowerCase()}`);
    const body = await readFile(await download.path());
    expect(body.length).toBeGreaterThan(50);
    if (format !== 'CSV') continue;
    const rows = body.toString().trim().split('\n');
    expect(rows.length).toBe(4);
    expect(rows.flatMap((row) => row.split(',').map((text) => Math.fround(Number(text))))).toEqual([
      ...tensors.get('attention/c')!,
    ]);
  }
});

test('the canvas is as sharp as the screen', async ({ browser }) => {
  const page = await browser.newPage({ deviceScaleFactor: 2, viewport: { width: 1280, height: 800 } });
  await openNumbers(page, 'workbench/');
  const sizes = await page
    .locator('u-grid canvas')
    .evaluateAll((list) => (list as HTMLCanvasElement[]).map((c) => [c.width, c.getBoundingClientRect().width * 2]));
  for (const [pixels, shown] of sizes) expect(pixels).toBe(shown);
  await page.close();
});

test('the lesson’s labels name rows and columns wherever a cell is described', async ({ page }) => {
  await open(page, 'lessons/four-words/');
  await press(page, 'Last step');
  await press(page, 'Values');
  await cells(page, 'attention/α').focus();
  for (const key of ['Home', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await expect(page.locator('u-inspector .cell > span')).toHaveText('row a, column c');
  const weights = page.locator('figure[data-tensor="attention/α"]');
  await expect(weights.getByRole('gridcell')).toContainText('row a, column c: 0.');
  await expect(weights.locator('figcaption')).toContainText('Row a: largest at c');
  await expect(page.locator('.board-bar .sum')).toHaveText(/^α, row a: largest at c, 0\.\d+; entropy/);
  await expect(weights.locator('.rows > span')).toHaveText(['a', 'b', 'c', 'd']);
  await expect(weights.locator('.cols > span')).toHaveText(['a', 'b', 'c', 'd']);
  await press(page, 'Show as table');
  for (const scope of ['row', 'col'])
    await expect(weights.locator(`th[scope=${scope}]`)).toHaveText(['a', 'b', 'c', 'd']);
  await expect(page.locator('figure[data-tensor="W_Q"] th')).toHaveText(['0', '1', '2', '0', '1', '2']);
});

test('the line under the board describes the focused tensor, or else the selected one', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  for (const step of ['First step', ...Array<string>(3).fill('Step forward')]) await press(page, step);
  await expect(page.locator('.board-bar .sum')).toHaveText('exp: largest 1 at item 1.');
  await cells(page, 'e').press('Home');
  await expect(page.locator('.board-bar .sum')).toHaveText('e: largest 5 at item 1.');
  await press(page, 'Close'); // the card of the chosen cell
  await expect(page.locator('.board-bar .sum')).toHaveText('exp: largest 1 at item 1.');
  await press(page, 'Last step');
  await benchOf(page).evaluate(({ lab }: WithLab) => lab.select(lab.trace!.nodes[lab.cursor.node]!.name, 0));
  await expect(page.locator('u-inspector .path')).toHaveText('∂L/∂e = ∂L/∂subtract');
});

test('a gradient is named after its tensor, not after its operation', async ({ page }) => {
  await open(page, 'lessons/four-words/');
  await toEndOfBackward(page);
  await expect(page.locator('.board-bar .sum')).toHaveText(/^∂L\/∂WQ: largest 0\.\d+ at \[0, 1\]\.$/);
  await expect(page.locator('.board-bar .legend')).toContainText('∂L/∂W');
  await page.locator('u-heatmap figure:has-text("∂L/∂K") [role=grid]').press('Home');
  await expect(page.locator('.board-bar .sum')).toHaveText(/^∂L\/∂K: largest/);
});

test('in the update the board shows a parameter’s new value, which cannot be edited', async ({ page }) => {
  const tensors = await tensorsOf(CONFIG);
  await toOperation(page, 'update/W_V');
  await expect(page.getByRole('button', { name: 'Update', exact: true })).toHaveAttribute('aria-pressed', 'true');
  const names = await page
    .locator('u-board figure')
    .evaluateAll((list) => list.map((it) => (it as HTMLElement).dataset.tensor));
  expect(names).toEqual(['W_V', 'update.W_V/g', 'update.W_V/step', 'update/W_V']);
  await cells(page, 'update/W_V').press('Home');
  await press(page, 'All digits');
  await expect(page.locator('u-inspector .belongs')).toHaveText('Part of the update that a training step would make.');
  await expect(page.getByRole('button', { name: 'Change', exact: true })).toBeDisabled();
  const shown = await page.locator('u-inspector dd[data-tensor="update/W_V"]').textContent();
  expect(Math.fround(numberIn(shown!))).toBe(tensors.get('update/W_V')![0]);
  await expect(page.locator('u-code .phead')).toHaveText('engine/train/optimiser.cpp');
  await press(page, 'Step back');
  await expect(cells(page, 'update/W_V')).toBeVisible();
  await expect(page.locator('figure[data-tensor="update/W_V"]')).toHaveClass(/hollow/);
  await toEndOfBackward(page);
  await expect(page.getByRole('button', { name: 'Update', exact: true })).toHaveCount(0);
  await expect(page.locator('.scrub .late')).toHaveCount(2);
});

test('at 1280 × 800 the bench needs no scrolling, and the buttons of the card are visible', async ({ page }) => {
  await open(page, 'lessons/four-words/');
  for (const step of ['Step forward', 'Last step']) {
    await press(page, step);
    await page.locator('u-board [role=grid]').last().press('Home');
    const bench = await page.locator('u-bench').evaluate((it) => it.scrollHeight - it.clientHeight);
    expect(bench).toBe(0);
    await expect(page.getByRole('button', { name: 'Check gradient' })).toBeInViewport({ ratio: 1 });
  }
});

test('at 360 px titles do not overlap, and code stays inside its pane', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, 'lessons/four-words/');
  await press(page, 'Last step');
  await expect(page.locator('u-board .thead').first()).toBeVisible();
  const wide = await page.locator('u-board .thead').evaluateAll((list) => {
    const right = (part: Element): number => part.getBoundingClientRect().right;
    return list
      .filter((head) => right(head.querySelector('.tname')!) > right(head) + 0.5)
      .map((head) => head.textContent);
  });
  expect(wide).toEqual([]);
  await showStage(page, 'Code');
  const out = await page.locator('.src').evaluate((pane) => {
    const edge = pane.getBoundingClientRect().right;
    return [...pane.querySelectorAll('code')].filter((code) =>
      [...code.getClientRects()].some((box) => box.right > edge),
    ).length;
  });
  expect(out).toBe(0);
});
