// The views of an attention layer on the workbench, for the tests of the browser.
import type { Locator, Page } from '@playwright/test';
import { expect, openBench, press } from './pages';
import { numberIn, type Run } from './views-engine';

export const WORDS = ['the', 'animal', 'was', 'tired'];
export const LAYER = { kind: 'attention_layer', seed: 7, words: 4, size: 6, heads: 2 };

/** The workbench with this model and these views, as a lesson would have them. */
export async function bench(page: Page, config: object, views: string[]): Promise<void> {
  const labels = { X: { rows: WORDS }, α: { rows: WORDS, columns: WORDS } };
  await openBench(page, { config, views, labels });
  await press(page, 'Last step');
  for (const view of views) await expect(page.locator(`u-${view} figure.drawing`)).toBeVisible();
}

export const told = (view: Locator): Locator => view.locator('.figfoot .sum').first();

/** Every cell of the table twin, against the tensor that it says it shows. */
export async function expectTables(view: Locator, run: Run, least: number): Promise<void> {
  await view.getByRole('button', { name: 'Show as table' }).click();
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
  await view.getByRole('button', { name: 'Show as figure' }).click();
}
