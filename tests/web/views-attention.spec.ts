// The views of the attention layer on the bench show the engine's values, by pointer and by keyboard.
import type { Locator, Page } from '@playwright/test';
import { reload } from './acts';
import { FIRST_LESSON } from './addresses';
import { cold, drawn, expect, open, place, press, some, test } from './pages';
import { bench, expectClean, expectExports, expectTables, LAYER, showView, summaryOf, WORDS } from './views-bench';
import { numberIn, runOf, type Run } from './views-engine';

const VIEWS = ['dataflow', 'heads', 'mask', 'positions', 'permute'];

const tensor = ({ trace, values }: Run, name: string): Float32Array =>
  values.get(trace.nodes.find((node) => node.name === name)!.id)!;

test('a page does not fetch the views of others', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await open(page, 'workbench/');
  expect(asked.filter((url) => /\/(dataflow|heads|mask|positions|permute)-/.test(url))).toEqual([]);
  asked.length = 0;
  await open(page, FIRST_LESSON);
  expect(asked.filter((url) => /\/(blocks|generation|picture|sequence-views)-/.test(url))).toEqual([]);
});

test('the tables of all views are the engine’s tensors, bit for bit', async ({ page }) => {
  const config = { ...LAYER, positions: 'sinusoidal', mask: 'causal' };
  const run = await runOf(config);
  await bench(page, config, ['dataflow', 'heads', 'mask', 'positions']);
  for (const [view, least] of Object.entries({ dataflow: 12, heads: 2, mask: 2, positions: 1 })) {
    await showView(page, view);
    await expectTables(page.locator(`u-${view}`), run, least);
  }
});

