// The comparisons of the lessons show what the engine computes for the same settings.
import type { Locator, Page } from '@playwright/test';
import { longestChain, norm, runningMean } from '../../web/src/lesson/compare/charts';
import { marksOf } from '../../web/src/lesson/compare/trials';
import { variantOf } from '../../web/src/lesson/changes';
import { significant } from '../../web/src/ui/numbers';
import type { Comparison, ComparisonOf } from '../../web/src/lesson/format/comparisons';
import type { Config, EngineSession } from '../../web/src/engine/types';
import { lessonNamed } from './lesson-named';
import { expect, open, press, test, wholeRun } from './pages';
import { shorten } from './shorten';
import { sessionOf, tested, traceIn } from './views-engine';
import { value as granted } from '../bindings/modules';

interface Compared {
  comparison: Comparison;
  /** A session of the engine with the lesson's model under other settings. */
  sessionOf(settings: object): Promise<EngineSession>;
}

/** The comparisons of a lesson. */
async function compared<C extends Comparison>(lesson: string, id: string): Promise<Compared & { comparison: C }> {
  const { head, found } = await lessonNamed(lesson);
  const own = { ...head.model, seed: head.seed } as Config;
  return {
    comparison: found.comparisons[id] as C,
    sessionOf: (settings) => sessionOf(variantOf(own, settings as Config)),
  };
}

const on = (page: Page, id: string): Locator => page.locator(`u-compare[id="${id}"]`);

function rowOf(session: EngineSession, { of, row, digits }: ComparisonOf<'values'>): string[] {
  granted(session.run([]));
  const { id, shape } = traceIn(session).nodes.find(({ name }) => name === of)!;
  const columns = shape.at(-1)!;
  const values = granted(session.values(id)).slice(row! * columns, (row! + 1) * columns);
  return Array.from(values, (value) => value.toFixed(digits).replace('-', '−'));
}

for (const id of ['forms', 'linear'])
  test(`${id}: the numbers of every variant`, async ({ page }) => {
    const { comparison, sessionOf } = await compared<ComparisonOf<'values'>>('attention-today', id);
    await open(page, 'lessons/attention-today/');
    await on(page, id).scrollIntoViewIfNeeded(); // it is fetched when the reader comes near
    const lines = on(page, id).locator('tbody tr');
    await expect(lines).toHaveCount(comparison.runs.length);
    for (const [i, run] of comparison.runs.entries())
      expect(await lines.nth(i).locator('td').allTextContents()).toEqual(rowOf(await sessionOf(run.with), comparison));
  });

/** The mean loss and accuracy, as shown, after this many training steps from the same seed. */
function meansAfter(session: EngineSession, steps: number, all: number): string[] {
  const marks = [...new Set([...marksOf(all, 150).filter((mark) => mark < steps), steps])];
  const points = marks.map((mark, i) => ({ mark, ...granted(session.train(mark - (marks[i - 1] ?? 0))) }));
  const mean = (of: 'loss' | 'accuracy'): number =>
    runningMean(
      points.map((point) => [point.mark, point[of]]),
      Math.ceil(all / 20),
    ).at(-1)![1];
  return [significant(mean('loss'), 4), significant(mean('accuracy'), 4)];
}

/** A table whose columns have headings. */
async function column(table: Locator, name: string): Promise<string[]> {
  const at = (await table.locator('thead th').allTextContents()).indexOf(name);
  return table.locator(`tbody tr > :nth-child(${at + 1})`).allTextContents();
}

test('blocks: three blocks are trained side by side, stopped and inspected', async ({ page }) => {
  const { comparison, sessionOf } = await compared<ComparisonOf<'training'>>('attention-today', 'blocks');
  await open(page, 'lessons/attention-today/');
  const compare = on(page, 'blocks');
  await compare.getByRole('button', { name: 'Train all three' }).click();
  await expect(compare.getByText(/^step ([6-9]|\d\d+) of 300$/)).toBeVisible();
  await press(page, 'Stop');
  await expect(compare.getByRole('status')).toContainText(/^Stopped: step \d+ of 300/);
  const table = compare.getByRole('region', { name: /Results of the runs: Loss/ }).locator('table');
  const [steps, losses] = [await column(table, 'steps'), await column(table, 'loss')];
  expect(losses).toHaveLength(3);
  for (const [i, run] of comparison.runs.entries())
    expect(losses[i]).toBe(meansAfter(await sessionOf(run.with), Number(steps[i]), comparison.steps)[0]);
  await compare.getByRole('button', { name: 'accuracy' }).click();
  await expect(compare.getByRole('region', { name: /Results of the runs: Accuracy/ })).toBeVisible();
  await expect(compare.locator('u-curves svg').first()).toBeVisible();
});

