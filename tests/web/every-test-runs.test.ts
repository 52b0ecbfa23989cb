// What runs is what there is: each test file is in one part of the runner, and Playwright's projects share the specs alike.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PARTS } from '../run/parts.mjs';
import { fromRoot } from '../bindings/modules';
import config from './playwright.config';

interface Part {
  files: string[];
  tier?: string;
  program: { command: string[] };
}

const parts = PARTS as Part[];
const all = readdirSync(fromRoot('tests'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => /(\.(test|spec)\.ts|_test\.cpp)$/.test(file) && !file.includes('node_modules/'),
);

test('each test file is in one part of the quick tier, or only in those of "all"', () => {
  const partsOf = (file: string): Part[] => parts.filter(({ files }) => files.includes(file));
  const wrong = all.filter((file) => {
    const quick = partsOf(file).filter(({ tier }) => !tier);
    return quick.length > 1 || partsOf(file).length === 0;
  });
  expect(all.length).toBeGreaterThan(150);
  expect(wrong).toEqual([]);
});

test('Playwright’s projects share the specs as the parts do', () => {
  const [pages, timed] = config.projects!;
  expect(pages!.testIgnore).toBe(timed!.testMatch);
  const ending = String(timed!.testMatch).slice(1);
  const specs = all.filter((file) => file.endsWith('.spec.ts')).sort();
  const ofProject = (name: string): string[] =>
    parts.find(({ program }) => program.command.includes(`--project=${name}`))!.files.toSorted();
  expect(ofProject('timed')).toEqual(specs.filter((file) => file.endsWith(ending)));
  expect(ofProject('pages')).toEqual(specs.filter((file) => !file.endsWith(ending)));
});
