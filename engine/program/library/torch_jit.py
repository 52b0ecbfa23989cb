"""torch.jit: functions and models run as they are."""


def script(obj, *args, **kwargs):
    return obj


def ignore(function=None, **options):
    return function if function is not None else lambda decorated: decorated


def export(function):
    return function


def unused(function):
    return function


def is_scripting():
    return False


def is_tracing():
    return False
