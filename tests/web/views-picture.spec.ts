// The picture view on a real bench: what the words of a caption attend to, and what the picture's cells attend to.
import type { Locator } from '@playwright/test';
import { contrast, type Rgb } from '../../web/src/figures/shared/palette';
import { reload } from './acts';
import { expectAccessible, THEMES } from './axe';
import { benchOf, expect, open, press, stepTo, test, toOperation, type Page, type WithLab } from './pages';
import { cellsOf, expectClean, expectExports, openViews, summaryOf } from './views-bench';

const CAPTIONER = { kind: 'captioner', task: 'captions', grid_attention: true, seed: 7 };

/** Colours of an image at points given as fractions of its width and height. */
async function colours({ shot, at }: { shot: string; at: readonly (readonly [number, number])[] }): Promise<Rgb[]> {
  const image = new Image();
  image.src = `data:image/png;base64,${shot}`;
  await image.decode();
  const { width, height } = image;
  const drawing = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')!;
  drawing.drawImage(image, 0, 0);
  return at.map(([x, y]) => [...drawing.getImageData(x * width, y * height, 1, 1).data].slice(0, 3) as unknown as Rgb);
}

test('a caption word, and a cell of the picture, show what they attend to', async ({ page }) => {
  await openViews(page, CAPTIONER, ['picture']);
  const view = page.locator('u-picture');
  await press(page, 'Last step');
  await expect(view.locator('image')).toHaveAttribute('href', /^data:image\/png/);
  await view.locator('.token').nth(1).click();
  const node = (await view.locator('figure').getAttribute('data-tensor'))!;
  expect(node).toBe('decoder.t1.attention/α');
  await view.getByRole('button', { name: 'Values' }).click();
  await expect(view.locator('.number')).toHaveCount(16);
  await view.getByRole('group', { name: 'Words of the caption' }).getByRole('button').first().press('Enter');
  await expect(view.locator('figure')).toHaveAttribute('data-tensor', 'decoder.t0.attention/α');
  await press(view, 'Show as table');
  const weights = await cellsOf(view, 'decoder.t0.attention/α');
  expect(weights).toHaveLength(16);
  expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
  await press(view, 'Show as figure');
  await view.getByRole('button', { name: 'Places' }).click();
  await view.getByRole('grid').focus();
  await page.keyboard.press('ArrowRight');
  await expect(view.getByRole('gridcell')).toHaveText(/^row 0, column 1 .* attends most to row \d, column \d/);
});

test('the picture follows the bench; a choice holds until the bench moves on', async ({ page }) => {
  await openViews(page, CAPTIONER, ['picture']);
  const view = page.locator('u-picture');
  const places = view.getByRole('button', { name: 'Places', pressed: true });
  await stepTo(page, 'grid_attention');
  await expect(places).toBeVisible();
  await stepTo(page, 'decoder.t0');
  await expect(view.locator('.token').nth(0)).toHaveAttribute('aria-pressed', 'true');
  await view.getByRole('button', { name: 'Places' }).click();
  await reload(page);
  await expect(places).toBeVisible();
  await toOperation(page, 'decoder.t0/logits');
  await expect(places).toBeVisible();
  await stepTo(page, 'decoder.t1');
  await expect(view.locator('.token').nth(1)).toHaveAttribute('aria-pressed', 'true');
});

test('a shape stays visible in the picture where almost all of the weight lies', async ({ page }) => {
  await open(page, 'lessons/pictures/');
  const view = page.locator('u-picture');
  await view.locator('.token').nth(12).click();
  await expect(summaryOf(view)).toHaveText('cross attends most to row 1, column 3 (blue-cross): 0.87');
  await view.locator('svg.drawn').scrollIntoViewIfNeeded();
  const shot = (await view.locator('svg.drawn').screenshot()).toString('base64');
  // The centre of the cross, and the background between two of its arms.
  const at = [12, 9.5].map((y) => [28 / 32, y / 32] as const);
  const [cross, ground] = await page.evaluate(colours, { shot, at });
  expect(contrast(cross!, ground!)).toBeGreaterThan(3);
  const thickness = await view
    .locator('svg.drawn .frame')
    .evaluateAll((frames) => frames.map((frame) => Number(frame.getAttribute('stroke-width'))));
  await press(view, 'Show as table');
  const weights = await cellsOf(view, 'decoder.t12.attention/α');
  expect(thickness.map((thick) => thick / thickness[7]!)).toEqual(
    weights.map((weight) => expect.closeTo(weight / weights[7]!, 5)),
  );
});

