// A curve is drawn before it is measured: by keys, by mouse and by finger; it is kept, and named where it is furthest off.
import type { Locator, Page } from '@playwright/test';
import type { ComparisonOf } from '../../web/src/lesson/format/comparisons';
import { expectAccessible, THEMES } from './axe';
import { lessonNamed } from './lesson-named';
import { cold, expect, open, press, test } from './pages';
import { shorten } from './shorten';

const LESSON = 'bottleneck';
const ID = 'draw';
const { found } = await lessonNamed(LESSON);
const comparison = found.comparisons[ID] as ComparisonOf<'lengths'>;
const count = comparison.lengths.length;
/** After so few steps nothing is written right. */
const FEW = 5;

const on = (page: Page): Locator => page.locator(`u-compare[id="${ID}"]`);
const sliders = (page: Page): Locator => on(page).getByRole('slider', { name: /^length/ });
const values = (page: Page): Promise<string[]> =>
  sliders(page).evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
const begin = (page: Page): Locator => on(page).getByRole('button', { name: 'Train and measure' });
const after = (page: Page): Locator => page.locator(`u-compare[id="${ID}"] + details.after`);

async function openDrawn(page: Page): Promise<void> {
  await open(page, `lessons/${LESSON}/`);
  await on(page).scrollIntoViewIfNeeded();
  await expect(sliders(page)).toHaveCount(count);
}

test('by keys; it is kept, and the measured curve is laid over it', async ({ page }) => {
  await shorten(page, LESSON, comparison, FEW);
  await openDrawn(page);
  await expect(begin(page)).toBeDisabled();
  await sliders(page).first().focus();
  for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'PageDown', 'ArrowRight', 'Home'])
    await page.keyboard.press(key);
  const rest = Array.from({ length: count - 3 }, () => '50');
  expect(await values(page)).toEqual(['60', '35', '0', ...rest]);
  await expect(sliders(page).nth(2)).toBeFocused();
  await expect(sliders(page).nth(1)).toHaveAttribute('aria-valuetext', '35 %');
  await expect(after(page)).not.toHaveAttribute('open');
  await page.reload();
  await expect.poll(() => values(page)).toEqual(['60', '35', '0', ...rest]);

  await begin(page).click();
  await expect(on(page).getByRole('status').last()).toContainText(
    `The largest gap is at length ${comparison.lengths[0]}: you drew 60 %, it wrote 0 %. Nothing in this curve says`,
    { timeout: 60_000 },
  );
  await expect(after(page)).toHaveAttribute('open');
  await press(on(page).locator('u-curves'), 'Show as table');
  const drawn = on(page).locator('u-curves tbody tr > :nth-child(3)');
  await expect(drawn).toHaveText(['60', '35', '0', ...rest]);

  await page.reload();
  await expect(after(page)).toHaveAttribute('open');
  expect(await values(page)).toEqual(['60', '35', '0', ...rest]);
});

/** The place of a point, by its slider. */
async function placeOf(page: Page, i: number, percent: number): Promise<[x: number, y: number]> {
  const { x, y, width, height } = (await sliders(page).nth(i).boundingBox())!;
  return [x + width / 2, y + height * (1 - percent / 100)];
}

test('by mouse, in one stroke', async ({ page }) => {
  await openDrawn(page);
  await page.mouse.move(...(await placeOf(page, 0, 100)));
  await page.mouse.down();
  expect(await values(page)).toEqual(['100', '50', '50', '50', '50']);
  await page.mouse.move(...(await placeOf(page, count - 1, 0)));
  await page.mouse.up();
  await page.mouse.move(...(await placeOf(page, 0, 0))); // the button is up
  expect(await values(page)).toEqual(['100', '75', '50', '25', '0']);
});

test('stopped early, there is no gap and the text stays folded up', async ({ page }) => {
  await shorten(page, LESSON, comparison, 2000); // so long that it can be stopped
  await openDrawn(page);
  await sliders(page).first().focus();
  await page.keyboard.press('ArrowUp');
  await begin(page).click();
  await expect(on(page).getByText(/^step [1-9]\d* of 2,000$/)).toBeVisible();
  await expect(sliders(page)).toHaveCount(0);
  await press(page, 'Stop');
  await expect(on(page).getByRole('status').first()).toContainText(/^Stopped: step \d+ of 2,000/);
  await expect(on(page).getByText('The largest gap')).toBeHidden();
  await expect(after(page)).not.toHaveAttribute('open');
  await press(page, 'Draw again');
  await expect.poll(async () => (await values(page))[0]).toBe('55');
});

cold.describe('on a phone', () => {
  cold.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  cold('a tap places a point, each is large enough for a finger, and axe finds nothing', async ({ page }) => {
    await openDrawn(page);
    for (let i = 0; i < count; i++) {
      const grip = (await on(page).locator('.grip').nth(i).boundingBox())!;
      expect(Math.round(Math.min(grip.width, grip.height))).toBeGreaterThanOrEqual(44);
    }
    await on(page).locator('u-draw-curve').scrollIntoViewIfNeeded();
    const [x, y] = await placeOf(page, 1, 90);
    await page.touchscreen.tap(x + 5, y);
    expect((await values(page))[1]).toBe('90');
    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints });
    const up = await page.evaluate(() => scrollY);
    await touch('touchStart', [{ x, y }]);
    for (let down = 10; down <= 60; down += 10) await touch('touchMove', [{ x: x + down / 2, y: y + down }]);
    await touch('touchEnd', []);
    await expect.poll(async () => Number((await values(page))[1])).toBeLessThan(70); // a drag of the point moves it, and not the page
    expect(await page.evaluate(() => scrollY)).toBe(up);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `drawn, ${colorScheme}`, { within: `u-compare[id="${ID}"]` });
    }
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider).toBeLessThanOrEqual(0);
  });
});
