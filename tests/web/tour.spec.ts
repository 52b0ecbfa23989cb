// A tour of every page: everything required of all pages is checked in one load each, at two widths. A quick run opens
// every second lesson, and examines some pages.
import { moduleOf } from '../../web/src/engine/kinds';
import { expectAccessible, THEMES } from './axe';
import { copiedLink, editTo } from './hands';
import {
  CONTROLS,
  ENLARGE,
  expectRoomForLargeText,
  layoutFaults,
  pictureFaults,
  codeFaults,
  cardFaults,
  paperFaults,
  shifted,
} from './layout';
import { FRONT, isWhole, PAGES, TEXTS } from './addresses';
import {
  expect,
  expectStep,
  forget,
  inAll,
  open,
  place,
  press,
  settled,
  showStage,
  some,
  test,
  wholeRun,
  type Page,
  showTables,
} from './pages';
import { modulesOf, requestsBeyond } from './watched';

/** The limit of the layout shift, as browsers measure it. As a web vital, up to 0.1 is good; pages to which scripts add
 *  the most must stay lower. */
const mostShifted = (path: string): number =>
  /\/(pictures|many-heads|the-block|language-model)\//.test(path) ? 0.03 : 0.1;

/** One page per engine module; reading links is tested in Node for all. */
const LINKED = PAGES.filter((path) => /\/(softmax|looking-back|pictures|many-heads)\//.test(path));

/** Those with the longest formulas and the most controls for a phone. */
const NARROW = ['workbench/', 'lessons/recurrent-cell/'];

/** A quick run opens these, every second lesson among them… */
const isOpened = (path: string, i: number): boolean => isExamined(path) || LINKED.includes(path) || i % 2 === 0;

/** …and examines these. */
const isExamined = (path: string): boolean =>
  isWhole(path) || !path.startsWith('lessons/') || /\/(softmax|pictures)\//.test(path);

/** The numbers of the bench, with every digit. The views above it keep the layer on show, which is in no link. */
async function numbersOn(page: Page): Promise<string[]> {
  await showTables(page.locator('u-board'));
  await settled(page);
  return page
    .locator(':is(u-board, u-inspector) [data-tensor]')
    .evaluateAll((all) => all.map((cell) => `${cell.getAttribute('data-tensor')} ${cell.textContent}`));
}

/** Nothing is cut off as a lesson opens, nor in its code or in the card of a cell. */
async function expectOpening(page: Page): Promise<void> {
  expect.soft(await page.evaluate(pictureFaults), 'as it opens').toEqual([]);
  const stage = page.getByRole('tab', { selected: true });
  const opened = await stage.textContent();
  await showStage(page, 'Code');
  await expect(page.locator('.ln.on')).toHaveCount(1);
  await expect.soft.poll(() => page.evaluate(codeFaults), 'the code as it opens').toEqual([]);
  await showStage(page, 'Numbers');
  await page.locator('u-board [role=grid]').last().press('Home');
  await expect(page.locator('u-card dd').first()).toBeVisible();
  await expect.soft.poll(() => page.evaluate(cardFaults), 'a card').toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.locator('u-card')).toHaveCount(0);
  if (opened!.trim() !== 'Numbers') await press(page, 'Follow the lesson');
  await expect(stage).toHaveText(opened!);
}

/** Chooses a cell of the first tensor on the board that has been reached; at the end, if a lesson's board has none before. */
async function chooseEditable(page: Page): Promise<void> {
  for (const end of [false, true]) {
    if (end) await press(page, 'Last step');
    for (const grid of await page.locator('u-board [role=grid]').all()) {
      await grid.press('Home');
      await expect(page.locator('u-card dd').first()).toBeVisible();
      await settled(page);
      if (await page.getByRole('button', { name: 'Change', exact: true }).isEnabled()) return;
    }
  }
}

/** Makes an edit and a step; the link opens elsewhere with the same numbers. */
async function expectLink(page: Page): Promise<void> {
  await showStage(page, 'Numbers');
  await page.locator('u-bench').focus();
  for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  const before = await numbersOn(page);
  await press(page, 'Show as cells');
  await chooseEditable(page);
  await editTo(page, '3'); // valid for token ids too
  for (let i = 0; i < 2; i++) await press(page, 'Step back');
  const [link, numbers] = [await copiedLink(page), await numbersOn(page)];
  expect(numbers).not.toEqual(before);
  await forget(page, link);
  const other = await page.context().newPage();
  await open(other, link);
  expect(await place(other)).toEqual(await place(page));
  expect(await numbersOn(other)).toEqual(numbers);
  await other.close();
}

const hasTaskInSight = (page: Page): Promise<boolean> =>
  page
    .locator('u-task')
    .evaluateAll((all) => all.some((task) => task.getBoundingClientRect().top < window.innerHeight));

