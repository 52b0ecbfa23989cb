// What the model writes, one operation after the other in the stage: the reader presses the buttons of the lesson and of the
// transport, and changes the random number.
import { benchOf, expect, open, type Page, press, test, type WithLab } from './pages';

const valuesOf = (page: Page, name: string): Promise<number[]> =>
  benchOf(page).evaluate(async ({ lab }: WithLab, tensor) => {
    await lab.settled();
    const node = lab.node(tensor);
    const reply = node && (await lab.engine.values(node.id));
    return reply?.ok ? Array.from(reply.value) : [];
  }, name);

const show = (page: Page, at: string): Promise<void> =>
  page.locator(`u-step[data-at="${at}"]`).getByRole('button', { name: 'Show on the bench' }).click();

test('a draw with top-k: the settings keep the trained model, Into leads to the operations, and u chooses the word', async ({
  page,
}) => {
  await open(page, 'lessons/decoding/');
  const before = await valuesOf(page, 'decoder.t2/logits');
  await show(page, 'writing.t2.top_k/p');
  await expect.poll(async () => (await valuesOf(page, 'writing.t2.top_k/kept')).slice(0, 3)).toEqual([1, 1, 0]);
  expect(await valuesOf(page, 'decoder.t2/logits'), 'the weights are those that came with the lesson').toEqual(before);
  const sorted = await valuesOf(page, 'writing.t2.top_k/sorted');
  expect(sorted).toEqual([...sorted].sort((a, b) => b - a));
  const says = page.locator('u-transport .says');
  await expect(says).toContainText('The writer chooses token 2: the probabilities');
  await press(page, 'Step back');
  await expect(says).toContainText('The writer chooses token 2: what is left');
  await show(page, 'writing.t2.draw/cumulative');
  await expect(says).toContainText('The writer chooses token 2: the cumulative sums');

  const [a, buys] = [6, 9];
  expect(await valuesOf(page, 'writing.t2/token')).toEqual([buys]);
  for (const [u, drawn] of [
    [0.3, a],
    [0.9, buys],
  ] as const) {
    await benchOf(page).evaluate(({ lab }: WithLab, value) => lab.edit('writing.t2.draw/u', 0, value), u);
    await expect.poll(() => valuesOf(page, 'writing.t2/token')).toEqual([drawn]);
  }
  await benchOf(page).evaluate(({ lab }: WithLab) => lab.undoEdit('writing.t2.draw/u', 0));
  await expect.poll(() => valuesOf(page, 'writing.t2/token')).toEqual([buys]);
});

test('a step of the beam shows what is kept; another width keeps more, and comes back with the link', async ({
  page,
}) => {
  await open(page, 'lessons/decoding/');
  await show(page, 'writing.t2/score');
  await expect.poll(async () => (await valuesOf(page, 'writing.t2/live')).length).toBe(2);
  const candidates = await valuesOf(page, 'writing.t2/candidates');
  const scores = await valuesOf(page, 'writing.t2/score');
  expect(scores).toEqual([...candidates].sort((a, b) => b - a).slice(0, scores.length));
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#v1\./);
  await page.reload();
  await expect.poll(async () => (await valuesOf(page, 'writing.t2/score')).join()).toBe(scores.join());
});

test('BLEU of one sentence and its alignment are counted in the stage', async ({ page }) => {
  await open(page, 'lessons/alignment/');
  await show(page, 'alignment_error/both');
  await expect.poll(async () => (await valuesOf(page, 'alignment_error/found')).length).toBe(1);
  const both = await valuesOf(page, 'alignment_error/both');
  expect(both.reduce((sum, each) => sum + each, 0)).toBe((await valuesOf(page, 'alignment_error/found'))[0]);
  await show(page, 'bleu.n1/counts');
  await expect.poll(() => valuesOf(page, 'bleu.n1/counts')).toEqual([1, 1, 1, 0, 0]);
});

test('the coin of scheduled sampling is thrown in the stage, once the model has been trained with a teacher rate', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await open(page, 'lessons/teacher-forcing/');
  await show(page, 'decoder.t3.coin/token taken');
  await expect.poll(() => valuesOf(page, 'decoder.t3.coin/rate'), { timeout: 100_000 }).toEqual([0.5]);
  const [u] = await valuesOf(page, 'decoder.t3.coin/u');
  const [own] = await valuesOf(page, 'decoder.t3.coin/own token');
  const [taken] = await valuesOf(page, 'decoder.t3.coin/token taken');
  const targets = await valuesOf(page, 'target_in');
  expect(await valuesOf(page, 'decoder.t3.coin/heads')).toEqual([u! < 0.5 ? 1 : 0]);
  expect(taken).toBe(u! < 0.5 ? targets[3] : own);
  await expect(page.locator('u-transport .says')).toContainText('the token that is read');
});
