"""The exceptions of Python."""


class BaseException:
    def __init__(self, *args):
        self.args = args

    def __str__(self):
        if len(self.args) == 1:
            return str(self.args[0])
        return str(self.args) if self.args else ""

    def __repr__(self):
        inner = ", ".join([repr(each) for each in self.args])
        return f"{type(self).__name__}({inner})"

    def with_traceback(self, traceback):
        return self


class Exception(BaseException):
    pass


class KeyboardInterrupt(BaseException):
    pass


class SystemExit(BaseException):
    pass


class ArithmeticError(Exception):
    pass


class ZeroDivisionError(ArithmeticError):
    pass


class OverflowError(ArithmeticError):
    pass


class FloatingPointError(ArithmeticError):
    pass


class AssertionError(Exception):
    pass


class AttributeError(Exception):
    pass


class BufferError(Exception):
    pass


class EOFError(Exception):
    pass


class ImportError(Exception):
    pass


class ModuleNotFoundError(ImportError):
    pass


class LookupError(Exception):
    pass


class IndexError(LookupError):
    pass


class KeyError(LookupError):
    def __str__(self):
        return repr(self.args[0]) if len(self.args) == 1 else str(self.args)


class MemoryError(Exception):
    pass


class NameError(Exception):
    pass


class UnboundLocalError(NameError):
    pass


class OSError(Exception):
    pass


class FileNotFoundError(OSError):
    pass


class TimeoutError(OSError):
    pass


IOError = OSError
EnvironmentError = OSError


class RuntimeError(Exception):
    pass


class NotImplementedError(RuntimeError):
    pass


class RecursionError(RuntimeError):
    pass


class StopIteration(Exception):
    pass


class SyntaxError(Exception):
    pass


class TypeError(Exception):
    pass


class ValueError(Exception):
    pass


class UnicodeError(ValueError):
    pass


class Warning(Exception):
    pass


class UserWarning(Warning):
    pass


class DeprecationWarning(Warning):
    pass


class FutureWarning(Warning):
    pass


class RuntimeWarning(Warning):
    pass


class Sentinel:
    """What object() gives: it is equal to nothing else."""