for (const [i, path] of PAGES.entries()) {
  const turn = Math.floor(i / 2);
  (isOpened(path, i) ? test : inAll)(`/${path} at 1280 px`, async ({ page, baseURL }) => {
    const [elsewhere, modules] = [requestsBeyond(page, baseURL!), modulesOf(page)];
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page, path);
    await settled(page);
    expect.soft(await page.evaluate(shifted), 'layout shift while loading').toBeLessThan(mostShifted(path));
    const { kind } = JSON.parse((await page.locator('u-lab').getAttribute('data-config'))!) as { kind: string };
    // A task in sight fetches the language of its goals while the reader thinks.
    const allowed = (await hasTaskInSight(page)) ? ['program'] : [];
    expect
      .soft(
        modules.filter((name) => !allowed.includes(name)),
        'modules',
      )
      .toEqual([moduleOf({ kind })]);
    if (path.startsWith('lessons/')) await expectOpening(page);
    expect(elsewhere).toEqual([]);
    if (!isExamined(path)) return void (LINKED.includes(path) && (await expectLink(page)));

    await expectRoomForLargeText(page, turn);
    await press(page, 'Last step');
    const spare = await page.locator('u-bench').evaluate((bench) => bench.clientHeight - bench.scrollHeight);
    expect.soft(spare, 'the bench fits without scrolling').toBeGreaterThanOrEqual(0);
    await expectAccessible(page, 'structure', { colours: false });
    for (const [t, theme] of THEMES.entries()) {
      await page.emulateMedia({ colorScheme: theme });
      if (wholeRun || t === turn % 2)
        await expectAccessible(page, theme, { structure: false, code: path === 'workbench/' });
    }
    await page.emulateMedia({ colorScheme: null });
    if (path.startsWith('lessons/')) {
      await page.emulateMedia({ media: 'print' });
      expect.soft(await page.evaluate(paperFaults, CONTROLS), 'on paper').toEqual([]);
      await page.emulateMedia({ media: null });
      if (wholeRun || LINKED.includes(path)) await expectLink(page);
    }
    expect(elsewhere).toEqual([]);
  });

  (isWhole(path) || NARROW.includes(path) ? test : inAll)(`/${path} at 360 px`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page, path);
    await settled(page);
    expect.soft(await page.evaluate(shifted), 'layout shift while loading').toBeLessThan(mostShifted(path));
    await expectRoomForLargeText(page, turn + 1);
    const { step } = await place(page);
    for (const [t, tab] of (['Picture', 'Numbers', 'Code', 'Training'] as const).entries()) {
      await showStage(page, tab);
      await expectTransport(page, step);
      await press(page, 'Last step');
      await expect(page.getByRole('tabpanel', { name: tab })).toHaveText(/\S/);
      if (t === 0) await expectAccessible(page, tab, { colours: false });
      else if (wholeRun || t === 1 + (turn % 3))
        await expectAccessible(page, tab, { within: 'u-bench', structure: 'layout', colours: false });
      await press(page, 'Reset');
    }
  });
}

test('text-only pages, wide and narrow', async ({ page, baseURL }) => {
  const elsewhere = requestsBeyond(page, baseURL!);
  for (const [i, path] of [FRONT, ...TEXTS].entries())
    for (const [w, width] of some([1280, 360], (_, at) => at === i % 2).entries()) {
      await page.setViewportSize({ width, height: 740 });
      await page.emulateMedia({ colorScheme: ((i >> 1) + w) % 2 ? 'dark' : 'light' });
      await page.goto(path);
      await expect(page.getByRole('button', { name: /^Lessons/ })).toBeVisible();
      expect.soft(await page.evaluate(shifted), 'layout shift while loading').toBeLessThan(0.01);
      await expectAccessible(page, `${path} at ${width} px`);
      await page.emulateMedia({ media: 'print' });
      expect.soft(await page.evaluate(paperFaults, CONTROLS), `${path} on paper`).toEqual([]);
      await page.emulateMedia({ media: null });
      for (const enlarge of Object.values(ENLARGE)) {
        await enlarge(page, 2);
        expect.soft(await page.evaluate(layoutFaults), `${path} at ${width} px, 200 % text`).toEqual([]);
        if (path === FRONT) await expectAccessible(page, `${width} px, 200 % text`);
        await enlarge(page, 1);
      }
    }
  expect(elsewhere).toEqual([]);
});

/** On a phone it stays within reach. */
async function expectTransport(page: Page, step: number): Promise<void> {
  const forward = page.getByRole('button', { name: 'Step forward', exact: true });
  await expect(forward).toBeInViewport({ ratio: 1 });
  const box = (await forward.boundingBox())!;
  expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
  await press(page, 'Step forward');
  await expect.poll(async () => (await place(page)).step).toBeGreaterThan(step);
  await press(page, 'Reset');
  await expectStep(page, step);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
}
