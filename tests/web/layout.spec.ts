// What the page looks like: by window size, while it loads, with long values, and in colours that axe does not check.
import type { Locator } from '@playwright/test';
import type { CurvesData } from '../../web/src/figures/charts/curves-layout';
import { contrast, type Rgb } from '../../web/src/figures/shared/palette';
import { checkOf, taskOn } from './hands';
import { layoutFaults, shifted } from './layout';
import { linkTo } from './links';
import { cold, expect, open, type Page, press, settled, showStage, some, test, type WithLab } from './pages';

const LESSON = 'lessons/alignment/';

// Touch targets are large enough, a tablet has two columns, a large screen is used.

/** Touch targets that are too small. Exempt: words in a line of text, and the scrubber, which has step buttons. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('a, button, select, input, summary, [role=tab]')]
      .filter(
        (each) => each.checkVisibility({ visibilityProperty: true }) && getComputedStyle(each).display !== 'inline',
      )
      .filter((each) => !each.matches('.term, .contents a, .grab'))
      .map((each) => [each, (each.closest('label') ?? each).getBoundingClientRect()] as const)
      .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 43.5)
      .map(([each, { width, height }]) => `${each.outerHTML.slice(0, 60)} ${width} × ${height}`),
  );

/** Layout faults, except small numbers in cells, which are allowed at the default text size. */
const faults = async (page: Page): Promise<string[]> =>
  (await page.evaluate(layoutFaults)).filter((fault) => !fault.startsWith('too small'));

/** The boxes of the text and the bench, from left to right. */
const columns = (page: Page): Promise<DOMRect[]> =>
  page.locator('article.text, .bench').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));

/** Lines of engine code that wrap. */
const brokenLines = (page: Page): Promise<string[]> =>
  page.locator('.ln code').evaluateAll((all) => {
    const rows = (code: Element): number => new Set([...code.getClientRects()].map(({ top }) => Math.round(top))).size;
    return all.filter((code) => rows(code) > 1).map((code) => code.textContent!);
  });

/** Scrolling panes without room at the right edge for an overlay scrollbar such as WebKit's. */
const crowdedPanes = (page: Page): Promise<string[]> =>
  page.locator('.pane').evaluateAll((all) => {
    const scrolls = (panel: Element): boolean => /auto|scroll/.test(getComputedStyle(panel).overflowY);
    const room = (panel: Element): number =>
      panel.getBoundingClientRect().right -
      Math.max(...[...panel.children].map((child) => child.getBoundingClientRect().right));
    return all
      .filter((panel) => scrolls(panel) && room(panel) < 12)
      .map((panel) => `${panel.getAttribute('data-pane')}: ${room(panel)}`);
  });

