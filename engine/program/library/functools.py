"""The package functools."""


class partial:
    """A function with some of its arguments."""

    def __init__(self, func, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})


class partialmethod(partial):
    pass


def reduce(function, iterable, *initial):
    """function(function(first, second), third) …"""
    items = list(initial) + list(iterable)
    if not items:
        raise TypeError("reduce() of empty iterable with no initial value")
    total = items[0]
    for item in items[1:]:
        total = function(total, item)
    return total


def wraps(wrapped, *assigned, **updated):
    """A decorator that changes nothing here: a function keeps its own name."""
    return lambda wrapper: wrapper


def update_wrapper(wrapper, wrapped, *assigned, **updated):
    return wrapper


def lru_cache(maxsize=128, typed=False):
    """What a function returns is computed each time it is called, which gives the same."""
    return maxsize if callable(maxsize) else lambda function: function


def cache(function):
    return function


def cached_property(function):
    return property(function)


def total_ordering(cls):
    return cls


def singledispatch(function):
    return function
