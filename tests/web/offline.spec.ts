// A page that was opened once opens without its host, whatever headers the host sends; and a browser without service
// workers shows it too.
import { Host, HOSTS, isKept } from '../offline-host.mjs';
import { reload } from './acts';
import { editor, runWhole, textOf, writeAbove } from './editor';
import { chooseModel } from './hands';
import { linkTo } from './links';
import { FIRST_LESSON } from './addresses';
import { cold, expect, notice, open, settled, showStage, some, type Page } from './pages';
import { fillStorage, stepsKept } from './storage';
import { ended, resumed, small, train } from './trainings';

cold.describe('after the first visit', () => {
  cold.use({ serviceWorkers: 'allow' });

  for (const how of some(HOSTS, ({ headers }) => 'vary' in headers))
    cold(`a page of ${how.what} opens offline, with its style and its engine`, async ({ page }) => {
      const host = await new Host(how).start();
      const address = `${host.address}${FIRST_LESSON}`;
      await open(page, address);
      const numbers = await settled(page);
      await expect.poll(() => page.evaluate(isKept, host.toKeep), { timeout: 20_000 }).toBe(true);
      await host.stop();
      await page.reload();
      await open(page, address);
      expect(await settled(page)).toBe(numbers);
      expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).not.toBe('"Times New Roman"');
    });

  /** Opens it once, waits until the browser has kept it, and stops the host. */
  const openOnce = async (
    page: Page,
    path: string,
    prepare = async (): Promise<unknown> => undefined,
  ): Promise<void> => {
    const host = await new Host().start();
    await open(page, host.address + path);
    await prepare();
    await showStage(page, 'Training');
    await ended(page); // the panel is there, and nothing trains
    await expect.poll(() => page.evaluate(isKept, host.toKeep), { timeout: 20_000 }).toBe(true);
    await host.stop();
  };
  const SMALL_BENCH = `workbench/${linkTo({ lesson: '', config: small() })}`;

  cold('what is trained offline is kept', async ({ page }) => {
    await openOnce(page, SMALL_BENCH);
    await train(page, 3);
    await expect.poll(() => stepsKept(page)).toBe(3);
    await page.reload();
    await resumed(page, 3);
  });

  cold('what is trained offline and cannot be kept is named', async ({ page }) => {
    await openOnce(page, SMALL_BENCH);
    await page.evaluate(fillStorage);
    await train(page, 3);
    await expect(notice(page)).toContainText('This browser has no space left to save what you train');
  });

  cold('what is trained offline stays when the program changes', async ({ page }) => {
    await openOnce(page, 'workbench/', async () => {
      await chooseModel(page, 'program_lm');
      await expect(editor(page)).toBeVisible();
    });
    await train(page, 3);
    await showStage(page, 'Code');
    await writeAbove(page, '# mine');
    await runWhole(page);
    await reload(page);
    await expect.poll(() => textOf(page)).toMatch(/^# mine\n/);
    await resumed(page, 3);
  });
});

for (const [what, source] of [
  ['is there and undefined', 'get: () => undefined'],
  ['throws', 'get() { throw new DOMException("no", "SecurityError"); }'],
] as const)
  cold(`a page opens where navigator.serviceWorker ${what}`, async ({ page }) => {
    await page.addInitScript(`Object.defineProperty(Navigator.prototype, 'serviceWorker', { ${source} })`);
    await open(page, FIRST_LESSON);
    await settled(page);
    await expect(page.locator('.given-up')).toHaveCount(0);
  });
