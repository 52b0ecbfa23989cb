"""The package typing: its other names are words that nobody reads."""


def cast(typ, value):
    return value


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
