"""The package numpy, as far as models use it. An array is a tensor."""

import builtins
import math

import torch
from torch.nn.functional import pad as _pad


def _is_number(x):
    return isinstance(x, (int, float))


def array(object, dtype=None, copy=True):
    if not isinstance(object, torch.Tensor):
        object = torch.tensor(object)
    return object if dtype is None else object.to(dtype)


def asarray(object, dtype=None):
    return array(object, dtype)


def ascontiguousarray(object):
    return array(object)


def copy(a):
    return a.clone()


def _sizes(shape):
    return [shape] if isinstance(shape, int) else list(shape)


def zeros(shape, dtype=None):
    return array(torch.zeros(_sizes(shape)), dtype)


def ones(shape, dtype=None):
    return array(torch.ones(_sizes(shape)), dtype)


def empty(shape, dtype=None):
    return zeros(shape, dtype)


def full(shape, fill_value, dtype=None):
    return array(torch.full(_sizes(shape), fill_value), dtype)


def zeros_like(a, dtype=None):
    return array(torch.zeros_like(a), dtype)


def ones_like(a, dtype=None):
    return array(torch.ones_like(a), dtype)


def full_like(a, fill_value):
    return torch.zeros_like(a) + fill_value


def eye(N, dtype=None):
    return array(torch.eye(N), dtype)


def identity(n):
    return torch.eye(n)


def arange(start, stop=None, step=1, dtype=None):
    values = torch.arange(start) if stop is None else torch.arange(start, stop, step)
    return array(values, dtype)


def linspace(start, stop, num=50):
    return torch.arange(num).float() * ((stop - start) / builtins.max(num - 1, 1)) + start


def sqrt(x):
    return math.sqrt(x) if _is_number(x) else torch.sqrt(array(x))


def exp(x):
    return math.exp(x) if _is_number(x) else torch.exp(array(x))


def log(x):
    return math.log(x) if _is_number(x) else torch.log(array(x))


def log2(x):
    return math.log2(x) if _is_number(x) else torch.log(array(x)) / math.log(2)


def sin(x):
    return math.sin(x) if _is_number(x) else torch.sin(array(x))


def cos(x):
    return math.cos(x) if _is_number(x) else torch.cos(array(x))


def tanh(x):
    return math.tanh(x) if _is_number(x) else torch.tanh(array(x))


def floor(x):
    return float(math.floor(x)) if _is_number(x) else torch.floor(array(x))


def ceil(x):
    return float(math.ceil(x)) if _is_number(x) else -torch.floor(-array(x))


def abs(x):
    return builtins.abs(x) if _is_number(x) else torch.abs(array(x))


def square(x):
    return x * x


def power(x1, x2):
    x1 = float(x1) if isinstance(x1, int) and isinstance(x2, float) else x1
    return (array(x1) if isinstance(x1, list) else x1) ** (array(x2) if isinstance(x2, list) else x2)


def maximum(x1, x2):
    return builtins.max(x1, x2) if _is_number(x1) and _is_number(x2) else torch.maximum(torch.as_tensor(x1), torch.as_tensor(x2))


def minimum(x1, x2):
    return builtins.min(x1, x2) if _is_number(x1) and _is_number(x2) else torch.minimum(torch.as_tensor(x1), torch.as_tensor(x2))


def clip(a, a_min, a_max):
    return torch.clamp(array(a), a_min, a_max)


def where(condition, x, y):
    return torch.where(condition, x, y)


def isnan(x):
    return math.isnan(x) if _is_number(x) else x != x


def _reduced(a, axis, keepdims, all_values, along):
    a = array(a)
    if axis is None:
        return all_values(a)
    return along(a, axis, keepdims)


def sum(a, axis=None, keepdims=False):
    return _reduced(a, axis, keepdims, torch.sum, torch.sum)


def mean(a, axis=None, keepdims=False):
    return _reduced(array(a).float(), axis, keepdims, torch.mean, torch.mean)


def max(a, axis=None, keepdims=False):
    return _reduced(a, axis, keepdims, torch.amax, torch.amax)


def min(a, axis=None, keepdims=False):
    return _reduced(a, axis, keepdims, torch.amin, torch.amin)


def prod(a, axis=None):
    if isinstance(a, (list, tuple)):
        return math.prod(a)
    return a.prod() if axis is None else a.prod(axis)


def argmax(a, axis=None):
    return array(a).argmax() if axis is None else array(a).argmax(axis)


def cumsum(a, axis=0):
    return torch.cumsum(array(a), axis)


def matmul(x1, x2):
    return x1 @ x2


def dot(a, b):
    return a * b if _is_number(a) or _is_number(b) else array(a) @ array(b)


def outer(a, b):
    return array(a)[:, None] * array(b)


def einsum(subscripts, *operands):
    return torch.einsum(subscripts, *operands)


def triu(m, k=0):
    return torch.triu(array(m), k)


def tril(m, k=0):
    return torch.tril(array(m), k)


def transpose(a, axes=None):
    a = array(a)
    return a.permute(list(range(len(a.shape)))[::-1] if axes is None else list(axes))


def reshape(a, newshape):
    return array(a).reshape(_sizes(newshape))


def expand_dims(a, axis):
    return a.unsqueeze(axis)


def squeeze(a, axis=None):
    return a.squeeze() if axis is None else a.squeeze(axis)


def concatenate(arrays, axis=0):
    return torch.cat([array(each) for each in arrays], axis)


def stack(arrays, axis=0):
    return torch.stack([array(each) for each in arrays], axis)


def vstack(arrays):
    return torch.cat([array(each).reshape(1, -1) if len(each.shape) == 1 else array(each) for each in arrays])


def tile(a, reps):
    return array(a).repeat(*_sizes(reps))


def pad(array, pad_width, mode="constant", constant_values=0):
    """pad_width: for each axis how many before it and after it."""
    widths = [pad_width] * 2 if isinstance(pad_width, int) else pad_width
    pairs = [widths] * len(array.shape) if isinstance(widths[0], int) else list(widths)
    flat = [width for pair in reversed(pairs) for width in pair]
    return _pad(array, flat, value=constant_values)


def allclose(a, b, rtol=1e-05, atol=1e-08):
    return bool((torch.abs(array(a) - array(b)) <= atol + rtol * torch.abs(array(b))).all())


def array_equal(a1, a2):
    return a1.shape == a2.shape and bool((a1 == a2).all())


def isscalar(element):
    return _is_number(element)


def ndim(a):
    return len(array(a).shape)


def set_printoptions(**options):
    pass
