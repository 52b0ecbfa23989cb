// Shared by the browser tests of the views: opening them, reading their tables, exports, accessibility.
import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { expectAccessible, THEMES } from './axe';
import { benchOf, expect, openBench, press, some, type Page, type WithLab, showTables } from './pages';
import { numberIn, type Run } from './views-engine';

export const WORDS = ['the', 'animal', 'was', 'tired'];
export const LAYER = { kind: 'attention_layer', seed: 7, words: 4, size: 6, heads: 2 };

/** Shows one of the pictures that fit the model. */
export async function showView(page: Page, view: string): Promise<void> {
  await benchOf(page).evaluate(({ lab }: WithLab, look) => lab.choose('picture', { look }), view);
  await expect(page.locator(`u-${view} figure`).first()).toBeVisible();
}

/** Opens the workbench with this model and shows these views in turn, the first one last, with labels as in a lesson, at the last step. */
export async function bench(page: Page, config: object, views: string[]): Promise<void> {
  const labels = { X: { rows: WORDS }, α: { rows: WORDS, columns: WORDS } };
  await openBench(page, { config, views, labels });
  await press(page, 'Last step');
  for (const view of views.toReversed()) {
    await showView(page, view);
    await expect(page.locator(`u-${view} figure.drawing`)).toBeVisible();
  }
}

/** Opens the workbench with this model and these views, before the first step. */
export async function openViews(page: Page, config: object, views: string[], pair?: string[]): Promise<void> {
  await openBench(page, { config, views, pair });
  for (const view of views.toReversed()) await showView(page, view);
}

export const summaryOf = (view: Locator): Locator => view.locator('.figfoot .sum').first();

/** The numbers in a table's cells of a tensor, as float32. */
export const cellsOf = async (view: Locator, tensor: string): Promise<number[]> =>
  (await view.locator(`[data-tensor="${tensor}"] td[data-index]`).allTextContents()).map((text) =>
    Math.fround(numberIn(text)),
  );

/** Compares every cell of the tables with the engine's tensor. */
export async function expectTables(view: Locator, run: Run, least: number): Promise<void> {
  await press(view, 'Show as table');
  const tables = await view.locator('table[data-tensor]').evaluateAll((list) =>
    list.map((table) => ({
      name: (table as HTMLElement).dataset.tensor!,
      cells: [...table.querySelectorAll<HTMLElement>('td[data-index]')].map((cell): [number, string] => [
        Number(cell.dataset.index),
        cell.textContent!,
      ]),
    })),
  );
  expect(tables.length).toBeGreaterThanOrEqual(least);
  for (const { name, cells } of tables) {
    const values = run.values.get(run.trace.nodes.find((node) => node.name === name)!.id)!;
    expect(cells.length).toBeGreaterThan(0);
    expect(cells.map(([, text]) => Math.fround(numberIn(text)))).toEqual(cells.map(([index]) => values[index]));
  }
  await press(view, 'Show as figure');
}

/** Exports a drawing as PNG, SVG and CSV. */
export async function expectExports(page: Page, view: Locator, rows: number): Promise<void> {
  await press(view, 'Export');
  for (const format of ['CSV', 'SVG', 'PNG']) {
    const button = view.getByRole('button', { name: new RegExp(` as ${format}$`) });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const body = await readFile(await download.path());
    if (format === 'PNG') expect(body.subarray(1, 4).toString()).toBe('PNG');
    if (format === 'SVG') expect(body.toString()).toMatch(/^<svg[^>]*xmlns.*<\/svg>$/s);
    if (format === 'SVG') expect(body.toString()).not.toMatch(/var\(--|class=/);
    if (format === 'CSV') expect(body.toString().trim().split('\n').length).toBeGreaterThan(rows);
  }
}

/** No axe violations and no overflow: drawn and as tables, wide and narrow, in both themes at full width. A quick run has
 *  drawings wide and tables narrow. */
export async function expectClean(page: Page, within: string): Promise<void> {
  for (const table of [false, true]) {
    if (table) await showTables(page.locator(within));
    for (const width of some([1280, 360], (each) => (each === 360) === table)) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(() => scrollTo(0, 0)); // so that the bar covers nothing
      const what = `${width} px${table ? ', as a table' : ''}`;
      await expectAccessible(page, what, { within, structure: width === 1280 || 'layout', colours: false });
      for (const theme of width === 1280 ? THEMES : []) {
        await page.emulateMedia({ colorScheme: theme });
        await expectAccessible(page, `${theme}, ${what}`, { within, structure: false });
      }
      await page.emulateMedia({ colorScheme: null });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(wide, `overflow at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
