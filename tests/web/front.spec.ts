// The front page: what is seen without scrolling, the translator, the map, the way to the last lesson, and its weight.
import type { Page, Response } from '@playwright/test';
import { brotliCompressSync } from 'node:zlib';
import { readLibrary } from '../../web/plugin/library';
import { modelOf, openTranslator, translatingIn } from '../../web/plugin/translator';
import { write } from '../../web/src/app/front/writing';
import { FRONT, LESSONS, PAGES, TEXTS } from './addresses';
import { expectAccessible } from './axe';
import { linkTo } from './links';
import { wholeRun } from '../bindings/modules';
import { benchOf, cold, expect, open, rested, test, type WithLab } from './pages';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
];

const said = (page: Page) => page.locator('u-translator .say');
const read = (page: Page, word: string) =>
  page.getByRole('group', { name: /^English words/ }).getByRole('button', { name: word, exact: true });
const written = (page: Page) => page.getByRole('group', { name: /^French words/ }).getByRole('button');
const undo = (page: Page) => page.getByRole('button', { name: 'Undo everything' });

for (const size of SIZES)
  test(`at ${size.width} × ${size.height} what it is, for whom, how long, what one should know and Start are in sight`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    await page.goto(FRONT);
    const first = page.locator('.first');
    for (const part of ['h1', '.lead', 'dt:text("For")', 'dt:text("Time")', 'dt:text("You need")', 'a:text("Start")'])
      await expect(first.locator(part)).toBeInViewport({ ratio: 1 });
    await expect(page.locator('u-translator')).toBeInViewport({ ratio: 1 });
    expect(await page.locator('main').innerText()).not.toContain('C++');
    const doors = page.getByRole('navigation', { name: 'Four doors' }).getByRole('link');
    const addresses = await doors.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    expect(addresses).toEqual(['#course', './lessons/write/', './workbench/', './lessons/teach/']);
    if (size.width === 1280) for (const door of await doors.all()) await expect(door).toBeInViewport({ ratio: 1 });
  });

test('a word that is hidden changes what the engine writes, by the numbers of the engine in Node', async ({ page }) => {
  const model = modelOf(translatingIn(await readLibrary())!);
  const [reading, own] = await openTranslator(model);
  await page.goto(FRONT);
  const links = (): Promise<string[]> =>
    page.locator('u-translator path').evaluateAll((all) => all.map((path) => path.getAttribute('style')!).sort());
  const expected = (weights: number[][]): string[] =>
    weights
      .slice(0, -1)
      .flat()
      .filter((weight) => weight >= 0.04)
      .map((weight) => `--p: ${weight.toFixed(3)}`)
      .sort();
  const before = await links();
  expect(before).toEqual(expected(own.weights));
  await expect(written(page)).toHaveText(own.words);

  await read(page, 'cow').click();
  await expect(said(page)).toHaveText('Without cow the model writes souris in place of vache.');
  await expect(read(page, 'cow')).toHaveAttribute('aria-pressed', 'true');
  const hidden = (await write(reading, own.words, { hidden: [2], pulls: [] }))!;
  await expect(written(page)).toHaveText(hidden.words);
  expect(await links()).toEqual(expected(hidden.weights));
  await expectAccessible(page, 'a hidden word');

  await undo(page).click();
  await expect(written(page)).toHaveText(own.words);
  expect(await links()).toEqual(before);
  await expect(undo(page)).toHaveCount(0);
  await expect(read(page, 'the').first()).toBeFocused();
});

test('by keyboard, a word gets all the weight of one that was written', async ({ page }) => {
  await page.goto(FRONT);
  await written(page).last().focus();
  await page.keyboard.press('Enter');
  await expect(said(page)).toHaveText(/^For pomme the model looks most at apple, with 78 %/);
  await expect(written(page).last()).toBeFocused();
  await read(page, 'cow').focus();
  await page.keyboard.press('Space');
  await expect(said(page)).toHaveText('With all the weight on cow the model writes vache in place of pomme.');
  await page.keyboard.press('Space');
  await expect(said(page)).toHaveText(/^For pomme the model looks most at apple/);
  await page.keyboard.press('Escape');
  await expect(page.locator('u-translator .do')).toHaveText('Press a word to hide it');
});

test('of several presses the last counts', async ({ page }) => {
  await page.goto(FRONT);
  for (const word of ['black', 'cow', 'eats']) await read(page, word).click();
  await expect(said(page)).toHaveText('Without eats the model writes noire a mangé in place of mange.');
  await expect(page.locator('.read [aria-pressed=true]')).toHaveText(['eats']);
});

