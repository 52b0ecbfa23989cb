// The views of the Transformer on a real bench: its blocks, a text being written, its heads.
import type { Locator } from '@playwright/test';
import { addressed } from './acts';
import { chooseCell, editTo, enter } from './hands';
import { expect, expectStep, place, press, showStage, stepTo, test } from './pages';
import { cellsOf, expectClean, expectExports, openViews, showView, summaryOf } from './views-bench';
import { sessionOf, traceIn } from './views-engine';
import { value as granted } from '../bindings/modules';

const SIZES = { model_size: 8, heads: 2, feed_forward: 16, layers: 2 };
const TRANSFORMER = { kind: 'transformer', task: 'reverse', ...SIZES, seed: 7 };
const PAIR = ['abcd', 'dcba'];

/** The engine's values by tensor name, optionally with the first cell of a tensor edited. */
async function valuesOf(config: object, names: string[], edit?: [string, number]): Promise<Map<string, number[]>> {
  const session = await sessionOf(config);
  granted(session.read(PAIR[0]!, PAIR[1]!));
  granted(session.run([]));
  const { nodes } = traceIn(session);
  const idOf = (name: string): number => nodes.find((node) => node.name === name)!.id;
  if (edit) granted(session.edit(edit[0], 0, edit[1]));
  const found = new Map(names.map((name) => [name, [...granted(session.values(idOf(name)))]]));
  session.delete();
  return found;
}

test('boxes open and close by mouse and by keys, and choosing an operation moves the bench there', async ({ page }) => {
  await openViews(page, TRANSFORMER, ['blocks'], PAIR);
  const view = page.locator('u-blocks');
  const block = (key: string): Locator => view.locator(`[data-key="${key}"]`);
  await expect(block('encoder.0')).toHaveCount(0);
  await block('encoder').click();
  await block('encoder.0').click();
  await expect(block('encoder.0.attention')).toContainText('288 parameters');
  await expect(view.locator('.wire.residual')).toHaveCount(2);
  await view.getByRole('tree', { name: 'Blocks of the model' }).focus();
  const item = view.getByRole('treeitem');
  await expect(item).toHaveAttribute('aria-expanded', 'true');
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await expect(item).toContainText('matmul');
  await page.keyboard.press('Enter');
  expect((await place(page)).name).toContain('encoder.0.attention');
  await page.keyboard.press('ArrowLeft');
  await expect(item).toHaveText(
    /^attention: output o, 1 × 4 × 8; 288 parameters; \d+ operations, \d+ of which ha(s|ve) run$/,
  );
  await page.keyboard.press('ArrowLeft');
  await expect(block('encoder.0.attention/matmul')).toHaveCount(0);
});

