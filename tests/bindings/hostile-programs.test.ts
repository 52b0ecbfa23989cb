// Hostile programs would crash their reader, run for ever or fill its memory. Each ends within seconds, with a result
// or with the sentence of what ended it, natively and in WebAssembly in the same place with the same sentence. A quick
// run takes some of those that run into a limit, and repeats in WebAssembly one of eight of them and of those that run
// to their end.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { hostileModern, ITEMS, OPERATIONS, STATEMENTS } from './hostile-modern';
import { engine, fromRoot, scratch, wholeRun } from './modules';
import { said } from './translation';

const EXPRESSIONS = 'the program has evaluated 10,000,000 expressions and has not ended.';
const VALUES = 'the operations of this run go over more than 400,000,000 values';
const PRODUCTS = 'the products of this run need more than 10,000,000,000 multiplications';
const TENSORS = 'this run would take more than 384 MB, most of it for tensors';
const LISTS = 'this run would take more than 384 MB, most of it for lists and texts';
const GRADIENTS = 'the gradients of this run would take more than 512 MB';
const ITSELF = 'this list would contain itself';
const LONGEST = 'a list has at most a million items here';
const CALLS = 'functions call each other more than 100 deep';
/** The program runs to its end. */
const ENDS = '';

/** A function of a tensor x, with these lines before its return. */
const f = (lines: string, result = 'x'): string =>
  `def f(x=ones(3)):\n${lines
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('')}    return ${result}\n`;
const forever = (before: string, line: string): string => f(`${before}\nwhile True: ${line}`);
const often = (times: number, before: string, line: string, result = 'x'): string =>
  f(`${before}\nfor i in range(${times}): ${line}`, result);

const MILLION = 'a = [0] * 1000000';
const SHARED = 'a, b = [1], [1]\nfor i in range(60): a, b = [a, a], [b, b]';
const DEEP = 'a, b = [], []\nfor i in range(100000): a, b = [a], [b]';
const HUGE = '9223372036854775807';

const itself: [string, string][] = [
  [f('a = []\na.append(a)'), ITSELF],
  [f('a = [1]\na[0] = a'), ITSELF],
  [f('a = []\na.append([a])'), ITSELF],
  [f('a = []\na.append((1, a))'), ITSELF],
  [f('a = []\nb = [a]\na.append(b)'), ITSELF],
  [f('a = []\na.append(zip([a]))'), ITSELF],
  [f('a = []\nb = [a]\na += [b]'), ITSELF],
  [f('a = [[]]\na[0].append(a)'), ITSELF],
  [f('a = []\na.append(a)\ny = a == a'), ITSELF],
  [f('a = []\na.append(a)\ny = a in a'), ITSELF],
  [f('a = []\na.append(a)\ny = x + 1\ny[0] = 3'), ITSELF],
  [f('a = []\na.append(a)', 'a'), ITSELF],
  [f('a = []\na.append(list(a))', 'x'), ENDS],
  [f('a = [1]\na[0] = [a + [2]]', 'x'), ENDS],
];

const nested: [string, string][] = [
  [often(300_000, 'a = x', 'a = [a]'), ENDS],
  [often(300_000, 'a = x', 'a = (a,)'), ENDS],
  [often(300_000, 'a = x', 'a = [(a, 1)]'), ENDS],
  [often(300_000, 'a = x', 'a = zip([a])'), ENDS],
  [f(DEEP, 'x if a == b else a'), ENDS],
  [f(`${DEEP}\ny = a in [b]`), ENDS],
  [f(`${DEEP}\ny = a != b`), ENDS],
  [f(`${DEEP}\ny = x + 1\ny[0] = 3`), ENDS],
  [f(`${DEEP}\ny = x + 1\ny += 3`), ENDS],
  [f(`${DEEP}\na.append(b)`), ENDS],
  [f(DEEP, 'a'), 'nested more than 60 deep'],
  [f(DEEP, '(x, a)'), 'nested more than 60 deep'],
  [f(`${DEEP}\ny = tensor(a)`), 'for at most 6 axes, and these go deeper'],
  [f(`${DEEP}\ny = f"{a}"`), ENDS],
  [f(`${DEEP}\ny = max(a)`), ENDS],
  [f(`${DEEP}\ny = sum(a)`), 'has no meaning'],
  [f(`y = ${'('.repeat(300)}x${')'.repeat(300)}`), 'nested more than 60 deep'],
  [f(`y = ${'['.repeat(3000)}`), 'nested more than 60 deep'],
  [f(`y = ${'-'.repeat(3000)}1`), 'nested more than 60 deep'],
  [f(`y = ${'not '.repeat(3000)}x`), 'nested more than 60 deep'],
  [f(`y = 1${' ** 1'.repeat(2000)}`), 'nested more than 60 deep'],
  [f(`y = x${'.T'.repeat(3000)}`), 'more than 200 operations in a row'],
  [f(`y = 1${'+1'.repeat(4000)}`), 'more than 200 operations in a row'],
  [f(`y = ${'('.repeat(15)}1${`${'+1'.repeat(190)})`.repeat(15)}`), 'more than 1000 operations within one another'],
  ['def f(x=ones(3)): return f(x)\n', CALLS],
  ['def f(x=ones(3)): return f([x])\n', CALLS],
];

