"""The package copy."""

from unroll.engine import deep_copy, shallow_copy


def deepcopy(x, memo=None):
    return deep_copy(x)


def copy(x):
    return shallow_copy(x)
