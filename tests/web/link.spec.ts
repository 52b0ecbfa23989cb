// A link reproduces the same bits; a bad one gives a message, and the current state stays. A link with a thousand edits
// opens in one run; what takes long to open says how far it is and can be stopped.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sourceHash } from '../../web/plugin/source-hash.mjs';
import { copiedLink, editTo } from './hands';
import { FIRST_LESSON } from './addresses';
import {
  benchOf,
  expect,
  expectStep,
  forget,
  open,
  type Page,
  place,
  press,
  settled,
  showStage,
  some,
  test,
  type WithLab,
} from './pages';
import { linkTo } from './links';

test('a copied link reproduces lesson, model, seed, edits and cursor', async ({ page }) => {
  await open(page, 'workbench/');
  await page.getByRole('combobox', { name: 'Mask' }).selectOption('causal');
  await press(page, 'New seed');
  await press(page, 'Step forward');
  await showStage(page, 'Numbers');
  const cell = page.locator('u-board [data-tensor="X"] [role=grid]');
  await cell.click();
  await editTo(page, '0.3');
  const link = await copiedLink(page);
  expect(link).toMatch(/workbench\/#v1\.[A-Za-z0-9_-]+$/);
  expect(link.length).toBeLessThan(2048);

  await forget(page, link);
  const other = await page.context().newPage();
  await open(other, link);
  expect(await place(other)).toEqual(await place(page));
  await expect(other.getByRole('combobox', { name: 'Mask' })).toHaveValue('causal');
  expect(await settled(other)).toBe(await settled(page));
  await expect(other.getByRole('button', { name: 'Undo change' })).toBeEnabled();
});

test("the moments of the teacher's page open with what their section shows", async ({ page }) => {
  test.slow();
  await page.goto('lessons/teach/');
  const moments = page.locator('h2#moments-to-show + p + ul a');
  const addresses = await moments.evaluateAll((all: HTMLAnchorElement[]) => all.map(({ href }) => href));
  expect(addresses.length).toBeGreaterThanOrEqual(6);
  for (const address of addresses) {
    await open(page, address);
    const section = new URL(address).hash;
    await expect(page.locator(section)).toBeInViewport();
    await expect(page.locator(`xpath=//h2[@id="${section.slice(1)}"]/following::u-step[1]`), address).toHaveClass(
      /here/,
    );
  }
});

test('a moment shows the cell that holds, and the gradient that is gone', async ({ page }) => {
  await open(page, 'lessons/vanishing-gradients/#holding-prevents-learning');
  await expect(page.locator('u-cell')).toBeVisible();
  const weight = page.locator('u-cell [role=grid]');
  await weight.focus();
  for (let press = 0; press < 8; press++) await page.keyboard.press('PageUp');
  await expect(page.locator('u-cell')).toContainText('∂h');
  const exercise = page.locator('#hold');
  await exercise.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(exercise).toContainText('Right');
});

const goTo = (page: Page, fragment: string) => page.evaluate((hash) => (location.hash = hash), fragment);

const tableIn = (link: string): Record<string, unknown> =>
  JSON.parse(inflateRawSync(Buffer.from(link.split('#v1.')[1]!, 'base64url')).toString()) as Record<string, unknown>;

test('a link records its engine version, and one from another version says that bits may differ', async ({ page }) => {
  const OTHER = 'This link was made with another version of the engine: the last digits may differ here.';
  await open(page, 'workbench/');
  await press(page, 'Step forward');
  const made = tableIn(await copiedLink(page));
  expect(made.engine).toBe(sourceHash().slice(0, 6));
  await goTo(page, table({ ...made, seed: 5 }));
  await expect(page.getByRole('textbox', { name: 'Seed' })).toHaveValue('5');
  await expect(page.locator('u-problem')).toHaveText('');
  await goTo(page, table({ ...made, seed: 6, engine: 'ffffff' }));
  await expect(page.locator('u-problem')).toContainText(OTHER);
});

test('the address follows the first step even while the browser’s store has not answered', async ({ page }) => {
  await page.addInitScript(() => {
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (this: IDBFactory, ...names: [string, number?]) {
      return Object.assign(open.apply(this, names), { addEventListener: () => {} });
    };
  });
  await open(page, 'workbench/');
  await press(page, 'Step forward');
  await expect.poll(() => page.url()).toContain('#v1.');
});

test('a state that no link can hold leaves the address unchanged, which is said once', async ({ page }) => {
  const WORDS = 'A link cannot hold this: section is "xxx';
  const problem = page.locator('u-problem');
  await open(page, 'workbench/');
  await press(page, 'Step forward');
  await expect.poll(() => page.url()).toContain('#v1.');
  const before = page.url();
  const read = (section: string): Promise<void> =>
    benchOf(page).evaluate(({ lab }: WithLab, at) => lab.reading(at), section);
  await read('x'.repeat(81));
  await expect(problem).toContainText(WORDS);
  await expect(problem).toContainText('Reloading would bring back the state before this.');
  await press(page, 'Dismiss');
  await press(page, 'Step forward');
  await page.waitForTimeout(600); // the address is written 400 ms after a change
  await expect(problem).toHaveText('');
  expect(page.url()).toBe(before);
  await press(page, 'Copy link');
  await expect(problem).toContainText(WORDS);
  await expect(page.locator('u-top').getByText('Link copied')).toHaveCount(0);
  await read('');
  await expect.poll(() => page.url()).not.toBe(before);
});

test('a link opened while the address is being written is not lost under the state before', async ({ page }) => {
  await open(page, 'workbench/');
  await press(page, 'Step forward');
  const made = tableIn(await copiedLink(page));
  await page.evaluate(
    (hash) => {
      const encode = globalThis.btoa; // the last that is done before the address is replaced
      globalThis.btoa = (text) => ((location.hash = hash), (globalThis.btoa = encode)(text));
    },
    table({ ...made, seed: 5 }),
  );
  await press(page, 'Step forward');
  await expect(page.getByRole('textbox', { name: 'Seed' })).toHaveValue('5');
});

test('a link that is opened before the page’s own model has run is opened after it', async ({ page, engine }) => {
  await page.addInitScript(() => ((globalThis as unknown as { engine: { holds: boolean } }).engine.holds = true));
  await page.goto('workbench/');
  await expect(page.getByRole('textbox', { name: 'Seed' })).toBeAttached();
  await page.goto(`workbench/#${good}`);
  await engine.release();
  await expect(page.getByRole('textbox', { name: 'Seed' })).toHaveValue('5');
});

test('a reload keeps the learner’s work', async ({ page }) => {
  await open(page, FIRST_LESSON);
  await press(page, 'Step forward');
  await expect.poll(() => page.url()).toContain('#v1.');
  const before = await place(page);
  await page.reload();
  await expect.poll(() => place(page)).toEqual(before);
});

test('a reload keeps a change for which the address has had no time', async ({ page }) => {
  await open(page, 'workbench/');
  const before = page.url();
  await benchOf(page).evaluate(({ lab }: WithLab) => {
    for (let i = 0; i < 2; i++) lab.step('forward');
    location.reload();
  });
  await expectStep(page, 2);
  await expect.poll(() => page.url()).not.toBe(before);
  await page.reload();
  await expectStep(page, 2);
});

test('a reload while a link is being opened opens the link, not the state before', async ({ page }) => {
  await open(page, 'workbench/');
  await press(page, 'Step forward');
  for (const event of [true, false]) {
    await page.evaluate(
      ([hash, waits]) => {
        location.hash = hash as string;
        if (waits) addEventListener('hashchange', () => location.reload());
        else location.reload();
      },
      [table({ lesson: '', seed: event ? 5 : 6 }), event] as const,
    );
    await expect(page.getByRole('textbox', { name: 'Seed' })).toHaveValue(event ? '5' : '6');
  }
});

const table = (value: unknown): string => `v1.${deflateRawSync(JSON.stringify(value)).toString('base64url')}`;
const good = table({ lesson: '', seed: 5 });
const bad: [string, string, RegExp][] = [
  ['truncated', good.slice(0, -4), /cut short or damaged/],
  ['of a newer version', 'v2.AAAA', /version 2.*reads version 1/],
  ['over 32 KB', `v1.${'A'.repeat(33_000)}`, /33,004 characters long; the limit is 32,768/],
  ['inflating over 256 KB', `v1.${deflateRawSync(Buffer.alloc(5_000_000)).toString('base64url')}`, /more than 256 KB/],
  ['of wrong types', table({ lesson: '', steps: -3 }), /steps is -3; it must be a whole number from 0/],
  ['of another page', table({ lesson: 'elsewhere' }), /is for the lesson "elsewhere"/],
  ['with an edit the model does not know', table({ lesson: '', edits: [['nothing', 0, 1]] }), /nothing/],
  ['with a setting the model refuses', table({ lesson: '', config: { mask: 'sideways' } }), /mask is "sideways"/],
  [
    'to a model of another module, with a setting it refuses',
    table({ lesson: '', config: { kind: 'transformer', heads: 0 } }),
    /heads is 0/,
  ],
];

for (const [what, fragment, message] of some(bad, (_, i) => i % 4 === 0))
  test(`a link ${what} gives one sentence on a fresh page`, async ({ page }) => {
    await open(page, `workbench/#${fragment}`);
    await expect(page.locator('u-problem')).toContainText(message);
    expect((await place(page)).step).toBe(0);
  });

test('a bad link gives one sentence on a page with work, which stays; a good one takes it away', async ({ page }) => {
  const problem = page.locator('u-problem');
  await open(page, 'workbench/');
  for (let i = 0; i < 3; i++) await press(page, 'Step forward');
  const before = await place(page);
  const numbers = await settled(page);
  for (const [, fragment, message] of bad) {
    await goTo(page, fragment);
    await expect(problem).toContainText(message);
    expect(await place(page)).toEqual(before);
    expect(await settled(page)).toBe(numbers);
    await press(page, 'Dismiss');
    await expect(problem).not.toContainText(message);
  }
  await goTo(page, good.slice(0, -4));
  await expect(problem.locator('.problem')).toHaveCount(1);
  await goTo(page, table({ lesson: '', seed: 8 }));
  await expect(page.getByRole('textbox', { name: 'Seed' })).toHaveValue('8');
  await expect(problem.locator('.problem')).toHaveCount(0);
});

const CONFIG = { kind: 'transformer_lm', task: 'stories', model_size: 64, heads: 4, feed_forward: 256, layers: 4 };
type Edited = [name: string, index: number, value: number];
const edit = (layer: number, index: number): Edited => [`decoder.${layer}.feed_forward/y`, index, 0.5];
/** Compressed, or a thousand edits would be too long. */
const workbench = (edits: Edited[]): string => `workbench/#${table({ lesson: '', config: CONFIG, edits })}`;
const editsIn = (page: Page): Promise<number> => benchOf(page).evaluate(({ lab }: WithLab) => lab.state.edits.length);

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
  void benchOf(page).evaluate(({ lab }: WithLab) => void lab.configure({ layers: 3 }));
  await expect(notice).toContainText(/Opening: [\d,]+ of 400 edits are in place\./, { timeout: 30_000 });
  await notice.getByRole('button', { name: 'Stop' }).click();
  await benchOf(page).evaluate(({ lab }: WithLab) => lab.settled());
  await expect(notice).toContainText(/Opening was stopped: \d+ of 400 edits are in place\./);
  const inPlace = await editsIn(page);
  expect(inPlace).toBeLessThan(200);
  await notice.getByRole('button', { name: 'Open all of it' }).click();
  await expect.poll(() => editsIn(page), { timeout: 90_000 }).toBe(200);
});

test('a change that does nothing leaves training alone', async ({ page }) => {
  const status = (): Promise<string> => benchOf(page).evaluate(({ lab }: WithLab) => lab.training.status);
  const step = (): Promise<number> => benchOf(page).evaluate(({ lab }: WithLab) => lab.training.step);
  const config = { kind: 'seq2seq', task: 'reverse' };
  await open(page, `workbench/${linkTo({ lesson: '', config, pair: ['abc', 'cba'], stage: 'training' })}`);
  await page.locator('u-train').getByRole('button', { name: 'Train' }).click();
  await expect.poll(step).toBeGreaterThan(0);
  const done = await benchOf(page).evaluate(async ({ lab }: WithLab) => [
    await lab.undoEdit(),
    (await lab.read('abc', 'cba')).ok,
  ]);
  expect(done).toEqual([false, true]);
  const now = await step();
  await expect.poll(step).toBeGreaterThan(now);
  expect(await status()).toBe('running');
  await benchOf(page).evaluate(({ lab }: WithLab) => lab.trainer.stop());
});
