"""Functions of each value, between the layers of a network."""

import math

import torch
from torch.nn import Parameter
from unroll.nn.init import constant_
from unroll.nn.module import Module


class _Activation(Module):
    """A function without settings. With inplace, its result takes the place of its input."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def __call__(self, input):
        output = self.forward(input)
        return input.copy_(output) if self.inplace else output


class ReLU(_Activation):
    """y = max(0, x)."""

    def forward(self, input):
        return torch.relu(input)


class ReLU6(_Activation):
    """y = min(max(0, x), 6)."""

    def forward(self, input):
        return input.clamp(0, 6)


class Tanh(Module):
    """y = (eˣ − e⁻ˣ) / (eˣ + e⁻ˣ), within ±1."""

    def forward(self, input):
        return torch.tanh(input)


class Sigmoid(Module):
    """y = 1 / (1 + e⁻ˣ), from 0 to 1."""

    def forward(self, input):
        return torch.sigmoid(input)


class GELU(Module):
    """Hendrycks and Gimpel 2016: y = x Φ(x), where Φ(x) says how much of the normal distribution lies below x."""

    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input):
        if self.approximate == "tanh":
            return 0.5 * input * (1 + torch.tanh(math.sqrt(2 / math.pi) * (input + 0.044715 * input**3)))
        return 0.5 * input * (1 + torch.erf(input / math.sqrt(2)))


class SiLU(_Activation):
    """y = x sigmoid(x), also called swish."""

    def forward(self, input):
        return input * torch.sigmoid(input)


def softplus(input, beta=1.0, threshold=20.0):
    """log(1 + e^(βx)) / β, and x itself above the threshold, where e^(βx) may be infinite."""
    scaled = beta * input
    return torch.where(scaled > threshold, input, torch.log(1 + torch.exp(scaled.clamp(max=threshold))) / beta)


class Softplus(Module):
    """y = log(1 + e^(βx)) / β, a smooth ReLU."""

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input):
        return softplus(input, self.beta, self.threshold)


class Mish(_Activation):
    """Misra 2019: y = x tanh(softplus(x))."""

    def forward(self, input):
        return input * torch.tanh(softplus(input))


class LeakyReLU(_Activation):
    """y = x if x > 0, else negative_slope · x."""

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__(inplace)
        self.negative_slope = negative_slope

    def forward(self, input):
        return torch.where(input > 0, input, self.negative_slope * input)


class PReLU(Module):
    """He et al. 2015: LeakyReLU with slopes that are learnt, one for all channels (N, C, …) or one for each."""

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(torch.empty(num_parameters))
        self.reset_parameters()

    def reset_parameters(self):
        constant_(self.weight, self.init)

    def forward(self, input):
        shape = (-1,) + (1,) * (input.dim() - 2)
        return torch.where(input > 0, input, self.weight.view(shape) * input)


def elu(input, alpha=1.0):
    """x if x > 0, else α(eˣ − 1)."""
    return torch.where(input > 0, input, alpha * (torch.exp(input.clamp(max=0)) - 1))


class ELU(_Activation):
    """Clevert et al. 2015: y = x if x > 0, else α(eˣ − 1)."""

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(inplace)
        self.alpha = alpha

    def forward(self, input):
        return elu(input, self.alpha)


class SELU(_Activation):
    """Klambauer et al. 2017: an ELU that keeps mean 0 and variance 1 from layer to layer."""

    def forward(self, input):
        return 1.0507009873554805 * elu(input, 1.6732632423543772)


class Softsign(Module):
    """y = x / (1 + |x|), within ±1."""

    def forward(self, input):
        return input / (1 + input.abs())


class Tanhshrink(Module):
    """y = x − tanh(x)."""

    def forward(self, input):
        return input - torch.tanh(input)


class LogSigmoid(Module):
    """y = log(sigmoid(x)) = −softplus(−x)."""

    def forward(self, input):
        return -softplus(-input)


class Hardtanh(_Activation):
    """y = x, but at least min_val and at most max_val."""

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False):
        super().__init__(inplace)
        self.min_val = min_val
        self.max_val = max_val

    def forward(self, input):
        return input.clamp(self.min_val, self.max_val)


class Hardsigmoid(_Activation):
    """y = x / 6 + 1/2, but at least 0 and at most 1: a sigmoid of straight lines."""

    def forward(self, input):
        return (input + 3).clamp(0, 6) / 6


class Hardswish(_Activation):
    """Howard et al. 2019: y = x hardsigmoid(x)."""

    def forward(self, input):
        return input * (input + 3).clamp(0, 6) / 6


class Threshold(_Activation):
    """y = x if x > threshold, else value."""

    def __init__(self, threshold, value, inplace=False):
        super().__init__(inplace)
        self.threshold = threshold
        self.value = value

    def forward(self, input):
        return input.masked_fill(input <= self.threshold, self.value)


class GLU(Module):
    """Dauphin et al. 2017: y = a sigmoid(b), where a and b are the halves of x along an axis."""

    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        if input.shape[self.dim] % 2 != 0:
            raise RuntimeError(f"Halving dimension must be even, but it has the size {input.shape[self.dim]}")
        a, b = input.chunk(2, dim=self.dim)
        return a * torch.sigmoid(b)


class Softmax(Module):
    """y = eˣ / Σ eˣ along an axis: positive weights that sum to 1."""

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return torch.softmax(input, dim=_axis(self.dim, input))


class Softmin(Softmax):
    """Softmax of −x."""

    def forward(self, input):
        return super().forward(-input)


class LogSoftmax(Softmax):
    """The logarithm of softmax along an axis: y = x − log Σ eˣ."""

    def forward(self, input):
        return torch.log_softmax(input, dim=_axis(self.dim, input))


def _axis(dim, input):
    """PyTorch's choice for dim=None, which it warns about: axis 0 or 1."""
    if dim is not None:
        return dim
    return 0 if input.dim() in [0, 1, 3] else 1
