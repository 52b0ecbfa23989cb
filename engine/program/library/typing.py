"""The package typing: its other names are words that nobody reads."""

from unroll.collections import _NamedTuple


class NamedTuple(_NamedTuple):
    """Fields with annotations, which are items too."""

    def __init_subclass__(cls):
        cls._fields = tuple(cls.__annotations__)
        cls._defaults = tuple([cls.__dict__[name] for name in cls._fields if name in cls.__dict__])


def cast(typ, value):
    return value


def TypeVar(name, *constraints, **options):
    return name


def NewType(name, tp):
    return tp


def overload(function):
    return function


def final(function):
    return function


def runtime_checkable(cls):
    return cls


def beartype(function=None, **options):
    """A decorator of beartype, which checks annotations elsewhere."""
    return function if function is not None else lambda decorated: decorated


def typechecked(function=None, **options):
    return beartype(function)
