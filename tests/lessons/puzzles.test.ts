// The rules of puzzles: the code around the answer cannot change, lines are counted, and a target decides, with a margin.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readYaml } from '../../web/plugin/yaml-data';
import { gradeCode, refusalOf } from '../../web/src/lesson/code/grade-code';
import { code, type Code } from '../../web/src/lesson/format/tasks';
import { htmlOf } from './html-of';
import { openWasm, type Opened } from './sessions';

const task: Code = {
  start: 'def query(x):\n    return x\n',
  given: 'def weights(X):\n    Q = stack([query(x) for x in X])\n    return softmax(Q @ X.T, dim=-1)\n',
  call: 'weights(X)',
  cases: [{ X: 'eye(2)' }, { X: '30 * eye(3)' }],
  gradients: false,
  without: [],
  target: 'eye(X.shape[0])',
  within: 0.2,
  rows: 'weights',
  lines: 3,
  solution: ['def query(x):\n    return 9 * x\n', 'def query(x):\n    return 8 * x\n'],
  wrong: [
    { try: 'def query(x):\n    return 0 * x\n', why: 'It asks nothing.' },
    { try: 'def query(x):\n    return -x\n', why: 'It is turned.' },
  ],
  hints: ['Ask.', 'Ask loudly.'],
};

let session: Opened;
beforeAll(async () => {
  session = await openWasm();
});
afterAll(() => session.close());

const graded = async (text: string, changes: Partial<Code> = {}): Promise<[boolean, string]> => {
  const { right, message } = await gradeCode(session, { ...task, ...changes }, text);
  return [right, htmlOf(message)];
};
const query = (value: string): string => `def query(x):\n    return ${value}\n`;

describe('within', () => {
  it('lets pass what is nearer', async () => expect((await graded(query('1.5 * x')))[0]).toBe(true)); // 0.82
  it('refuses what is not, and says what looked where', async () => {
    expect(await graded(query('x'))).toEqual([
      false,
      'Here X is [[1, 0], [0, 1]]. Position 0 looks at itself with 0.7311; it should be more than 0.8.',
    ]);
    expect(await graded(query('2 * flip(x, [0])'))).toEqual([
      false,
      'Here X is [[1, 0], [0, 1]]. Position 0 looks at position 1 with 0.8808; it should look at itself with more than 0.8.',
    ]);
  });
  it('goes for every case, and the reason of a program that fails before is not that of one that fails later', async () =>
    expect((await graded(query('9 * x * (2.5 - x.shape[0])')))[1]).toMatch(
      /^With the first inputs all was right. Now X is \[\[30, 0, 0\], \[0, 30, 0\], \[0, 0, 30\]\]\. Position 0 looks at position 1 with 0.5; it should look at itself with more than 0.8.$/,
    ));
  it('adds the reason of a listed program', async () =>
    expect((await graded(query('x - x')))[1]).toMatch(/ Position 0 looks at itself with 0.5; .* It asks nothing\.$/));
});

describe('target', () => {
  it('decides, not the first solution', async () => {
    const solution = [query('0 * x'), query('9 * x')];
    expect(await graded(query('9 * x'), { solution })).toEqual([true, 'The puzzle is solved: it holds in 2 cases.']);
    expect((await graded(query('0 * x'), { solution }))[0]).toBe(false);
  });
  it('may be a program, whose last function takes the inputs', async () => {
    const target = 'def half(n):\n    return ones(n, n) / n\n\ndef right(X):\n    return half(X.shape[0])\n';
    expect((await graded(query('0 * x'), { target }))[0]).toBe(true);
    expect(await graded(query('-x'), { target })).toEqual([
      false,
      'Here X is [[1, 0], [0, 1]]. Position 0 gives itself a weight of 0.2689; it should be 0.5. It is turned.',
    ]);
  });
  it('of numbers names the first wrong one, with the row of the input', async () => {
    const changes = { call: 'weights(X)[:, 0]', target: 'X[:, 0]', rows: undefined, cases: [{ X: 'eye(2)' }] };
    expect(await graded(query('x'), changes)).toEqual([
      false,
      'Here row 0 of X is [1, 0]. The value at [0] is 0.7311; it should be 1, give or take 0.2.',
    ]);
  });
  it.each([
    ['gradients: true\nwithin: 1', '"gradients" is true'],
    ['gradients: false', 'lacks "within"'],
  ])('with %j is a mistake of the author', (rest, message) => {
    const list = '[a, b]';
    const yaml = `start: a\ncall: a\ncases: [{ x: a }]\ntarget: a\nsolution: ${list}\nhints: ${list}\nwrong: [{ try: a, why: b }, { try: b, why: b }]\n${rest}\n`;
    const read = (): unknown => readYaml(yaml, code, { file: 'a.yaml', start: { line: 1, column: 1 } }, 'The function');
    expect(read).toThrow(message.replace(/^"(.*)" is/, 'The function: $1 is'));
  });
});

describe('given', () => {
  const own = 'def weights(X):\n    return eye(X.shape[0])\n';
  it('comes after the text of the reader, whose functions cannot replace it', async () => {
    expect(await graded(query('x') + own, { lines: undefined })).toEqual([
      false,
      'weights is defined by the exercise: choose another name for your function.',
    ]);
  });
  it.each([
    [
      'an operation that it uses',
      query('x') + 'def softmax(x, dim):\n    return eye(2)\n',
      /^softmax is defined by the exercise/,
    ],
    ['a variable for it', query('x') + 'stack = query\n', /^Every line must be inside a function/],
    ['something to remember in', 'seen = []\n' + query('x'), /^Every line must be inside a function/],
    ['the same as a default value', 'def query(x, seen=[]):\n    return x\n', /^Every line must be inside a function/],
  ])('refuses %s', (_, text, message) => expect(refusalOf({ ...task, lines: 9 }, text)).toMatch(message));
  it.each([
    ['an operation that it does not use', query('x') + 'def norm(x):\n    return x\n'],
    ['comments', '# seen = []\n' + query('x')],
    ['lists in brackets of their own', 'def query(\n    x,\n):\n    return x == 1\n'],
  ])('lets stand %s', (_, text) => expect(refusalOf({ ...task, lines: 9 }, text)).toBeNull());
  it('is named where it fails with the functions of the reader', async () => {
    await expect(graded('def quest(x):\n    return x\n')).rejects.toThrow(
      /^With what your functions return, the given line “Q = stack\(\[query\(x\) for x in X\]\)” fails: /,
    );
    await expect(graded(query('x @ y'))).rejects.toThrow(/^line 2, column /);
  });
});

describe('lines', () => {
  const text = '# asks\n\ndef query(x):\n    # louder\n    y = 9 * x\n\n    return y\n';
  it('are counted without empty ones and comments', async () => expect((await graded(text))[0]).toBe(true));
  it('are refused if there are more', async () =>
    expect(await graded(text, { lines: 2 })).toEqual([
      false,
      'These are 3 lines; write at most 2. Empty lines and comments do not count.',
    ]));
});
