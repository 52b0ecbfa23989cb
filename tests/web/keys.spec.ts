// Keys belong to the reader: they scroll the text unless the bench has the focus, which the second press of Tab offers.
// The board follows the steps.
import {
  benchOf,
  cold,
  drawn,
  expect,
  expectStep,
  open,
  openNumbers,
  place,
  press,
  rested,
  settled,
  some,
  test,
  type Page,
  type WithLab,
} from './pages';

const scrolled = (page: Page): Promise<number> => page.evaluate(() => scrollY);

/** Presses the key and waits until the page no longer scrolls. */
async function pressAndRest(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.evaluate(
    (frames) =>
      new Promise<void>((done) => {
        let [before, still] = [-1, 0];
        const look = (): void => {
          still = scrollY === before ? still + 1 : 0;
          before = scrollY;
          if (still === frames) done();
          else requestAnimationFrame(look);
        };
        look();
      }),
    10,
  );
}

const focused = (page: Page): Promise<string> =>
  page.locator('*:focus').evaluate((at) => at.getAttribute('aria-label') ?? at.textContent!.trim());

test('in the text, keys scroll and do not step; a click on the bench or the text moves them', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  await page.locator('article.text p').first().click();
  await pressAndRest(page, 'Space');
  const after = await scrolled(page);
  expect(after).toBeGreaterThan(300);
  await pressAndRest(page, 'End');
  expect(await scrolled(page)).toBeGreaterThan(after + 300);
  await pressAndRest(page, 'Home');
  expect(await scrolled(page)).toBe(0);
  const { step } = await place(page); // it follows the reading
  for (const key of ['ArrowRight', 'ArrowLeft', 'r', 'u']) await page.keyboard.press(key);
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expectStep(page, step);

  const { of } = await place(page);
  await page.locator('u-transport .says').click();
  for (const [key, step] of Object.entries({ Home: 0, ArrowRight: 1, End: of })) {
    await page.keyboard.press(key);
    await expectStep(page, step);
  }
  await page.keyboard.press('ArrowLeft');
  const { step: before } = await place(page);
  await expect(page.locator('u-transport .says')).toHaveText('The loss');
  await page.locator('article.text p').first().click();
  await page.keyboard.press('Home');
  await drawn(page);
  await expectStep(page, before);
  await press(page, 'Keyboard');
  await expect(page.getByRole('dialog')).toContainText('These keys act while the bench has the focus');
});

test('the first presses of Tab offer to skip to the text and to the bench', async ({ page }) => {
  await open(page, 'lessons/seq2seq/');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the text');
  await expect(page.getByRole('button', { name: 'Skip to the text' })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement!.closest('article') !== null)).toBe(true);
  await page.reload();
  await rested(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the bench');
  await page.keyboard.press('Enter');
  expect(await focused(page)).toBe('Workbench');
  await page.keyboard.press('Home');
  await expectStep(page, 0);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement!.closest('u-bench') !== null)).toBe(true);
});

test('a page without a bench offers only the text', async ({ page }) => {
  await page.goto('lessons/glossary/');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the text');
  await expect(page.getByRole('button', { name: 'Skip to the bench' })).toHaveCount(0);
});

/** Selects the cell by a click and types: no Enter first. */
async function typeOn(page: Page, tensor: string, text: string): Promise<void> {
  await page.getByRole('grid', { name: `Cells of ${tensor}` }).click({ position: { x: 8, y: 8 } });
  await page.keyboard.type(text);
}

test('a number typed on a cell edits it, and the focus returns to the cell', async ({ page }) => {
  await openNumbers(page, 'workbench/');
  const grid = page.getByRole('grid', { name: 'Cells of X' });
  await typeOn(page, 'X', '-0.25');
  await expect(page.locator('u-inspector input.entry')).toHaveValue('-0.25');
  await page.keyboard.press('Enter');
  await expect(page.locator('.insp-body dd').first()).toHaveText('−0.25');
  await expect(grid).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('.5');
  await page.keyboard.press('Enter');
  await expect(page.locator('.insp-body dd').first()).toHaveText('0.5');
  await page.keyboard.type('7');
  await page.keyboard.press('Escape');
  await expect(page.locator('.insp-body dd').first()).toHaveText('0.5');
});

