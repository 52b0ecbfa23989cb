// ./lab picture: the README's screenshot, the lesson on four words as the built site opens it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { executablePath, flags } from './chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const PICTURE = join(root, 'web/preview.png');

/** The site's file for an address. */
function fileFor(address) {
  const path = join(root, 'build/site', new URL(address).pathname);
  return path.endsWith('/') ? join(path, 'index.html') : path;
}

const browser = await chromium.launch({ executablePath, args: flags });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
await page.route('**', (route) => {
  const path = fileFor(route.request().url());
  return existsSync(path) ? route.fulfill({ path }) : route.abort();
});
await page.goto('http://localhost/lessons/four-words/');
await page.locator('u-grid canvas').first().waitFor();
await page.locator('u-transport .says').waitFor();
await page.waitForTimeout(1000); // the cells fill in
await page.evaluate(() => document.fonts.ready);
await page.screenshot({ path: PICTURE });
await browser.close();
console.log(PICTURE);
