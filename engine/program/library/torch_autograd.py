"""torch.autograd."""


def Variable(data, requires_grad=False, volatile=False):
    """The tensor itself, as in every version of PyTorch since 0.4."""
    return data


class Function:
    """A class of operations with gradients of their own."""

    def apply(*args):
        raise NotImplementedError("a gradient of your own is not here: write the operation with those of torch")


def set_detect_anomaly(mode):
    pass


def grad(*args, **kwargs):
    raise NotImplementedError("gradients are always computed: leave out torch.autograd.grad")
