"""The package operator."""


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def pow(a, b):
    return a ** b


def matmul(a, b):
    return a @ b


def neg(a):
    return -a


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def lt(a, b):
    return a < b


def le(a, b):
    return a <= b


def gt(a, b):
    return a > b


def ge(a, b):
    return a >= b


def getitem(a, b):
    return a[b]


def contains(a, b):
    return b in a


def itemgetter(*items):
    if len(items) == 1:
        return lambda obj: obj[items[0]]
    return lambda obj: tuple([obj[item] for item in items])


def attrgetter(name):
    return lambda obj: getattr(obj, name)