test('boxes follow the steps, those not run yet are hollow, and the table lists all', async ({ page }) => {
  await openViews(page, TRANSFORMER, ['blocks'], PAIR);
  const view = page.locator('u-blocks');
  await expect(view.locator('.hollow[data-key="encoder"]')).toHaveCount(1);
  await press(page, 'Step forward');
  await expect(view.locator('.now')).toHaveAttribute('data-key', 'encoder');
  await view.getByRole('button', { name: 'Follow the steps' }).click();
  await expect(view.locator('.now')).toHaveAttribute('data-key', /^encoder\//);
  await press(page, 'Last step');
  await expect(view.locator('.hollow')).toHaveCount(0);
  await press(view, 'Show as table');
  const row = view.locator('tr[data-tensor="encoder.1.feed_forward/y"]').first();
  await expect(row).toContainText('feed_forward');
  await expect(row).toContainText('1 × 4 × 8');
  await expect(row).toContainText('280');
});

test('a position shows the engine’s own weights and probabilities, bit for bit', async ({ page }) => {
  const names = ['decoder.1.self_attention/α', 'decoder.1.cross_attention/α', 'cross_entropy/log p'];
  const values = await valuesOf(TRANSFORMER, names);
  await openViews(page, TRANSFORMER, ['generation'], PAIR);
  const view = page.locator('u-generation');
  await expect(summaryOf(view)).toHaveText('After <bos>: not reached yet');
  const slider = view.getByRole('slider', { name: 'Position being generated' });
  const toPosition2 = async (): Promise<void> => {
    await slider.focus();
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  };
  await toPosition2();
  await expect(slider).toHaveAttribute('aria-valuenow', '2');
  await expect(summaryOf(view)).toHaveText(/^After c: attends to .*; attends back to .*; most likely next: /);
  await expect(view.locator('.unseen')).toHaveCount(2);
  await view.getByLabel('Head').selectOption('1');
  await press(view, 'Show as table');
  const [own, source, likely] = names.map((name) => values.get(name)!);
  await expect.poll(() => cellsOf(view, names[0]!)).toEqual(own!.slice((5 + 2) * 5, (5 + 3) * 5));
  await expect.poll(() => cellsOf(view, names[1]!)).toEqual(source!.slice((5 + 2) * 4, (5 + 3) * 4));
  const V = likely!.length / 5;
  const likeliest = (all: number[]): number[] =>
    all
      .slice(2 * V, 3 * V)
      .sort((a, b) => b - a)
      .slice(0, 8);
  const expectLikeliest = async (all: number[]): Promise<void> => {
    // The token that comes next follows these eight if it is not one of them.
    await expect.poll(async () => (await cellsOf(view, names[2]!)).slice(0, 8)).toEqual(likeliest(all));
    const shownChance = async (): Promise<number> =>
      Number(/; most likely next: \S+ ([\d.]+)/.exec((await summaryOf(view).textContent())!)![1]);
    await expect.poll(shownChance).toBeCloseTo(Math.exp(likeliest(all)[0]!), 1.9); // it has two decimals
  };
  await expectLikeliest(likely!);

  const other = { ...TRANSFORMER, seed: 8 };
  await enter(page.getByRole('textbox', { name: 'Seed' }), '8');
  await expectLikeliest((await valuesOf(other, names)).get(names[2]!)!);

  await press(page, 'Reset');
  await expectStep(page, 0);
  await stepTo(page, 'encoder/words');
  await chooseCell(page, 'encoder/words');
  await editTo(page, '3');
  await page.keyboard.press('Escape');
  await showStage(page, 'Picture');
  const edited = await valuesOf(other, names, ['encoder/words', 3]);
  await press(page, 'Last step');
  await toPosition2();
  await press(view, 'Show as table');
  await expectLikeliest(edited.get(names[2]!)!);
});

test('playing generates to the end, and the bench follows; other views can be chosen', async ({ page }) => {
  await openViews(page, TRANSFORMER, ['generation'], PAIR);
  const view = page.locator('u-generation');
  await view.getByRole('button', { name: 'Play' }).click();
  await expect(view.getByRole('slider')).toHaveAttribute('aria-valuenow', '4', { timeout: 15_000 });
  await expect(view.getByRole('button', { name: 'Play' })).toBeVisible();
  expect((await place(page)).name).toContain('log p');
  const choice = page.getByRole('group', { name: 'Views of the model' });
  await choice.getByRole('button', { name: 'blocks' }).click();
  await expect(page.locator('u-blocks figure')).toBeVisible();
  await expect(page.locator('u-generation')).toHaveCount(0);
  await choice.getByRole('button', { name: 'generation' }).click();
  await expect(page.locator('u-generation figure')).toBeVisible();
});

test('the view of a recurrent decoder follows the position of the bench', async ({ page }) => {
  const config = { kind: 'seq2seq', task: 'reverse', attention: 'luong', embedding: 4, hidden: 6, seed: 7 };
  await openViews(page, config, ['generation'], PAIR);
  await press(page, 'Last step');
  const view = page.locator('u-generation');
  await view.getByRole('button', { name: 'Next word' }).click();
  await view.getByRole('button', { name: 'Next word' }).click();
  await expect(view.locator('[data-tensor="decoder.t2.attention/α"]').first()).toBeAttached();
  await expect(summaryOf(view)).toHaveText(/^After c: attends to /);
});

test('the heads follow the layer of the bench; a chosen layer holds until the bench moves on', async ({ page }) => {
  await openViews(page, TRANSFORMER, ['heads'], PAIR);
  const layer = page.locator('u-heads').getByRole('combobox', { name: 'Layer' });
  await expect(layer).toHaveValue('encoder.0.attention/α');
  await stepTo(page, 'encoder.1');
  await expect(layer).toHaveValue('encoder.1.attention/α');
  await addressed(page);
  const before = page.url();
  await layer.selectOption('decoder.0.self_attention/α');
  const head = page.locator('u-heads').getByRole('button', { name: '1', exact: true });
  await head.press('Enter'); // its button comes with the focus; a pointer presses the drawing of the head
  await expect.poll(() => page.url()).not.toBe(before);
  await addressed(page);
  const link = new URL(page.url()).hash;
  await page.evaluate((hash) => (location.hash = hash), new URL(before).hash);
  await expect(layer).toHaveValue('encoder.1.attention/α');
  await expect(head).toHaveAttribute('aria-pressed', 'false');
  await page.goto(`${page.url().split('#')[0]}${link}`);
  await page.reload();
  await expect(layer).toHaveValue('decoder.0.self_attention/α');
  await expect(head).toHaveAttribute('aria-pressed', 'true');
  await press(page, 'Step into');
  expect((await place(page)).name).toMatch(/^encoder\./);
  await expect(layer).toHaveValue('decoder.0.self_attention/α');
  await stepTo(page, 'decoder.1');
  await expect(layer).toHaveValue('decoder.1.cross_attention/α');
});

test('blocks, generation: they can be exported in three formats, and axe finds no violations', async ({ page }) => {
  await openViews(page, TRANSFORMER, ['blocks', 'generation'], PAIR);
  await press(page, 'Last step');
  for (const view of ['generation', 'blocks']) {
    await showView(page, view);
    await expectExports(page, page.locator(`u-${view}`), 2);
    if (view === 'blocks') await page.locator('u-blocks [data-key="encoder"]').click();
    await expectClean(page, 'u-bench-views');
  }
});