test('a head can be brought to the front, and a cell is described for all heads', async ({ page }) => {
  const run = await runOf(LAYER);
  await bench(page, LAYER, ['heads']);
  const view = page.locator('u-heads');
  await expect(view.locator('.head-map')).toHaveCount(2);
  await view.getByRole('grid').focus();
  for (const key of ['PageDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  const weights = tensor(run, 'attention/α');
  const [first, second] = [weights[6]!, weights[16 + 6]!].map((value) => value.toFixed(2));
  await expect(summaryOf(view)).toHaveText(`animal attends to was with weights ${first} and ${second} in heads 0 to 1`);
  await expect(view.getByRole('button', { name: '1', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(view.getByRole('gridcell')).toHaveAttribute('data-index', '22');
  const numbers = await view.locator('.number').allTextContents();
  expect(numbers).toEqual([...weights.subarray(16)].filter((value) => value >= 0.045).map((value) => value.toFixed(2)));
});

test('a mask can be painted cell by cell, by keys and by dragging, and undone', async ({ page }) => {
  await bench(page, LAYER, ['mask']);
  const view = page.locator('u-mask');
  await view.getByRole('grid', { name: 'Cells of the mask' }).focus();
  for (const key of ['ArrowDown', 'ArrowRight', ' ']) await page.keyboard.press(key);
  await expect(view.getByRole('gridcell')).toHaveText('animal does not see animal');
  const weightsOf = async (): Promise<number[]> => {
    await press(view, 'Show as table');
    const texts = await view.locator('table[data-tensor="attention/α"] td[data-index]').allTextContents();
    await press(view, 'Show as figure');
    return texts.map(numberIn);
  };
  const mask = Array<number>(16).fill(0);
  mask[5] = -Infinity;
  const masked = await runOf(LAYER, [{ name: 'mask', shape: [4, 4], values: mask }]);
  await expect
    .poll(weightsOf)
    .toEqual([...tensor(masked, 'attention/α').subarray(0, 16)].map((x) => expect.closeTo(x, 6)));
  const svg = (await view.locator('svg.drawn').boundingBox())!;
  const cells = (await view.locator('g[data-tensor="mask"]').boundingBox())!;
  expect(cells.width).toBeLessThan(svg.width);
  await view.getByRole('button', { name: 'Undo' }).click();
  await expect(view.getByRole('gridcell')).toHaveText(/^animal sees animal/);
  await expect(view.getByRole('button', { name: 'Undo' })).toBeDisabled();
  await view.getByRole('button', { name: 'Causal' }).click();
  await expect(view.locator('figcaption')).toHaveText(
    'the sees the. animal sees the and animal. was sees the, animal and was. tired sees every key.',
  );
});

test('dragging over the mask hides one key after another, each as a separate edit', async ({ page }) => {
  await bench(page, LAYER, ['mask']);
  const view = page.locator('u-mask');
  const grid = view.getByRole('grid', { name: 'Cells of the mask' });
  await grid.focus();
  const middleOf = async (key: string): Promise<[number, number]> => {
    await page.keyboard.press(key);
    const box = (await view.locator('.here').boundingBox())!;
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [from, to] = [await middleOf('Home'), await middleOf('End')];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 12 });
  await page.mouse.up();
  await page.mouse.move(0, 0);
  await expect(view.locator('figcaption')).toHaveText(/^the sees nothing\. animal sees every key/);
  const undo = view.getByRole('button', { name: 'Undo' });
  // Pressed faster than the engine answers: every press undoes one edit.
  await undo.evaluate((button: HTMLButtonElement) => [1, 2, 3, 4].forEach(() => button.click()));
  await expect(view.locator('figcaption')).toHaveText(/^the sees every key/);
});

test('positions turn by one matrix; a rotated score depends on the distance alone', async ({ page }) => {
  await bench(page, { ...LAYER, words: 4, positions: 'sinusoidal' }, ['positions']);
  const view = page.locator('u-positions');
  await view.getByRole('combobox', { name: 'Pair' }).selectOption('1');
  await view.getByRole('combobox', { name: 'k', exact: true }).selectOption('2');
  const table = tensor(await runOf({ ...LAYER, positions: 'sinusoidal' }), 'P');
  const [sine, cosine] = [table[2 * 6 + 2]!, table[2 * 6 + 3]!];
  await expect(view.locator('.entry')).toHaveText([
    cosine.toFixed(3),
    sine.toFixed(3),
    (-sine).toFixed(3).replace('-', '−'),
    cosine.toFixed(3),
  ]);
  await expect(summaryOf(view)).toHaveText(
    /^Position 0 rotated by 2 and position 2: the pairs differ by at most (0|\d.*10⁻[⁶⁷⁸])\.$/,
  );
  await bench(page, { ...LAYER, size: 8, positions: 'rotary' }, ['positions']);
  await expect(view.locator('.distance')).toContainText(/differ by at most \d\.\d+/);
  await view.getByRole('button', { name: 'Same word everywhere' }).click();
  await expect(view.locator('.distance')).toContainText(/differ by at most (0|\d.* × 10⁻[⁶⁷⁸])/);
});

const MOVED = { none: 'The outputs are the same rows in the new order', sinusoidal: 'The output rows have changed' };
for (const [positions, verdict] of Object.entries(MOVED))
  test(`words can be moved by keys and by dragging; positions: ${positions}`, async ({ page }) => {
    await bench(page, { ...LAYER, positions }, ['permute']);
    const view = page.locator('u-permute');
    await expect(view.getByRole('listitem')).toHaveText([...WORDS, 'Original order']);
    await view.getByRole('button', { name: 'tired' }).focus();
    for (const key of [' ', 'ArrowLeft', 'ArrowLeft', ' ']) await page.keyboard.press(key);
    await expect(view.getByRole('listitem')).toHaveText(['the', 'tired', 'animal', 'was', 'Original order']);
    await expect(summaryOf(view)).toContainText(verdict);
    const own = tensor(await runOf({ ...LAYER, positions }), 'X');
    const X = [0, 3, 1, 2].flatMap((row) => [...own.subarray(row * 6, row * 6 + 6)]);
    const now = await runOf({ ...LAYER, positions, X });
    await press(view, 'Show as table');
    const shown = await view.locator('table').last().locator('td[data-index]').allTextContents();
    expect(shown.map((text) => Math.fround(numberIn(text)))).toEqual([...tensor(now, 'attention/o')]);
    await press(view, 'Show as figure');
    await view.getByRole('button', { name: 'Original order' }).click();
    await view.getByRole('button', { name: 'the', exact: true }).dragTo(view.getByRole('button', { name: 'was' }));
    await expect(view.getByRole('listitem')).toHaveText(['animal', 'was', 'the', 'tired', 'Original order']);
    await expect(summaryOf(view)).toContainText(verdict);
  });

test('a word moved by keys before the first result stays where it was put', async ({ page }) => {
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      const last = document.querySelector('.movable-word[data-at="3"]');
      if (!last) return;
      watch.disconnect();
      for (const key of [' ', 'ArrowLeft', 'ArrowLeft', ' '])
        last.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    });
    watch.observe(document, { childList: true, subtree: true });
  });
  await bench(page, { ...LAYER, positions: 'none' }, ['permute']);
  const view = page.locator('u-permute');
  await expect(view.getByRole('listitem')).toHaveText(['the', 'tired', 'animal', 'was', 'Original order']);
  await expect(summaryOf(view)).toContainText('The outputs are the same rows in the new order');
});

