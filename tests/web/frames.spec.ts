// In a frame whose sandbox gives it no origin, a page says what to add; with an origin, the lab runs.
import { createServer, type Server } from 'node:http';
import type { Frame, Page } from '@playwright/test';
import { fileFor, ISOLATION, sendFile, sendNothing } from '../site.mjs';
import { listen } from './host';
import { cold, expect, FIRST_LESSON } from './pages';

const FOR_FRAMES = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** A host of the site with these headers, and of a page at /frame that shows the lesson in a frame. */
const hostWith = (headers: Record<string, string>, sandbox: string): Server =>
  createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    if (pathname === '/frame') {
      response.setHeader('content-type', 'text/html');
      return void response.end(
        `<iframe sandbox="${sandbox}" src="/${FIRST_LESSON}" width="1200" height="700"></iframe>`,
      );
    }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const file = fileFor(pathname);
    return file ? sendFile(response, file) : sendNothing(response);
  });

async function framed(page: Page, headers: Record<string, string>, sandbox: string): Promise<Frame> {
  const server = hostWith(headers, sandbox);
  page.on('close', () => server.close());
  await page.goto(`${await listen(server)}frame`);
  return page.frames()[1]!;
}

const said = (frame: Frame) => frame.getByText('add allow-same-origin to the sandbox');
const runs = async (frame: Frame): Promise<void> => {
  await expect(frame.locator('u-board [data-tensor]').first()).toBeVisible({ timeout: 20_000 });
  await expect(said(frame)).toBeHidden();
};

for (const [what, headers] of [
  ['a plain host', {}],
  ['a host that isolates its pages', ISOLATION],
  ['a host that lets any origin load its files', FOR_FRAMES],
] as const)
  cold(`without an origin, a page of ${what} says what to add`, async ({ page }) => {
    const frame = await framed(page, headers, 'allow-scripts');
    await expect(said(frame)).toBeVisible();
    await expect(frame.getByRole('heading', { level: 1 })).toBeVisible();
  });

cold('with an origin, the lab runs in a frame of any host', async ({ page }) => {
  await runs(await framed(page, {}, 'allow-scripts allow-same-origin'));
});
