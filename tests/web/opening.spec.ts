// A link with a thousand edits opens in one run; what takes long to open says how far it is and can be stopped.
import { deflateRawSync } from 'node:zlib';
import { linkTo } from './links';
import { expect, open, test, type Page } from './pages';
import type { Lab } from '../../web/src/lab/lab';

const CONFIG = { kind: 'transformer_lm', task: 'stories', model_size: 64, heads: 4, feed_forward: 256, layers: 4 };
type Edited = [name: string, index: number, value: number];
const edit = (layer: number, index: number): Edited => [`decoder.${layer}.feed_forward/y`, index, 0.5];
/** Compressed, or a thousand edits would be too long. */
const workbench = (edits: Edited[]): string =>
  `workbench/#v1.${deflateRawSync(JSON.stringify({ lesson: '', config: CONFIG, edits })).toString('base64url')}`;

type Host = HTMLElement & { lab: Lab };
const editsIn = (page: Page): Promise<number> =>
  page.locator('u-lab').evaluate((host) => (host as Host).lab.state.edits.length);
const settled = (page: Page): Promise<void> => page.locator('u-lab').evaluate((host) => (host as Host).lab.settled());

test('a link with a thousand edits opens, and none is missing', async ({ page }) => {
  test.slow();
  const begun = Date.now();
  await open(page, workbench(Array.from({ length: 1000 }, (_, i) => edit(i % 4, i >> 2))));
  await expect.poll(() => editsIn(page), { timeout: 60_000, intervals: [20] }).toBe(1000);
  const took = Date.now() - begun;
  test.info().annotations.push({ type: 'time', description: `${took} ms to open a link with 1,000 edits` });
  expect(took).toBeLessThan(30_000);
});

test('what takes long to open can be stopped, and opened wholly after all', async ({ page }) => {
  test.slow();
  const notice = page.locator('u-problem');
  // With a block less, every second edit is refused, so the others are put in place one run at a time.
  await open(page, workbench(Array.from({ length: 400 }, (_, i) => edit(i % 2 ? 3 : 0, i))));
  await expect.poll(() => editsIn(page), { timeout: 60_000 }).toBe(400);
  void page.locator('u-lab').evaluate((host) => void (host as Host).lab.configure({ layers: 3 }));
  await expect(notice).toContainText(/Opening: [\d,]+ of 400 edits are in place\./, { timeout: 30_000 });
  await notice.getByRole('button', { name: 'Stop' }).click();
  await settled(page);
  await expect(notice).toContainText(/Opening was stopped: \d+ of 400 edits are in place\./);
  const inPlace = await editsIn(page);
  expect(inPlace).toBeLessThan(200);
  await notice.getByRole('button', { name: 'Open all of it' }).click();
  await expect.poll(() => editsIn(page), { timeout: 90_000 }).toBe(200);
});

test('a change that does nothing leaves training alone', async ({ page }) => {
  const status = (): Promise<string> => page.locator('u-lab').evaluate((host) => (host as Host).lab.training.status);
  const step = (): Promise<number> => page.locator('u-lab').evaluate((host) => (host as Host).lab.training.step);
  await open(
    page,
    `workbench/${linkTo({ lesson: '', config: { kind: 'seq2seq', task: 'reverse' }, pair: ['abc', 'cba'] })}`,
  );
  await page.locator('u-train').getByRole('button', { name: 'Train' }).click();
  await expect.poll(step).toBeGreaterThan(0);
  const done = await page.locator('u-lab').evaluate(async (host) => {
    const { lab } = host as Host;
    return [await lab.undoEdit(), (await lab.read('abc', 'cba')).ok];
  });
  expect(done).toEqual([false, true]);
  const now = await step();
  await expect.poll(step).toBeGreaterThan(now);
  expect(await status()).toBe('running');
  await page.locator('u-lab').evaluate((host) => (host as Host).lab.trainer.stop());
});