const shared: [string, string][] = [
  [f(SHARED), ENDS],
  [f(`${SHARED}\ny = a == a`), ENDS],
  [f(`${SHARED}\ny = a == b`), ITEMS],
  [f(`${SHARED}\ny = a in [b]`), ITEMS],
  [f(`${SHARED}\ny = a != b`), ITEMS],
  [f(`${SHARED}\ny = x + 1\ny[0] = 3`), ENDS],
  [f(`${SHARED}\ny = x + 1\ny += 3`), ENDS],
  [f(`${SHARED}\na.append(b)`), ENDS],
  [often(40, 'a = [1]', 'a = [a, a]', 'a'), 'items in all'],
  [f('a = [0] * 1000\nfor i in range(3): a = [a] * 1000', 'a'), 'items in all'],
  [f('a = [0] * 1000\nfor i in range(3): a = [a] * 1000\ny = tensor(a)'), ITEMS],
  [often(40, 'a = (1,)', 'a = (a, a)', 'a'), 'items in all'],
];

const lists: [string, string][] = [
  [forever(MILLION, 'b = list(a)'), ITEMS],
  [forever(MILLION, 'b = tuple(a)'), ITEMS],
  [forever('', 'b = range(1000000)'), ITEMS],
  [forever(`${MILLION}\nb = list(a)`, 'c = a == b'), ITEMS],
  [forever(MILLION, 'c = 1 in a'), ITEMS],
  [forever(MILLION, 'c = 1 not in a'), ITEMS],
  [forever(MILLION, 'c = sum(a)'), ITEMS],
  [forever(MILLION, 'c = max(a)'), ITEMS],
  [forever(MILLION, 'c = min(a)'), ITEMS],
  [forever(MILLION, 'c = a[1:]'), ITEMS],
  [forever(MILLION, 'c = a[::-1]'), ITEMS],
  [forever(MILLION, 'c = enumerate(a)'), LISTS],
  [forever(MILLION, 'c = zip(a, a)'), LISTS],
  [forever(MILLION, 'c = tensor(a)'), ITEMS],
  [forever(MILLION, 'c = (0,) + tuple(a)'), ITEMS],
  [forever(`${MILLION}\ny = x + 1`, 'y[0] = 1'), ITEMS],
  [forever(`${MILLION}\nb = []`, 'b.append(a)'), ITEMS],
  [forever('a = [1]', 'a = a + a'), LISTS],
  [forever('a = [1]', 'a += a'), LISTS],
  [forever('a = [1]', 'a *= 2'), LONGEST],
  [f('a = [1]\nfor i in a: a.append(i)'), STATEMENTS],
  [forever('a = []', 'a = a + [1]'), ITEMS],
  [forever('a = []', 'a = [1] + a'), ITEMS],
  [forever('a = []', 'a.append(range(1000))'), LISTS],
  [forever('a = []', 'a.append([0] * 1000)'), LISTS],
  [forever('a = []', 'a.append([0] * 1000000)'), LISTS],
  [forever('a = []', 'a.append(1)'), STATEMENTS],
  [f('a = [1] * 1000001'), LONGEST],
  [f(`a = [1] * ${HUGE}`), LONGEST],
  [f(`a = [] * ${HUGE}`), LONGEST],
  [f(`a = [1] * -${HUGE}`), ENDS],
  [f('a = range(1000001)'), 'a range of at most a million'],
  [f('for i in range(1000000):\n    for j in range(1000000): pass'), STATEMENTS],
  [f('a = [i for i in range(1000000)]\nb = [i for i in range(1000000)]'), STATEMENTS],
];

const texts: [string, string][] = [
  [forever("s = 'a'", 's = s + s'), ITEMS],
  [forever("s = 'a'", 's = f"{s}{s}"'), ITEMS],
  [often(900_000, "s = ''", "s = s + 'a'"), ITEMS],
  [often(900_000, "s = ''", 's = f"{s}a"'), ITEMS],
  [often(22, "s = 'a'", 's = s + s'), ENDS],
  [f("s = 'a'\nfor i in range(21): s = s + s\nt = s + ''\nwhile True: y = s == t"), ITEMS],
  [f("s = 'a'\nfor i in range(21): s = s + s\nt = s + 'b'\nwhile True: y = t in s + 'a'"), ITEMS],
  [f("s = 'a'\nfor i in range(21): s = s + s\nwhile True: y = s"), STATEMENTS],
  [f("s = 'a'\nfor i in range(21): s = s + s\na = []\nwhile True: a.append(s)"), STATEMENTS],
  [f("s = 'a'\nfor i in range(20): s = s + s\na = []\nwhile True: a.append(s + 'b')"), ITEMS],
];

