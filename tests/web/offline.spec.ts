// A page that was opened once opens without its host, whatever headers the host sends; and a browser without service
// workers shows it too.
import { Host, HOSTS, isKept } from './offline-host';
import { cold, expect, FIRST_LESSON, open, settled } from './pages';

cold.describe('after the first visit', () => {
  cold.use({ serviceWorkers: 'allow' });

  for (const [what, headers] of HOSTS)
    cold(`a page of ${what} opens offline, with its style and its engine`, async ({ page }) => {
      const host = await new Host(headers).start();
      const address = `${host.address}${FIRST_LESSON}`;
      await open(page, address);
      const numbers = await settled(page);
      await expect.poll(() => isKept(page), { timeout: 20_000 }).toBe(true);
      await host.stop();
      await page.reload();
      await open(page, address);
      expect(await settled(page)).toBe(numbers);
      expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).not.toBe('"Times New Roman"');
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
