// One stage at a time: what the lesson is about, what the reader chose instead, a second one beside it, the width of the
// text, the presenter, and the card of a cell.
import { addressed, reload } from './acts';
import { check, chooseCell, reach, taskOn } from './hands';
import { linkTo } from './links';
import { benchOf, expect, notice, open, openNumbers, place, press, rested, settled, showStage, test } from './pages';
import type { Locator } from '@playwright/test';
import type { Page, WithLab } from './pages';

const LESSON = 'lessons/looking-back/';
const WORKBENCH = { lesson: '', config: { kind: 'attention' } };

const chosen = (page: Page) => page.getByRole('tab', { selected: true });
const pinned = (page: Page) => page.locator('.pane + .pane');
const follow = (page: Page) => page.getByRole('button', { name: 'Follow the lesson' });

/** Has the next task or step of the text speak of a stage, and reads on to it. */
async function readOn(page: Page, stage: string): Promise<void> {
  const step = page.locator('article.text u-step').nth(1);
  await step.evaluate((each, stage) => (each.dataset.stage = stage), stage);
  await page.waitForTimeout(300); // the page has settled, and takes scrolling for reading
  await step.evaluate((each) => scrollTo({ top: scrollY + each.getBoundingClientRect().top - innerHeight * 0.3 }));
}

test('the lesson says what is shown; what the reader chose outlasts it, also after a reload', async ({ page }) => {
  await open(page, LESSON);
  await expect(chosen(page)).toHaveText('Picture');
  await expect(follow(page)).toHaveCount(0);
  await readOn(page, 'code');
  await expect(chosen(page)).toHaveText('Code');
  await expect(page.locator('.ln.on')).toBeVisible();

  await showStage(page, 'Training');
  await benchOf(page).evaluate(({ lab }: WithLab) => lab.speakOf('numbers'));
  await expect(follow(page)).toBeVisible();
  await expect(chosen(page)).toHaveText('Training');
  await reload(page);
  await rested(page);
  await expect(chosen(page)).toHaveText('Training');
  await follow(page).click();
  await expect(chosen(page)).toHaveText('Picture');
  await expect(follow(page)).toHaveCount(0);
  await benchOf(page).evaluate(({ lab }: WithLab) => lab.speakOf('code'));
  await expect(chosen(page)).toHaveText('Code');
});

test('a reader who follows the lesson still does after steps and a reload', async ({ page }) => {
  await open(page, LESSON);
  await press(page, 'Step forward');
  const before = await place(page);
  await addressed(page);
  expect(page.url()).toContain('#v1.');
  await page.reload();
  await rested(page);
  expect(await place(page)).toEqual(before);
  await expect(chosen(page)).toHaveText('Picture');
  await expect(follow(page)).toHaveCount(0);
});

test('a link opens on its stage, with the second one pinned beside it', async ({ page }) => {
  await open(page, `workbench/${linkTo({ ...WORKBENCH, stage: 'code', pinned: 'numbers' })}`);
  await expect(chosen(page)).toHaveText('Code');
  await expect(pinned(page)).toHaveAttribute('data-pane', 'numbers');
  await open(page, `lessons/softmax/`);
  await page.goto(`workbench/${linkTo({ ...WORKBENCH, stage: 'numbers', pinned: 'none' })}`);
  await rested(page);
  await expect(chosen(page)).toHaveText('Numbers');
  await expect(pinned(page)).toHaveCount(0);
});

for (const [field, value] of [
  ['stage', 'board'],
  ['pinned', 'everything'],
] as const)
  test(`a link with an unknown ${field} is refused in a sentence, and the page opens as it is`, async ({ page }) => {
    await open(page, `workbench/${linkTo({ ...WORKBENCH, [field]: value })}`);
    await expect(notice(page)).toContainText(
      `In the link, ${field} is "${value}"; it must be "picture", "numbers", "code" or "training"`,
    );
    await expect(chosen(page)).toHaveText('Picture');
    await expect(pinned(page)).toHaveAttribute('data-pane', 'code');
  });