test('a link opens at the head whose weight was selected', async ({ page }) => {
  await bench(page, LAYER, ['heads']);
  const view = page.locator('u-heads');
  const head = view.getByRole('button', { name: '1', exact: true });
  await expect(head).toHaveAttribute('aria-pressed', 'false');
  const weights = view.locator('.head-map').nth(1).locator('rect, path').last();
  await expect(async () => {
    await weights.scrollIntoViewIfNeeded(); // the board has followed the step
    const box = (await weights.boundingBox())!; // null while it is being redrawn
    await page.mouse.click(box.x + box.width - 4, box.y + box.height - 4);
  }).toPass();
  await expect(head).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => new URL(page.url()).hash).not.toBe('');
  const before = await summaryOf(view).textContent();
  await reload(page);
  await expect(head).toHaveAttribute('aria-pressed', 'true');
  await expect(summaryOf(view)).toHaveText(before!);
});

for (const width of some([1280, 360], (each) => each === 360)) {
  test(`a step of the text updates the heads without scrolling them away: ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(page, 'lessons/many-heads/');
    const view = page.locator('u-heads');
    const layer = view.getByRole('combobox', { name: 'Layer' });
    await layer.selectOption('encoder.0.attention/α');
    await view.evaluate((heads) => heads.scrollIntoView());
    await page.getByRole('button', { name: 'Show on the bench: decoder.1.cross_attention/α' }).first().click();
    await expect(layer).toHaveValue('decoder.1.cross_attention/α');
    await expect(view.getByRole('button', { name: '1', exact: true })).toHaveAttribute('aria-pressed', 'true');
    await expect(summaryOf(view)).toHaveText(/^il attends to tired with weight/);
    await expect(layer).toBeInViewport({ ratio: 0.9 });
  });

  test(`a tensor selected in a drawing stays in view: ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await bench(page, LAYER, ['dataflow']);
    for (const name of ['attention/q', 'attention/k']) {
      const slab = page.locator(`u-dataflow .slab[data-tensor="${name}"] .ground`).first();
      await slab.scrollIntoViewIfNeeded();
      const { x, y, width: wide, height: high } = (await slab.boundingBox())!;
      await page.mouse.click(x + wide / 2, y + high / 2);
      await expect.poll(async () => (await place(page)).name).toBe(name);
      await drawn(page);
      await expect(slab).toBeInViewport();
    }
  });
}

test('drawings can be exported in three formats; axe finds no violations, and nothing overflows', async ({ page }) => {
  await bench(page, { ...LAYER, positions: 'sinusoidal' }, VIEWS);
  for (const name of VIEWS) {
    await showView(page, name);
    await expectExports(page, page.locator(`u-${name}`), 4);
    await expectClean(page, 'u-bench-views');
  }
  for (const form of some(['linear', 'blocks'], (each) => each === 'linear')) {
    await bench(page, { ...LAYER, form, mask: 'causal' }, ['dataflow']);
    await expectClean(page, 'u-bench-views');
  }
});

cold.describe('by touch', () => {
  cold.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

  cold('a drawing is scrolled over without a press, and tapped with one', async ({ page }) => {
    await bench(page, LAYER, ['heads', 'dataflow']);
    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints });
    const before = await place(page);
    const slab = page.locator('u-dataflow .slab[data-tensor="attention/q"] .ground').first();
    for (const [view, over] of [
      ['heads', page.locator('u-heads .head-map').nth(1)],
      ['dataflow', slab],
    ] as const) {
      await showView(page, view);
      await over.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      const box = (await over.boundingBox())!;
      const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
      await touch('touchStart', [{ x, y }]);
      for (let up = 10; up <= 120; up += 10) await touch('touchMove', [{ x, y: y - up }]);
      await touch('touchEnd', []);
      expect(await place(page)).toEqual(before);
      if (view === 'heads')
        await expect(page.locator('u-heads [role=gridcell]')).toHaveAttribute('aria-selected', 'false');
    }
    await slab.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await slab.tap();
    await expect.poll(async () => (await place(page)).name).toBe('attention/q');
  });
});

// The data-flow drawing, in each form in which attention can be computed.

