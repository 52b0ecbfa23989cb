// `lab fuzz differential`, on a few programs, where PyTorch is installed.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPyTorch } from '../bench/in-pytorch.mjs';
import { fromRoot } from './modules';

const PYTHON = process.env.PYTHON || 'python3';
const ENGINE = fromRoot('build/native/tests/unroll_differential');

function compare(engine: string, ...words: string[]): { status: number | null; printed: string } {
  const made = spawnSync(PYTHON, [fromRoot('tests/fuzz/differential/main.py'), engine, ...words], { encoding: 'utf8' });
  return { status: made.status, printed: made.stdout + made.stderr };
}

/** The engine, but every loss is 77.5. */
function wrongEngine(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'unroll-differential-')), 'engine');
  const text = `#!/bin/sh\nexec ${ENGINE} | sed -u 's/"loss":[-+0-9.e]*/"loss":77.5/'\n`;
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

it('every difference that counts as named stands in the guide', () => {
  const guide = readFileSync(fromRoot('lessons/write/guide.md'), 'utf8').replaceAll('`', '').replaceAll('\\"', '"');
  const list = readFileSync(fromRoot('tests/fuzz/differential/named.py'), 'utf8');
  const named = [...list.matchAll(/Named\("((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!.replaceAll('\\"', '"'));
  expect(named.length).toBeGreaterThan(30);
  for (const text of named) expect(guide).toContain(text);
});

describe.skipIf(!hasPyTorch())('under PyTorch', { timeout: 120_000 }, () => {
  it('drawn programs give what the engine gives, or differ as the guide says', () => {
    const { status, printed } = compare(ENGINE, '--seed', '7', '--count', '200');
    expect(printed).toMatch(/differential: 200 programs, of which 1[4-9]\d were accepted and \d+ refused by both/);
    expect(printed).toMatch(/: 0 differences that the guide does not name\n$/);
    expect(status).toBe(0);
  });

  it('a difference is printed with the smallest program, both results and how to see it again', () => {
    const { status, printed } = compare(wrongEngine(), '--seed', '7', '--count', '20');
    expect(status).toBe(1);
    expect(printed).toMatch(/^differs: loss: 77\.5 here and .* there in a float tensor\n/);
    expect(printed).toMatch(
      /\nrerun: \.\/lab fuzz differential --seed 7 --from \d+ --count 1\ndef f\(.*\):\n(?: {4}.*\n)+/,
    );
    expect(printed).toMatch(/\nhere: \{'result'.*\nthere: \{'result'/);
  });
});
