import { it } from 'vitest';
import { readFileSync } from 'node:fs';
import { topStops, partsOf, type Stop } from '../../web/src/lab/stops';
import { namesOf, plainText, tokensOf } from '../../web/src/ui/stop-names';
it('dump', () => {
  const all = JSON.parse(readFileSync('/tmp/dump.json', 'utf8'));
  let out = '';
  for (const [slug, { trace, pair, task, config }] of Object.entries<any>(all)) {
    const tokens = tokensOf({ pair, task, config: () => config } as never);
    const show = (level: readonly Stop[]) => namesOf(trace, level, tokens).map((n) => `${plainText(n)} [${n.label}]`).join(' | ');
    const tops = topStops(trace);
    out += `${slug} ${tops.filter((s) => s.phase === 'forward').length}: ${show(tops)}\n`;
    for (const s of new Set([tops[1], tops.at(-5), tops.at(-2), tops.at(-1)])) if (s) out += `      > ${show(partsOf(trace, s)).slice(0, 700)}\n`;
  }
  console.log(out);
});