const slabs = async (page: Page): Promise<string[]> =>
  (await page.locator('u-dataflow .slab-name').allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());

const expectSlabs = (page: Page, texts: string[]): Promise<void> =>
  expect.poll(() => slabs(page)).toEqual(expect.arrayContaining(texts));

test('keys and pointer select a tensor of the data flow, with the shapes of the model', async ({ page }) => {
  await bench(page, LAYER, ['dataflow']);
  const view = page.locator('u-dataflow');
  await expect(view.locator('.ground.hollow')).toHaveCount(0);
  await view.getByRole('listbox', { name: 'Tensors of the layer' }).focus();
  await page.keyboard.press('Home');
  for (let i = 0; i < 20 && !(await view.getByRole('option').textContent())!.startsWith('e,'); i++)
    await page.keyboard.press('ArrowRight');
  await expect(view.getByRole('option')).toHaveText(/^e, N × n × n = 2 × 4 × 4: largest/i);
  await page.keyboard.press('Enter');
  expect((await place(page)).name).toContain('attention/e');
  expect(
    await view.locator('.slab:has(.hollow)').evaluateAll((all) => all.map((one) => (one as SVGElement).dataset.tensor)),
  ).toEqual(['attention/α', 'attention/c', 'attention/c', 'attention/o']);
  const query = (await view.locator('.slab[data-tensor="attention/q"] .ground').first().boundingBox())!;
  await page.mouse.click(query.x + query.width / 2, query.y + query.height / 2);
  expect((await place(page)).name).toContain('attention/q');
  await expect(summaryOf(view)).toHaveText(/^q\[\d, \d\] = −?\d.*from row \d of X and column \d of W_Q$/);
  await expectSlabs(page, ['X4 × 6']);
  await bench(page, { ...LAYER, heads: 3, source_words: 5 }, ['dataflow']);
  await expectSlabs(page, ['source5 × 6', 'q3 × 4 × 2', 'kᵀ3 × 2 × 5', 'α3 × 4 × 5']);
});

test('linear attention is drawn with its sums, over all positions or up to one', async ({ page }) => {
  const whole = { ...LAYER, form: 'linear', output_projection: true };
  await bench(page, whole, ['dataflow']);
  await expectSlabs(page, ['φ(q)2 × 4 × 3', 'S2 × 3 × 3', 'zᵀ2 × 3 × 1', 'φ(q) S2 × 4 × 3', 'y2 × 4 × 3', 'o4 × 6']);
  const view = page.locator('u-dataflow');
  await expect(view.getByRole('group', { name: 'Position' })).toHaveCount(0);
  await expectTables(view, await runOf(whole), 13);

  const causal = { ...whole, mask: 'causal', words: 5 };
  await bench(page, causal, ['dataflow']);
  await expect(view.getByRole('button', { name: '4', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await view.getByRole('group', { name: 'Position' }).getByRole('button', { name: '1', exact: true }).click();
  await expectSlabs(page, ['v12 × 1 × 3', 'S02 × 3 × 3', 'S12 × 3 × 3', 'y12 × 1 × 3', 'y2 × 5 × 3']);
  await expectTables(view, await runOf(causal), 17);
});

test('one block of keys is drawn: the chosen one, or the one that the bench enters', async ({ page }) => {
  const config = { ...LAYER, form: 'blocks', block: 3, mask: 'causal' };
  await bench(page, config, ['dataflow']);
  const view = page.locator('u-dataflow');
  const block = (which: number): Locator =>
    view.getByRole('group', { name: 'Block' }).getByRole('button', { name: `${which}`, exact: true });
  await expect(block(1)).toHaveAttribute('aria-pressed', 'true');
  await expectSlabs(page, ['e12 × 4 × 1', 'r12 × 4 × 1', 'r l2 × 4 × 1', 'o12 × 4 × 3', 'c2 × 4 × 3']);
  await expectTables(view, await runOf(config), 20);
  const scores = view.locator('.slab[data-tensor="attention.block1/e"] .ground');
  await scores.scrollIntoViewIfNeeded();
  const box = (await scores.boundingBox())!;
  await page.mouse.click(box.x + 4, box.y + 4);
  expect((await place(page)).name).toContain('attention.block1/e');
  await block(0).click();
  await expectSlabs(page, ['e02 × 4 × 3']);
  expect((await slabs(page)).filter((text) => text.startsWith('r l'))).toEqual([]);
  await press(page, 'Step forward');
  await expect(block(1)).toHaveAttribute('aria-pressed', 'true');
});
