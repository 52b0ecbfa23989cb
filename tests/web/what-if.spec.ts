// Interventions in the page: a part is silent or hidden, the bench says what comes of it, a link holds it, and each can be
// undone.
import { linkTo } from './links';
import { benchOf, expect, open, settled, test, type Page, type WithLab } from './pages';

const MODEL = { kind: 'seq2seq', task: 'reverse', attention: 'bahdanau', embedding: 6, hidden: 8, attention_size: 6 };
const STATE = {
  lesson: '',
  config: MODEL,
  pair: ['abcd', 'dcba'],
  cell: ['decoder.t1.attention/e', 2],
  stage: 'numbers',
};

const values = (page: Page, name: string): Promise<number[]> =>
  benchOf(page).evaluate(async ({ lab }: WithLab, name) => {
    const reply = await lab.engine.values(lab.node(name)!.id);
    return reply.ok ? Array.from(reply.value) : [];
  }, name);

const tensors = (page: Page): Promise<string[]> =>
  benchOf(page).evaluate(({ lab }: WithLab) => lab.state.interventions.map(({ kind, tensor }) => `${kind} ${tensor}`));

test('a source word is hidden at every position, the effect is told, and a reload and an undo keep and end it', async ({
  page,
}) => {
  await open(page, `workbench/${linkTo(STATE)}`);
  const before = await values(page, 'decoder.t1.attention/α');
  await page.getByText('What if …').click();
  await page.getByLabel('Which part').selectOption('this column, at every position');
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await settled(page);
  expect(await tensors(page)).toEqual(['hidden decoder.t*.attention/e[:, :, 2]']);
  for (const t of [0, 1, 4]) expect((await values(page, `decoder.t${t}.attention/α`))[2]).toBe(0);
  const bar = page.locator('u-in-force');
  await expect(bar.locator('.effect')).toHaveText(
    /The model .* Loss [\d.]+ → [\d.]+\. Changed most: \S+ at position \d, logit [\d.−]+ → [\d.−]+\./,
  );

  await expect.poll(() => page.url()).toContain('#v1.');
  await page.reload();
  await settled(page);
  expect(await tensors(page)).toEqual(['hidden decoder.t*.attention/e[:, :, 2]']);
  await bar.getByRole('button', { name: /^Undo: / }).click();
  await settled(page);
  await expect(bar).toBeHidden();
  expect(await values(page, 'decoder.t1.attention/α')).toEqual(before);
});

test('what is impossible is refused in one sentence beside the field', async ({ page }) => {
  await open(page, `workbench/${linkTo({ ...STATE, cell: ['encoder/h', 2] })}`);
  await page.getByText('What if …').click();
  await page.getByRole('button', { name: 'Take from another input …' }).click();
  await page.getByLabel('The other input').fill('abc');
  await page.getByRole('button', { name: 'Take', exact: true }).click();
  await expect(page.locator('u-what-if .refused')).toContainText('encoder/h is (1, 4, 16) here, and (1, 3, 16)');
  expect(await tensors(page)).toEqual([]);
  await page.getByLabel('The other input').fill('dcba');
  await page.getByRole('button', { name: 'Take', exact: true }).click();
  await settled(page);
  expect(await tensors(page)).toEqual(['from encoder/h']);
});

test('each source word is hidden in turn, and a figure shows what that does to each token', async ({ page }) => {
  await open(page, `workbench/${linkTo(STATE)}`);
  await page.getByText('What if …').click();
  await page.getByRole('button', { name: 'Try each in turn' }).click();
  const figure = page.locator('u-sweep-map');
  await expect(figure).toContainText('4 × 5');
  expect(await tensors(page), 'nothing is in force').toEqual([]);
});
