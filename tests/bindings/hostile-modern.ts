// Hostile programs of classes, closures, dictionaries, formats and modules, each with the sentence that ends it: see
// hostile-programs.test.ts.

export const STATEMENTS = 'the program has run a million statements and has not ended.';
export const OPERATIONS = 'the program has made 200,000 operations and has not ended.';
export const ITEMS = 'the program has gone over 20,000,000 items of lists and letters of texts and has not ended';
const CALLS = 'functions call each other more than';
const DERIVED = 'is derived from more than 30 classes';
const FORMAT = 'is no format';
const LEVELS = 'nested more than 60 deep';
const ENDS = '';

const f = (...lines: string[]): string => `def f(x=1):\n${lines.map((line) => `    ${line}\n`).join('')}`;
const forever = (before: string, line: string): string => f(before, `while True: ${line}`);
/** A class with this body, and a function that uses an instance of it. */
const a = (body: string, ...lines: string[]): string =>
  `class A:\n    ${body.replaceAll('\n', '\n    ')}\n${f(...lines, 'return x')}`;
/** A module whose __init__ ends with these lines; then those that make the model. */
const m = (init: string, rest: string, forward = 'return x'): string =>
  `import torch\nfrom torch import nn\nclass M(nn.Module):\n    def __init__(self, a=None, b=None):\n        super().__init__()\n` +
  `        ${init}\n    def forward(self, x=torch.ones(2)):\n        ${forward}\n${rest}\n`;

const classes: [string, string][] = [
  [a("def __getattr__(self, name): return getattr(self, name + 'a')", 'y = A().x'), CALLS],
  [a('def __setattr__(self, name, value): self.x = value', 'A().y = 1'), CALLS],
  [a('def __call__(self): return self()', 'y = A()()'), CALLS],
  [a('def __len__(self): return len(self)', 'y = len(A())'), CALLS],
  [a('def __eq__(self, x): return self == x', 'y = A() == A()'), CALLS],
  [a('def __iter__(self): return iter(self)', 'y = [i for i in A()]'), CALLS],
  [a('def __bool__(self): return not self', 'y = 1 if A() else 2'), CALLS],
  [a("def __repr__(self): return f'{self}'", "y = f'{A()}'"), CALLS],
  [a('def __init__(self): self.a = A()', 'y = A()'), CALLS],
  [a('def __add__(self, x): return self + x', 'y = A() + 1'), CALLS],
  [a('def __enter__(self): return self\ndef __exit__(self, *a):\n    with self: pass', 'with A(): pass'), CALLS],
  [a('@property\ndef x(self): return self.x', 'y = A().x'), CALLS],
  [a('def g(self): return self.g()', 'class B(A):', '    def g(self): return super().g()', 'B().g()'), CALLS],
  [a('def __init_subclass__(cls):\n    class B(cls): pass', 'class C(A): pass'), DERIVED],
  [a('def __getitem__(self, i): return i', 'y = [i for i in A()]'), STATEMENTS],
  [a('def __iter__(self): return self\ndef __next__(self): return 1', 'for i in A(): pass'), STATEMENTS],
  [a('pass', 'a = A()', 'for i in range(200000): b = A(); b.next = a; a = b'), OPERATIONS],
  [a('pass', 'for i in range(50000): a, b = A(), A(); a.x, b.x = b, a'), ENDS],
  [a('pass', 'a = A()', 'a.x = [a, a]', 'y = a.x == [a.x]'), ENDS],
  [a('pass', 'B = A', 'while True:', '    class C(B): pass', '    B = C'), DERIVED],
  [a('pass', 'for i in range(30):', '    class C(A): pass', '    class D(A): pass', '    class B(C, D): pass'), ENDS],
  [`from dataclasses import dataclass\n@dataclass\n${a('x: object', 'a = A(1)', 'a.x = a', "y = f'{a}'")}`, ENDS],
  ['class E(Exception):\n    def __str__(self): return str(self)\ndef f(x=1): raise E()\n', CALLS],
];