test('an old link opens among the numbers, where its operation and its cell are seen', async ({ page }) => {
  const at = ['attention/α', ''];
  await open(page, `workbench/${linkTo({ ...WORKBENCH, at })}`);
  await expect(chosen(page)).toHaveText('Numbers');
  await expect(page.locator('figure[data-tensor="attention/α"]')).toBeInViewport();
  await open(page, 'lessons/softmax/');
  await open(page, `workbench/${linkTo({ ...WORKBENCH, at, cell: ['attention/α', 5] })}`);
  await expect(chosen(page)).toHaveText('Numbers');
  await expect(page.locator('u-card .where')).toContainText('[1, 1]');
});

test('the tabs are one stop of Tab, with arrow keys inside; a second stage is pinned by keys', async ({ page }) => {
  await open(page, LESSON);
  await reach(page, chosen(page));
  const names = (await page.getByRole('tab').allTextContents()).map((name) => name.trim());
  const start = names.indexOf((await chosen(page).textContent())!.trim()); // what the last section speaks of, which Tab passes
  for (let i = 1; i <= names.length; i++) {
    await page.keyboard.press('ArrowRight');
    await expect(chosen(page)).toHaveText(names[(start + i) % names.length]!);
    await expect(chosen(page)).toBeFocused();
  }
  while ((await chosen(page).textContent())!.trim() !== 'Training') await page.keyboard.press('ArrowLeft');
  await reach(page, page.getByRole('button', { name: 'Show a second stage beside this one' }));
  await page.keyboard.press('Enter');
  await expect(pinned(page)).toHaveAttribute('data-pane', 'picture');
  await reach(page, pinned(page).getByRole('button', { name: 'Numbers' }));
  await page.keyboard.press('Enter');
  await expect(pinned(page)).toHaveAttribute('data-pane', 'numbers');
  await reload(page);
  await rested(page);
  await expect(pinned(page)).toHaveAttribute('data-pane', 'numbers');
  await reach(page, page.getByRole('button', { name: 'Show one stage' }));
  await page.keyboard.press('Enter');
  await expect(pinned(page)).toHaveCount(0);
});

test('the divider moves by arrow keys, within limits, and the browser remembers where it stands', async ({ page }) => {
  await open(page, LESSON);
  const divider = page.getByRole('separator', { name: 'Width of the text' });
  const wide = async (): Promise<number> => (await page.locator('u-bench').boundingBox())!.x;
  const before = await wide();
  await reach(page, divider);
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
  const moved = await wide();
  expect(moved).toBeCloseTo(before + 4 * 16, 0);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  expect(await wide(), 'there and back').toBeCloseTo(moved, 0);
  await expect(divider).toHaveAttribute('aria-valuenow', /^\d+$/);
  await page.reload();
  await rested(page);
  expect(await wide()).toBeCloseTo(moved, 0);
  await open(page, 'lessons/softmax/');
  expect(await wide(), 'in another lesson').toBeCloseTo(moved, 0);
  await divider.focus();
  for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowLeft');
  await expect(divider).toHaveAttribute('aria-valuenow', '20');
  await divider.dblclick();
  expect(await wide()).toBeCloseTo(before, 0);
});

test('the presenter is entered and left by keys: the stage alone, and steps by arrow keys', async ({ page }) => {
  await open(page, LESSON);
  const text = page.locator('article.text');
  await reach(page, page.getByRole('button', { name: /^Present: / }));
  await page.keyboard.press('Enter');
  await expect(text).toBeHidden();
  await expect(page.locator('u-top')).toBeHidden();
  const box = (await benchOf(page).boundingBox())!;
  expect([box.x, box.width]).toEqual([0, 1280]);
  await press(page, 'First step');
  await benchOf(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await place(page)).step).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await expect(text).toBeVisible();
  await reach(page, page.getByRole('button', { name: /^Present: / }));
  await page.keyboard.press('Enter');
  await expect(text).toBeHidden();
  await expect(page.getByRole('button', { name: 'Leave presenting' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(text).toBeVisible();
});

test('on a phone the menu under the picture presents it, on the whole screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, LESSON);
  const paragraph = page.locator('article.text > p').nth(12);
  await paragraph.evaluate((each) => each.scrollIntoView());
  const place = async (): Promise<number> => Math.round((await paragraph.boundingBox())!.y);
  const before = await place();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: /^Present: / }).click();
  await expect(page.locator('article.text')).toBeHidden();
  expect(await benchOf(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 360, height: 740 });
  await press(page, 'Leave presenting');
  await expect(page.locator('article.text')).toBeVisible();
  await expect.poll(place, 'the text is where it was').toBe(before);
});

