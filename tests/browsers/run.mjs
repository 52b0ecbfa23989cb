// node tests/browsers/run.mjs [memory | offline] BROWSER…: tries the built site in each, and exits with 1 if anything is wrong.
import { bits } from './check-bits.mjs';
import { link } from './check-link.mjs';
import { offline } from './check-offline.mjs';
import { pages } from './check-pages.mjs';
import { Host } from './host.mjs';
import { memory } from './memory.mjs';
import * as puppeteer from './puppeteer.mjs';
import * as webdriver from './webdriver.mjs';

/** What is tried unless one of the others is named. */
const SMOKE = { pages, bits, link, offline };
const ALONE = { memory: { memory }, offline: { offline } };

async function tryIn(name, checks, back) {
  const browser = await (name === 'webkit' ? webdriver : puppeteer).launch(name, { back });
  const host = await new Host().start();
  console.log(`${name} ${browser.version}`);
  let passed = true;
  try {
    for (const [what, check] of Object.entries(checks)) {
      const began = performance.now();
      const { done, wrong } = await check(browser, host).catch((error) => ({ wrong: [error.stack] }));
      const seconds = Math.round((performance.now() - began) / 1000);
      console.log(`  ${what.padEnd(8)} ${wrong.length ? 'WRONG' : done} (${seconds} s)`);
      for (const sentence of wrong) console.log(`           ${sentence}`);
      passed &&= !wrong.length;
    }
  } finally {
    await browser.close();
    await host.stop();
  }
  return passed;
}

const words = process.argv.slice(2);
const alone = words.find((word) => word in ALONE);
const checks = ALONE[alone] ?? SMOKE;
const names = words.filter((word) => word !== alone && word !== '--no-back');
for (const name of names) {
  const passed = await tryIn(name, checks, !words.includes('--no-back')).catch((error) =>
    console.log(`${name} ${error.stack}`),
  );
  if (!passed) process.exitCode = 1;
}
