// A page of Chromium, isolated from other origins, and a host of some files.
import { chromium } from 'playwright';
import { executablePath, flags } from './chromium.mjs';
import { Host } from './offline-host.mjs';
import { ISOLATION } from './site.mjs';

/**
 * @param {(path: string) => string | null} fileAt The file for a path of the host; null if there is none.
 * @param {(page: import('playwright').Page, address: string) => unknown} use
 */
export async function inChromium(fileAt, use, more = []) {
  const host = new Host({ headers: ISOLATION, under: '/' });
  host.fileAt = fileAt;
  await host.start();
  const browser = await chromium.launch({ executablePath, args: [...more, ...flags] });
  try {
    const page = await browser.newPage({ serviceWorkers: 'block' });
    page.setDefaultTimeout(0);
    return await use(page, host.address);
  } finally {
    await browser.close();
    await host.stop();
  }
}