test('on a phone held across the picture stands wholly seen beside the text', async ({ page }) => {
  await page.setViewportSize({ width: 740, height: 360 });
  await open(page, LESSON);
  const boxOf = async (name: string) => (await page.locator(name).first().boundingBox())!;
  const [text, pane, picture] = [await boxOf('article.text'), await boxOf('.pane'), await boxOf('u-alignment svg')];
  expect(text.x + text.width).toBeLessThanOrEqual(pane.x);
  expect(pane.height).toBeGreaterThan(200);
  expect(picture.y).toBeGreaterThanOrEqual(pane.y);
  expect(picture.y + picture.height).toBeLessThanOrEqual(pane.y + pane.height);
  const controls = await boxOf('u-transport');
  expect(controls.y + controls.height).toBeLessThanOrEqual(360);
});

test('a value typed in the card: left, it changes nothing; set, it is there after a step, a stage, a reload', async ({
  page,
}) => {
  await openNumbers(page, 'workbench/');
  const [first, other] = ['X', 'W_Q'].map((name) => page.getByRole('grid', { name: `Cells of ${name}` }));
  const [field, value] = [page.locator('u-card input.entry'), page.locator('u-card dd').first()];
  await first!.press('Home');
  const before = await value.textContent();
  await first!.press('Enter');
  await field.fill('2.5');
  await other!.press('Home');
  await expect(field).toHaveCount(0);
  await first!.press('Home');
  await expect(value).toHaveText(before!);
  await first!.press('Enter');
  await field.fill('2.5');
  await reload(page);
  await rested(page);
  await expect(value).toHaveText(before!);

  await first!.press('Enter');
  await field.fill('2.5');
  await page.keyboard.press('Enter');
  await expect(value).toHaveText('2.5');
  await expect(first!).toBeFocused();
  await other!.press('Home');
  await press(page, 'Step forward');
  await showStage(page, 'Code');
  await showStage(page, 'Numbers');
  await reload(page);
  await rested(page);
  await first!.press('Home');
  await expect(value).toHaveText('2.5');
  await expect(page.locator('u-card .was-edited')).toHaveText('edited');
  await press(page, 'Undo change');
  await expect(value).toHaveText(before!);
});

test('Escape closes the card and returns to the cell', async ({ page }) => {
  await openNumbers(page, 'workbench/');
  const grid = page.getByRole('grid', { name: 'Cells of W_Q' });
  await grid.press('Home');
  await expect(page.locator('u-card dd').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('u-card')).toHaveCount(0);
  await expect(grid).toBeFocused();
  await grid.press('ArrowRight');
  await reach(page, page.getByRole('button', { name: 'All digits' }));
  await page.keyboard.press('Escape');
  await expect(page.locator('u-card')).toHaveCount(0);
  await expect(grid).toBeFocused();
});

test('on a phone a drawing taller than its pane scrolls to what the stop is about', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, 'lessons/attention-today/');
  for (const name of ['Tile 2 of the weights', 'The context', 'The output']) {
    await press(page, 'Step forward');
    await expect(page.locator('u-transport .says')).toHaveText(name);
    await expect(page.locator('u-dataflow .slab-name.on').first()).toBeInViewport({ ratio: 1 });
  }
});

