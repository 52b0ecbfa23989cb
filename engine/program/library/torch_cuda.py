"""torch.cuda and torch.amp: there is no graphics card here."""

from torch import autocast


def is_available():
    return False


def device_count():
    return 0


def is_bf16_supported():
    return False


def is_initialized():
    return False


def current_device():
    return 0


def manual_seed(seed):
    pass


def manual_seed_all(seed):
    pass


def empty_cache():
    pass


def synchronize(device=None):
    pass


def set_device(device):
    pass


def memory_allocated(device=None):
    return 0


def max_memory_allocated(device=None):
    return 0


def get_device_name(device=None):
    return "cpu"


class GradScaler:
    """All numbers are float32 here: nothing has to be scaled."""

    def __init__(self, *args, **kwargs):
        pass
