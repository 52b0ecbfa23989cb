// Long values, many curves and long names: all of it stays legible, and in view.
import { expect, open, press, some, test, type Page } from './pages';
import { linkTo } from './links';
import type { CurvesData } from '../../web/src/figures/charts/curves-layout';
import type { Lab } from '../../web/src/lab/lab';

type Panel = HTMLElement & { lab: Lab; requestUpdate(): void };
const strip = (page: Page) => page.locator('u-train .strip');
const WORKBENCH = `workbench/${linkTo({ lesson: '', config: { kind: 'seq2seq', task: 'reverse' } })}`;

/** As if a model had been trained for long, and its loss had grown. */
const trainedLong = (page: Page): Promise<void> =>
  page.locator('u-train').evaluate((panel) => {
    const { lab } = panel as Panel;
    const curve = Array.from({ length: 100 }, (_, i) => ({ step: 1000 * i, loss: 1.234e30 / (i + 1), accuracy: 0.5 }));
    const long = { step: 95_200, target: 100_000, loss: 1.234e30, accuracy: 0.934, examplesPerSecond: 1_234_567 };
    Object.assign(lab.training, { ...long, status: 'paused', elapsed: 36_000, expected: 37_000, curve });
    (panel as Panel).requestUpdate();
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
  await press(page, 'Curves and samples');
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
    await page.locator('u-curves').getByRole('button', { name: 'Show as table' }).click();
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
