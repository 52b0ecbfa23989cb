"""The package contextlib."""


class nullcontext:
    """Does nothing before and after its block."""

    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *exception):
        return None


class suppress:
    """Goes on after its block if one of these exceptions was raised there."""

    def __init__(self, *exceptions):
        self.exceptions = exceptions

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return kind is not None and issubclass(kind, self.exceptions)


def contextmanager(function):
    raise NotImplementedError("contextmanager needs yield, which is not here: write a class with __enter__ and __exit__")
