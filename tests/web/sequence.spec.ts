// Working with a sequence model: step its backward pass, trace a word to its cause, watch a beam search, compare two
// runs.
import { benchOf, expect, open, place, press, some, test, type WithLab } from './pages';
import { linkTo } from './links';
import type { Page } from '@playwright/test';

const SMALL = {
  ...{ kind: 'seq2seq', task: 'reverse', attention: 'bahdanau', embedding: 8, hidden: 16, attention_size: 16 },
  ...{ optimiser: 'adam', learning_rate: 0.01, batch: 16 },
};

const bench = (page: Page, more: object = {}): Promise<void> =>
  open(page, `workbench/${linkTo({ lesson: '', config: SMALL, pair: ['abc', 'cba'], ...more })}`);

test('backpropagation through time can be stepped, and every gradient checked', async ({ page }) => {
  await bench(page, { at: ['∂decoder.t0/s', ''] });
  const { step, of, name } = await place(page);
  expect(name).toBe('∂decoder.t0/s');
  await press(page, 'Step back');
  expect((await place(page)).step).toBeLessThan(step);
  await press(page, 'Step forward');
  expect((await place(page)).step).toBeGreaterThanOrEqual(step);
  for (const state of ['∂encoder.0.t2/h', '∂encoder.0.t1/h', '∂encoder.0.t0/h']) {
    await bench(page, { at: [state, ''], cell: [state.slice(1), 3] });
    await expect.poll(async () => (await place(page)).name).toBe(state);
    expect((await place(page)).step).toBeGreaterThan(step);
    await press(page, 'Check gradient');
    await expect(page.locator('u-inspector')).toContainText(/agrees to/);
  }
  expect(of).toBeGreaterThan(300);
});

test('a word is traced back from its probability to what it attended to', async ({ page }) => {
  await bench(page, { steps: 60, stage: 'numbers' });
  const why = page.getByRole('group', { name: 'Why the model chose this word' });
  await why.getByRole('button', { name: 'b', exact: true }).click();
  await expect(why.getByRole('listitem')).toHaveCount(4);
  await expect(why).toContainText(/Attention was on [abc] 0\.\d\d, [abc] 0\.\d\d and [abc] 0\.\d\d\./);
  await why.getByRole('button', { name: 'Attention' }).click();
  expect((await place(page)).name).toBe('decoder.t1.attention/α');
  await why.getByRole('button', { name: 'Its logits' }).click();
  expect((await place(page)).name).toBe('decoder.t1/logits');
});

/** The tensor whose cell is marked, and where in it: "[0, 1, 0]". */
const markedCell = (page: Page): Promise<[name: string, at: string]> =>
  benchOf(page).evaluate(({ lab }: WithLab) => {
    const { node, index } = lab.selection!;
    const at: number[] = [];
    lab.node(node)!.shape.reduceRight((left, size) => (at.unshift(left % size), Math.floor(left / size)), index);
    return [node, `[${at.join(', ')}]`];
  });

const ROWS = [
  ['Its logits', 'logits', '[0, 1, 0]'],
  ['Attention', 'attention/α', '[0, 1, 0]'],
  ['Self-attention', 'attention/α', '[0, 0, 1, 0]'],
  ['The decoder’s state', 'decoder/s', '[0, 1, 0]'],
  ['The previous word', 'target_in', '[0, 1]'],
] as const;

for (const [config, rows] of some(
  [
    [{ kind: 'transformer', task: 'reverse' }, ROWS],
    [{ kind: 'transformer_lm', task: 'stories' }, ROWS.filter(([title]) => title !== 'Attention')],
  ] as const,
  (_, i) => i === 0,
))
  test(`a word of a ${config.kind} is traced back to its row of each tensor`, async ({ page }) => {
    await open(page, `workbench/${linkTo({ lesson: '', config, stage: 'numbers' })}`);
    const why = page.getByRole('group', { name: 'Why the model chose this word' });
    await why.getByRole('group').getByRole('button').nth(1).click();
    await expect(why.getByRole('listitem').getByRole('button')).toHaveText(rows.map(([title]) => title));
    for (const [title, name, cell] of rows) {
      await why.getByRole('button', { name: title, exact: true }).click();
      const [tensor, at] = await markedCell(page);
      expect(tensor).toContain(name);
      expect(at).toBe(cell);
    }
  });

test('the matrix on the bench shows only the rows that the cursor has passed', async ({ page }) => {
  await bench(page, { at: ['decoder.t1.attention/α', ''], stage: 'picture' });
  await page
    .locator('.view-choice button')
    .filter({ hasText: /alignment/i })
    .click();
  const matrix = page.locator('u-bench-views u-alignment');
  await expect(matrix.locator('rect.hollow')).toHaveCount(2 * 3);
  await press(page, 'Last step');
  await expect(matrix.locator('rect.hollow')).toHaveCount(0);
  await press(matrix, 'Show as table');
  const engine = await benchOf(page).evaluate(({ lab }: WithLab) =>
    Array.from(lab.values(lab.node('decoder.t1.attention/α')!)!),
  );
  const shown = await matrix.locator('tbody tr').nth(1).locator('td').allTextContents();
  const numbers = shown.map(Number).filter(Number.isFinite).slice(0, 3);
  numbers.forEach((number, j) => expect(Math.abs(number - engine[j]!)).toBeLessThan(1e-6));
});

test('a beam search draws its tree, with the best hypothesis marked', async ({ page }) => {
  await open(page, 'lessons/decoding/');
  const write = page.locator('u-write', { has: page.locator('u-beam-tree') }).first();
  await expect(page.locator('u-write').first()).toBeVisible();
  const beam = page.locator('u-write[data-method=beam]').first();
  await beam.scrollIntoViewIfNeeded();
  await beam.getByRole('button', { name: 'Write' }).click();
  await expect(write.getByRole('tree')).toBeVisible({ timeout: 20_000 });
  expect(await write.getByRole('treeitem').count()).toBeGreaterThanOrEqual(1);
});

test('two runs train on one axis, from the same seed, and can be stopped', async ({ page }) => {
  await open(page, 'lessons/seq2seq/');
  const compare = page.locator('u-compare').first();
  await compare.scrollIntoViewIfNeeded();
  await compare.getByRole('button', { name: 'Train both' }).click();
  await compare.getByRole('button', { name: 'Stop' }).click();
  await compare.getByRole('button', { name: 'Train both' }).click();
  await expect(compare.getByRole('button', { name: 'Train both' })).toBeVisible({ timeout: 60_000 });
  const rows = compare.getByRole('region', { name: /Results of the runs/ }).locator('tbody tr');
  await expect(rows).toHaveCount(2);
  await expect(compare.locator('u-curves svg').first()).toBeVisible();
});