test('-inf typed on a score hides its key', async ({ page }) => {
  await open(page, 'lessons/four-words/');
  await settled(page);
  await typeOn(page, 'attention/e', '-'); // opens the field
  await expect(page.locator('u-inspector input.entry')).toBeFocused();
  await page.keyboard.type('inf');
  await expect(page.locator('u-inspector input.entry')).toHaveValue('-inf');
  await page.keyboard.press('Enter');
  await expect(page.locator('.insp-body dd').first()).toHaveText('−∞');
});

test('a number typed on a cell is kept while its card is still to load', async ({ page, engine: _ }) => {
  let load = (): void => undefined;
  const held = new Promise<void>((done) => (load = done));
  await page.route(/\/assets\/card-[\w-]+\.js$/, (route) => held.then(() => route.continue()));
  await openNumbers(page, 'workbench/');
  await page.getByRole('grid', { name: 'Cells of X' }).focus();
  await page.keyboard.type('-2.5');
  load();
  await expect(page.locator('u-card input.entry')).toHaveValue('-2.5');
  await expect(page.locator('u-card input.entry')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('u-card dd').first()).toHaveText('−2.5');
});

cold('on a phone the field for a cell opens in its card, over the sheet', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openNumbers(page, 'workbench/');
  await page.getByRole('grid', { name: 'Cells of X' }).dblclick({ position: { x: 8, y: 8 } });
  await expect(page.locator('u-card input.entry')).toBeFocused();
  await expect(page.locator('u-card input.entry')).toBeInViewport({ ratio: 1 });
});

test('play stops at the end of the forward pass; played again, it goes on', async ({ page }) => {
  await openNumbers(page, 'workbench/');
  const forward = await benchOf(page).evaluate(
    ({ lab }: WithLab) => lab.trace!.nodes.filter(({ phase }) => phase === 'forward').length,
  );
  const stops = Number(/of (\d+)/.exec((await page.locator('u-transport .count').textContent())!)![1]);
  await page.getByRole('slider', { name: 'Step' }).focus();
  await page.keyboard.press('Home');
  for (let i = 0; i < stops - 2; i++) await page.keyboard.press('ArrowRight');
  await press(page, 'Play');
  await expectStep(page, forward);
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect(page.locator('u-board figure.hollow')).toHaveCount(0);
  await page.waitForTimeout(1000); // playing on would take a step in 700 ms
  await expectStep(page, forward);
  await press(page, 'Play');
  await expect.poll(async () => (await place(page)).step).toBeGreaterThan(forward);
  await press(page, 'Pause');
});

/**
 * By how many pixels the tensor just computed, or as much of it as the pane can show, is out of sight; null if the board
 * does not show it.
 */
const outOfSight = (page: Page): Promise<number | null> =>
  benchOf(page).evaluate(({ lab }: WithLab) => {
    const name = CSS.escape(lab.trace!.nodes[lab.cursor.node]!.name);
    const now = document.querySelector(`u-board [data-tensor="${name}"]`)?.getBoundingClientRect();
    if (!now) return null;
    const panel = document.querySelector('[data-pane=numbers]')!.getBoundingClientRect();
    const { top: transport } = document.querySelector('u-transport')!.getBoundingClientRect();
    const foot = Math.min(panel.bottom, transport, innerHeight);
    const top = Math.max(panel.top, 0);
    const seen = Math.min(now.bottom, foot) - Math.max(now.top, top);
    return Math.max(0, Math.min(now.height, foot - top) - seen);
  });

const BOARDS = [
  ['lessons/looking-back/', 1280, 800, 'ArrowLeft'],
  ['lessons/four-words/', 900, 700, 'Home'],
  ['workbench/', 360, 740, 'Home'],
] as const;
for (const [path, width, height, from] of some(BOARDS, ([, width]) => width !== 1280))
  test(`the board of /${path} follows the steps at ${width} × ${height}; the text stays in place`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openNumbers(page, path);
    await page.mouse.wheel(0, 500);
    await settled(page);
    await page.getByRole('slider', { name: 'Step' }).press(from);
    const at = await scrolled(page);
    let shown = 0;
    for (let i = 0; i < 9; i++) {
      await press(page, 'Step forward');
      await settled(page);
      expect(await scrolled(page)).toBe(at);
      const out = await outOfSight(page);
      if (out !== null) expect(out, `after ${++shown} of the board's tensors`).toBeLessThan(3);
    }
    expect(shown).toBeGreaterThan(0);
  });