test.describe('without the model', () => {
  test.use({ complains: true });

  test('one sentence says so, the drawing stays, and another press tries again', async ({ page }) => {
    await page.route('**/translator.safetensors', (route) => route.abort());
    await page.goto(FRONT);
    const drawing = await page.locator('u-translator .area').innerHTML();
    await read(page, 'cow').click();
    await expect(said(page)).toContainText('The model could not be loaded, so the drawing stays as it is.');
    expect(await page.locator('u-translator .area').innerHTML()).toBe(drawing);
    await page.unrouteAll();
    await read(page, 'cow').click();
    await expect(said(page)).toContainText('Without cow');
  });
});

test('says that the model is loading, and how large it is', async ({ page }) => {
  let go = (): void => undefined;
  const held = new Promise<void>((done) => (go = done));
  await page.route('**/translator.safetensors', async (route) => (await held, route.continue()));
  await page.goto(FRONT);
  await read(page, 'cow').click();
  await expect(said(page)).toHaveText(/^The model is loading, \d{3} KB\.$/);
  go();
  await expect(said(page)).toContainText('Without cow');
});

test('says after a second that the model is at work, and can be stopped', async ({ page, engine }) => {
  await page.goto(FRONT);
  await read(page, 'cow').click();
  const before = 'Without cow the model writes souris in place of vache.';
  await expect(said(page)).toHaveText(before);
  await engine.hold();
  await read(page, 'eats').click();
  await expect(said(page)).toHaveText(before);
  await expect(said(page)).toHaveText('The model is writing …');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(said(page)).toHaveText(before);
  await expect(read(page, 'eats')).toHaveAttribute('aria-pressed', 'false');
  await engine.release();
  await read(page, 'cow').click();
  await expect(said(page)).toContainText('Each line leads from a French word');
});

test('one press leads to the lessons that explain it, by words that stay', async ({ page }) => {
  await page.goto(FRONT);
  const links = page.locator('.explained').getByRole('link');
  await expect(links).toHaveText([
    'How attention works 9 · Looking back: attention',
    'How it learned this 10 · Alignment for free',
  ]);
  await read(page, 'cow').click();
  await expect(said(page)).toContainText('Without cow');
  await links.first().click();
  await expect(page).toHaveURL(/lessons\/looking-back\/$/);
});

test('at 360 px no word and no path is cut', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(FRONT);
  const margin = await page.locator('h1').evaluate((title) => title.getBoundingClientRect().left);
  for (const part of ['u-translator .w', '.course-paths label', '.explained a'])
    for (const each of await page.locator(part).all()) {
      const { x, width } = (await each.boundingBox())!;
      expect(x + width, await each.innerText()).toBeLessThanOrEqual(360 - margin + 0.5);
    }
});

