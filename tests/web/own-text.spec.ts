// The end of the lesson on language models: the learner's own text on the workbench, with the engine's figures.
import { CHOICES, startOf } from '../../web/src/workbench/models';
import { withTask, type Recipes } from '../../web/src/workbench/settings';
import { countsOf } from '../../web/src/ui/words';
import { figures } from '../../web/src/bench/training/figures';
import { untrained } from '../../web/src/lab/training';
import type { Config } from '../../web/src/engine/types';
import { addressed } from './acts';
import { expect, open, press, rested, test } from './pages';
import type { EngineSession } from '../../web/src/engine/session';
import { engine as wholeEngine, value as granted } from '../bindings/modules';

const TEXT = 'the tide comes in and the tide goes out, and the boat in the harbour waits for the wind. '.repeat(12);
const STEPS = 8;
const WATCHED = 3;

/** The engine with the model that learns the text, as the workbench sets it up. */
async function learner(seed: number): Promise<EngineSession> {
  const session = new (await wholeEngine()).Session();
  const recipes: Recipes = async (task, model) => granted(session.recipe(task, model));
  const model = CHOICES.find(({ kind }) => kind === 'transformer_lm')!;
  const settings = await withTask({ text: TEXT }, await startOf(model, recipes), recipes);
  granted(session.load(JSON.parse(JSON.stringify({ ...settings, seed })) as Config));
  return session;
}

test('the learner’s own text is entered, learnt and watched', async ({ page }) => {
  await open(page, 'lessons/language-model/');
  await page.locator('h2[id="a-text-of-your-own"] + p').getByRole('link', { name: 'workbench' }).click();
  await page.getByRole('combobox', { name: 'Model' }).selectOption({ label: 'Transformer language model' });
  await page.getByRole('combobox', { name: 'Task' }).selectOption({ label: 'own text' });
  await page.getByLabel('Your text').fill(TEXT);
  await press(page, 'Use this text');
  const session = await learner(Number(await page.getByRole('textbox', { name: 'Seed' }).inputValue()));
  const task = granted(session.task());
  await expect(page.getByText(`In use: ${countsOf(task)}`)).toBeVisible();

  const training = page.getByRole('group', { name: 'Training', exact: true });
  await training.getByRole('textbox', { name: 'Steps to train' }).fill(String(STEPS));
  await press(page, 'Train');
  await press(page, 'Curves and samples');
  await expect(training.getByRole('status')).toContainText(`Trained at step ${STEPS}`);
  await rested(page);
  const trained = granted(session.train(STEPS));
  const [, loss] = figures({ ...untrained(), ...trained });
  const shown = training.locator('.strip .figures div', { has: page.getByText('loss', { exact: true }) });
  await expect(shown.locator('dd')).toHaveText(loss![1]);
  const unseen = granted(session.pairs('validation', 1, WATCHED));
  const written = unseen.map(({ source }) => granted(session.generate(source.join(task.separator), {})));
  const wrote = await training.locator('.samples .wrote').allTextContents();
  expect(wrote.slice(-WATCHED).map((text) => text.replace(/ …$/, ''))).toEqual(
    written.map(({ tokens }) => tokens.join(task.separator)),
  );
  await addressed(page);
  await page.reload();
  await expect(page.getByText(`In use: ${countsOf(task)}`)).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Read as' })).toHaveValue('characters');
  await expect(shown.locator('dd')).toHaveText(loss![1]);
});
