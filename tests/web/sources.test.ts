// Rules for all code of the page: it does not parse messages, format numbers its own way, or show text as HTML.
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

test('no code parses a message meant for people', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(filesWith(/\bmessage\??\.(startsWith|endsWith|includes|match|slice|replace|replaceAll|split)\(/)).toEqual([]);
  expect(filesWith(/\.(exec|test)\((\w+\.)*message\)/)).toEqual([]);
  expect(filesWith(/textContent!?\.(startsWith|includes|match|slice|replace|split)\(/)).toEqual([]);
});

test('numbers and lists are formatted in one place', () => {
  expect(filesWith(/\bIntl\.(?!Segmenter)|toLocaleString\(/)).toEqual(['messages/intl.ts']);
});

test('only text rendered by the build is shown as HTML', () => {
  expect(filesWith(/unsafeHTML|innerHTML|outerHTML|insertAdjacentHTML/)).toEqual([
    'bench/code/code.ts',
    'lesson/task/answer.ts',
  ]);
});

/** Loaded before anything is trained. */
const BEFORE_TRAINING = ['./legacy-database'];
test('what the lab fetches on demand comes with the training panel: later there may be no network', () => {
  const fetched = (folder: string): string[] =>
    sources
      .filter(([name]) => name.startsWith(folder))
      .flatMap(([, text]) => [...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, path]) => path!));
  const base = (path: string): string => path.split('/').at(-1)!;
  const wanted = fetched('lab/').filter((path) => !BEFORE_TRAINING.includes(path));
  expect([...new Set(wanted.map(base))].sort()).toEqual(fetched('bench/training/').map(base).sort());
});

test('scripts are run from the page’s own addresses alone', () => {
  expect(
    filesWith(
      /\bnew (Shared)?Worker\(|\b(?:serviceWorker|container)\.register\(|createElement\('script'\)|importScripts\(/,
    ),
  ).toEqual(['engine/client.ts', 'engine/offline.ts', 'workbench/long-reader.ts']);
  expect(filesWith(/(Worker|register)\((?!scriptAddress\()/)).toEqual([]);
});
