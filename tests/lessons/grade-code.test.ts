// A function is told what is known to be wrong with it, whatever becomes of the other wrong programs on that case.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gradeCode } from '../../web/src/lesson/code/grade-code';
import type { Code } from '../../web/src/lesson/format/code';
import { htmlOf } from './said';
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
    const { right, said } = await gradeCode(session, task, text);
    expect(right).toBe(false);
    expect(htmlOf(said)).toBe(why);
  }
});
