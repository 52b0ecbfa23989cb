"""One number for each window of each channel, of sequences (N, C, L) or images (N, C, H, W)."""

import math

import torch
from unroll.nn.convolution import _each_axis, windows
from unroll.nn.module import Module
from unroll.nn.padding import pad


def _seen(axes, input, kernel_size, stride, padding, dilation=1, value=0.0):
    """The windows over the last axes: (N, C, *size) → (N, C, *places, numbers of a window)."""
    kernel_size, padding = _each_axis(kernel_size, axes), _each_axis(padding, axes)
    stride = kernel_size if stride is None else _each_axis(stride, axes)
    margins = []
    for size in reversed(padding):
        margins += [size, size]
    return windows(pad(input, margins, value=value), kernel_size, stride, _each_axis(dilation, axes)).flatten(-axes)


def _refuse_ceil_mode(ceil_mode):
    if ceil_mode:
        raise NotImplementedError("pooling has no ceil_mode here: leave it out, and pad the input")


def _max_pool(axes, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    _refuse_ceil_mode(ceil_mode)
    if return_indices:
        raise NotImplementedError("max pooling has no return_indices here: leave it out")
    return _seen(axes, input, kernel_size, stride, padding, dilation, -math.inf).max(dim=-1)[0]


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    return _max_pool(1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    return _max_pool(2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def _avg_pool(axes, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor):
    _refuse_ceil_mode(ceil_mode)
    seen = _seen(axes, input, kernel_size, stride, padding)
    if divisor is not None:
        return seen.sum(-1) / divisor
    if count_include_pad:
        return seen.mean(-1)
    return seen.sum(-1) / _seen(axes, torch.ones_like(input), kernel_size, stride, padding).sum(-1)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    return _avg_pool(1, input, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
               divisor_override=None):
    return _avg_pool(2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def _adaptive_avg_pool(axes, input, output_size):
    """Means of windows that cover the whole input, as many as asked for along each of the last axes."""
    sizes = (output_size,) * axes if output_size is None or isinstance(output_size, int) else output_size
    for i, places in enumerate(sizes):
        axis = input.dim() - axes + i
        length = input.shape[axis]
        places = length if places is None else places
        means = []
        for place in range(places):
            window = torch.arange(place * length // places, -(-(place + 1) * length // places))
            means.append(input.index_select(axis, window).mean(axis))
        input = torch.stack(means, dim=axis)
    return input


def adaptive_avg_pool1d(input, output_size):
    return _adaptive_avg_pool(1, input, output_size)


def adaptive_avg_pool2d(input, output_size):
    return _adaptive_avg_pool(2, input, output_size)


class MaxPool1d(Module):
    """The largest number of each window of kernel_size places: (N, C, L) → (N, C, L')."""

    axes = 1

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input):
        return _max_pool(self.axes, input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode,
                         self.return_indices)


class MaxPool2d(MaxPool1d):
    """The largest number of each window of an image: (N, C, H, W) → (N, C, H', W')."""

    axes = 2


class AvgPool1d(Module):
    """The mean of each window of kernel_size places: (N, C, L) → (N, C, L')."""

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input):
        return avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


class AvgPool2d(AvgPool1d):
    """The mean of each window of an image: (N, C, H, W) → (N, C, H', W')."""

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
                 divisor_override=None):
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)
        self.divisor_override = divisor_override

    def forward(self, input):
        return avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
                          self.divisor_override)


class AdaptiveAvgPool1d(Module):
    """The means of output_size windows that cover the sequence: (N, C, L) → (N, C, output_size)."""

    axes = 1

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return _adaptive_avg_pool(self.axes, input, self.output_size)


class AdaptiveAvgPool2d(AdaptiveAvgPool1d):
    """The means of windows that cover the image: (N, C, H, W) → (N, C, *output_size)."""

    axes = 2