test('against: a GRU with attention and a Transformer, trained to the end, on one screen', async ({ page }) => {
  const STEPS = 50; // the lesson has 2,400, which take a minute
  const lesson = 'encoder-decoder';
  const { comparison, sessionOf } = await compared<ComparisonOf<'training'>>(lesson, 'against');
  await shorten(page, lesson, comparison, STEPS);
  await open(page, `lessons/${lesson}/`);
  const compare = on(page, 'against');
  await compare.getByRole('button', { name: 'Train both' }).click();
  await expect(compare.getByRole('status')).toHaveText(`Trained for ${STEPS} steps.`, { timeout: 60_000 });
  const table = compare.getByRole('region', { name: /Results of the runs: Loss/ }).locator('table');
  const shown = async (name: string): Promise<string[]> => column(table, name);
  expect((await shown('run')).map((name) => name.trim())).toEqual(['transformer', 'GRU + attention']);
  const read = ['loss', 'accuracy', 'longest chain of operations'];
  const [losses, accuracies, chains] = (await Promise.all(read.map(shown))) as [string[], string[], string[]];
  for (const [i, { with: settings }] of comparison.runs.entries()) {
    const session = await sessionOf(settings);
    expect([losses[i], accuracies[i]]).toEqual(meansAfter(session, STEPS, STEPS));
    granted(session.read('12 march 2021', '2021-03-12'));
    granted(session.run([]));
    expect(chains[i]).toBe(String(longestChain(traceIn(session))));
  }
  for (const pace of await shown('ms per step')) expect(Number(pace)).toBeGreaterThan(0);
  for (const match of await shown('exact match')) expect(match).toMatch(/^[01](\.\d+)?$/);
  await compare.locator('u-runs').scrollIntoViewIfNeeded();
  await expect(compare.locator('u-curves svg.drawn')).toBeInViewport({ ratio: 0.99 });
  for (const name of ['run', 'loss', 'accuracy', 'ms per step', 'longest chain of operations'])
    await expect(table.getByRole('columnheader', { name, exact: true })).toBeInViewport({ ratio: 0.99 });
  await expect(table.locator('tbody tr').last()).toBeInViewport();
});

/** The numeric columns of the chart's table, by heading. */
async function columnsOf(page: Page, id: string): Promise<Record<string, string[]>> {
  const curves = on(page, id).locator('u-curves');
  await press(curves, 'Show as table');
  const names = await curves.locator('thead th').allTextContents();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await column(curves.locator('table'), name)])),
  );
}

test('by lag: the norm of the gradient at every position, counted back from the last', async ({ page }) => {
  const { comparison, sessionOf } = await compared<ComparisonOf<'lags'>>('vanishing-gradients', 'by-lag');
  await open(page, 'lessons/vanishing-gradients/');
  const shown = await columnsOf(page, 'by-lag');
  expect(shown['lag in positions']).toEqual(Array.from({ length: 101 }, (_, lag) => String(lag)));
  for (const { label, with: settings } of comparison.runs) {
    const session = await sessionOf(settings);
    granted(session.run([]));
    const { nodes } = traceIn(session);
    const lengthAt = (lag: number): string => {
      const { id } = nodes.find(({ name }) => name === `∂cell.0.t${100 - lag}/h`)!;
      return significant(norm(granted(session.values(id))), 6);
    };
    expect(shown[label]).toEqual(Array.from({ length: 101 }, (_, lag) => lengthAt(lag)));
  }
});

test('by length: the share each model writes without a mistake after training', async ({ page }) => {
  const lesson = 'bottleneck';
  const { comparison, sessionOf } = await compared<ComparisonOf<'lengths'>>(lesson, 'attention');
  const steps = wholeRun ? comparison.steps : 50;
  await shorten(page, lesson, comparison, steps);
  await open(page, `lessons/${lesson}/`);
  await page.locator('details.after:has([id="attention"]) > summary').click();
  const compare = on(page, 'attention');
  await compare.getByRole('button', { name: 'Measure' }).click();
  await expect(compare.getByRole('status')).toContainText(`Measured after ${steps} training steps`, {
    timeout: 60_000,
  });
  const shown = await columnsOf(page, 'attention');
  expect(shown['source length']).toEqual(comparison.lengths.map(String));
  const { runs, seeds } = comparison;
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  for (const { label, with: settings } of runs) {
    const found: number[][] = [];
    for (const seed of seeds!) {
      const session = await sessionOf({ ...settings, seed });
      granted(session.train(steps));
      found.push(comparison.lengths.map((length) => 100 * tested(session, comparison.pairs, length).exactMatch));
      expect(shown[`${label}, seed ${seed}`]).toEqual(found.at(-1)!.map((percent) => significant(percent, 6)));
    }
    const means = comparison.lengths.map((_, i) => mean(found.map((each) => each[i]!)));
    expect(shown[label]).toEqual(means.map((percent) => significant(percent, 6)));
  }
});
