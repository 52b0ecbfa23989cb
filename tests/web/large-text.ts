// Text at 200 %, with every tab of the bench.
import { layoutFaults } from './layout';
import { expect, expectStep, place, press, wholeRun, type Page } from './pages';

/** Two ways to double the text size: in the browser's settings, and on the page itself. */
export const ENLARGE: Record<string, (page: Page, size: number) => Promise<unknown>> = {
  'in the browser': async (page, size) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Page.enable');
    await session.send('Page.setFontSizes', { fontSizes: { standard: 16 * size, fixed: 13 * size } });
  },
  'on the page': (page, size) =>
    page.evaluate((percent) => (document.documentElement.style.fontSize = percent), size === 1 ? '' : `${100 * size}%`),
};

/** Checks the page at 200 % with every tab of the bench; the two ways alternate. */
export async function expectRoomForLargeText(page: Page, turn: number): Promise<void> {
  const tabs = page.getByRole('tab');
  const { step } = await place(page);
  for (const [w, [how, enlarge]] of Object.entries(ENLARGE).entries()) {
    if (!wholeRun && w !== turn % 2) continue;
    await enlarge(page, 2);
    await press(page, 'Last step');
    for (let i = 0; i < Math.max(1, await tabs.count()); i++) {
      if (await tabs.count()) await tabs.nth(i).click();
      await expect.soft.poll(() => page.evaluate(layoutFaults), `200 % text, set ${how}, tab ${i}`).toEqual([]);
    }
    await enlarge(page, 1);
    await press(page, 'Reset');
    await expectStep(page, step);
  }
}
