// `lab run`: a learner's program, run natively on tensors from a file.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fromRoot, run as runProgram, scratch as file } from './modules';

const run = (...words: string[]): string =>
  execFileSync(fromRoot('build/native/tests/unroll_run'), words, { encoding: 'utf8', stdio: 'pipe' });

/** What a refused run prints on stderr; its status must be 1. */
function refused(...words: string[]): string {
  try {
    return `not refused: ${run(...words)}`;
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string };
    expect(status).toBe(1);
    return stderr;
  }
}

const ATTEND = file(
  'attend.py',
  'def attend(Q, K, V=eye(2)):\n    W = parameter("W", (2, 2))\n    return Q @ K.T @ V @ W\n',
);
const Q = { shape: [1, 2], data: [1, 2] };
const K = { shape: [2, 2], data: [1, 0, 0, 1] };

it('writes results, loss and the gradients of inputs and parameters', () => {
  const inputs = file('inputs.json', JSON.stringify({ Q, K, W: { shape: [2, 2], data: [2, 0, 0, 3] } }));
  const out = file('out.json');
  expect(run(ATTEND, '--inputs', inputs, '--json', out)).toBe('');
  const report = JSON.parse(readFileSync(out, 'utf8')) as Record<string, Record<string, unknown>>;
  expect(report).toEqual(JSON.parse(run(ATTEND, '--inputs', inputs)));
  expect(report.result).toEqual({ shape: [1, 2], data: [2, 6] });
  expect(report.loss).toBe(8);
  expect(report.gradients!.Q).toEqual({ shape: [1, 2], data: [2, 3] });
  expect(report.gradients!.W).toEqual({ shape: [2, 2], data: [1, 1, 2, 2] });
  expect(Object.keys(report.gradients!)).toEqual(['Q', 'K', 'V', 'W']);
});

it('writes infinite numbers as texts, since JSON has none', () => {
  const infinite = file('infinite.py', 'def f():\n    return [1e308 * 10, -1e308 * 10, 2.5]\n');
  expect((JSON.parse(run(infinite)) as { result: unknown }).result).toEqual(['inf', '-inf', 2.5]);
});

it('refuses a program, a tensor or a file in one sentence', () => {
  const inputs = (values: object): string => file('bad.json', JSON.stringify(values));
  expect(refused(ATTEND)).toBe(
    `${ATTEND}: line 1, column 12: attend needs a value for Q: give it one, such as Q=randn(4, 3).\n`,
  );
  expect(refused(ATTEND, '--inputs', inputs({ Q, K: { shape: [2, 3], data: [1, 2, 3, 4, 5, 6] } }))).toBe(
    `${ATTEND}: line 3, column 14: Q is 1 × 2 and K.T is 3 × 2: @ needs 2 = 3. Did you mean K?\n`,
  );
  expect(refused(ATTEND, '--inputs', inputs({ Q, K, X: Q }))).toContain('"X" is given, and nothing');
  expect(refused(ATTEND, '--inputs', inputs({ Q: { shape: [2], data: [1] } }))).toContain('has 2 values, not 1.');
  expect(refused(ATTEND, '--inputs', file('text.json', 'Q = 1'))).toContain('is not JSON of the form');
  expect(refused(`${ATTEND}x`)).toContain('there is no file');
});

it('names the operation that made a NaN, in the result or in a gradient', () => {
  const log = file('log.py', 'def f(x=zeros(2) - 1):\n    return 2 * log(x)\n');
  expect(refused(log)).toMatch(/log\.py: line 2, column 16: log\(x\) made NaN at \[0\] from -1; /);
  const root = file('root.py', 'def f(x=zeros(2)):\n    return 0 * sqrt(x)\n');
  const { status, output, complaints } = runProgram('build/native/tests/unroll_run', [root]);
  expect(status).toBe(0);
  expect(JSON.parse(output).gradients.x.data).toEqual(['nan', 'nan']);
  expect(complaints).toMatch(/root\.py: line 2, column 16: the gradient through sqrt\(x\) is NaN at \[0\]; /);
});
