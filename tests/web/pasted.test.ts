// A script that comes back by paste.
import { expect, test } from 'vitest';
import { programIn } from '../../web/src/editor/pasted';

const START = '# ---- program ----';
const END = '# ---- end of program ----';

test('the program between the marks is taken, and any other text as it is', () => {
  expect(programIn(`import torch\n${START}\ndef f(x):\n    return x\n${END}\nprint(1)`)).toBe(
    'def f(x):\n    return x',
  );
  expect(programIn(`${START}\r\na = 1\r\n${END}\r\n`)).toBe('a = 1');
  for (const other of ['def f(x): return x', `${START}\na = 1`, `a = 1\n${END}\n`])
    expect(programIn(other)).toBe(other);
});

test('a megabyte of start marks takes no time', () => {
  const pasted = `${START}\n`.repeat(55_000);
  const began = performance.now();
  expect(programIn(pasted)).toBe(pasted);
  expect(performance.now() - began).toBeLessThan(500);
});