test.describe('the bench goes with the text from one model to another', () => {
  const step = (page: Page, given: boolean): Locator =>
    page.locator(`xpath=//h2[@id="the-context"]/${given ? 'following' : 'preceding'}::u-step[1]`);
  const read = (element: Locator): Promise<void> =>
    element.evaluate((part) => scrollBy(0, part.getBoundingClientRect().top - innerHeight * 0.31));

  test('by itself, and each model keeps what the reader did to it', async ({ page }) => {
    await open(page, 'lessons/looking-back/');
    await page.waitForTimeout(700); // while the browser may still scroll, nothing follows
    await read(step(page, true));
    await expect(step(page, true)).toHaveClass(/here/);
    const arrows = page.locator('u-arrows');
    await expect(arrows).toContainText('target');
    await arrows.locator('[role=grid], [tabindex="0"]').first().focus();
    for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowUp');
    const changed = await settled(page);
    await page.locator('h1').click();
    await read(step(page, false));
    await expect(step(page, false)).toHaveClass(/here/);
    await expect(arrows).not.toContainText('target');
    await read(step(page, true));
    await expect(step(page, true)).toHaveClass(/here/);
    await expect.poll(() => settled(page)).toBe(changed);
  });

  test('from what a control of the text changed back to what it speaks of', async ({ page }) => {
    await open(page, 'lessons/alignment/');
    await page.waitForTimeout(700);
    const other = page.locator('u-try button').last();
    await other.click();
    await expect(other).toHaveAttribute('aria-pressed', 'true');
    const next = page.locator('xpath=(//u-try)[1]/following::u-step[1]');
    await read(next);
    await expect(other).toHaveAttribute('aria-pressed', 'false');
    await expect(next).toHaveClass(/here/);
  });

  test('also when the page jumps over the step, and for who presses a control before its step is read', async ({
    page,
  }) => {
    await open(page, 'lessons/one-step-of-learning/');
    await page.waitForTimeout(700);
    const settings = () =>
      benchOf(page).evaluate(({ lab }: WithLab) => [
        lab.config()['loss'],
        lab.state.inputs.map(({ name }) => name).join(),
      ]);
    const scrollTo = (text: string, part: number): Promise<void> =>
      page
        .locator('u-step', { hasText: text })
        .evaluate((each, part) => scrollBy(0, each.getBoundingClientRect().top - innerHeight * part), part);
    await scrollTo('Nothing moves', 0.1);
    await expect.poll(settings).toEqual(['zero_one', '']);
    await scrollTo('has the number of each', 0.45);
    await expect.poll(settings).toEqual(['cross_entropy', '']);
    await page.locator('u-try button').nth(2).click();
    await expect.poll(settings).toEqual(['cross_entropy', 'y']);
    await expect(page.locator('u-try button').nth(2)).toHaveAttribute('aria-pressed', 'true');
    await page.mouse.wheel(0, 20);
    await page.waitForTimeout(500);
    await expect(page.locator('u-try button').nth(2)).toHaveAttribute('aria-pressed', 'true');
    expect(await settings()).toEqual(['cross_entropy', 'y']);
  });

  test('and back from a model that a button has trained, which does not come by itself', async ({ page }) => {
    await open(page, 'lessons/score-functions/');
    await page.waitForTimeout(700);
    const kind = () => benchOf(page).evaluate(({ lab }: WithLab) => lab.config()['kind']);
    const own = await kind();
    const decoder = page.locator('u-step[data-given*="local_p"]');
    await read(decoder);
    await page.waitForTimeout(500);
    expect(await kind()).toBe(own);
    await decoder.getByRole('button').click();
    await expect.poll(kind).toBe('seq2seq');
    await expect(decoder).toHaveClass(/here/);
    await page.locator('h1').click();
    await read(page.locator('xpath=//u-step[contains(@data-given, "local_p")]/following::u-step[1]'));
    await expect.poll(kind).toBe(own);
  });

  test('and back to it when an exercise is started again', async ({ page }) => {
    await open(page, 'lessons/looking-back/');
    const task = await taskOn(page, 'outside');
    await page.evaluate(() => document.querySelector<WithLab>('u-bench')!.lab.reset({ kind: 'seq2seq' }));
    await check(task);
    await expect(task).toContainText('lacks what this exercise asks about');
    await task.getByRole('button', { name: 'Start again' }).last().click();
    await expect(page.locator('u-arrows')).toContainText('target');
    await check(task);
    await expect(task).toContainText('should be about 1.5');
  });

  test('what a solved exercise changed is gone with the next step', async ({ page }) => {
    const edited = () => benchOf(page).evaluate(({ lab }: WithLab) => lab.state.edits.map(({ name }) => name));
    await open(page, 'lessons/looking-back/');
    const task = await taskOn(page, 'first-letter');
    await benchOf(page).evaluate(async ({ lab }: WithLab) => {
      for (const [at, value] of [-7, 2].entries()) await lab.edit('decoder.t1.attention/q', at, value);
    });
    await check(task);
    await expect(task).toContainText('Right');
    expect(await edited()).toHaveLength(2);
    await page.locator('h1').click();
    await read(step(page, true));
    await expect(page.locator('u-arrows')).toContainText('target');
    await read(step(page, false));
    await expect(page.locator('u-arrows')).not.toContainText('target');
    await expect.poll(edited).toEqual([]);
  });

  test('and names what it reads by its words', async ({ page }) => {
    await open(page, 'lessons/alignment/');
    await showStage(page, 'Numbers');
    for (const [source, words] of [
      ['the black cow eats the apple', /\bla\b.*\bthe\b/],
      ['she loves the black dog', /\belle\b.*\bshe\b/],
    ] as const) {
      await benchOf(page).evaluate(({ lab }: WithLab, source) => lab.read(source, ''), source);
      await settled(page);
      await page
        .locator('u-grid canvas')
        .first()
        .click({ position: { x: 10, y: 10 } });
      await expect(page.locator('u-card')).toContainText(words);
      await page.keyboard.press('Escape');
    }
  });

  test('and names the weights of a cell by its gates', async ({ page }) => {
    await open(page, 'lessons/gates/');
    await showStage(page, 'Numbers');
    await benchOf(page).evaluate(({ lab }: WithLab) => lab.configure({ cell: 'lstm' }));
    await settled(page);
    const card = page.locator('u-card');
    for (const [tensor, place] of [
      ['cell.0.W', /row i\b/],
      ['cell.0.b', /\bi\s+4H = 4/],
    ] as const) {
      await chooseCell(page, tensor);
      await expect(card).toContainText(place);
      await page.keyboard.press('Escape');
    }
  });

  test('with a right prediction, while it is in sight; then what the reader had changed is there again', async ({
    page,
  }) => {
    const edited = () =>
      benchOf(page).evaluate(({ lab }: WithLab) => lab.state.edits.map(({ name, value }) => [name, value]));
    await open(page, 'lessons/recurrent-cell/');
    await benchOf(page).evaluate(({ lab }: WithLab) => lab.edit('cell.0.W', 0, 2));
    const task = await taskOn(page, 'one-change');
    const predict = async (option: string): Promise<void> => {
      await task.getByRole('radio', { name: option, exact: true }).check();
      await check(task);
    };
    await predict('In all but the first');
    await expect(task).toContainText('The bench shows it.');
    expect(await edited()).toEqual([['cell.0.U', 0]]);
    await page.locator('h1').scrollIntoViewIfNeeded();
    await expect.poll(edited).toEqual([['cell.0.W', 2]]);
    await task.scrollIntoViewIfNeeded();
    await predict('In one');
    await predict('In all but the first');
    await expect.poll(edited).toEqual([['cell.0.U', 0]]);
    await benchOf(page).evaluate(({ lab }: WithLab) => lab.edit('cell.0.W', 0, 3));
    await page.locator('h1').scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
    expect(await edited(), 'the reader went on with it').toContainEqual(['cell.0.W', 3]);
  });

  test('with its pair; a word that was hidden still is', async ({ page }) => {
    const state = (of: 'pair' | 'edits') =>
      benchOf(page).evaluate(
        (bench: WithLab, of) => JSON.stringify(bench.lab.state[of], (_, x) => (x === -Infinity ? '−∞' : x)),
        of,
      );
    await open(page, 'lessons/alignment/');
    await page.waitForTimeout(700);
    const other = page.locator('u-step[data-given*=pair]').first();
    const given = JSON.parse((await other.getAttribute('data-given'))!) as { pair: string[] };
    await read(other);
    await expect.poll(() => state('pair')).toBe(JSON.stringify(given.pair));
    await benchOf(page).evaluate(({ lab }: WithLab) => lab.edit('decoder.t1.attention/e', 0, -Infinity));
    await expect.poll(() => state('edits')).toContain('−∞');
    const edits = await state('edits');
    const own = page.locator('u-step:not([data-given])').first();
    await read(own);
    await expect.poll(() => state('edits')).toBe('[]');
    await read(other);
    await expect.poll(() => state('edits')).toBe(edits);
  });
});
