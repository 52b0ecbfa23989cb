// Counts the characters of text that a lesson, as it opens at 1280 × 800, shows outside the lesson's own column: whatever
// competes with it for the reader's eye. Digits painted on a canvas are not text, and are not counted.
//   [UNROLL_SITE=SITE] node tests/text-in-sight.mjs
import { chromium } from '@playwright/test';
import { executablePath, flags } from './chromium.mjs';
import { Host } from './offline-host.mjs';
import { lessonsOfSite } from './site.mjs';

/** Run in the page: characters of all text in sight that does not lie in the lesson's column. */
function inSight() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let count = 0;
  const seen = [];
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    const owner = text.parentElement;
    if (!text.data.trim() || owner.closest('article.text, script, style') || !owner.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const isSeen = ({ left, right, top, bottom }) => {
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return hit !== null && (hit === owner || owner.contains(hit));
    };
    if ([...range.getClientRects()].some(isSeen)) count += text.data.trim().replace(/\s+/g, ' ').length;
  }
  return count;
}

const host = await new Host().start();
const browser = await chromium.launch({ executablePath, args: flags });
const page = await browser.newPage({
  viewport: { width: 1280, height: 800 },
  serviceWorkers: 'block',
  bypassCSP: true,
});
let all = 0;
for (const lesson of lessonsOfSite()) {
  await page.goto(`${host.address}lessons/${lesson}/`);
  await page.waitForFunction(() => {
    const { trace, busy } = document.querySelector('u-lab').lab ?? {};
    return trace && !busy;
  });
  await page.addStyleTag({ content: '* { pointer-events: auto !important; }' }); // or a label would not be hit
  await page.waitForTimeout(1500);
  const count = await page.evaluate(inSight);
  all += count;
  console.log(String(count).padStart(6), lesson);
}
console.log(String(all).padStart(6), 'in all');
await browser.close();
await host.stop();
