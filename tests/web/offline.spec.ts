// A page that was opened once opens without its host, whatever headers the host sends; and a browser without service
// workers shows it too.
import { createServer, type Server } from 'node:http';
import type { Page } from '@playwright/test';
import { fileFor, sendFile, sendNothing } from '../site.mjs';
import { listen } from './host';
import { cold, expect, FIRST_LESSON, open, settled, SUB_PATH } from './pages';

/** A host of the site under a sub-path, with these headers. */
const hostWith = (headers: Record<string, string>): Server =>
  createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const file = fileFor(pathname.replace(`/${SUB_PATH}`, '/'));
    return file ? sendFile(response, file) : sendNothing(response);
  });

function stop(server: Server): void {
  server.closeAllConnections();
  server.close();
}

/** Whether the service worker has kept the page and all that it has fetched. */
const isKept = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
    const requests = (await Promise.all(caches.map((cache) => cache.keys()))).flat();
    const kept = new Set(requests.map(({ url }) => url));
    const fetched = performance.getEntriesByType('resource').map(({ name }) => name);
    return [location.href, ...fetched].filter((url) => url.startsWith('http')).every((url) => kept.has(url));
  });

cold.describe('after the first visit', () => {
  cold.use({ serviceWorkers: 'allow' });

  for (const [what, headers] of [
    ['a plain host', {}],
    ['a host that sends Vary: Origin', { vary: 'Origin' }],
    ['a host that sends Vary: Accept-Encoding, Origin', { vary: 'Accept-Encoding, Origin' }],
  ] as const)
    cold(`a page of ${what} opens offline, with its style and its engine`, async ({ page }) => {
      const server = hostWith(headers);
      const address = `${await listen(server)}${SUB_PATH}${FIRST_LESSON}`;
      await open(page, address);
      const numbers = await settled(page);
      await expect.poll(() => isKept(page), { timeout: 20_000 }).toBe(true);
      stop(server);
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
