// If the page's web fonts are missing or late, the layout also holds with a single installed family of fonts. (Without
// any font, Chromium itself exits.)
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from '@playwright/test';
import { executablePath, flags } from '../chromium.mjs';
import { expectAccessible } from './axe';
import { expectRoomForLargeText, shifted } from './layout';
import { FIRST_LESSON, PAGES } from './addresses';
import { cold, expect, open, settled, shows, wholeRun } from './pages';
import { WINDOW } from './playwright.config';

/** A folder with the fonts of one family; `./lab test all` installs them. */
const MACHINES = {
  'DejaVu alone': '/usr/share/fonts/truetype/dejavu',
  'Liberation alone': '/usr/share/fonts/truetype/liberation',
};
/** Those whose words have the least room; in a quick run, one. */
const LOOKED = wholeRun ? PAGES : PAGES.filter((path) => path.includes('/the-block/'));
const PHONE = { width: 360, height: 740 };

/** A browser that finds only the fonts of this folder. */
async function browserWith(folder: string): Promise<Browser> {
  const made = fileURLToPath(new URL('../../build/tests/fonts/', import.meta.url));
  mkdirSync(made, { recursive: true });
  const file = `${made}${folder.split('/').at(-1)!}.conf`;
  const aliases = '<include ignore_missing="yes">/etc/fonts/conf.d</include>';
  writeFileSync(file, `<fontconfig><dir>${folder}</dir>${aliases}<cachedir>${made}</cachedir></fontconfig>`);
  return chromium.launch({ executablePath, args: flags, env: { ...process.env, FONTCONFIG_FILE: file } });
}

cold('what is read, operated and computed is drawn in the fonts of the page', async ({ page }) => {
  await open(page, 'lessons/looking-back/');
  await settled(page);
  const session = await page.context().newCDPSession(page);
  await Promise.all([session.send('DOM.enable'), session.send('CSS.enable')]);
  const { root } = await session.send('DOM.getDocument', { depth: 0 });
  const drawn = async (selector: string): Promise<string[]> => {
    const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector });
    const used = await Promise.all(nodeIds.map((nodeId) => session.send('CSS.getPlatformFontsForNode', { nodeId })));
    const names = used.flatMap(({ fonts }) => fonts.map((font) => (font.isCustomFont ? font.familyName : 'another')));
    return [...new Set(names)].sort();
  };
  const read = 'article > :is(h1, h2, p, .lead) > :is(em, .n), article > :is(h1, h2, .lead)';
  expect(await drawn(read)).toEqual(['Unroll Serif 4']);
  expect(await drawn('button:not(.term), .part')).toEqual(['UnrollSans3VF']);
  const formulas = await drawn('.katex-html .mord');
  expect(formulas.filter((name) => !name.startsWith('KaTeX'))).toEqual([]);
  expect(formulas).toContain('KaTeX_Math');
});

for (const [machine, folder] of Object.entries(MACHINES))
  cold.describe(`with ${machine}`, () => {
    cold.skip(!existsSync(folder), `there is no ${folder}`);
    let browser: Browser;
    cold.beforeAll(async () => {
      browser = await browserWith(folder);
    });
    cold.afterAll(() => browser?.close());

    cold('nothing is moved when the faces come', async ({ baseURL }) => {
      const page = await browser.newPage({ ...WINDOW, baseURL: baseURL! });
      let come = (): void => {};
      const coming = new Promise<void>((begin) => (come = begin));
      await page.route(/(sans|serif)-[\w-]+\.woff2$/, (route) => coming.then(() => route.continue()));
      await page.goto(FIRST_LESSON, { waitUntil: 'commit' }); // the load event waits for the fonts
      await shows(page.locator('u-transport .says'), /./);
      await page.mouse.move(1, 1); // with the first movement the exercises come: they are not what is measured
      await expect(page.locator('u-task .btn').first()).toBeAttached();
      await settled(page);
      const height = (): Promise<number> => page.locator('article').evaluate((text) => text.scrollHeight);
      const before = [await height(), await page.evaluate(shifted)] as const;
      come();
      await page.waitForLoadState('load');
      await page.evaluate(() => document.fonts.ready);
      await settled(page);
      expect((await page.evaluate(shifted)) - before[1]).toBeLessThan(0.025); // a word more or less in a narrow line
      expect(Math.abs((await height()) / before[0] - 1)).toBeLessThan(0.02);
      await page.close();
    });

    for (const [i, path] of LOOKED.entries())
      for (const viewport of wholeRun ? [PHONE, WINDOW.viewport] : [PHONE])
        cold(`/${path} at ${viewport.width} px`, async ({ baseURL }) => {
          const page = await browser.newPage({ ...WINDOW, baseURL: baseURL!, viewport });
          await page.route(/\.woff2$/, (route) => route.abort());
          await open(page, path);
          await settled(page);
          await expectRoomForLargeText(page, i);
          await expectAccessible(page, machine, { structure: 'layout', colours: false });
          await page.close();
        });
  });
