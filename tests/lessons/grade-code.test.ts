// What the page says of a function that is not right.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gradeCode, usedOf } from '../../web/src/lesson/code/grade-code';
import type { Code } from '../../web/src/lesson/format/tasks';
import { htmlOf } from './html-of';
import { openWasm, type Opened } from './sessions';

const task: Code = {
  start: 'def f(A, x):\n    return x\n',
  call: 'f(A, x)',
  cases: [
    { A: 'randn(3, 3)', x: 'randn(3)' },
    { A: '10 * randn(2, 3)', x: 'randn(3)' },
  ],
  solution: ['def f(A, x):\n    return A @ x\n', 'def f(A, x):\n    return (A * x).sum(-1)\n'],
  wrong: [
    { try: 'def f(A, x):\n    return A.T @ x\n', why: 'It is turned.' },
    { try: 'def f(A, x):\n    return clamp(A @ x, -9, 9)\n', why: 'It is cut off.' },
  ],
  gradients: true,
  without: [],
  hints: ['Look at the sizes.', 'A row for each number.'],
};

let session: Opened;
beforeAll(async () => {
  session = await openWasm();
});
afterAll(() => session.close());

it('a wrong program that does not run on a later case stops nothing', async () => {
  for (const { try: text, why } of task.wrong) {
    const { right, message } = await gradeCode(session, task, text);
    expect(right).toBe(false);
    expect(htmlOf(message)).toBe(why);
  }
});

const message = async (text: string): Promise<string> =>
  htmlOf((await gradeCode(session, task, `def f(A, x):\n    ${text}\n`)).message);

it('where only a later case is wrong, its inputs are named', async () => {
  const where = 'With the first inputs all was right. Now A is 2 × 3 and x is 3 values. ';
  expect(await message('return (A @ x)[:3] * A.shape[0] / 3')).toMatch(`${where}The value at [0] is `);
  await expect(message('return (A.reshape(3, 3) @ x)')).rejects.toThrow(`${where}line 2, column 14: `);
});

it('another shape is named', async () => {
  expect(await message('return x[0]')).toBe('It returns one value; it should be 3 values.');
});

it('a gradient that is NaN is called so', async () => {
  expect(await message('return where(A[:, 0] < 100, A @ x, 0 * x[0] / (x[0] - x[0]))')).toMatch(
    'of x is no number (NaN)',
  );
});

it.each([
  ['return A @ x, x', 'It returns a tuple of 2, and one tensor is wanted.'],
  ['y = A @ x', 'It returns None, and one tensor is wanted.'],
])('%s is not taken for its first value', async (text, why) => {
  await expect(message(text)).rejects.toThrow(why);
});

it.each([
  ['def f(x):\n    return softmax(x, -1)\n', 'softmax'],
  ['def f(x):\n    return x.softmax(-1)\n', 'softmax'],
  ['def f(x):\n    g = softmax\n    return g(x, -1)\n', 'softmax'],
  ['def h(g, x):\n    return g(x, -1)\n\ndef f(x):\n    return h(softmax, x)\n', 'softmax'],
  ['def softmax(x):\n    return x.softmax(-1)\n', 'softmax'],
  ['def softmax(x):  # not softmax(x)\n    return exp(x)\n\ndef f(x):\n    return softmax(x)\n', undefined],
  ['def f(x):\n    softmax = exp(x)\n    return softmax / softmax.sum()\n', undefined],
  ['def f(x):\n    softmaxes = "softmax"\n    return x\n', undefined],
])('%j uses %s', (text, used) => {
  expect(usedOf(text, ['softmax', 'log_softmax'])).toBe(used);
});
