// Training started by a link, and the limit up to which a link can hold a trained model.
import { linkTo } from './links';
import { expect, notice, press, rested, test } from './pages';
import { begin, countSteps, ended, figure, SMALL, small, stepsTrained, train } from './trainings';

test('a link that would train for a long time trains briefly and asks before going on', async ({ page }) => {
  const config = { ...SMALL, embedding: 64, hidden: 128, attention_size: 128, batch: 64 };
  await page.goto(`workbench/${linkTo({ lesson: '', config, steps: 100_000 })}`);
  const words = /^Training is at step [\d,]+ of 100,000: the rest will take about [\d,]+ minutes on this device\.$/;
  await expect(notice(page).locator('p')).toHaveText(words, { timeout: 20_000 });
  await rested(page);
  const before = await stepsTrained(page);
  await press(page, 'Continue training');
  await expect.poll(() => stepsTrained(page)).toBeGreaterThan(before);
  await press(page, 'Stop');
});

test('training started by a link can be stopped at once', async ({ page }) => {
  await page.addInitScript(() => {
    const look = (): void => {
      const stop = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Stop');
      if (stop) stop.click();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const config = { ...SMALL, embedding: 64, hidden: 128, attention_size: 128, batch: 64 };
  await page.goto(`workbench/${linkTo({ lesson: '', config, steps: 300 })}`);
  await expect(notice(page)).not.toHaveText('');
  await rested(page);
  const words = await notice(page).locator('p').textContent();
  const [, step] = /^Training is at step (\d+) of 300/.exec(words!)!;
  expect(await stepsTrained(page)).toBe(Number(step));
  expect(Number(step)).toBeLessThan(300);
});

test('a model is trained for as many steps as a link can hold, and no more', async ({ page }) => {
  const asked = await countSteps(page);
  await begin(page, small({ steps: 100_000 }));
  const stand = (step: number): Promise<void> =>
    page.evaluate((step) => {
      const { lab } = document.querySelector('u-bench') as unknown as { lab: { training: object } };
      lab.training = { ...lab.training, step, target: step };
    }, step);
  await stand(99_990);
  await train(page, 300);
  expect(await asked()).toBe(10);
  await stand(100_000);
  await press(page, 'Train');
  await expect(notice(page)).toContainText('This model has been trained for 100,000 steps, the most a link can hold');
  expect(await asked()).toBe(10);
});

test('after the end of its schedule a model still learns, and the page says how', async ({ page }) => {
  const words = 'The schedule of 30 steps has ended: further training restarts it.';
  await begin(page, small({ steps: 30, warmup: 5, learning_rate: 0.01 }));
  await expect(page.getByText(words)).toHaveCount(0);
  await press(page, 'Train');
  await ended(page);
  await expect(page.getByText(words)).toBeVisible();
  const loss = parseFloat(await figure(page, 'loss'));
  await train(page, 150);
  expect(parseFloat(await figure(page, 'loss'))).toBeLessThan(0.9 * loss);
});
