"""torch.utils.checkpoint: computes at once, with the same result."""


def checkpoint(function, *args, use_reentrant=True, **kwargs):
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, x, **kwargs):
    for function in functions:
        x = function(x)
    return x
