"""More values around a tensor."""

import torch


def pad(input, pad, mode="constant", value=None):
    """Adds pad = (left, right) values along the last axis, with (left, right, top, bottom) also along the one before
    it, …: zeros or another value, or those that mode ("reflect", "replicate", "circular") finds in the tensor."""
    for i in range(len(pad) // 2):
        axis = input.dim() - 1 - i
        before, after = pad[2 * i], pad[2 * i + 1]
        if mode == "constant":
            input = _with_value(input, axis, before, after, 0 if value is None else value)
        else:
            size = input.shape[axis]
            places = [_place(i, size, mode) for i in range(-before, size + after)]
            input = input.index_select(axis, torch.tensor(places))
    return input


def _with_value(input, axis, before, after, value):
    """A negative number takes values away."""
    first, last = max(0, -before), input.shape[axis] - max(0, -after)
    if before < 0 or after < 0:
        input = input.index_select(axis, torch.arange(first, last))
    parts = [input]
    if before > 0:
        parts.insert(0, _block(input, axis, before, value))
    if after > 0:
        parts.append(_block(input, axis, after, value))
    return torch.cat(parts, dim=axis)


def _block(input, axis, size, value):
    return torch.full(input.shape[:axis] + (size,) + input.shape[axis + 1:], value, dtype=input.dtype)


def _place(i, size, mode):
    """Which of the values 0 … size − 1 is at place i, before or after them."""
    if mode == "replicate":
        return min(max(i, 0), size - 1)
    if mode == "circular":
        return i % size
    if mode == "reflect":
        return size - 1 - abs(size - 1 - abs(i))
    raise NotImplementedError(f"there is no padding of mode {mode}")
