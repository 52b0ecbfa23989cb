// A lesson whose model comes trained has something to show at once, and an address without a state.
import { expect, expectStep, open, place, press, test } from './pages';

const LESSON = 'lessons/08-looking-back/';

test('it opens where the forward pass is done, and a link tells the start from it', async ({ page }) => {
  await open(page, LESSON);
  const { step, of, name } = await place(page);
  expect(name).toBe('L');
  expect(step).toBeLessThan(of);
  await expect(page.locator('u-alignment svg .hollow')).toHaveCount(0);
  await page.waitForTimeout(600);
  expect(new URL(page.url()).hash).toBe('');
  await press(page, 'First step');
  await expectStep(page, 0);
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#v1\./);
  await page.reload();
  await expectStep(page, 0);
  await press(page, 'Reset');
  await expectStep(page, step);
  await expect.poll(() => new URL(page.url()).hash).toBe('');
});

test('“Play” begins at the beginning, and goes on where it was paused', async ({ page }) => {
  await open(page, LESSON);
  const { step } = await place(page);
  await press(page, 'Play');
  await expect.poll(async () => (await place(page)).step).toBeGreaterThan(2);
  await press(page, 'Pause');
  const paused = (await place(page)).step;
  expect(paused).toBeLessThan(step);
  await press(page, 'Step forward');
  await expectStep(page, paused + 1);
});

test('an option stays in its place when it is chosen', async ({ page }) => {
  await open(page, LESSON);
  const option = page.getByRole('radio').first();
  await option.scrollIntoViewIfNeeded();
  const before = await option.boundingBox();
  await option.check();
  expect(await option.boundingBox()).toEqual(before);
});

test('what the model writes says that numbers changed on the bench do not count there', async ({ page }) => {
  await open(page, 'lessons/03-seq2seq/');
  const write = page.locator('u-write').first();
  await expect(write).toContainText('after 1,000 steps');
  await expect(write).not.toContainText('not here');
  await page.getByRole('button', { name: 'Show on the bench' }).first().click();
  await press(page, 'Edit value');
  await page.locator('u-inspector input').fill('0.9');
  await page.keyboard.press('Enter');
  await expect(write).toContainText('The number that you changed on the bench counts there only, not here.');
});

test('what is wider or longer than its place fades out there', async ({ page }) => {
  await page.setViewportSize({ width: 480, height: 800 });
  await open(page, 'lessons/05-decoding/');
  await press(page, 'Fold workbench');
  await page.locator('u-write[data-show="tree"]').scrollIntoViewIfNeeded();
  const tree = page.getByRole('tree', { name: 'Beginnings of the beam search' }).first();
  await expect(tree).toHaveAttribute('data-more', 'right');
  await tree.evaluate((box) => (box.scrollLeft = 60));
  await expect(tree).toHaveAttribute('data-more', 'left right');
  await tree.evaluate((box) => (box.scrollLeft = 10_000));
  await expect(tree).toHaveAttribute('data-more', 'left');
});
