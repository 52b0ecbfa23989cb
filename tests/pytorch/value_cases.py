"""Cases of values_against_python.py: plain Python without PyTorch, as programs of models use it."""

EXPRESSIONS = [
    # texts of values
    "str(1.0)", "str([1, 2.5, 'a', None, True, (1,), (), {}, {'a': 1}, [[]]])", "repr('it\\'s')", "repr('a\"b\\'c')",
    "repr('tab\\t line\\n back\\\\ \\x01 é')", "str(1e16)", "str(1e-5)", "str(123456789.123)", "repr(float('nan'))",
    "str(-0.0)", "f'{3.14159:.2f} {42:5d}| {42:<5}| {1234567:,} {0.1234:.1%} {1e-7:e} {255:x} {7:03}'",
    "f'{\"name\":>10}|{\"name\":<10}|{\"name\":^10}|{\"name\":*^11}|'", "f'{[1, 2]} {None} {True!r} {\"a\"!r} {\"a\"!s}'",
    "f'{1.5:{8}.{3}f}'", "f'{True:d} {True} {3:f} {3:.3} {3.0:.3} {2.5:g} {1e20:g} {1e20} {12345.678:.3}'",
    "f'{1000000.0:,.2f} {-5:+} {5:+} {5: } {-0.0:.1f} {1.0:.0f} {0.5:.0f} {1.5:.0f} {2.5:.0f}'",
    "'%s and %d of %5.2f %% %r' % ('a', 3, 2.5, 'b')", "'%.2fM' % (12.3456,)", "'%5s|%-5s|%05d' % ('ab', 'cd', 42)",
    "'%(a)s-%(b)03d' % {'a': 1, 'b': 2}", "'%s' % [1, 2]", "'%s' % None", "'%x %o %e %g %c %c' % (255, 8, 1.5, 1e-5, 'a', 98)",
    "'{} {}'.format(1, 'a')", "'{1} {0} {name!r:>6}'.format(1, 2, name='x')", "'{:.3f}|{:>{w}}'.format(1.5, 'a', w=4)",
    "'{0[1]} {0[0]}'.format([1, 2])", "'{a[k]}'.format(a={'k': 5})", "'{{}} {}'.format(1)",
    "str({1, 2} == {2, 1})", "repr({3})", "repr(set())", "repr({'b': [1, {'c': None}]})", "repr(range(3))", "repr(range(0, 10, 3))",
    # methods of texts
    "'Hello World'.lower()", "'Hello'.upper()", "'a b  c '.split()", "'a,b,,c'.split(',')", "'a b c d'.split(' ', 2)",
    "'a b c d'.split(maxsplit=1)", "'a.b.c'.rsplit('.', 1)", "'  a b  c '.rsplit(None, 1)", "'-'.join(['a', 'b'])",
    "''.join(reversed('abc'))", "'  x '.strip()", "'xxaxx'.strip('x')", "'xxaxx'.lstrip('x')", "'abcba'.rstrip('ab')",
    "'model.weight'.endswith('weight')", "'abc'.startswith(('x', 'ab'))", "'aXbX'.replace('X', '--')",
    "'aaa'.replace('a', 'b', 2)", "'abc'.replace('', '-')", "'abc'.find('c')", "'abc'.find('d')", "'héllo'.find('l')",
    "'abcabc'.rfind('b')", "'abcabc'.index('c')", "'abcabc'.count('bc')", "'abc'.title()", "'they are here'.title()",
    "'hello world'.capitalize()", "'ab12'.isalnum()", "'12'.isdigit()", "'ab'.isalpha()", "''.isalpha()", "' '.isspace()",
    "'abc'.islower()", "'ABC'.isupper()", "'42'.zfill(5)", "'-42'.zfill(5)", "'a'.ljust(3) + '|'", "'a'.rjust(3, '*')",
    "'ab'.center(5)", "'ab'.center(6, '.')", "'abc'.center(6)", "'a\\nb\\r\\nc'.splitlines()", "'a=b=c'.partition('=')",
    "'a=b=c'.rpartition('=')", "'abc'.partition('x')", "'abc'.removeprefix('a')", "'abc'.removesuffix('bc')",
    "'AbC'.swapcase()", "'abc' in 'xabcx'", "'abc' < 'abd'", "'a' * 3", "'ab'[0]", "'héé'[-1]", "'hello'[1:4]", "'hello'[::-1]",
    "len('héé')", "[c for c in 'héé']", "sorted('banana')", "'a' 'b'", "ord('é')", "chr(233)", "chr(8364)", "ord('a')", "'%s' % 'é'",
    "'x'.isidentifier()", "'1x'.isidentifier()", "list('abc')", "tuple('ab')", "max('abc')", "min(['b', 'a'])",
    "'abc'.upper().lower().title()", "str.upper('a')", "list(map(str.upper, ['a', 'b']))", "'a,b'.split(',')[1]",
    # lists and tuples
    "[3, 1, 2]", "sorted([3, 1, 2])", "sorted([3, 1, 2], reverse=True)", "sorted(['bb', 'a', 'ccc'], key=len)",
    "sorted([(1, 'b'), (1, 'a'), (0, 'c')])", "sorted([(1, 'b'), (1, 'a')], key=lambda p: p[0], reverse=True)",
    "[1, 2] + [3]", "[0] * 3", "(1, 2) + (3,)", "[1, 2, 3][::-1]", "[1, 2, 3, 4][1::2]", "[1, [2, 3]] == [1, [2, 3]]",
    "[1, 2] < [1, 3]", "[1, 2] < [1, 2, 0]", "(1, 2) <= (1, 2)", "[] < [1]", "(1, 'a') > (1, 'A')", "[1, 2] == (1, 2)",
    "1 in [1, 2]", "3 not in (1, 2)", "[1] in [[1], [2]]", "[1, 2].index(2)", "[1, 2, 1].count(1)", "(1, 2, 1).index(2)",
    "list(zip([1, 2], 'ab'))", "list(enumerate('ab', 1))", "list(map(lambda a, b: a + b, [1, 2], [3, 4]))",
    "list(filter(None, [0, 1, '', 'a']))", "list(filter(lambda x: x > 1, [1, 2, 3]))", "list(reversed([1, 2]))",
    "sum([1, 2, 3])", "sum([0.1] * 3)", "sum([[1], [2]], [])", "any([0, 1])", "all([])", "all([1, 0])",
    "max([1, 3, 2])", "max(1, 2.5)", "min([], default=7)", "max(['a', 'bbb', 'cc'], key=len)", "min(3, 1, 2, key=lambda x: -x)",
    "list(range(5))", "list(range(5, 0, -2))", "range(3) == range(3)", "2 in range(3)", "range(10)[2]", "range(10)[2:5]",
    "len(range(3, 10, 2))", "tuple([1, 2])", "list((1, 2))", "[*range(3), 5]", "[x for x in range(5) if x % 2]",
    "[(a, b) for a in range(2) for b in 'xy']", "[[j for j in range(i)] for i in range(3)]", "next(iter([1, 2]))",
    "next(iter([]), 'none')", "next(x for x in [1, 2, 3] if x > 1)", "list(zip(*[(1, 2), (3, 4)]))", "list(zip())",
    "list(zip([1], [2], strict=True))", "[1, 2, 3][-2:]", "isinstance([], list)", "bool([])", "not [0]", "[] or 'a'",
    # dictionaries and sets
    "{'a': 1}['a']", "{'a': 1}.get('b')", "{'a': 1}.get('b', 2)", "list({'a': 1, 'b': 2})", "list({'a': 1}.items())",
    "sorted({'a': 1, 'b': 2}.values())", "{**{'a': 1}, 'b': 2}", "{k: v for k, v in zip('ab', [1, 2])}", "len({1: 2, 3: 4})",
    "{1: 'a', 1.0: 'b', True: 'c'}", "dict(a=1, b=2)", "dict([('a', 1)])", "dict({'a': 1}, b=2)", "dict.fromkeys('ab', 0)",
    "'a' in {'a': 1}", "{'a': 1} == {'a': 1.0}", "{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", "{(1, 2): 'x'}[(1, 2)]",
    "{'a': {'b': 1}}['a']['b']", "sorted({3, 1, 2})", "{1, 2} == {2, 1}", "len({1, 1.0, True})", "{1, 2} < {1, 2, 3}",
    "{1, 2} <= {1, 2}", "{1, 2} < {1, 2}", "sorted({1, 2} | {3})", "{1, 2} & {2, 3}", "{1, 2} - {2}", "sorted({1, 2} ^ {2, 3})",
    "sorted({1, 2}.union([5], (6,)))", "{1, 2}.intersection([2])", "{1, 2}.difference([2])", "{1}.issubset({1, 2})",
    "{1, 2}.issuperset([1])", "{1}.isdisjoint({2})", "sorted({1, 2}.symmetric_difference({2, 3}))", "frozenset([1]) == {1}",
    "sorted({'b': 1, 'a': 2}.items(), key=lambda kv: kv[1])", "max({'a': 1, 'b': 3}, key={'a': 1, 'b': 3}.get)",
    "{'a': 1} | {'b': 2}", "list({'a': 1, 'b': 2}.keys() & {'a'})", "{i: i ** 2 for i in range(3)}", "{None: 1}[None]",
    "list(reversed({'a': 1, 'b': 2}))", "{'x': 1}.items() == {'x': 1}.items()",
    # numbers
    "int('42')", "int(' -7 ')", "int('ff', 16)", "int('0x1f', 0)", "int('1_000')", "int('101', 2)", "int(3.9)", "int(-3.9)", "int(True)",
    "float('1e-5')", "float(' 2.5 ')", "float('-inf')", "float('nan') != float('nan')", "float('1_0.5')", "float(3)", "int()", "float()",
    "str()", "list()", "dict()", "tuple()", "bool()", "round(2.5)", "round(3.5)", "round(-2.5)", "round(2.675, 2)", "round(1234, -2)",
    "round(1.0)", "round(0.1 + 0.2, 10)", "round(5e-324, 3)", "abs(-3)", "abs(-2.5)", "pow(2, 10)", "pow(2, -1)", "pow(7, 3, 5)",
    "divmod(7, 3)", "divmod(-7, 3)", "divmod(7.5, 2)", "7 // 2", "-7 // 2", "-7 % 3", "7.5 % 2", "2 ** 0.5", "10000 ** (2 / 512)",
    "1 / 3", "1e308 * 10", "0.1 + 0.2", "3 == 3.0", "1 < 2 < 3", "1 if 2 > 1 else 0", "bin(10)", "hex(255)", "oct(8)", "hex(-255)",
    "5 & 3", "5 | 3", "5 ^ 3", "~5", "1 << 10", "1024 >> 3", "True & False", "True ^ True", "(5).bit_length()", "(2.0).is_integer()",
    "bool('')", "bool('a')", "bool(0.0)", "bool(None)", "None is None", "[] is []", "True is True", "'a' if None else 'b'",
    "isinstance(1, int)", "isinstance(True, int)", "isinstance(1.0, (int, float))", "isinstance('a', str)", "isinstance(None, int)",
    "isinstance({}, dict)", "isinstance((), tuple)", "isinstance(1, object)", "isinstance(int, type)", "issubclass(bool, int)",
    "isinstance(1, int | str)", "type(1) == int", "type(1) is int", "type('a').__name__", "type(1.0)", "type([])", "type(None).__name__",
    "callable(len)", "callable(1)", "callable(lambda: 1)", "hasattr([], 'append')", "hasattr('a', 'foo')", "getattr('a', 'upper')()",
    "getattr([], 'foo', 5)", "len.__name__", "int.__name__", "hash(5)", "hash(1) == hash(1.0)", "id([]) == id(1)" if False else "1",
    # math
    "math.sqrt(2)", "math.exp(1)", "math.log(10)", "math.log(8, 2)", "math.log2(8)", "math.log10(1000)", "math.pi", "math.e", "math.inf",
    "math.floor(-2.5)", "math.ceil(2.1)", "math.trunc(-2.7)", "math.pow(2, 0.5)", "math.pow(2, 3)", "math.gcd(12, 18)", "math.gcd(12, 18, 27)",
    "math.prod([1, 2, 3])", "math.prod([])", "math.factorial(10)", "math.comb(5, 2)", "math.perm(5, 2)", "math.isnan(math.nan)", "math.isqrt(17)",
    "math.isclose(0.1 + 0.2, 0.3)", "math.atan2(1, -1)", "math.hypot(3, 4)", "math.degrees(math.pi)", "math.fmod(-7, 3)", "math.fsum([0.1] * 10)",
    "math.cos(0)", "math.sin(math.pi)", "math.tanh(0.5)", "math.erf(0.5)", "math.fabs(-2)", "math.modf(2.5)", "math.copysign(1, -0.0)",
    "math.log(0.5)", "math.exp(-1000)", "math.tan(1)", "math.cosh(1)", "math.acos(0.5)", "math.log1p(1e-10)", "math.expm1(1e-10)",
    "-math.log(10000.0) / 512", "math.exp(math.log(10000.0) * 2 / 512)", "math.ceil(math.log2(1000))", "math.isfinite(1)", "math.isinf(-math.inf)",
    # packages
    "copy.deepcopy([[1], {'a': [2]}])", "list(itertools.chain([1], [2, 3]))", "list(itertools.product([1, 2], 'ab'))",
    "list(itertools.accumulate([1, 2, 3]))", "list(itertools.zip_longest([1, 2], [3]))", "list(itertools.islice(range(10), 2, 8, 2))",
    "list(itertools.permutations([1, 2, 3], 2))", "list(itertools.combinations('abcd', 2))", "list(itertools.pairwise([1, 2, 3]))",
    "[(k, list(g)) for k, g in itertools.groupby('aabbb')]", "list(itertools.takewhile(lambda x: x < 3, [1, 2, 5, 1]))",
    "list(itertools.chain.from_iterable([[1], [2]]))", "list(itertools.starmap(pow, [(2, 3), (3, 2)]))", "list(itertools.repeat(0, 3))",
    "functools.reduce(lambda a, b: a * b, [1, 2, 3, 4])", "functools.partial(pow, 2)(5)", "functools.partial(int, base=2)('101')",
    "collections.OrderedDict([('a', 1), ('b', 2)])['b']", "sorted(collections.Counter('banana').items())",
    "collections.Counter('banana').most_common(2)", "collections.Counter('banana')['n']", "collections.Counter('abc')['z']",
    "list(collections.deque([1, 2, 3], maxlen=2))", "operator.itemgetter(1)([5, 6])", "string.ascii_lowercase", "string.punctuation",
    "sorted([(2, 'a'), (1, 'b')], key=operator.itemgetter(0))", "len(string.printable) > 90",
]

