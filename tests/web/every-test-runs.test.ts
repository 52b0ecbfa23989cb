// What `./lab test` runs of the specs is what Playwright lists: a spec that both leave to the other is never run.
import { expect, test } from 'vitest';
import config from './playwright.config';
import { PARTS } from '../run/parts.mjs';

interface Part {
  files: string[];
  program: { command: string[] };
}

test('every spec belongs to the project that the runner gives it to', () => {
  const parts = (PARTS as Part[]).filter(({ program }) => program.command.includes('playwright'));
  const specs = import.meta.glob('./*.spec.ts');
  const all = Object.keys(specs)
    .map((path) => path.replace('./', 'web/'))
    .sort();
  expect(all.length).toBeGreaterThan(40);
  expect(parts.flatMap(({ files }) => files).sort()).toEqual(all);
  for (const { files, program } of parts) {
    const name = program.command.find((word) => word.startsWith('--project='))!.replace('--project=', '');
    const { testMatch, testIgnore } = config.projects!.find((project) => project.name === name)!;
    const takes = (file: string): boolean =>
      testMatch ? (testMatch as RegExp).test(file) : !(testIgnore as RegExp).test(file);
    expect(files, name).toEqual(all.filter(takes).filter((file) => files.includes(file)));
    expect(all.filter(takes), name).toHaveLength(files.length);
  }
});
