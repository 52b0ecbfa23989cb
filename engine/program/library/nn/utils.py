"""torch.nn.utils: for the training loop, and for parameters as one vector."""

import torch


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Does nothing: the lab's trainer clips gradients, and has a setting for it."""
    return torch.tensor(0.0)


def clip_grad_value_(parameters, clip_value, foreach=None):
    """Does nothing, as clip_grad_norm_."""


def parameters_to_vector(parameters):
    """All numbers of the parameters, one after another."""
    return torch.cat([each.reshape(-1) for each in parameters])


def vector_to_parameters(vec, parameters):
    """Copies the numbers of a vector into the parameters."""
    first = 0
    for each in parameters:
        each.data.copy_(vec[first : first + each.numel()].view(each.shape))
        first += each.numel()
