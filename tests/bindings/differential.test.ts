// `lab fuzz differential`, on a few programs, where PyTorch is installed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasPyTorch, PYTHON } from '../bench/in-pytorch.mjs';
import { fromRoot, scratch } from './modules';

const ENGINE = fromRoot('build/native/tests/unroll_differential');

function compare(engine: string, ...words: string[]): { status: number | null; printed: string } {
  const made = spawnSync(PYTHON, [fromRoot('tests/fuzz/differential/main.py'), engine, ...words], { encoding: 'utf8' });
  return { status: made.status, printed: made.stdout + made.stderr };
}

/** The engine, but what it prints is changed by sed: by default, every loss is 77.5. */
const wrongEngine = (change = 's/"loss":[-+0-9.e]*/"loss":77.5/'): string =>
  scratch('engine', `#!/bin/sh\nexec ${ENGINE} | sed -u '${change}'\n`, 0o755);

it('the guide has every difference that counts as named', () => {
  const guide = readFileSync(fromRoot('lessons/write/guide.md'), 'utf8').replaceAll('`', '').replaceAll('\\"', '"');
  const list = readFileSync(fromRoot('tests/fuzz/differential/named.py'), 'utf8');
  const named = [...list.matchAll(/^ {4}"((?:[^"\\]|\\.)*)":/gm)].map(([, text]) => text!.replaceAll('\\"', '"'));
  expect(named.length).toBeGreaterThan(30);
  for (const text of named) expect(guide).toContain(text);
});

/** How the two sides differ on one program, and whether the guide names it. */
function differenceOf(engine: string, program: string): string {
  const text = `import sys, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[1])
from main import Comparison, entry_for
from sides import Engine
found = Comparison(Engine(sys.argv[2])).of(sys.argv[3])[0]
print(found, "(named)" if found and entry_for(found) else "")`;
  const made = spawnSync(PYTHON, ['-c', text, fromRoot('tests/fuzz/differential'), engine, program], {
    encoding: 'utf8',
  });
  return made.stdout + made.stderr;
}

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

  it.each([
    ['floor', 'def f(x=tensor(0.0)):\n    return x.sum() + floor(5 / x).sum()\n'],
    ['no values', 'def f(x=tensor([0.0])):\n    y = x + 0\n    y[1:] *= log(x)\n    return y.sum()\n'],
  ])('0 times infinity after %s is named', (_, program) => {
    expect(differenceOf(ENGINE, program)).toMatch(
      /^0 times infinity there: gradient of x: 1\.0 here and nan there.*\(named\)\n$/,
    );
  });

  it('a NaN that the engine loses elsewhere is not named', () => {
    const program = 'def f(x=tensor([0.0, 1.0])):\n    return where(x > 0, x ** 0.5, 0).sum()\n';
    expect(differenceOf(ENGINE, program)).toBe(' \n');
    expect(differenceOf(wrongEngine('s/"nan"/0.0/g'), program)).toBe(
      'after a gradient that is infinite or NaN: gradient of x: 0.0 here and nan there in a float tensor \n',
    );
  });
});
