"""A limit of time for what runs in this process."""

import contextlib
import signal


class TimeOut(Exception):
    """The time is over."""


def ring(*_):
    raise TimeOut("it takes too long")


signal.signal(signal.SIGALRM, ring)


@contextlib.contextmanager
def time_limit(seconds):
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
