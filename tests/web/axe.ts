// Checks a page with axe: WCAG 2.2 AA, axe's best practices and its experimental rules, of which one compares a control's
// name with its visible label.
import axe from 'axe-core';
import { expect, wholeRun, type Page } from './pages';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental'];
export const THEMES = ['light', 'dark'] as const;
const COLOURS = 'color-contrast';
const LAYOUT = ['target-size', 'scrollable-region-focusable'];

export interface Scope {
  /** The part of the page to check. */
  within?: string;
  /** All rules except the one for colours; "layout": only those that another width can break. */
  structure?: boolean | 'layout';
  /** The rule for colours, by far the slowest: once per page and theme is enough. */
  colours?: boolean;
  /** Also the colours of the engine's source code, which are the same on all pages. */
  code?: boolean;
}

export async function expectAccessible(page: Page, what: string, scope: Scope = {}): Promise<void> {
  const { within = ':root', structure = true, colours = true, code = true } = scope;
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const found = [];
  const rules = structure === 'layout' && !wholeRun ? LAYOUT : TAGS;
  if (structure) found.push(...(await violations(page, { include: [within], exclude: [] }, rules)));
  const unlooked = code || wholeRun ? [] : ['u-code'];
  if (colours) found.push(...(await violations(page, { include: [within], exclude: unlooked }, [COLOURS])));
  expect.soft(found, `axe: ${what}`).toEqual([]);
}

/** The page passes wide and narrow, in both themes, and nothing is cut. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  for (const width of [1280, 360])
    for (const colorScheme of THEMES) {
      await page.setViewportSize({ width, height: 740 });
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `${width} px, ${colorScheme}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
}

const violations = (
  page: Page,
  context: { include: string[]; exclude: string[] },
  runOnly: string[],
): Promise<string[]> =>
  page.evaluate(
    async ({ context, runOnly, COLOURS }) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      const rules = runOnly.includes(COLOURS) ? {} : { [COLOURS]: { enabled: false } };
      const found = await run(context, { runOnly, rules, resultTypes: ['violations'] });
      // A separator that takes the focus is a window splitter by ARIA; this experimental rule takes all for mere lines.
      const isSplitter = (id: string, html: string): boolean =>
        id === 'focus-order-semantics' && html.includes('role="separator"');
      return found.violations
        .map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ html }) => !isSplitter(id, html)) }))
        .filter(({ nodes }) => nodes.length > 0)
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
    },
    { context, runOnly, COLOURS },
  );
