// Chromium, over its own protocol, and Firefox, over WebDriver BiDi.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { executablePath, flags } from '../chromium.mjs';

const PATIENCE = 300_000;

const LAUNCH = {
  chromium: { browser: 'chrome', executablePath, args: flags },
  firefox: { browser: 'firefox', executablePath: process.env.FIREFOX },
};

/** @param back Whether the browser may keep earlier pages in memory for going back. */
export async function launch(name, { back }) {
  const scratch = mkdtempSync(join(tmpdir(), 'unroll-browser-'));
  const browser = await puppeteer.launch({
    ...LAUNCH[name],
    headless: true,
    env: { ...process.env, TMPDIR: scratch },
    networkEnabled: false, // otherwise Firefox keeps every response for its driver
    protocolTimeout: PATIENCE,
    extraPrefsFirefox: back ? {} : { 'browser.sessionhistory.max_total_viewers': 0 },
  });
  const [page] = await browser.pages();
  await page.setViewport({ width: 1280, height: 800 });
  return {
    ...acts(browser, page, name),
    name,
    version: (await browser.version()).replace(/^\w+\//, ''),
    pid: browser.process().pid,
    heard: hear(page),
    close: () => browser.close().finally(() => rmSync(scratch, { recursive: true, force: true })),
  };
}

const acts = (browser, page, name) => ({
  allowClipboard: (address) => allowClipboard(browser, name, address),
  goto: (address) => page.goto(address, { timeout: PATIENCE }),
  evaluate: (act, ...words) => page.evaluate(act, ...words),
  clickAt: (x, y) => page.mouse.click(x, y),
  paste: () => paste(page, name),
  collect: () => collect(page, name, browser.process().pid),
});

/** Records console errors from now on. */
function hear(page) {
  const heard = [];
  page.on('console', (message) => message.type() === 'error' && heard.push(message.text()));
  page.on('pageerror', (error) => heard.push(error.message));
  return heard;
}

/** Grants access to the clipboard: headless Chromium refuses without asking; with a window, a click is enough. */
async function allowClipboard(browser, name, address) {
  if (name !== 'chromium') return;
  await browser.defaultBrowserContext().overridePermissions(address, ['clipboard-write', 'clipboard-sanitized-write']);
}

/** Ctrl+V; Chromium's protocol needs the editing command as well. */
async function paste({ keyboard }, name) {
  await keyboard.down('Control');
  await keyboard.press('v', name === 'chromium' ? { commands: ['Paste'] } : {});
  await keyboard.up('Control');
}

/** The signal that makes Firefox on Linux minimise memory usage; it writes a report. */
const SIGMINIMISE = 35;

async function collect(page, name, pid) {
  if (name === 'firefox') return void process.kill(pid, SIGMINIMISE);
  const session = await page.createCDPSession();
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
}