const slices: [string, string][] = [
  [f(`y = [1, 2, 3][1:3:${HUGE}]`), ENDS],
  [f(`y = [1, 2, 3][1::${HUGE}]`), ENDS],
  [f(`y = [1, 2, 3][::-${HUGE} - 1]`), ENDS],
  [f(`y = [1, 2, 3][-${HUGE} - 1:${HUGE}]`), ENDS],
  [f(`y = x[::${HUGE}]`), ENDS],
  [f(`y = x[-${HUGE} - 1:${HUGE}:${HUGE}]`), ENDS],
  [f(`y = x[${HUGE}]`), 'is outside of 3 places'],
  [f(`y = x[-${HUGE} - 1]`), 'is outside of 3 places'],
  [f(`y = [1][-${HUGE} - 1]`), 'is outside of 1 places'],
  [f(`y = zeros(-${HUGE} - 1)`), 'whole numbers of at most 2^28'],
  [f(`y = x.sum(-${HUGE} - 1)`), 'a number of at most 2^28'],
  [f(`y = eye(${HUGE})`), 'a number of at most 2^28'],
  [f(`y = randint(-${HUGE} - 1, 1, (2,))`), 'a number of at most 2^28'],
  [f(`y = range(${HUGE})`), 'a number of at most 2^28'],
  [f(`y = -${HUGE} - 1\nz = y // -1`), 'beyond 2^63'],
  [f(`y = -(-${HUGE} - 1)`), 'beyond 2^63'],
  [f(`y = abs(-${HUGE} - 1)`), 'beyond 2^63'],
  [f('y = 2 ** 9223372036854775807'), 'beyond 2^63'],
  [f('y = 3 ** inf + 0.5 ** inf + 3 ** -inf'), ENDS],
  [f('y = (-9223372036854775807 - 1) % 3'), ENDS],
];

const tensors: [string, string][] = [
  [f('y = zeros(16000, 16000)'), TENSORS],
  [f('y = zeros(16384, 16385)'), 'at most 2^28 values'],
  [f('y = full((1000000, 0), 1) @ full((0, 1000000), 1)'), 'at most 2^28 values'],
  [f('y = zeros(2 ** 28, 2 ** 28, 2 ** 28, 2 ** 28)'), 'at most 2^28 values'],
  [f('y = [zeros(0, 2 ** 28), zeros(0, 2 ** 28)]'), VALUES],
  [f('y = zeros(0, 150000000)\nz = y + y'), VALUES],
  [f('y = zeros(0, 10 ** 8)\nz = topk(y, 10 ** 8)'), VALUES],
  [f('y = topk(zeros(0, 1000000), 1000000)'), ENDS],
  [f('y = topk(zeros(1000000), 1000000)'), ENDS],
  [f('y = topk(zeros(150000), 150000)'), ENDS],
  [forever('y = zeros(1000000, 0)', 's = y.var(0)'), VALUES],
  [forever('y = zeros(1000000, 0)', 's = softmax(y, 0)'), VALUES],
  [forever('y = zeros(1000000, 0)', 's = y + y'), VALUES],
  [forever('y = zeros(1000000, 0)', 's = y[:9].sum(1) + y.sum(0).sum()'), VALUES],
  [forever('', 'x = x + 1'), OPERATIONS],
  [forever('y = zeros(1000, 1000)', 'y = y + 1'), VALUES],
  [forever('y = zeros(1000, 1000)', 'y = y * y'), VALUES],
  [forever('y = zeros(1000, 1000)', 's = y.sum()'), VALUES],
  [forever('y = zeros(1000, 1000)', 's = y.amax(0)'), VALUES],
  [forever('y = zeros(1000, 1000)', 's = softmax(y, 0)'), VALUES],
  [forever('y = zeros(1000, 1000)', 's = y == y'), VALUES],
  [forever('y = zeros(1000, 1000)', 's = y ** 64'), VALUES],
  [forever('y = zeros(1000, 1000)', 's = topk(y, 3)'), VALUES],
  [forever('y = zeros(1000, 1000)', 'y[0, 0] = 1'), VALUES],
  [forever('y = zeros(1000, 1000)', 's = cat([y, y, y])'), VALUES],
  [forever('', 'y = randn(1000, 1000)'), VALUES],
  [forever('', 'y = rand(1000, 1000)'), VALUES],
  [forever('', 'y = tril(ones(1000, 1000))'), VALUES],
  [f('y = ones(4500, 1001) @ ones(1001, 4500)'), PRODUCTS],
  [forever('y = ones(500, 500)', 'z = y @ y'), PRODUCTS],
  [forever('y = ones(500, 500)', 'z = linear(y, y)'), PRODUCTS],
  [forever('y = ones(100, 1000)', 'z = cumsum(y, 1)'), VALUES],
  [forever('y = ones(1000, 1000)', 'z = y ** 0.3'), VALUES],
  [forever('y = ones(1000, 1000)', 'z = 2 ** y'), VALUES],
  [forever('y = ones(1000, 1000)', 'z = gelu(y)'), VALUES],
  [forever('a = []', 'a.append(zeros(1000, 1000))'), TENSORS],
  [forever('a = []', 'a.append(x + 1)'), OPERATIONS],
  [f('y = x + zeros(1000, 1000, 3)\nfor i in range(1000): x = x + y[i, 0]'), GRADIENTS],
  [often(2001, '', "y = parameter(f'{i}', (1,))"), 'a program has at most 2000 parameters'],
  [f("y = parameter('W', (16000001,))"), 'more than 16000000 values'],
  [forever('', "y = parameter('W', (2,))"), OPERATIONS],
];

