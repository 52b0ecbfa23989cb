// Counts the characters of text that a lesson, as it opens at 1280 × 800, shows outside the lesson's own column, beside the
// most it may show; with --texts, also says which.
//   [UNROLL_SITE=SITE] node tests/text-in-sight.mjs [--texts] [LESSON]…
import { chromium } from '@playwright/test';
import { executablePath, flags } from './chromium.mjs';
import { Host } from './offline-host.mjs';
import { MOST_IN_SIGHT, charactersOf, textInSight } from './sight.mjs';
import { lessonsOfSite } from './site.mjs';

const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const says = process.argv.includes('--texts');
const host = await new Host().start();
const browser = await chromium.launch({ executablePath, args: flags });
const page = await browser.newPage({
  viewport: { width: 1280, height: 800 },
  serviceWorkers: 'block',
});
let all = 0;
for (const lesson of named.length ? named : lessonsOfSite()) {
  await page.goto(`${host.address}lessons/${lesson}/`);
  const texts = await textInSight(page);
  const count = charactersOf(texts);
  all += count;
  console.log(String(count).padStart(6), `of ${MOST_IN_SIGHT[lesson] ?? '?'}`.padEnd(8), lesson);
  if (says) console.log(`       ${texts.join(' | ')}`);
}
console.log(String(all).padStart(6), 'in all');
await browser.close();
await host.stop();
