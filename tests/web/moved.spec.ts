// Old lesson addresses, with a number in them, lead to the lesson at the same section or state.
import { readFileSync } from 'node:fs';
import { newName, OLD_NAMES } from '../../web/src/lab/old-names';
import { linkTo } from './links';
import { benchOf, expect, PAGES, site, SUB_PATH, test, type WithLab } from './pages';

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
  const state = await benchOf(page).evaluate(({ lab }: WithLab) => lab.state);
  expect(state).toMatchObject({ lesson: 'recurrent-language-model', seed: 5 });
});

test('without scripts, every old page has one link, to its lesson, and is not found by search engines', () => {
  for (const old of OLD_NAMES) {
    const [page, lesson] = [readFileSync(`${site}/lessons/${old}/index.html`, 'utf8'), newName(old)];
    expect(PAGES).toContain(`lessons/${lesson}/`);
    expect(page).toContain('<meta name="robots" content="noindex"');
    expect(page).toContain(`<link rel="canonical" href="../${lesson}/"`);
    expect(Array.from(page.matchAll(/<a [^>]*href="([^"]*)"/g), ([, href]) => href)).toEqual([`../${lesson}/`]);
  }
});
