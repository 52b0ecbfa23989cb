// What the page says of a function that is not right, and of an answer to a puzzle.
import { afterAll, describe, expect, it } from 'vitest';
import { gradeCode, refusalOf, usedOf } from '../../web/src/lesson/code/grade-code';
import { code, type Code } from '../../web/src/lesson/format/tasks';
import { htmlOf } from './html-of';
import { openWasm } from './sessions';
import { readYaml } from '../../web/plugin/problem';

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

const session = await openWasm();
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

// The rules of puzzles: the code around the answer cannot change, lines are counted, and a target decides, with a margin.

const puzzle: Code = {
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

const graded = async (text: string, changes: Partial<Code> = {}): Promise<[boolean, string]> => {
  const { right, message } = await gradeCode(session, { ...puzzle, ...changes }, text);
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
  ])('refuses %s', (_, text, message) => expect(refusalOf({ ...puzzle, lines: 9 }, text)).toMatch(message));
  it.each([
    ['an operation that it does not use', query('x') + 'def norm(x):\n    return x\n'],
    ['comments', '# seen = []\n' + query('x')],
    ['lists in brackets of their own', 'def query(\n    x,\n):\n    return x == 1\n'],
  ])('lets stand %s', (_, text) => expect(refusalOf({ ...puzzle, lines: 9 }, text)).toBeNull());
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

// A class: the code around it fills its layers, so that the order in which they are made does not matter.

const classTask: Code = {
  start: 'from torch import nn\n\nclass Two(nn.Module):\n    pass\n',
  given:
    'def filled(two):\n    for each in [two.a.weight, two.b.weight]:\n        each.data.fill_(2)\n    return two\n',
  call: 'filled(Two())(x)',
  cases: [{ x: 'randn(4, 3)' }],
  gradients: true,
  without: [],
  solution: [],
  wrong: [],
  hints: [],
};
const two = (made: string, result: string): string =>
  `from torch import nn\n\nclass Two(nn.Module):\n    def __init__(self, size=3):\n        super().__init__()\n${made}\n    def forward(self, x):\n        return ${result}\n`;
const linear = (name: string): string => `        self.${name} = nn.Linear(size, size, bias=False)\n`;
classTask.solution = [two(linear('a') + linear('b'), 'self.b(self.a(x))')];

describe('a class', () => {
  const verdictOn = async (text: string) => gradeCode(session, classTask, text);
  it('may have lines outside of functions, default values, and its layers in any order', async () =>
    expect((await verdictOn(`SIZE = 3\n${two(linear('b') + linear('a'), 'self.b(self.a(x))')}`)).right).toBe(true));
  it('is wrong where its values are', async () =>
    expect(htmlOf((await verdictOn(two(linear('a') + linear('b'), 'self.a(x)'))).message)).toMatch(
      /^The value at \[0, 0\]/,
    ));
  it('without a layer that is to be filled says which line of the given code fails, and why', async () => {
    await expect(verdictOn(two(linear('a'), 'self.a(x)'))).rejects.toThrow(
      /the given line “for each in \[two\.a\.weight, two\.b\.weight\]:” fails: .*\bb\b/,
    );
  });
  it('may not be one that the given code defines', async () => {
    const given = `${classTask.given!}\nclass Pair:\n    pass\n`;
    expect(refusalOf({ ...classTask, given }, 'class Pair:\n    pass\n')).toBe(
      'Pair is defined by the exercise: choose another name for your function.',
    );
    expect(refusalOf({ ...classTask, given }, 'class Two:\n    pass\n')).toBeNull();
  });
});
