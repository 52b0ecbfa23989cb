// The cursor moves over a finished run: wherever it goes, the numbers are the same.
import { expect, expectStep, open, place, press, settled, test } from './pages';

test('to the end, back to the start, to the end again: identical numbers', async ({ page }) => {
  await open(page, 'workbench/');
  await press(page, 'Last step');
  const { of } = await place(page);
  const first = await settled(page);
  for (let step = of - 1; step >= 0; step--) {
    await page.keyboard.press('ArrowLeft');
    await expectStep(page, step);
  }
  for (let step = 1; step <= of; step++) {
    await page.keyboard.press('ArrowRight');
    await expectStep(page, step);
  }
  expect(await settled(page)).toBe(first);
});

test('1,000 random jumps leave identical numbers', async ({ page }) => {
  await open(page, 'workbench/');
  await press(page, 'Last step');
  const { of } = await place(page);
  const first = await settled(page);
  const keys = ['Home', 'End', 'ArrowLeft', 'ArrowRight', 'i', 'o', 'u', 'PageUp', 'PageDown'];
  await page.getByRole('slider', { name: 'Step' }).focus();
  await page.evaluate((keys) => {
    let seed = 1;
    for (let i = 0; i < 1000; i++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      const key = keys[(seed >>> 8) % keys.length]!;
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    }
  }, keys);
  await page.keyboard.press('End');
  await expectStep(page, of);
  expect(await settled(page)).toBe(first);
});

test('reset gives the same bits, a new seed others', async ({ page }) => {
  await open(page, 'workbench/');
  const numbers = async (): Promise<string> => {
    await press(page, 'Last step');
    return settled(page);
  };
  const first = await numbers();
  await press(page, 'Reset');
  await expectStep(page, 0);
  expect(await numbers()).toBe(first);
  const seed = page.getByRole('textbox', { name: 'Seed' });
  const before = await seed.inputValue();
  await press(page, 'New seed');
  await expect(seed).not.toHaveValue(before);
  expect(await numbers()).not.toBe(first);
});
