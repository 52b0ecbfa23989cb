// The learner's own pairs: they and the weights trained on them come back after a reload; a link does not hold them.
import { addressed } from './acts';
import { copiedLink, openOwnData } from './hands';
import { expect, forget, notice, open, press, test } from './pages';
import { countSteps, figure, resumed, spoil, train } from './trainings';

const PAIRS = Array.from({ length: 40 }, (_, i) => `${i}\t${String(i).split('').reverse().join('')}`).join('\n');

test('own pairs and their weights come back after a reload; a link says that it does not hold them', async ({
  page,
}) => {
  const asked = await countSteps(page);
  await openOwnData(page);
  await page.getByLabel('Your pairs').fill(PAIRS);
  await press(page, 'Use these pairs');
  await expect(page.getByText(/^In use: /)).toBeVisible();
  await train(page, 20);
  const [loss, hidden] = [await figure(page, 'loss'), page.locator('u-setup [name="hidden"]')];
  const width = await hidden.inputValue();
  await addressed(page);
  const expectWeights = async (): Promise<void> => {
    await resumed(page, 20);
    expect(await asked()).toBe(0);
    expect(await figure(page, 'loss')).toBe(loss);
  };
  await page.reload();
  await expectWeights();
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('seq2seq');
  await expect(hidden).toHaveValue(width);
  await expect(page.getByText(/^In use: /)).toBeVisible();

  await spoil(page, 'checkpoints', 'note => ({ ...note, engine: "before" })');
  await page.reload();
  await expect(notice(page)).toContainText('These weights were made by an earlier version of the engine');
  await expectWeights();

  const link = await copiedLink(page);
  await expect(notice(page)).toContainText('this link opens the page without your data or your model');
  await page.goto('about:blank');
  await forget(page, link);
  await open(page, link);
  await expect(notice(page)).toContainText('The link needs pairs or text that only the browser it was made in has');
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('attention');
});
