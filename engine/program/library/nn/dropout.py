"""Dropout (Srivastava et al. 2014): while it trains, a model does without a random part of its values."""

import torch
from unroll.nn.module import Module


def _drop(input, p, training, inplace, mask_shape):
    """Sets values to 0 with probability p, and divides the others by 1 − p: the mean stays."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    kept = torch.bernoulli(torch.full(mask_shape, 1.0 - p))
    output = input * (kept / (1 - p) if p < 1 else kept)
    return input.copy_(output) if inplace else output


def dropout(input, p=0.5, training=True, inplace=False):
    """Each value for itself."""
    return _drop(input, p, training, inplace, input.shape)


def dropout1d(input, p=0.5, training=True, inplace=False):
    """Whole channels of (N, C, L) or (C, L)."""
    return _drop(input, p, training, inplace, input.shape[:-1] + (1,))


def dropout2d(input, p=0.5, training=True, inplace=False):
    """Whole channels of (N, C, H, W) or (C, H, W)."""
    return _drop(input, p, training, inplace, input.shape[:-2] + (1, 1))


class Dropout(Module):
    """Each value is 0 with probability p, or x / (1 − p). After eval(), y = x."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.p = p
        self.inplace = inplace

    def forward(self, input):
        return dropout(input, self.p, self.training, self.inplace)


class Dropout1d(Dropout):
    """Dropout of whole channels: (N, C, L) → (N, C, L)."""

    def forward(self, input):
        return dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(Dropout):
    """Dropout of whole channels: (N, C, H, W) → (N, C, H, W)."""

    def forward(self, input):
        return dropout2d(input, self.p, self.training, self.inplace)