const loops: [string, string][] = [
  [forever('', 'pass'), STATEMENTS],
  [forever('', 'continue'), STATEMENTS],
  ['while True: pass\ndef f(): return 1\n', STATEMENTS],
  [
    forever(
      '',
      `y = [${Array(20)
        .fill(`1${'+1'.repeat(40)}`)
        .join(', ')}]`,
    ),
    EXPRESSIONS,
  ],
  [forever('', `y = [${'1, '.repeat(3000)}]`), EXPRESSIONS],
  [
    `def g(${Array.from({ length: 1200 }, (_, i) => `a${i}=1`).join(', ')}): return 1\n${forever('', 'y = g()')}`,
    ITEMS,
  ],
  [forever(Array.from({ length: 1000 }, (_, i) => `a${i}=1`).join('\n'), 'a999 = a999'), STATEMENTS],
  [f(`y = [a0 for (${Array.from({ length: 1500 }, (_, i) => `a${i}`).join(',')}) in [[0] * 1500] * 1000000]`), ITEMS],
  ['def g(n): return 0 if n == 0 else g(n - 1) + g(n - 1)\ndef f(x=ones(3)): return x * g(40)\n', 'has not ended'],
];

const hostilePrograms: Record<string, [string, string][]> = {
  'a list in itself': itself,
  nested,
  shared,
  lists,
  texts,
  'huge numbers': slices,
  tensors,
  loops,
  ...hostileModern,
};

/** Milliseconds of processor time: what a call of the page may take. Natively only that there is an end. */
const MOST = 5000;
const MOST_NATIVELY = 20_000;
/** How programs end that run until a limit: a quick run takes one of each kind and end. */
const TAKES_LONG = /has not ended|of this run|this run would/;

const { Session } = await engine();

function natively(program: string): string {
  const file = scratch('program.py', program);
  const words = [
    '-c',
    `ulimit -t ${MOST_NATIVELY / 1000}; exec "$0" "$1"`,
    fromRoot('build/native/tests/unroll_run'),
    file,
  ];
  const { status, stderr } = spawnSync('sh', words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  expect([0, 1]).toContain(status); // a crash has none
  return status === 0 ? '' : stderr.slice(file.length + 2).trimEnd();
}

function inWebAssembly(program: string): string {
  const session = new Session();
  try {
    const loaded = session.load({ kind: 'program', program });
    if (!loaded.ok) return said(loaded);
    const ran = session.run([]);
    return ran.ok ? '' : said(ran);
  } finally {
    session.delete();
  }
}

function inTime<T>(work: () => T): T {
  const begun = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1000).toBeLessThan(MOST);
  return result;
}

for (const [kind, programs] of Object.entries(hostilePrograms))
  describe(kind, () => {
    const seen = new Map<string, number>();
    for (const [i, [program, end]] of programs.entries()) {
      const before = seen.get(end) ?? 0;
      seen.set(end, before + 1);
      const takesLong = TAKES_LONG.test(end);
      it.runIf(wholeRun || !takesLong || before === 0)(
        program.slice(0, 120).replaceAll('\n', ' '),
        { timeout: 60_000 },
        () => {
          const sentence = natively(program);
          if (end) expect(sentence).toContain(end);
          else expect(sentence).toBe('');
          if (sentence) expect(sentence).toMatch(/^(line \d+, column \d+: |The program has no function).*[.?]$/su);
          const isQuick = !takesLong && end;
          if (wholeRun || isQuick || i % 8 === 0) expect(inTime(() => inWebAssembly(program))).toBe(sentence);
        },
      );
    }
  });
