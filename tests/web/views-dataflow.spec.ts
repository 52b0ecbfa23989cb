// The data-flow drawing of the attention layer, in each form in which it can be computed.
import type { Locator, Page } from '@playwright/test';
import { expect, place, press, test } from './pages';
import { LAYER, bench, expectTables, summaryOf } from './views-bench';
import { runOf } from './views-engine';

const slabs = async (page: Page): Promise<string[]> =>
  (await page.locator('u-dataflow .slab-name').allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());

const expectSlabs = (page: Page, texts: string[]): Promise<void> =>
  expect.poll(() => slabs(page)).toEqual(expect.arrayContaining(texts));

test('keys and the pointer select a tensor of the data flow, whose shapes follow the model; later ones are hollow', async ({
  page,
}) => {
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
