"""The package einops: axes have names in a pattern, such as "b (h d) t -> b h t d"."""

import torch


def _groups(side):
    """"b (h d) 1 ..." → [["b"], ["h", "d"], [], "..."]"""
    groups, inner = [], None
    for word in side.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            inner = []
        elif word == ")":
            groups.append(inner)
            inner = None
        elif inner is not None:
            inner += [] if word == "1" else [word]
        elif word == "...":
            groups.append(word)
        else:
            groups.append([] if word == "1" else [word])
    return groups


def _with_ellipsis(groups, count):
    """Each axis that ... stands for gets a name of its own; within parentheses all of them are one axis."""
    hidden = [f"...{i}" for i in range(count)]
    found = []
    for group in groups:
        if group == "...":
            found += [[name] for name in hidden]
        else:
            found.append([name for each in group for name in (hidden if each == "..." else [each])])
    return found


def _names(groups):
    return [name for group in groups for name in group]


def _sides(pattern, rank):
    if pattern.count("->") != 1:
        raise ValueError(f"the pattern \"{pattern}\" needs one ->")
    left, right = [_groups(side) for side in pattern.split("->")]
    count = rank - len(left) + 1 if "..." in left else 0
    left = _with_ellipsis(left, count)
    if len(left) != rank:
        raise ValueError(f"the pattern \"{pattern}\" has {len(left)} axes on its left, and the tensor has {rank}")
    return left, _with_ellipsis(right, count)


def _lengths(left, shape, given, pattern):
    """The length of each name. In each group at most one is not given."""
    lengths = dict(given)
    for group, size in zip(left, shape):
        known, unknown = 1, []
        for name in group:
            if name in lengths:
                known *= lengths[name]
            else:
                unknown.append(name)
        if len(unknown) > 1:
            raise ValueError(f"the pattern \"{pattern}\" needs the length of {unknown[0]} or {unknown[1]}")
        if size % known != 0 or (not unknown and size != known):
            raise ValueError(f"the pattern \"{pattern}\" does not fit: an axis of {size} is no multiple of {known}")
        if unknown:
            lengths[unknown[0]] = size // known
    return lengths


def _checked(names, pattern):
    if len(set(names)) < len(names):
        raise ValueError(f"the pattern \"{pattern}\" has a name twice on one side")
    return names


def _tensor(tensor):
    return torch.stack(list(tensor)) if isinstance(tensor, (list, tuple)) else tensor


def _joined(tensor, right, lengths):
    """From one axis for each name to one for each group."""
    sizes = []
    for group in right:
        size = 1
        for name in group:
            size *= lengths[name]
        sizes.append(size)
    return tensor.reshape(sizes)


def _in_order(tensor, names, wanted):
    return tensor if names == wanted else tensor.permute([names.index(name) for name in wanted])


def rearrange(tensor, pattern, **axes_lengths):
    """The same values, with their axes as the right side of the pattern says."""
    tensor = _tensor(tensor)
    left, right = _sides(pattern, len(tensor.shape))
    names, wanted = _checked(_names(left), pattern), _checked(_names(right), pattern)
    if set(names) != set(wanted):
        raise ValueError(f"the pattern \"{pattern}\" has other names on its right than on its left")
    lengths = _lengths(left, tensor.shape, axes_lengths, pattern)
    split = tensor.reshape([lengths[name] for name in names])
    return _joined(_in_order(split, names, wanted), right, lengths)


def repeat(tensor, pattern, **axes_lengths):
    """Names on the right alone are new axes, along which the values are repeated."""
    tensor = _tensor(tensor)
    left, right = _sides(pattern, len(tensor.shape))
    names, wanted = _checked(_names(left), pattern), _checked(_names(right), pattern)
    lengths = _lengths(left, tensor.shape, axes_lengths, pattern)
    for name in wanted:
        if name not in lengths:
            raise ValueError(f"the pattern \"{pattern}\" needs the length of {name}")
    for name in names:
        if name not in wanted:
            raise ValueError(f"the pattern \"{pattern}\" loses {name}: use reduce")
    added = [name for name in wanted if name not in names]
    split = tensor.reshape([lengths[name] for name in names] + [1] * len(added))
    ordered = _in_order(split, names + added, wanted)
    return _joined(ordered.expand([lengths[name] for name in wanted]), right, lengths)


def reduce(tensor, pattern, reduction, **axes_lengths):
    """The sum, mean, max, min or prod along the names that are on the left alone."""
    tensor = _tensor(tensor)
    left, right = _sides(pattern, len(tensor.shape))
    names, wanted = _checked(_names(left), pattern), _checked(_names(right), pattern)
    for name in wanted:
        if name not in names:
            raise ValueError(f"the pattern \"{pattern}\" has {name} on its right alone: use repeat")
    lengths = _lengths(left, tensor.shape, axes_lengths, pattern)
    kept = [name for name in names if name in wanted]
    lost = [name for name in names if name not in wanted]
    split = _in_order(tensor.reshape([lengths[name] for name in names]), names, kept + lost)
    return _joined(_in_order(_reduced(split, reduction, len(lost)), kept, wanted), right, lengths)


def _reduced(tensor, reduction, count):
    """Along the last axes, so many."""
    axes = tuple(range(-count, 0))
    if not axes:
        return tensor
    if callable(reduction):
        return reduction(tensor, axes)
    if reduction == "sum":
        return tensor.sum(axes)
    if reduction == "mean":
        return tensor.mean(axes)
    if reduction == "max":
        return tensor.amax(axes)
    if reduction == "min":
        return tensor.amin(axes)
    if reduction == "prod":
        for _ in axes:
            tensor = tensor.prod(-1)
        return tensor
    raise ValueError(f"there is no reduction {reduction}: use sum, mean, max, min or prod")


def einsum(*tensors_and_pattern):
    """As torch.einsum, with names of any length: einsum(q, k, "b i d, b j d -> b i j")."""
    tensors, pattern = tensors_and_pattern[:-1], tensors_and_pattern[-1]
    letters = {}
    for name in pattern.replace("->", " ").replace(",", " ").split():
        if name != "..." and name not in letters:
            letters[name] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(letters)]
    inputs, output = pattern.split("->")
    spelled = ["".join([letters.get(name, name) for name in side.split()]) for side in inputs.split(",") + [output]]
    return torch.einsum(",".join(spelled[:-1]) + "->" + spelled[-1], *tensors)


def parse_shape(tensor, pattern):
    """{"b": 2, "t": 5} of "b t _"."""
    left = _with_ellipsis(_groups(pattern), len(tensor.shape) - len(_groups(pattern)) + 1)
    return {group[0]: size for group, size in zip(left, tensor.shape) if group and not group[0].startswith(("_", "."))}