const functions: [string, string][] = [
  [f('g = lambda: g()', 'return g()'), CALLS],
  [f('g = lambda: x', 'for i in range(100000): g = (lambda h: lambda: h())(g)', 'return g()'), CALLS],
  [f('g = lambda: x', 'for i in range(100000): g = (lambda h: lambda: h)(g)', 'return x'), ENDS],
  [
    `def g(h): return lambda *a: h(*a)\nfor i in range(1000): g2 = g(f if i else g)\n${f('return x')}`,
    'nothing here has the name f',
  ],
  [`def g(*a): return g(*a, *a)\n${f('return g(1, 2)')}`, 'this run would take more than 384 MB'],
  [`def g(**a): return a\n${forever('d = {str(i): i for i in range(10000)}', 'd = g(**d)')}`, ITEMS],
  [f('try: return f(x)', 'except Exception: return 2'), CALLS],
  [f('try: return 1', 'finally:', '    while True: pass'), STATEMENTS],
  [f('while True:', '    try: raise ValueError(1)', '    except ValueError: pass'), OPERATIONS],
  [f('return sum(i for i in range(1000000) for j in range(1000000))'), STATEMENTS],
  [f('return sum(map(lambda i: sum(range(i)), range(1000000)))'), ITEMS],
  [f('return len(sorted(range(100000), key=lambda i: sorted(range(1000))))'), ITEMS],
  [f('while (n := x) > 0: pass'), STATEMENTS],
  [f(`return ${'lambda: '.repeat(2000)}1`), LEVELS],
  [f(`return ${'1 if x else '.repeat(2000)}1`), LEVELS],
  [f(`return ${'{'.repeat(3000)}`), LEVELS],
  [
    `${Array.from({ length: 100 }, (_, i) => `${'    '.repeat(i)}class A${i}:\n`).join('')}${'    '.repeat(100)}x = 1\n`,
    LEVELS,
  ],
];

const dictionaries: [string, string][] = [
  [f('d = {}', 'for i in range(100000): d = {1: d}', 'return x'), ENDS],
  [f('a, b = {}, {}', 'for i in range(60): a, b = {1: a, 2: a}, {1: b, 2: b}', 'return x if a == b else 2'), ITEMS],
  [forever('d = {}', 'd[len(d)] = 1'), STATEMENTS],
  [forever('d = {i: i for i in range(100000)}', 'e = {**d}'), ITEMS],
  [forever('q = {1}', 'q = q | {len(q)}'), ITEMS],
  [f('d = {1: 2}', 'for i in d: d[i + 1] = 1', 'return len(d)'), ENDS],
  [f('t = (1,)', 'for i in range(40): t = (t, t)', 'return {t: 1}'), 'a key of a dictionary or set is'],
  [`import copy\n${f('a = [1]', 'for i in range(60): a = [a, a]', 'b = copy.deepcopy(a)', 'return x')}`, ENDS],
  [
    `import copy\n${f('a = [1]', 'for i in range(100000): a = [a]', 'b = copy.deepcopy(a)', 'return x')}`,
    'are copied up to',
  ],
];

const formats: [string, string][] = [
  [f("return len(f'{x:>{10 ** 9}}')"), FORMAT],
  [f("return len(f'{1.5:.{10 ** 9}f}')"), FORMAT],
  [f("return len('{:>{}}'.format(x, 10 ** 9))"), FORMAT],
  [f("return len('%1000000000d' % x)"), 'has a place that means nothing here'],
  [f("return len('ab' * 10 ** 12)"), 'a list has at most a million items here'],
  [f('a = [1]', 'for i in range(60): a = [a, a]', 'return len(str(a))'), ITEMS],
  [f('a = [1]', 'for i in range(100000): a = [a]', 'return len(str(a))'), ENDS],
  [forever("s = 'a' * 1000", "s = s.replace('a', 'aa')"), ITEMS],
  [forever("s = 'a' * 1000000", 's = s.join([s, s])'), ITEMS],
  [forever("s = 'a' * 1000000", "n = s.count('ab')"), ITEMS],
  [forever('a = list(range(100000))', 'b = sorted(a)'), ITEMS],
];

const modules: [string, string][] = [
  [m('self.m = self', 'model = M()'), 'has no function'],
  [m('self.m = a', 'model = M()\nfor i in range(3000): model = M(model)'), ENDS],
  [m('self.m = a', 'model = M()\nfor i in range(300): model = M(model)\nmodel.apply(lambda m: m)'), CALLS],
  [m('self.a, self.b = a, b', 'model = M()\nfor i in range(40): model = M(model, model)'), ENDS],
  [m('self.w = nn.Parameter(torch.ones(100000, 100000))', 'model = M()'), 'at most 2^28 values'],
  [m('self.w = nn.ParameterList([nn.Parameter(torch.ones(1)) for i in range(100000)])', 'model = M()'), OPERATIONS],
  [m('self.kept = []', 'model = M()', 'for i in range(100000): self.kept.append(i)\n        return x'), ENDS],
];

export const hostileModern = { classes, functions, dictionaries, formats, modules };
