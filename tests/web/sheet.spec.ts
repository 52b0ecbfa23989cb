// The bench as a bottom sheet on a phone: its handle can be pressed and dragged.
import { editor } from './editor';
import { chooseModel } from './hands';
import { cold, expect, open, type Page } from './pages';

cold.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

const handle = (page: Page) => page.getByRole('button', { name: /^(Fold|Unfold) workbench$/ });
const height = (page: Page): Promise<number> => page.locator('u-bench').evaluate((bench) => bench.clientHeight);
const FOLDED = 121;

type Touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dy: number, seconds?: number) => Promise<unknown>;

/** A finger on the handle; `dy` in pixels below its middle. The browser takes `seconds` for when it happened. */
async function finger(page: Page): Promise<Touch> {
  const session = await page.context().newCDPSession(page);
  const { x, y, width, height: tall } = (await handle(page).boundingBox())!;
  const begun = Date.now() / 1000;
  return (type, dy, seconds) => {
    const touchPoints = type === 'touchEnd' ? [] : [{ x: x + width / 2, y: y + tall / 2 + dy }];
    return session.send('Input.dispatchTouchEvent', { type, touchPoints, ...(seconds && { timestamp: begun + seconds }) }); // prettier-ignore
  };
}

/** Drags the handle so many pixels downwards, rests, and lets go; returns the heights on the way. */
async function drag(page: Page, by: number): Promise<number[]> {
  const touch = await finger(page);
  const heights: number[] = [];
  await touch('touchStart', 0);
  for (let i = 1; i <= 8; i++) {
    await touch('touchMove', (by * i) / 8);
    heights.push(await height(page));
  }
  await page.waitForTimeout(300); // the finger rests: this is no flick
  await touch('touchMove', by + 1);
  await touch('touchEnd', by);
  return heights;
}

cold('a drag takes the sheet along, and it stays at the nearer of its two heights', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  await expect(handle(page)).toHaveAccessibleName('Fold workbench');
  const whole = await height(page);
  expect(whole).toBeGreaterThan(300);
  const passed = await drag(page, 200);
  expect(passed.filter((each) => each > FOLDED && each < whole - 10).length).toBeGreaterThan(4);
  await expect.poll(() => height(page)).toBeLessThanOrEqual(FOLDED);
  await expect(handle(page)).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('tab').first()).toBeHidden();
  await drag(page, -60);
  await expect.poll(() => height(page)).toBeLessThanOrEqual(FOLDED);
  await drag(page, -200);
  await expect.poll(() => height(page)).toBe(whole);
  await expect(page.getByRole('tab').first()).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

cold('a flick, a tap and a key fold and open it', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  const whole = await height(page);
  const touch = await finger(page);
  await touch('touchStart', 0, 0);
  for (const [dy, seconds] of [[20, 0.02], [40, 0.04], [60, 0.06]] as const) await touch('touchMove', dy, seconds); // prettier-ignore
  await touch('touchEnd', 60, 0.07);
  await expect.poll(() => height(page)).toBeLessThanOrEqual(FOLDED);
  await handle(page).tap();
  await expect.poll(() => height(page)).toBe(whole);
  await handle(page).press('Enter');
  await expect.poll(() => height(page)).toBeLessThanOrEqual(FOLDED);
  await handle(page).press('Enter');
  await expect.poll(() => height(page)).toBe(whole);
});

/** Pixels by which what the stage shows is taller than its pane. */
const cut = (page: Page): Promise<number> =>
  page.locator('.pane').evaluate((pane) => Math.max(0, pane.scrollHeight - pane.clientHeight));

for (const [lesson, whole] of [
  ['softmax', true],
  ['four-words', false],
  ['many-heads', false],
  ['attention-today', true],
] as const)
  cold(`a sheet drawn further up presents: the figure of ${lesson} is wholly seen`, async ({ page }) => {
    await open(page, `lessons/${lesson}/`);
    if (whole) await expect.poll(() => cut(page)).toBe(0);
    await drag(page, -90);
    await expect(page.getByRole('button', { name: 'Leave presenting' })).toBeVisible();
    await expect.poll(() => cut(page)).toBe(0);
    await page.getByRole('button', { name: 'Leave presenting' }).tap();
    await expect(handle(page)).toHaveAccessibleName('Fold workbench');
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

cold('a sheet with a program folds as far as any other', async ({ page }) => {
  await open(page, 'workbench/');
  await chooseModel(page, 'program');
  await page.getByRole('tab', { name: 'Code' }).tap();
  await expect(editor(page)).toBeVisible();
  const whole = await height(page);
  await handle(page).tap();
  await expect.poll(() => height(page)).toBeLessThanOrEqual(FOLDED);
  await handle(page).tap();
  await expect.poll(() => height(page)).toBe(whole);
});