/** Words of the caption, without the end. */
const captionOf = async (view: Locator): Promise<string> => {
  const words = await view.locator('.token').allTextContents();
  return words
    .map((word) => word.trim())
    .slice(0, -1)
    .join(' ');
};

/** Presses a field as a person does: a point of the drawing. */
async function pressField(page: Page, row: number, column: number): Promise<void> {
  const { x, y, width } = (await page.locator('u-picture svg.drawn').boundingBox())!;
  await page.mouse.click(x + ((column + 0.5) * width) / 4, y + ((row + 0.5) * width) / 4);
}

const thing = (page: Page, name: string): Locator =>
  page.locator('.palette').getByRole('button', { name, exact: true });

test('a pressed field is painted, the model writes a new caption, and undo takes it back', async ({ page }) => {
  await open(page, 'lessons/pictures/');
  const view = page.locator('u-picture');
  const first = 'a red circle above a green square and left of a blue cross';
  await expect.poll(() => captionOf(view)).toBe(first);
  await pressField(page, 3, 1);
  await expect(page.locator('.palette')).toHaveAccessibleName('What to paint in row 3, column 1 (green-square)');
  await expect(thing(page, 'green square')).toBeFocused();
  await thing(page, 'red square').click();
  await expect.poll(() => captionOf(view)).not.toContain('green');
  await expect(page.locator('.palette')).toBeHidden();
  await pressField(page, 1, 3);
  await thing(page, 'empty').click();
  await expect.poll(() => captionOf(view)).toBe('two red squares');
  await page.keyboard.press('Control+z');
  await expect.poll(() => captionOf(view)).toContain('blue cross');
  await pressField(page, 0, 0);
  await thing(page, 'Undo').click();
  await expect.poll(() => captionOf(view)).toBe(first);
  await pressField(page, 3, 1);
  await expect(thing(page, 'Undo')).toHaveCount(0);
  await thing(page, 'red square').click();
  await expect.poll(() => captionOf(view)).not.toContain('green');
  await reload(page);
  await expect.poll(() => captionOf(view)).toBe('a red square below a blue cross');
});

test('who paints and reads on has the lesson’s picture again', async ({ page }) => {
  await open(page, 'lessons/pictures/');
  const view = page.locator('u-picture');
  await expect.poll(() => captionOf(view)).toContain('blue cross');
  await pressField(page, 1, 3);
  await thing(page, 'empty').click();
  await expect.poll(() => captionOf(view)).not.toContain('cross');
  await page.waitForTimeout(1500); // at rest
  await page
    .locator('u-step[data-given*=pair]')
    .first()
    .evaluate((step) => scrollBy(0, step.getBoundingClientRect().top - innerHeight * 0.31));
  await expect.poll(() => captionOf(view)).toContain('blue cross');
});

test('the fields are painted by keyboard alone', async ({ page }) => {
  await openViews(page, { ...CAPTIONER, grid_attention: false }, ['picture']);
  const view = page.locator('u-picture');
  const source = (): Promise<readonly string[]> => benchOf(page).evaluate(({ lab }: WithLab) => lab.pair!.source);
  await press(page, 'Last step');
  const fields = view.getByRole('grid', { name: /^Fields of the picture/ });
  await fields.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Delete');
  await expect.poll(async () => (await source())[0]).toBe('.');
  await page.keyboard.press('Enter');
  await expect(thing(page, 'empty')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await source())[0]).toMatch(/^yellow-/);
  await expect(fields).toBeFocused();
  await expect(view.getByRole('gridcell')).toHaveText(/^row 0, column 0 \(yellow-\w+\): weight 0\.\d\d$/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.locator('.palette')).toBeHidden();
  await expect(fields).toBeFocused();
});

test('the palette lies within a phone, and axe finds no violations', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, 'lessons/pictures/');
  await pressField(page, 3, 3);
  const palette = page.locator('.palette');
  await expect(palette).toBeInViewport({ ratio: 1 });
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `palette, ${colorScheme}`, { within: 'u-picture' });
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('picture: it can be exported in three formats, and axe finds no violations', async ({ page }) => {
  await openViews(page, CAPTIONER, ['picture']);
  await press(page, 'Last step');
  await expectExports(page, page.locator('u-picture'), 2);
  await expectClean(page, 'u-bench-views');
});