test('the map marks the lessons of a path, by keyboard, and what a lesson needs', async ({ page }) => {
  await page.goto(FRONT);
  const minutes = page.locator('.lines small').filter({ visible: true });
  const parts = await page.locator('.line h3').count();
  await expect(minutes).toHaveCount(parts + 4);
  await page.getByRole('radio', { name: 'One hour' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.about:visible')).toContainText('One period');
  await expect(minutes).toHaveCount(parts + 3);
  await page.locator('[data-stop=the-block] a').focus();
  await expect(page.locator('.needs .lit')).toHaveCount(2);
});

test('in the list what a lesson needs is set apart from its exercises', async ({ page }) => {
  await page.goto(FRONT);
  await page.getByText('As a list').click();
  const row = page.locator('main .contents [data-slug=seq2seq] .meta');
  await expect(row).toHaveText(/^\d+–\d+\smin \d+ exercises needs Gates/);
  const before = (part: Element): string => getComputedStyle(part, '::before').content;
  expect(await row.locator('.done').evaluate(before)).toBe(await row.locator('.needs').evaluate(before));
  expect(await row.locator('.needs').evaluate(before)).toContain('·');
});

test('by keyboard alone from the front page to the last lesson', async ({ page }) => {
  await page.goto(FRONT);
  const last = page.locator(`.lines a[href$="${PAGES.at(-1)!}"]`);
  for (let i = 0; i < 80 && !(await last.evaluate((each) => each === document.activeElement)); i++)
    await page.keyboard.press('Tab');
  await expect(last).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${PAGES.at(-1)!}$`));
});

/** After the text of a lesson: the next one. */
const next = (page: Page) => page.locator('article .next a').last();
const isAt = (page: Page, path: string): Promise<void> => expect(page).toHaveURL(new RegExp(`/${path}$`));

cold.describe('by touch at 360 px', () => {
  cold.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  cold('from Start lesson by lesson, and by the menu, to the last', async ({ page }) => {
    cold.slow();
    await page.goto(FRONT);
    await page.getByRole('link', { name: /^Start/ }).tap();
    const [first, ...others] = LESSONS.slice(0, wholeRun ? -1 : 2);
    await isAt(page, first!);
    for (const lesson of others) {
      await next(page).tap();
      await isAt(page, lesson);
    }
    const menu = page.getByRole('navigation', { name: 'Lessons' });
    await page.getByRole('button', { name: 'Lessons' }).tap();
    await expect(menu.locator('[aria-current]')).toBeInViewport({ ratio: 1 });
    await menu
      .locator(`a[href$="${LESSONS.at(-2)!}"]`)
      .first()
      .tap();
    await isAt(page, LESSONS.at(-2)!);
    await page.getByRole('button', { name: 'Lessons' }).tap();
    await expect(menu.locator('li [aria-current]')).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
    await next(page).tap();
    await isAt(page, LESSONS.at(-1)!);
  });

  cold('a word of the translator is hidden', async ({ page }) => {
    await page.goto(FRONT);
    await read(page, 'cow').tap();
    await expect(said(page)).toHaveText('Without cow the model writes souris in place of vache.');
  });
});

cold.describe('with styles off', () => {
  const plain = (page: Page): Promise<unknown> =>
    page.route('**/*.css', (route) => route.fulfill({ contentType: 'text/css', body: '' }));

  cold('the translator writes, and a lesson is stepped', async ({ page }) => {
    await plain(page);
    await page.goto(FRONT);
    await read(page, 'cow').click();
    await expect(said(page)).toHaveText('Without cow the model writes souris in place of vache.');
    await page.getByRole('link', { name: /^Start/ }).click();
    await isAt(page, LESSONS[0]!);
    await next(page).click();
    await isAt(page, LESSONS[1]!);
    const says = page.locator('u-transport .says');
    await expect(says).toHaveText(/./);
    const before = await says.innerText();
    await page.getByRole('button', { name: 'Step back' }).click();
    await expect(says).not.toHaveText(before);
  });

  cold('and without scripts, from Start lesson by lesson to the last', async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
    const page = await context.newPage();
    await plain(page);
    await page.goto(FRONT);
    await page.getByRole('link', { name: /^Start/ }).click();
    for (const lesson of LESSONS) {
      await isAt(page, lesson);
      await next(page).click();
    }
    await context.close();
  });
});

test.describe('by touch', () => {
  test('at 360 px every control is large enough, and leads to the last lesson', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(FRONT);
    const small = await page
      .locator('main :is(a, button, label, summary)')
      .filter({ visible: true })
      .evaluateAll((all) =>
        all.filter((each) => each.getBoundingClientRect().height < 43.5).map((each) => each.textContent!.trim()),
      );
    expect(small).toEqual([]);
    await page.locator(`.lines a[href$="${PAGES.at(-1)!}"]`).click();
    await expect(page).toHaveURL(new RegExp(`${PAGES.at(-1)!}$`));
  });
});

cold('without scripts and styles it reads from top to bottom, and leads everywhere', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
  const page = await context.newPage();
  await page.route('**/*.css', (route) => route.abort());
  await page.goto(FRONT);
  const links = await page.locator('main a').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
  for (const path of [...PAGES, ...LESSONS, TEXTS[2]!]) expect(links).toContain(`./${path}`);
  await expect(page.locator('main .contents .summary').first()).toBeVisible();
  await expect(page.locator('main').getByText('needs A recurrent cell').first()).toBeVisible();
  await context.close();
});

cold('weighs at most 300 KB in Brotli until it is touched', async ({ page }) => {
  const answers: Response[] = [];
  page.on('response', (response) => void answers.push(response));
  await page.goto(FRONT);
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all(answers.map(async (each) => brotliCompressSync(await each.body()).length));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  cold.info().annotations.push({ type: 'size', description: `${total} bytes in ${answers.length} files` });
  expect(answers.filter((each) => /wasm|safetensors/.test(each.url()))).toEqual([]);
  expect(total).toBeLessThanOrEqual(300 * 1024);
});

test('a link to a state of the bench that was here opens on the workbench', async ({ page }) => {
  const edits = [{ name: 'X', index: 0, value: 2 }];
  await page.goto(FRONT + linkTo({ lesson: 'home', edits: [['X', 0, 2]] }));
  await expect(page).toHaveURL(/\/workbench\/#v1\./);
  await open(page, page.url());
  await rested(page);
  const state = await benchOf(page).evaluate(({ lab }: WithLab) => lab.state);
  expect(state).toMatchObject({ lesson: '', seed: 7, edits, config: { W_V: [1, 1, 0, 0, 1, 1, 0, 0, 0] } });
});

test('who reads code begins with the code pinned, and goes on so', async ({ page }) => {
  await page.goto('');
  await page.getByRole('radio', { name: 'Who reads code' }).check();
  await page.locator('[data-stop="softmax"] a').click();
  await expect(page).toHaveURL(/softmax\/\?pinned=code$/);
  await expect(page.locator('u-code .src')).toBeVisible();
  await expect(page.locator('article .next a').last()).toHaveAttribute('href', /\?pinned=code$/);
  await page.goto(`${page.url().replace(/\?.*/, '')}?pinned=nonsense`);
  await expect(page.locator('u-grid canvas').first()).toBeVisible();
  await expect(page.locator('u-code')).toHaveCount(0);
});
