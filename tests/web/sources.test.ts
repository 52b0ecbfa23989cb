// What no part of the page may do, whichever language it is in: read sentences, write numbers its own way, or show text
// as HTML.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../web/src/', import.meta.url);
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => [name, readFileSync(new URL(name, root), 'utf8')] as const);

const filesWith = (pattern: RegExp): string[] =>
  sources
    .filter(([, text]) => pattern.test(text))
    .map(([name]) => name)
    .sort();

test('nothing takes a message for people apart', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(filesWith(/\bmessage\??\.(startsWith|endsWith|includes|match|slice|replace|replaceAll|split)\(/)).toEqual([]);
  expect(filesWith(/\.(exec|test)\((\w+\.)*message\)/)).toEqual([]);
  expect(filesWith(/textContent!?\.(startsWith|includes|match|slice|replace|split)\(/)).toEqual([]);
});

test('numbers and lists are written in one place', () => {
  expect(filesWith(/\bIntl\.|toLocaleString\(/)).toEqual(['messages/intl.ts', 'messages/sentence.ts']);
});

test('only what the build has rendered is shown as HTML', () => {
  expect(filesWith(/unsafeHTML|innerHTML|outerHTML|insertAdjacentHTML/)).toEqual([
    'bench/code/code.ts',
    'lesson/task/said.ts',
  ]);
});
