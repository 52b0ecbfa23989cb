"""torch.nn.init: how parameters start. Each function changes a tensor in place, and returns it."""

import math

import torch


def uniform_(tensor, a=0.0, b=1.0):
    tensor.data.uniform_(a, b)
    return tensor


def normal_(tensor, mean=0.0, std=1.0):
    tensor.data.normal_(mean, std)
    return tensor


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    """Normal numbers; those outside of a … b are drawn again."""
    normal_(tensor, mean, std)
    outside = (tensor < a) | (tensor > b)
    while outside.any():
        tensor.data.copy_(torch.where(outside, mean + std * torch.randn(tensor.shape), tensor))
        outside = (tensor < a) | (tensor > b)
    return tensor


def constant_(tensor, val):
    tensor.data.fill_(val)
    return tensor


def ones_(tensor):
    return constant_(tensor, 1.0)


def zeros_(tensor):
    return constant_(tensor, 0.0)


def eye_(tensor):
    """The identity matrix, cut or filled up with zeros."""
    rows, columns = tensor.shape
    tensor.data.copy_((torch.arange(rows)[:, None] == torch.arange(columns)).float())
    return tensor


def _calculate_fan_in_and_fan_out(tensor):
    """How many numbers an output of this weight depends on, and how many outputs depend on one number."""
    if tensor.dim() < 2:
        raise ValueError("fan in and fan out need a tensor of at least two axes")
    window = tensor[0][0].numel()
    return tensor.shape[1] * window, tensor.shape[0] * window


def calculate_gain(nonlinearity, param=None):
    """By how much weights grow so that values keep their size through this function."""
    if nonlinearity == "tanh":
        return 5 / 3
    if nonlinearity == "relu":
        return math.sqrt(2)
    if nonlinearity == "leaky_relu":
        return math.sqrt(2 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity == "selu":
        return 3 / 4
    if nonlinearity in ["linear", "sigmoid", "conv1d", "conv2d", "conv3d"]:
        return 1
    raise ValueError(f"there is no gain for {nonlinearity}")


def xavier_uniform_(tensor, gain=1.0):
    """Glorot and Bengio 2010: the variance is gain² · 2 / (fan_in + fan_out)."""
    bound = gain * math.sqrt(6 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor, gain=1.0):
    return normal_(tensor, 0.0, gain * math.sqrt(2 / sum(_calculate_fan_in_and_fan_out(tensor))))


def _kaiming_deviation(tensor, a, mode, nonlinearity):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan_in if mode == "fan_in" else fan_out)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    """He et al. 2015: the variance is gain² / fan_in."""
    bound = math.sqrt(3) * _kaiming_deviation(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    return normal_(tensor, 0.0, _kaiming_deviation(tensor, a, mode, nonlinearity))


def orthogonal_(tensor, gain=1):
    """Rows (or columns, if they are fewer) of length gain that are at right angles, by Gram and Schmidt's process."""
    rows, columns = tensor.shape[0], tensor[0].numel()
    vectors = torch.randn(rows, columns)
    found = []
    for vector in vectors if rows < columns else vectors.T:
        for other in found + found:  # twice: rounding leaves a little of the others
            vector = vector - (vector @ other) * other
        found.append(vector / vector.norm())
    matrix = torch.stack(found) if rows < columns else torch.stack(found, dim=1)
    tensor.data.copy_(gain * matrix.reshape(tensor.shape))
    return tensor
