// Shared by the tests of unroll_conform: a folder of cases, and running the program on it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import { builds, run, type Ended } from './modules';

export const PROGRAMS = builds('unroll_conform');

export let folder: string;

/** Before each test: an empty folder. */
export function useFolder(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'conform-'));
    return () => rmSync(folder, { recursive: true });
  });
}

export const write = (name: string, content: unknown): void =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

/** Runs the program on the folder, or with the given arguments. */
export const conform = (program: string, ...words: string[]): Ended => run(program, words.length ? words : [folder]);

/** Expects the only case in the folder to fail with such a message. */
export function fails(program: string, content: unknown, message: RegExp): void {
  write('case.json', content);
  const { status, output } = conform(program);
  expect(output).toMatch(message);
  expect(output).toMatch(/^FAIL case\.json: .+\n0 passed, 1 failed, 0 skipped\n$/u);
  expect(status).toBe(1);
}
