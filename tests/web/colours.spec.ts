// Colours that axe does not check: hover colours, and those of elements a browser would draw itself.
import type { Locator } from '@playwright/test';
import { expect, open, test } from './pages';

/** Computed colours in any notation, as drawn: red, green, blue and alpha, each from 0 to 255. */
const coloursOf = (element: Locator): Promise<{ ink: number[]; paper: number[] }> =>
  element.evaluate((shown) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
    const context = canvas.getContext('2d')!;
    const drawn = (colour: string): number[] => {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data];
    };
    const { color, backgroundColor } = getComputedStyle(shown);
    return { ink: drawn(color), paper: drawn(backgroundColor) };
  });

function luminance([red = 0, green = 0, blue = 0]: number[]): number {
  const [r, g, b] = [red, green, blue].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** From 1 to 21, as WCAG defines it; both colours must be opaque. */
async function contrast(element: Locator): Promise<number> {
  const { ink, paper } = await coloursOf(element);
  expect([ink[3], paper[3]], 'opacity').toEqual([255, 255]);
  const [light, dark] = [luminance(ink), luminance(paper)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

test('in light and dark, a hovered pressed button and a list of options are readable', async ({ page }) => {
  await open(page, 'workbench/');
  const view = page.locator('.view-choice button').first();
  await view.click();
  await expect(view).toHaveAttribute('aria-pressed', 'true');
  const list = page.getByRole('combobox', { name: 'Model', exact: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await view.hover();
    await expect.poll(() => contrast(view), colorScheme).toBeGreaterThanOrEqual(4.5);
    await expect(list).toHaveCSS('appearance', 'none');
    expect(await contrast(list), colorScheme).toBeGreaterThanOrEqual(4.5);
    expect((await coloursOf(list)).paper, colorScheme).toEqual((await coloursOf(page.locator('body'))).paper);
  }
});
