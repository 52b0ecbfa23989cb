// A lesson with a trained model shows results at once, and its address has no state.
import { enter } from './hands';
import {
  expect,
  expectStep,
  notice,
  open,
  place,
  press,
  rested,
  settled,
  showStage,
  test,
  type WithLab,
} from './pages';
import { stepsTrained } from './trainings';

const LESSON = 'lessons/looking-back/';

test('it opens at its code after the forward pass, and a link can hold the start instead', async ({ page }) => {
  await open(page, LESSON);
  const { step, name } = await place(page);
  expect(name).toBe('decoder.t1.attention/c');
  await expect(page.locator('u-alignment svg .hollow')).toHaveCount(0);
  await page.waitForTimeout(600); // the address is written 400 ms after a change
  expect(new URL(page.url()).hash).toBe('');
  await showStage(page, 'Code');
  await expect(page.locator('.ln.on')).toContainText('matmul(weights, v)');
  await showStage(page, 'Numbers');
  await page.getByRole('grid', { name: 'Cells of decoder.t1.attention/c' }).press('Home');
  await expect(page.locator('u-card dd.later')).toHaveText('not yet'); // the gradient, of the two numbers
  await page.keyboard.press('Escape');
  await press(page, 'Follow the lesson');
  await expect.poll(() => new URL(page.url()).hash).toBe('');
  await press(page, 'First step');
  await expectStep(page, 0);
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#v1\./);
  await page.reload();
  await expectStep(page, 0);
  await press(page, 'Reset');
  await expectStep(page, step);
  await expect.poll(() => new URL(page.url()).hash).toBe('');
  await press(page, 'Step forward');
  expect((await place(page)).name).toBe('decoder.t2');
  expect(await page.locator('u-alignment svg .hollow').count()).toBeGreaterThan(0);
});

test('a figure can fill the window and go back', async ({ page }) => {
  await open(page, 'lessons/attention-today/');
  const figure = page.locator('u-dataflow figure');
  const menu = figure.getByRole('button', { name: 'More of this figure' });
  const before = (await figure.boundingBox())!;
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab'); // to Show alone, the first of the menu
  await page.keyboard.press('Enter');
  await expect(menu).toBeFocused();
  expect(await figure.boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 800 });
  await expect(figure.locator('svg.drawn')).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  await expect.poll(() => figure.boundingBox()).toEqual(before);
  await press(figure, 'Show alone');
  await press(figure, 'Back to its place');
  await expect(menu).toBeFocused();
  await press(figure, 'Show alone');
  await menu.focus(); // its last control
  await page.keyboard.press('Tab');
  await expect.poll(async () => (await figure.boundingBox())!.width).toBe(before.width);
});

test('“Play” starts at the beginning and resumes where paused; a chosen option does not move', async ({ page }) => {
  await open(page, LESSON);
  const { step } = await place(page);
  await press(page, 'Play');
  await expect.poll(async () => (await place(page)).step).toBeGreaterThan(2);
  await press(page, 'Pause');
  const paused = (await place(page)).step;
  expect(paused).toBeLessThan(step);
  await press(page, 'Step forward');
  expect((await place(page)).step).toBeGreaterThan(paused);

  const option = page.getByRole('radio').first();
  await option.scrollIntoViewIfNeeded();
  const before = await option.boundingBox();
  await option.check();
  expect(await option.boundingBox()).toEqual(before);
});

test('the model writes with parameters that are changed on the bench, and says that other edits apply only there', async ({
  page,
}) => {
  await open(page, 'lessons/seq2seq/');
  const write = page.locator('u-write:not([data-untrained])').nth(1);
  await write.scrollIntoViewIfNeeded();
  await expect(write.locator('.written .end')).toBeVisible();
  await expect(write).toContainText('after 1,000 steps of training');
  const edit = (name: string, index: number, value: number) =>
    page
      .locator('u-lab')
      .evaluate((host, [...edit]) => (host as WithLab).lab.edit(...edit), [name, index, value] as const);
  await edit('out.bias', 2, -20);
  await expect(write).toContainText('Greedy, after 1,000 steps of training, with out.bias as you changed it');
  await expect(write).toContainText('cut off after 16 tokens');
  await expect(write.locator('.written .end')).toHaveCount(0);
  await expect(write).not.toContainText('not here');
  await edit('decoder.t0/logits', 8, 0.9);
  await expect(write).toContainText('The value you changed on the bench applies only there, not here.');
});

test('overflowing content fades out at the edge', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, 'lessons/pictures/');
  const words = page.locator('u-picture .playing');
  await expect(words).toHaveAttribute('data-more', 'right');
  await words.evaluate((box) => (box.scrollLeft = 60));
  await expect(words).toHaveAttribute('data-more', 'left right');
  await words.evaluate((box) => (box.scrollLeft = 10_000));
  await expect(words).toHaveAttribute('data-more', 'left');
});

test('Reset and a reload bring the trained model back; trained on, views show its end', async ({ page }) => {
  await open(page, LESSON);
  await showStage(page, 'Training');
  const [numbers, before] = [await settled(page), await stepsTrained(page)];
  expect(before).toBeGreaterThan(0);
  await press(page, 'New seed');
  await rested(page);
  await press(page, 'Dismiss');
  expect(await stepsTrained(page)).toBe(0);
  await press(page, 'Reset');
  await rested(page);
  await expect(notice(page)).toContainText(/Reset: seed \d+ dropped/);
  expect(await stepsTrained(page)).toBe(before);
  expect(await settled(page)).toBe(numbers);
  await press(page, 'Follow the lesson');
  await expect.poll(() => new URL(page.url()).hash).toBe('');
  await page.reload();
  await showStage(page, 'Training');
  await expect.poll(() => stepsTrained(page)).toBe(before);

  await press(page, 'First step');
  await enter(page.getByRole('textbox', { name: 'Steps to train' }), '2');
  await press(page, 'Train');
  await expect.poll(async () => (await place(page)).name).toBe('L');
  await rested(page);
  await page.waitForTimeout(300); // the cursor would have moved
  expect((await place(page)).name).toBe('L');
  await showStage(page, 'Picture');
  await expect(page.locator('u-alignment svg .hollow')).toHaveCount(0);
});