PROGRAMS = [
    """
    def f():
        a = [3, 1]
        b = a
        a.append(2)
        a.extend((7, 8))
        a.insert(0, 9)
        a.insert(-1, 10)
        last = a.pop()
        first = a.pop(0)
        a.remove(1)
        a.sort()
        b.reverse()
        c = a.copy()
        a.clear()
        return a, b, c, last, first
    """, """
    def f():
        d = {'a': 1}
        d['b'] = 2
        d.update({'c': 3}, d=4)
        d.update([('e', 5)])
        x = d.pop('a')
        y = d.pop('zz', None)
        z = d.setdefault('l', [])
        d['l'].append(1)
        del d['b']
        k = d.popitem()
        e = d.copy()
        d.clear()
        return x, y, z, k, e, d, len(e), list(e.keys())
    """, """
    def f():
        s = set()
        for word in "the cat and the dog and".split():
            s.add(word)
        s.discard("cat")
        s.discard("bird")
        s.update(["x"], "yz")
        s.remove("the")
        return sorted(s), len(s), "dog" in s
    """, """
    class Point:
        def __init__(self, x, y):
            self.x, self.y = x, y
        def __repr__(self):
            return f"Point({self.x}, {self.y})"
        def __eq__(self, other):
            return self.x == other.x and self.y == other.y
        def __lt__(self, other):
            return self.x < other.x
        def __len__(self):
            return 2
        def __getitem__(self, i):
            return (self.x, self.y)[i]
        def __contains__(self, v):
            return v in (self.x, self.y)
        def __call__(self, k):
            return self.x * k
        def __iter__(self):
            return iter([self.x, self.y])
        def __add__(self, o):
            return Point(self.x + o.x, self.y + o.y)
    def f():
        p, q = Point(1, 2), Point(0, 5)
        return (p, str(p), f"{p}", [p, q], sorted([p, q]), p == Point(1, 2), p != q, len(p), p[1], 2 in p, 7 in p, p(3), list(p), p + q,
                max(p, q), p in [Point(1, 2)], hasattr(p, 'x'), getattr(p, 'z', None), vars(p), type(p).__name__, p.__class__.__name__,
                isinstance(p, Point), callable(p), tuple(p), min([p, q]))
    """, """
    from dataclasses import dataclass, field, asdict, replace, fields
    @dataclass
    class Config:
        n: int
        d: float = 0.1
        layers: list = field(default_factory=list)
        name: str = "x"
    def f():
        a, b = Config(3), Config(3)
        a.layers.append(1)
        c = Config(1, d=2.0, name="y")
        return a, b, a == b, Config(3) == b, c, asdict(c), replace(c, n=5), [each.name for each in fields(c)], Config(n=1) != Config(n=2)
    """, """
    from collections import defaultdict, Counter, deque, namedtuple, OrderedDict
    def f():
        d = defaultdict(list)
        d['a'].append(1)
        d['a'].append(2)
        n = defaultdict(int)
        for c in "hello":
            n[c] += 1
        P = namedtuple("P", ["x", "y"])
        p = P(1, y=2)
        q = deque()
        q.append(1); q.appendleft(0); q.append(2)
        o = OrderedDict(a=1)
        o['b'] = 2
        x, y = p
        return dict(d), sorted(n.items()), p, p.x, p[1], x + y, p._replace(x=5), p == (1, 2), len(q), q.popleft(), list(q), list(o), d['zz'], 'a' in d
    """, """
    def f():
        out = []
        try:
            {}['a']
        except KeyError as e:
            out.append(str(e))
        try:
            int('x')
        except ValueError as e:
            out.append(str(e))
        try:
            [].pop()
        except IndexError as e:
            out.append(str(e))
        try:
            raise ValueError("bad", 3)
        except (TypeError, ValueError) as e:
            out.append(repr(e))
            out.append(str(e))
        try:
            next(iter([]))
        except StopIteration:
            out.append("stop")
        finally:
            out.append("end")
        try:
            assert 1 == 2, "no"
        except AssertionError as e:
            out.append(str(e))
        return out
    """, """
    import functools
    def twice(fn):
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            return fn(*args, **kwargs) * 2
        return inner
    @twice
    def g(a, b=1):
        return a + b
    def f():
        h = functools.partial(g, 1)
        return g(1), g(1, b=4), h(b=2), functools.reduce(lambda a, b: a + b, [[1], [2]], [])
    """, """
    class A:
        count = 0
        def __init__(self):
            A.count += 1
            self._v = 1
        @property
        def v(self):
            return self._v
        @v.setter
        def v(self, x):
            self._v = x * 10
        @staticmethod
        def s(x):
            return x + 1
        @classmethod
        def make(cls):
            return cls()
    class B(A):
        def __init__(self):
            super().__init__()
            self.w = super().s(5)
    def f():
        a, b = A.make(), B.make()
        a.v = 3
        setattr(b, 'k', 7)
        delattr(b, 'w')
        return a.v, b.v, A.count, A.s(1), type(b).__name__, isinstance(b, A), issubclass(B, A), b.k, hasattr(b, 'w'), A.__name__
    """, """
    from enum import Enum, auto, IntEnum
    class Color(Enum):
        RED = 1
        GREEN = auto()
    class N(IntEnum):
        A = 0
        B = 1
    def f():
        c = Color.RED
        return (c, str(c), c.name, c.value, c == Color.RED, c is Color.RED, c != Color.GREEN, Color.GREEN.value, isinstance(c, Color),
                N.B == 1, N.B + 1, [5, 6][N.B], N.A < N.B, int(N.B), {Color.RED: 'x'}[Color.RED], c in (Color.RED, Color.GREEN))
    """, """
    import copy
    class Node:
        def __init__(self, v):
            self.v, self.children = v, []
    def f():
        a = Node(1)
        a.children.append(Node([2]))
        b = copy.deepcopy(a)
        c = copy.copy(a)
        b.children[0].v.append(3)
        c.v = 9
        shared = [[0]] * 2
        d = copy.deepcopy(shared)
        d[0].append(1)
        return a.v, a.children[0].v, b.children[0].v, c.children is a.children, d, copy.copy([1, [2]])
    """, """
    def f():
        a, *rest = [1, 2, 3]
        (b, c), d = (4, 5), 6
        x = y = [1]
        x += [2]
        total = 0
        for i, (p, q) in enumerate(zip([1, 2], [3, 4])):
            total += i * p * q
        else:
            total += 100
        n = 0
        while True:
            n += 1
            if n == 3: continue
            if n > 5: break
        z = (w := 5) + 1
        return a, rest, b, c, d, x, y, total, n, z, w, [i for i in range(10) if not i % 3], {k: v for k, v in [(1, 2)]}
    """, """
    from typing import NamedTuple, Generic, TypeVar
    T = TypeVar("T")
    class P(NamedTuple):
        x: int
        y: float = 0.5
    class Box(Generic[T]):
        def __init__(self, v):
            self.v = v
    def f():
        p = P(1)
        x, y = p
        return p, p.x, p[1], x + y, P(2, y=3) == (2, 3), p._asdict(), Box(3).v, len(p)
    """, """
    def g(a, b=2, *args, c, d=4, **kw):
        return a, b, args, c, d, kw
    def f():
        opts = {'c': 1, 'z': 2}
        return g(1, **opts), g(1, 2, 3, 4, c=5), g(*[1, 2], c=3, d=9), (lambda *a, **k: (a, k))(1, x=2)
    """, """
    import random
    def f():
        random.seed(3)
        xs = [1, 2, 3, 4]
        ys = xs[:]
        random.shuffle(ys)
        return (sorted(ys) == xs, 0 <= random.random() < 1, random.choice([5]), 1 <= random.randint(1, 6) <= 6, len(random.sample(xs, 2)),
                random.uniform(2, 2), random.randrange(3, 4), random.choices([7], k=2))
    """, """
    from types import SimpleNamespace
    def f():
        n = SimpleNamespace(a=1, b='x')
        n.c = [1]
        return n, n.a, n == SimpleNamespace(a=1, b='x', c=[1]), vars(n)
    """, """
    from typing import List, Optional, Dict, Tuple, NamedTuple
    from abc import ABC, abstractmethod
    import warnings, logging
    logger = logging.getLogger(__name__)
    class Base(ABC):
        @abstractmethod
        def g(self, x: Optional[List[int]] = None) -> Dict[str, Tuple[int, ...]]: ...
    class C(Base):
        def g(self, x=None):
            logger.info("hello %d", 3)
            warnings.warn("careful")
            return x or [1]
    def f():
        return C().g(), C().g([2])
    """,
]

# Accepted by Python, and refused here with a sentence: what would differ from run to run, or without an end.
REFUSED = [
    "hash(object())", "1 is 1", "'a' is 'a'", "itertools.count()", "itertools.cycle([1])", "math.sin(1e20)",
]
