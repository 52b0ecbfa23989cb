"""Layers that bring values to mean 0 and variance 1, and then scale and shift them as training finds best."""

import torch
from torch.nn import Parameter
from unroll.nn.init import ones_, zeros_
from unroll.nn.module import Module


def normalize(input, p=2.0, dim=1, eps=1e-12):
    """x / ‖x‖ along an axis."""
    return input / input.norm(p, dim, keepdim=True).clamp(min=eps)


class _Norm(Module):
    """What all have in common: weight, which starts at 1, and bias, which starts at 0."""

    def _make_parameters(self, shape, has_weight, has_bias):
        self.weight = Parameter(torch.ones(shape)) if has_weight else None
        self.bias = Parameter(torch.zeros(shape)) if has_bias else None

    def reset_parameters(self):
        if self.weight is not None:
            ones_(self.weight)
        if self.bias is not None:
            zeros_(self.bias)

    def _axes(self, input):
        """The last axes, which must be normalized_shape."""
        count = len(self.normalized_shape)
        if input.shape[-count:] != self.normalized_shape:
            raise RuntimeError(f"Given normalized_shape={self.normalized_shape}, got input of {tuple(input.shape)}")
        return tuple(range(-count, 0))

    def _scale_and_shift(self, input):
        """input (N, C, …) · weight + bias, of each channel."""
        output = input if self.weight is None else input * _per_channel(self.weight, input)
        return output if self.bias is None else output + _per_channel(self.bias, input)


def _per_channel(values, input):
    """(C) in the form (C, 1, …), which fits input (N, C, …)."""
    return values.view((-1,) + (1,) * (input.dim() - 2))


class LayerNorm(_Norm):
    """Ba et al. 2016: y = (x − mean) / √(variance + ε) · weight + bias, over the last axes: (…, *normalized_shape)."""

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self._make_parameters(self.normalized_shape, elementwise_affine, elementwise_affine and bias)

    def forward(self, input):
        axes = self._axes(input)
        mean = input.mean(axes, keepdim=True)
        variance = input.var(axes, unbiased=False, keepdim=True)
        output = (input - mean) / torch.sqrt(variance + self.eps)
        output = output if self.weight is None else output * self.weight
        return output if self.bias is None else output + self.bias


class RMSNorm(_Norm):
    """Zhang and Sennrich 2019: y = x / √(mean of x² + ε) · weight, over the last axes: (…, *normalized_shape)."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self._make_parameters(self.normalized_shape, elementwise_affine, False)

    def forward(self, input):
        axes = self._axes(input)
        mean_square = (input * input).mean(axes, keepdim=True)
        eps = 2.0**-23 if self.eps is None else self.eps  # the distance from 1 to the next number
        output = input * torch.rsqrt(mean_square + eps)
        return output if self.weight is None else output * self.weight


class BatchNorm1d(_Norm):
    """Ioffe and Szegedy 2015: y = (x − mean) / √(variance + ε) · weight + bias, of each channel: (N, C) or (N, C, L).
    Training takes the mean and variance of the batch, and keeps running ones, which are used after eval()."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None,
                 dtype=None):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self._make_parameters((num_features,), affine, affine)
        self.register_buffer("running_mean", torch.zeros(num_features) if track_running_stats else None)
        self.register_buffer("running_var", torch.ones(num_features) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", torch.tensor(0) if track_running_stats else None)

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    ranks = [2, 3]  # of an input

    def _track(self, mean, variance):
        """Moves the running mean and variance by the part momentum; if that is None, to the mean of all batches."""
        self.num_batches_tracked += 1
        part = 1 / int(self.num_batches_tracked) if self.momentum is None else self.momentum
        self.running_mean.copy_((1 - part) * self.running_mean + part * mean)
        self.running_var.copy_((1 - part) * self.running_var + part * variance)

    def forward(self, input):
        if input.dim() not in self.ranks:
            raise ValueError(f"expected {self.ranks}D input (got {input.dim()}D input)")
        if self.training or not self.track_running_stats:
            axes = (0,) + tuple(range(2, input.dim()))
            if self.training and input.numel() == input.shape[1]:
                raise ValueError(f"Expected more than 1 value per channel when training, got {tuple(input.shape)}")
            mean, variance = input.mean(axes), input.var(axes, unbiased=False)
            if self.training and self.track_running_stats:
                self._track(mean.detach(), input.detach().var(axes, unbiased=True))
        else:
            mean, variance = self.running_mean, self.running_var
        output = (input - _per_channel(mean, input)) / torch.sqrt(_per_channel(variance, input) + self.eps)
        return self._scale_and_shift(output)


class BatchNorm2d(BatchNorm1d):
    """BatchNorm of images: (N, C, H, W)."""

    ranks = [4]


class GroupNorm(_Norm):
    """Wu and He 2018: as LayerNorm, over each of num_groups groups of channels: (N, C, …)."""

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError("num_channels must be divisible by num_groups")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self._make_parameters((num_channels,), affine, affine)

    def forward(self, input):
        groups = input.reshape(input.shape[0], self.num_groups, -1)
        mean = groups.mean(-1, keepdim=True)
        variance = groups.var(-1, unbiased=False, keepdim=True)
        output = (groups - mean) / torch.sqrt(variance + self.eps)
        return self._scale_and_shift(output.reshape(input.shape))


class InstanceNorm1d(GroupNorm):
    """Ulyanov et al. 2016: as LayerNorm, over each channel: (N, C, L)."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None,
                 dtype=None):
        if track_running_stats:
            raise NotImplementedError("InstanceNorm has no track_running_stats here: leave it out")
        super().__init__(num_features, num_features, eps, affine)


class InstanceNorm2d(InstanceNorm1d):
    """InstanceNorm of images: (N, C, H, W)."""
