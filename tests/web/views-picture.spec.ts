// The picture view on a real bench: what the words of a caption attend to, and what the picture's cells attend to.
import { contrast, type Rgb } from '../../web/src/figures/shared/palette';
import { reload } from './acts';
import { expect, open, press, stepTo, test, toOperation } from './pages';
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
  await view.getByRole('slider', { name: 'Word of the caption' }).focus();
  await page.keyboard.press('Home');
  await expect(view.locator('figure')).toHaveAttribute('data-tensor', 'decoder.t0.attention/α');
  await press(view, 'Show as table');
  const weights = await cellsOf(view, 'decoder.t0.attention/α');
  expect(weights).toHaveLength(16);
  expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
  await press(view, 'Show as figure');
  await view.getByRole('button', { name: 'Places' }).click();
  await view.getByRole('grid', { name: 'Places of the picture' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(view.getByRole('gridcell')).toHaveText(/^row 0, column 1 .* attends most to row \d, column \d/);
});

test('the picture follows the bench; a choice holds until the bench moves on', async ({ page }) => {
  await openViews(page, CAPTIONER, ['picture']);
  const view = page.locator('u-picture');
  const places = view.getByRole('grid', { name: 'Places of the picture' });
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

test('picture: it can be exported in three formats, and axe finds no violations', async ({ page }) => {
  await openViews(page, CAPTIONER, ['picture']);
  await press(page, 'Last step');
  await expectExports(page, page.locator('u-picture'), 2);
  await expectClean(page, 'u-bench-views');
});
