"""Layers that multiply by a matrix."""

import math

import torch
from torch.nn import Parameter
from unroll.nn.init import kaiming_uniform_, uniform_
from unroll.nn.module import Module


def linear(input, weight, bias=None):
    """x Wᵀ + b: (…, in) by a weight of (out, in) → (…, out)."""
    output = input @ weight.T
    return output if bias is None else output + bias


class Linear(Module):
    """y = x Wᵀ + b: (…, in_features) → (…, out_features)."""

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(torch.empty(out_features, in_features))
        self.bias = Parameter(torch.empty(out_features)) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        """Both are uniform within ±1 / √in_features."""
        kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None and self.in_features > 0:
            bound = 1 / math.sqrt(self.in_features)
            uniform_(self.bias, -bound, bound)

    def forward(self, input):
        output = input @ self.weight.T
        return output if self.bias is None else output + self.bias


class LazyLinear(Linear):
    """Linear that takes in_features from its first input."""

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super(Linear, self).__init__()
        self.in_features = 0
        self.out_features = out_features
        self.weight = None
        self.bias = None
        self._has_bias = bias

    def forward(self, input):
        if self.weight is None:
            self.in_features = input.shape[-1]
            self.weight = Parameter(torch.empty(self.out_features, self.in_features))
            self.bias = Parameter(torch.empty(self.out_features)) if self._has_bias else None
            self.reset_parameters()
        return super().forward(input)


class Bilinear(Module):
    """y_k = x₁ W_k x₂ᵀ + b_k: (…, in1_features) and (…, in2_features) → (…, out_features)."""

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = Parameter(torch.empty(out_features, in1_features, in2_features))
        self.bias = Parameter(torch.empty(out_features)) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.in1_features)
        uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            uniform_(self.bias, -bound, bound)

    def forward(self, input1, input2):
        output = torch.einsum("...i, kij, ...j -> ...k", input1, self.weight, input2)
        return output if self.bias is None else output + self.bias


class Identity(Module):
    """y = x, whatever it was made with."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input