cold.describe('on a touch screen', () => {
  cold.use({ hasTouch: true, isMobile: true });

  const screens = [
    [LESSON, 360, 740],
    [LESSON, 820, 1180],
    ['workbench/', 1024, 768],
    ['workbench/', 360, 740],
  ] as const;
  for (const [path, width, height] of some(screens, (_, i) => i % 2 === 0))
    cold(`/${path} at ${width} × ${height}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await open(page, path);
      const tabs = page.getByRole('tab');
      expect(await tabs.count()).toBe(4);
      for (let i = 0; i < 4; i++) {
        await tabs.nth(i).click();
        await settled(page);
        expect.soft(await smallTargets(page), `tab ${i}`).toEqual([]);
        expect.soft(await faults(page), `tab ${i}`).toEqual([]);
      }
      if (width < 900) return;
      const [text, bench] = await columns(page);
      expect(bench!.left).toBeGreaterThanOrEqual(text!.right - 1);
      await expect(page.getByRole('button', { name: 'Step forward', exact: true })).toBeInViewport({ ratio: 1 });
    });
});

test('a large screen is used, and resizing the window causes no errors', async ({ page }) => {
  await page.addInitScript(() =>
    addEventListener('error', ({ message }) => document.body.setAttribute('data-heard', message)),
  );
  await page.setViewportSize({ width: 2560, height: 1440 });
  await open(page, 'lessons/seq2seq/');
  await showStage(page, 'Code');
  await settled(page);
  const [text, bench] = await columns(page);
  expect(text!.width).toBeLessThan(700);
  expect(bench!.right).toBeGreaterThan(2500);
  expect(bench!.width).toBeGreaterThan(1800);
  expect(await faults(page)).toEqual([]);
  expect(await page.locator('.ln code').count()).toBeGreaterThan(50);
  expect(await brokenLines(page)).toEqual([]);
  for (const width of [1440, 1100, 820, 360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await settled(page);
    if (width > 1200) expect(await crowdedPanes(page), `${width} px`).toEqual([]);
  }
  expect(await page.locator('body').getAttribute('data-heard')).toBeNull();
});

// Late content has its space reserved: nothing moves while the reader reads or presses it.

for (const [slug, width] of Object.entries({ pictures: 360, 'many-heads': 1280 }))
  cold(`/lessons/${slug}/ does not shift while it loads for the first time, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(page, `lessons/${slug}/`);
    await settled(page);
    expect(await page.evaluate(shifted)).toBeLessThan(0.03);
  });

test('a click is not lost when the model writes text above the button meanwhile', async ({ page }) => {
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  await page.route(/\/write-[\w-]+\.js$/, (route) => held.then(() => route.continue()));
  await open(page, 'lessons/language-model/');
  const task = await taskOn(page, 'cut');
  const button = checkOf(task);
  await button.evaluate((element) => element.scrollIntoView({ block: 'end' }));
  const { x, y, width, height } = (await button.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  const written = page.locator('u-write[data-method="sample"][data-show="samples"] .draws');
  await expect(written).toHaveCount(0);
  release();
  await expect(written).toBeVisible();
  await page.mouse.up();
  await expect(task.getByRole('status')).toContainText('The field is empty');
});

// Long values, many curves and long names: all of it stays legible, and in view.

const strip = (page: Page) => page.locator('u-train .strip');
const WORKBENCH = `workbench/${linkTo({ lesson: '', config: { kind: 'seq2seq', task: 'reverse' }, stage: 'training', pinned: 'none' })}`;

/** As if a model had been trained for long, and its loss had grown. */
const trainedLong = (page: Page): Promise<void> =>
  page.locator('u-train').evaluate((panel: WithLab & { requestUpdate(): void }) => {
    const curve = Array.from({ length: 100 }, (_, i) => ({ step: 1000 * i, loss: 1.234e30 / (i + 1), accuracy: 0.5 }));
    const long = { step: 95_200, target: 100_000, loss: 1.234e30, accuracy: 0.934, examplesPerSecond: 1_234_567 };
    Object.assign(panel.lab.training, { ...long, status: 'paused', elapsed: 36_000, expected: 37_000, curve });
    panel.requestUpdate();
  });

test('all readings of a training are in view, and its buttons stay where they are', async ({ page }) => {
  await open(page, WORKBENCH);
  const train = page.locator('u-train').getByRole('button', { name: 'Train' });
  await expect(train).toBeInViewport({ ratio: 1 });
  const { y } = (await train.boundingBox())!;
  await trainedLong(page);
  await expect(strip(page)).toContainText('1.23 × 10³⁰');
  await expect(strip(page)).toContainText('95,200 of 100,000');
  for (const reading of await strip(page).locator('dd').all()) await expect(reading).toBeInViewport({ ratio: 1 });
  await expect.poll(async () => Math.abs((await train.boundingBox())!.y - y)).toBeLessThanOrEqual(1);
});

const NAMES = ['parallel, 4 heads of 16 columns', 'parameters per head', 'multiplicative attention', 'no attention', 'pre-norm', 'post-norm', 'scheduled sampling', 'warm-up of 4,000 steps']; // prettier-ignore

/** A chart of that many curves in the place of the training's. */
async function showCurves(page: Page): Promise<void> {
  await open(page, WORKBENCH);
  await trainedLong(page);
  await page.locator('u-curves').evaluate((chart, names) => {
    const points = (k: number) => Array.from({ length: 60 }, (_, i): [number, number] => [500 * i, 1 / (i + k + 1)]);
    const curves = names.map((name, k) => ({ name, points: points(k) }));
    (chart as HTMLElement & { data: CurvesData }).data = { title: 'Loss', x: { label: 'step' }, y: { label: 'loss' }, curves }; // prettier-ignore
  }, NAMES);
}

test('the names of many curves stand above the chart, each beside a sample of its line', async ({ page }) => {
  await showCurves(page);
  const names = page.locator('u-curves .end-name');
  await expect(names).toHaveText(NAMES);
  const axis = (await page.locator('u-curves .chart .axis').first().boundingBox())!;
  const tops = await names.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().bottom));
  expect(Math.max(...tops)).toBeLessThan(axis.y - 50);
  await expect(page.locator('u-curves .lead')).toHaveCount(0);
  await expect(page.locator('u-curves .tick').filter({ hasText: /^\d\d,000$/ })).not.toHaveCount(0);
});

