// Old lesson addresses, with a number in them, lead to the lesson at the same section or state.
import { newName, OLD_NAMES } from '../../web/src/lab/old-names';
import { linkTo } from './links';
import { cold, expect, PAGES, some, SUB_PATH, test } from './pages';

test('under a sub-path an old address leads to the section, whatever its query', async ({ page }) => {
  await page.goto(SUB_PATH);
  await page.goto(`${SUB_PATH}lessons/15-four-words/?from=mail#masks`);
  await expect(page).toHaveURL(/\/some\/where\/lessons\/four-words\/\?from=mail#masks$/);
  await expect(page.locator('#masks')).toBeInViewport();
  await page.goBack();
  await expect(page).toHaveURL(/\/some\/where\/$/); // the old page has left no entry
});

test('an old link to a state opens it in the right lesson', async ({ page }) => {
  await page.goto(`lessons/12-language-model/${linkTo({ lesson: '12-language-model', seed: 5 })}`);
  await expect(page).toHaveURL(/\/lessons\/recurrent-language-model\/#v1\./);
  await expect(page.locator('u-transport')).toContainText(/step \d+ of \d+/);
  await expect(page.locator('u-problem')).toHaveText('');
  const state = await page.evaluate(
    () => (document.querySelector('u-bench') as unknown as { lab: { state: object } }).lab.state,
  );
  expect(state).toMatchObject({ lesson: 'recurrent-language-model', seed: 5 });
});

cold.describe('without scripts', () => {
  cold.use({ javaScriptEnabled: false });

  cold('every old page has a link to its lesson, and is not to be found by search engines', async ({ page }) => {
    for (const old of some(OLD_NAMES, (_, i) => i % 4 === 0)) {
      const lesson = `lessons/${newName(old)}/`;
      expect(PAGES).toContain(lesson);
      await page.goto(`lessons/${old}/`);
      await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
      await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `../${newName(old)}/`);
      await page.getByRole('link').click();
      await expect(page).toHaveURL(new RegExp(`/${lesson}$`));
    }
  });
});
