// What axe finds wrong with a page: WCAG 2.2 AA and its best practices.
import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import { expect, type Page } from './pages';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export interface Scope {
  /** The part of the page that is looked at. */
  within?: string;
  /** Colours alone: what else can be wrong is the same in both themes. */
  coloursOnly?: boolean;
}

export async function expectAccessible(page: Page, what = '', { within = ':root', coloursOnly }: Scope = {}) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const runOnly = coloursOnly ? ['color-contrast'] : TAGS;
  const violations = await page.evaluate(
    async ([within, runOnly]) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      const result: AxeResults = await run(within, { runOnly, resultTypes: ['violations'] });
      return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
    },
    [within, runOnly] as const,
  );
  expect.soft(violations, `axe: ${what}`).toEqual([]);
}
