"""A small matrix that looks at each window of a sequence (N, C, L) or of an image (N, C, H, W)."""

import math

import torch
from torch.nn import Parameter
from unroll.nn.init import kaiming_uniform_, uniform_
from unroll.nn.module import Module
from unroll.nn.padding import pad


def _each_axis(setting, axes):
    """One number for all axes, or one for each."""
    return (setting,) * axes if isinstance(setting, int) else tuple(setting)


def windows(input, kernel_size, stride, dilation):
    """What each window over the last axes sees: (…, *size) → (…, *places, *kernel_size)."""
    first = input.dim() - len(kernel_size)
    for i in range(len(kernel_size)):
        axis = first + 2 * i  # each of the axes before it has become two: place, and place within the window
        places = (input.shape[axis] - dilation[i] * (kernel_size[i] - 1) - 1) // stride[i] + 1
        if places < 1:
            raise RuntimeError(f"the kernel of {kernel_size} is larger than the input, of size {input.shape[axis]}")
        seen = stride[i] * torch.arange(places)[:, None] + dilation[i] * torch.arange(kernel_size[i])
        shape = input.shape[:axis] + (places, kernel_size[i]) + input.shape[axis + 1:]
        input = input.index_select(axis, seen.flatten()).reshape(shape)
    axes = list(range(input.dim()))
    return input.permute(*axes[:first], *axes[first::2], *axes[first + 1 :: 2])


def _margins(padding, kernel_size, dilation):
    """(before, after) of each axis, the last first, as pad takes them."""
    margins = []
    for i in reversed(range(len(kernel_size))):
        if padding == "same":
            total = dilation[i] * (kernel_size[i] - 1)
            margins += [total // 2, total - total // 2]
        else:
            margins += [0, 0] if padding == "valid" else [padding[i], padding[i]]
    return margins


def _convolve(axes, input, weight, bias, stride, padding, dilation, groups):
    """Each window, as one long row, times the weight (out, C / groups, *kernel_size), as a matrix."""
    stride, dilation = _each_axis(stride, axes), _each_axis(dilation, axes)
    if not isinstance(padding, str):
        padding = _each_axis(padding, axes)
    kernel_size = tuple(weight.shape[2:])
    is_batched = input.dim() == axes + 2
    if input.shape[-axes - 1] != weight.shape[1] * groups:
        raise RuntimeError(f"expected {weight.shape[1] * groups} channels, but got an input of {tuple(input.shape)}")
    input = pad(input if is_batched else input.unsqueeze(0), _margins(padding, kernel_size, dilation))
    seen = windows(input, kernel_size, stride, dilation)
    places = tuple(seen.shape[2 : 2 + axes])
    # (groups, N · places, C / groups · kernel) @ (groups, C / groups · kernel, out / groups)
    rows = seen.permute(0, *range(2, 2 + axes), 1, *range(2 + axes, 2 + 2 * axes))
    rows = rows.reshape(-1, groups, weight[0].numel()).transpose(0, 1)
    columns = weight.reshape(groups, -1, weight[0].numel()).transpose(1, 2)
    output = (rows @ columns).transpose(0, 1).reshape((input.shape[0],) + places + (weight.shape[0],))
    output = (output if bias is None else output + bias).permute(0, axes + 1, *range(1, axes + 1))
    return output if is_batched else output.squeeze(0)


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return _convolve(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return _convolve(2, input, weight, bias, stride, padding, dilation, groups)


class _Conv(Module):
    axes = 1

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        super().__init__()
        if in_channels % groups != 0 or out_channels % groups != 0:
            raise ValueError("in_channels and out_channels must be divisible by groups")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = _each_axis(kernel_size, self.axes)
        self.stride = _each_axis(stride, self.axes)
        self.padding = padding if isinstance(padding, str) else _each_axis(padding, self.axes)
        self.dilation = _each_axis(dilation, self.axes)
        self.groups = groups
        self.padding_mode = padding_mode
        self.weight = Parameter(torch.empty(out_channels, in_channels // groups, *self.kernel_size))
        self.bias = Parameter(torch.empty(out_channels)) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        """Both are uniform within ±1 / √(the numbers in a window)."""
        kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.weight[0].numel())
            uniform_(self.bias, -bound, bound)

    def forward(self, input):
        padding = self.padding
        if self.padding_mode != "zeros":
            input = pad(input, _margins(padding, self.kernel_size, self.dilation), self.padding_mode)
            padding = 0
        return _convolve(self.axes, input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class Conv1d(_Conv):
    """(N, in_channels, L) → (N, out_channels, L'): each output is a sum over a window of kernel_size places, of all
    channels (of its group), times weight (out_channels, in_channels / groups, kernel_size), plus bias."""


class Conv2d(_Conv):
    """(N, in_channels, H, W) → (N, out_channels, H', W'): Conv1d over windows of an image."""

    axes = 2
