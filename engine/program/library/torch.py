"""What torch has besides operations on tensors."""

from torch import float32, no_grad
from unroll.engine import is_grad_enabled


class finfo:
    """The limits of a type of numbers with a point. All are computed in float32 here."""

    def __init__(self, type=None):
        self.dtype = str(type)
        self.bits, self.max, self.eps, self.tiny = _limits(self.dtype)
        self.min = -self.max
        self.smallest_normal = self.tiny
        self.resolution = 1e-6


def _limits(name):
    if name == "torch.float16":
        return 16, 65504.0, 0.0009765625, 6.103515625e-05
    if name == "torch.bfloat16":
        return 16, 3.3895313892515355e+38, 0.0078125, 1.1754943508222875e-38
    if name == "torch.float64":
        return 64, 1.7976931348623157e+308, 2.220446049250313e-16, 2.2250738585072014e-308
    return 32, 3.4028234663852886e+38, 1.1920928955078125e-07, 1.1754943508222875e-38


class iinfo:
    """The limits of a type of whole numbers."""

    def __init__(self, type):
        self.dtype = str(type)
        bits = {"torch.int8": 8, "torch.uint8": 8, "torch.int16": 16, "torch.int32": 32}
        self.bits = bits.get(self.dtype, 64)
        if self.dtype == "torch.uint8":
            self.min, self.max = 0, 255
        else:
            self.max = 2 ** (self.bits - 2) - 1 + 2 ** (self.bits - 2)
            self.min = -self.max - 1


class enable_grad:
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return None

    def __call__(self, function=None):
        return self if function is None else function


class autocast(enable_grad):
    """All numbers are float32 here."""

    def __init__(self, *args, **kwargs):
        pass


def set_grad_enabled(mode):
    return enable_grad() if mode else no_grad()


class Generator:
    """Random numbers come from the lab's own generator, which is the same in every run."""

    def __init__(self, device=None):
        pass

    def manual_seed(self, seed):
        return self


def manual_seed(seed):
    """Does nothing: random numbers are the same in every run."""


def seed():
    return 0


def initial_seed():
    return 0


def compile(model=None, **options):
    """The model itself."""
    return model if model is not None else lambda compiled: compiled


def set_default_dtype(dtype):
    pass


def set_default_device(device):
    pass


def set_default_tensor_type(kind):
    pass


def set_num_threads(count):
    pass


def set_printoptions(**options):
    pass


def set_float32_matmul_precision(precision):
    pass


def use_deterministic_algorithms(mode, warn_only=False):
    pass


def get_default_dtype():
    return float32


def from_numpy(array):
    return array


def typename(x):
    return type(x).__name__


def save(*args, **kwargs):
    raise NotImplementedError("torch.save writes a file: export the model with the lab instead")


def load(*args, **kwargs):
    raise NotImplementedError("torch.load reads a file: import the weights with the lab instead")
