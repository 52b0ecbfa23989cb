// The guide to writing models leads to the workbench and back, and what it promises can be done there.
import type { Locator, Page } from '@playwright/test';
import { editor, runWhole, typeAfter } from './editor';
import { chooseModel, enter } from './hands';
import { expect, open, openReads, press, rested, shows, showStage, some, test } from './pages';
import { figure } from './trainings';

const GUIDE = 'lessons/write/';
const sections = (page: Page, title: string): Locator =>
  page
    .locator('.program')
    .and(page.locator(`:is(h2, h3):has-text("${title}") ~ .program`))
    .first();

/** Opens the first program below a heading of the guide, by its link; where lines are blank, the solution. */
async function follow(page: Page, title: string): Promise<void> {
  await page.goto(GUIDE);
  const lines = sections(page, title).getByText('Show the lines');
  if (await lines.count()) await lines.click();
  await sections(page, title).getByRole('link', { name: 'Open it on the workbench' }).click();
  await shows(page.locator('u-transport .says'), /./);
  await rested(page);
  await expect(editor(page)).toBeVisible();
}

test('its first program opens on the workbench, shows its shapes and runs after a change', async ({ page }) => {
  await follow(page, 'Your first program');
  await expect(editor(page).locator('.cm-shape')).toHaveText(['4 × 5', '4 × 5', '4 × 2']);
  await typeAfter(page, 5, ' * 2');
  await runWhole(page);
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${GUIDE}$`));
});

test('a stage leaves its new lines blank, opens the program before it, and shows them on demand', async ({ page }) => {
  await page.goto(GUIDE);
  const stage = sections(page, '3. Attention');
  await expect(stage.locator('.blank')).toHaveCount(8);
  await expect(stage.getByText('masked_fill').first()).toBeHidden();
  await stage.getByText('Show the lines').click();
  await expect(stage.getByText('masked_fill').first()).toBeVisible();
  await stage.getByRole('link', { name: 'Open the program before it' }).click();
  await shows(page.locator('u-transport .says'), /./);
  await expect(editor(page)).toContainText('def forward(source, target_in)');
  await expect(editor(page)).not.toContainText('masked_fill');
});

test('its last program trains, writes words backwards and shows where it looked', async ({ page }) => {
  test.setTimeout(120_000);
  await follow(page, 'Counted from the end');
  await press(page, 'Train');
  await expect.poll(async () => parseFloat(await figure(page, 'exact match')), { timeout: 60_000 }).toBeGreaterThan(99);
  await openReads(page);
  await showStage(page, 'Picture');
  await enter(page.getByRole('textbox', { name: 'Source' }), 'abcdefg');
  await rested(page);
  await expect(page.locator('u-pair')).toContainText(/writes.*g\s*f\s*e\s*d\s*c\s*b\s*a/s);
  await expect(page.locator('u-alignment')).toBeVisible();
});

for (const width of some([1280, 360], (each) => each === 360))
  test(`the editor leads to it, from a bar that it does not crowd at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 });
    await open(page, 'workbench/');
    await chooseModel(page, 'program_seq2seq');
    if (width < 768) await page.getByRole('tab', { name: 'Code' }).click();
    await expect(editor(page)).toBeVisible();
    const guide = page.getByRole('link', { name: 'Guide' });
    const [link, run] = await Promise.all(
      [guide, page.getByRole('button', { name: 'Run', exact: true })].map((each) => each.boundingBox()),
    );
    expect(link!.y + link!.height / 2).toBeCloseTo(run!.y + run!.height / 2, 0);
    await guide.click();
    await expect(page).toHaveURL(new RegExp(`${GUIDE}$`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Write your own model');
  });

test('it is found from every page', async ({ page }) => {
  await page.goto('lessons/glossary/');
  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Write your own model' }).click();
  await expect(page).toHaveURL(new RegExp(`${GUIDE}$`));
});

test('on a phone nothing of it is wider than the screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(GUIDE);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBe(360);
});