for (const width of some([1280, 600], (each) => each === 600))
  test(`the table of a chart keeps its names and steps in sight, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await showCurves(page);
    await press(page.locator('u-curves'), 'Show as table');
    await page.locator('u-curves').evaluate((chart, wide) => (chart.style.maxWidth = `${wide / 2}px`), width);
    const box = page.locator('u-curves .twin');
    await box.evaluate((each) => each.scrollTo(80, 300));
    const { left, top, faults } = await box.evaluate((each) => {
      const frame = each.getBoundingClientRect();
      const heads = [...each.querySelectorAll<HTMLElement>('thead th')];
      return {
        top: heads.map((head) => Math.round(head.getBoundingClientRect().top - frame.top)),
        left: Math.round(each.querySelector('tbody th')!.getBoundingClientRect().left - frame.left),
        faults: heads.filter((head) => head.scrollWidth > head.clientWidth + 1).map((head) => head.textContent),
      };
    });
    expect([...new Set(top)]).toEqual([0]);
    expect(left).toBe(0);
    expect(faults).toEqual([]);
    await box.evaluate((each) => each.scrollTo(1e6, 0));
    await expect(box.locator('thead th').last()).toBeInViewport({ ratio: 1 });
  });

// Colours that axe does not check: hover colours, and those of elements a browser would draw itself.

/** Computed colours in any notation, as drawn: red, green, blue and alpha, each from 0 to 255. The paper is that of the
 *  element or of the first around it that has one. */
const coloursOf = (element: Locator): Promise<{ ink: number[]; paper: number[] }> =>
  element.evaluate((shown) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
    const context = canvas.getContext('2d')!;
    const drawn = (colour: string): number[] => {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data];
    };
    const paperOf = (element: Element): number[] => {
      const paper = drawn(getComputedStyle(element).backgroundColor);
      return paper[3] || !element.parentElement ? paper : paperOf(element.parentElement);
    };
    return { ink: drawn(getComputedStyle(shown).color), paper: paperOf(shown) };
  });

/** From 1 to 21, as WCAG defines it; both colours must be opaque. */
async function contrastOf(element: Locator): Promise<number> {
  const { ink, paper } = await coloursOf(element);
  expect([ink[3], paper[3]], 'opacity').toEqual([255, 255]);
  return contrast(ink as unknown as Rgb, paper as unknown as Rgb);
}

test('in light and dark, a hovered pressed button and a list of options are readable', async ({ page }) => {
  await open(page, 'workbench/');
  const view = page.locator('.view-choice button').first();
  await view.click();
  await expect(view).toHaveAttribute('aria-pressed', 'true');
  const list = page.getByRole('combobox', { name: 'Model', exact: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await view.hover();
    await expect.poll(() => contrastOf(view), colorScheme).toBeGreaterThanOrEqual(4.5);
    await expect(list).toHaveCSS('appearance', 'none');
    expect(await contrastOf(list), colorScheme).toBeGreaterThanOrEqual(4.5);
    expect((await coloursOf(list)).paper, colorScheme).toEqual((await coloursOf(page.locator('body'))).paper);
  }
});
