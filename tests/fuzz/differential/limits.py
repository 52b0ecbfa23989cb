"""A limit of processor time for what runs in this process, which is the same on a busy machine."""

import contextlib
import signal


class TimeOut(Exception):
    """The time is over."""


def ring(*_):
    raise TimeOut("it takes too long")


signal.signal(signal.SIGPROF, ring)


@contextlib.contextmanager
def time_limit(seconds):
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
