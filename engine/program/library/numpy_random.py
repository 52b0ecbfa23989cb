"""numpy.random: numbers come from the lab's own generator, which is the same in every run."""

import random as _random

import torch


def seed(seed=None):
    """Does nothing: random numbers are the same in every run."""


def _sizes(size):
    return [size] if isinstance(size, int) else list(size)


def rand(*size):
    return torch.rand(list(size)) if size else _random.random()


def random(size=None):
    return _random.random() if size is None else torch.rand(_sizes(size))


def randn(*size):
    return torch.randn(list(size)) if size else _random.gauss()


def uniform(low=0.0, high=1.0, size=None):
    if size is None:
        return _random.uniform(low, high)
    return low + (high - low) * torch.rand(_sizes(size))


def normal(loc=0.0, scale=1.0, size=None):
    if size is None:
        return _random.gauss(loc, scale)
    return loc + scale * torch.randn(_sizes(size))


def randint(low, high=None, size=None):
    low, high = (0, low) if high is None else (low, high)
    if size is None:
        return _random.randint(low, high - 1)
    return torch.randint(low, high, _sizes(size))


def permutation(x):
    items = list(range(x)) if isinstance(x, int) else list(x)
    _random.shuffle(items)
    return torch.tensor(items) if isinstance(x, int) else torch.stack(items)


def shuffle(x):
    _random.shuffle(x)


def choice(a, size=None, replace=True, p=None):
    items = list(range(a)) if isinstance(a, int) else list(a)
    if size is None:
        return _random.choices(items, p)[0]
    count = size if isinstance(size, int) else size[0]
    chosen = _random.choices(items, p, count) if replace else _random.sample(items, count)
    return torch.tensor(chosen)
