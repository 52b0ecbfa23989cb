"""Losses: one number that says how wrong an output is. With reduction "none" there is one for each item."""

import torch
from unroll.nn.module import Module


def _reduction(size_average, reduce, reduction):
    """How losses were reduced before PyTorch 0.4: with size_average and reduce, each True or False."""
    if size_average is None and reduce is None:
        return reduction
    return "none" if reduce is False else "sum" if size_average is False else "mean"


def _reduce(losses, reduction):
    if reduction not in ["none", "mean", "sum"]:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return losses.mean() if reduction == "mean" else losses.sum() if reduction == "sum" else losses


# ── Of numbers ──


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """(x − y)²."""
    return _reduce((input - target) ** 2, _reduction(size_average, reduce, reduction))


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """|x − y|."""
    return _reduce((input - target).abs(), _reduction(size_average, reduce, reduction))


def huber_loss(input, target, reduction="mean", delta=1.0):
    """(x − y)² / 2 up to the distance delta, from there on a straight line."""
    distance = (input - target).abs()
    losses = torch.where(distance < delta, 0.5 * distance**2, delta * (distance - 0.5 * delta))
    return _reduce(losses, reduction)


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """huber_loss / beta."""
    reduction = _reduction(size_average, reduce, reduction)
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    return huber_loss(input, target, reduction, beta) / beta


# ── Of classes ──


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """−log p(target): of log probabilities (N, C, …) and class numbers (N, …), or (C) and one number.
    The mean is weighted by each class's weight; targets of ignore_index count for nothing."""
    axis = 0 if input.dim() == 1 else 1
    if target.shape != input.shape[:axis] + input.shape[axis + 1 :]:
        raise ValueError(f"Expected a target for each row of {tuple(input.shape)}, got {tuple(target.shape)}")
    is_ignored = target == ignore_index
    target = target.masked_fill(is_ignored, 0)
    weights = torch.ones(input.shape[axis]) if weight is None else weight
    weights = weights[target].masked_fill(is_ignored, 0)
    picked = input.gather(axis, target.unsqueeze(axis)).squeeze(axis)
    losses = (-picked * weights).masked_fill(is_ignored, 0)
    reduction = _reduction(size_average, reduce, reduction)
    return losses.sum() / weights.sum() if reduction == "mean" else _reduce(losses, reduction)


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                  label_smoothing=0.0):
    """−log softmax(input)[target]: of logits (N, C, …) and class numbers (N, …), or probabilities (N, C, …).
    With label_smoothing, this part of the target is spread over all classes alike."""
    axis = 0 if input.dim() == 1 else 1
    reduction = _reduction(size_average, reduce, reduction)
    log_p = torch.log_softmax(input, dim=axis)
    if target.shape == input.shape:
        target = (1 - label_smoothing) * target + label_smoothing / input.shape[axis]
        return _reduce(-(_weighted(log_p, weight, axis) * target).sum(axis), reduction)
    loss = nll_loss(log_p, target, weight, ignore_index=ignore_index, reduction=reduction)
    if label_smoothing == 0:
        return loss
    is_ignored = target == ignore_index
    spread = -_weighted(log_p, weight, axis).mean(axis).masked_fill(is_ignored, 0)
    if reduction == "mean":
        weights = torch.ones(input.shape[axis]) if weight is None else weight
        spread = spread.sum() / weights[target.masked_fill(is_ignored, 0)].masked_fill(is_ignored, 0).sum()
    else:
        spread = _reduce(spread, reduction)
    return (1 - label_smoothing) * loss + label_smoothing * spread


def _weighted(log_p, weight, axis):
    if weight is None:
        return log_p
    return log_p * weight.view((-1,) + (1,) * (log_p.dim() - axis - 1))


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """−y log p − (1 − y) log(1 − p), with logarithms of at least −100."""
    _check_equal_sizes(input, target)
    losses = -target * _log(input) - (1 - target) * _log(1 - input)
    losses = losses if weight is None else losses * weight
    return _reduce(losses, _reduction(size_average, reduce, reduction))


def _check_equal_sizes(input, target):
    if input.shape != target.shape:
        raise ValueError(f"Target size ({tuple(target.shape)}) must be the same as input size ({tuple(input.shape)})")


def _log(p):
    is_zero = p <= 0
    return torch.log(p.masked_fill(is_zero, 1)).clamp(min=-100).masked_fill(is_zero, -100)


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean",
                                     pos_weight=None):
    """binary_cross_entropy of p = sigmoid(x); pos_weight multiplies the part of y."""
    _check_equal_sizes(input, target)
    log_p = torch.minimum(input, torch.zeros_like(input)) - torch.log(1 + torch.exp(-input.abs()))
    log_not_p = log_p - input  # log(1 − p)
    positive = target * log_p if pos_weight is None else pos_weight * target * log_p
    losses = -positive - (1 - target) * log_not_p
    losses = losses if weight is None else losses * weight
    return _reduce(losses, _reduction(size_average, reduce, reduction))


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """y (log y − x): how far probabilities y are from those whose logarithms are x. Take reduction "batchmean"."""
    if log_target:
        losses = torch.exp(target) * (target - input)
    else:
        log_y = torch.log(target.masked_fill(target <= 0, 1))  # 0 log 0 is 0
        losses = target * (log_y - input)
    reduction = _reduction(size_average, reduce, reduction)
    return losses.sum() / input.shape[0] if reduction == "batchmean" else _reduce(losses, reduction)


# ── Of vectors ──


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """x₁ · x₂ / (‖x₁‖ ‖x₂‖) along an axis."""
    length = x1.norm(2, dim).clamp(min=eps) * x2.norm(2, dim).clamp(min=eps)
    return (x1 * x2).sum(dim) / length


# ── The same as modules ──


class _Loss(Module):
    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.reduction = _reduction(size_average, reduce, reduction)


class MSELoss(_Loss):
    """The mean of (x − y)²."""

    def forward(self, input, target):
        return mse_loss(input, target, reduction=self.reduction)


class L1Loss(_Loss):
    """The mean of |x − y|."""

    def forward(self, input, target):
        return l1_loss(input, target, reduction=self.reduction)


class HuberLoss(_Loss):
    """Huber 1964: (x − y)² / 2 near the target, a straight line from the distance delta on."""

    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input, target):
        return huber_loss(input, target, self.reduction, self.delta)


class SmoothL1Loss(_Loss):
    """HuberLoss / beta."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input, target):
        return smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class NLLLoss(_Loss):
    """−log p(target), of log probabilities (N, C, …) and class numbers (N, …)."""

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.ignore_index = ignore_index

    def forward(self, input, target):
        return nll_loss(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class CrossEntropyLoss(NLLLoss):
    """−log softmax(x)[target], of logits (N, C, …) and class numbers (N, …)."""

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                 label_smoothing=0.0):
        super().__init__(weight, size_average, ignore_index, reduce, reduction)
        self.label_smoothing = label_smoothing

    def forward(self, input, target):
        return cross_entropy(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction,
                             label_smoothing=self.label_smoothing)


class BCELoss(_Loss):
    """−y log p − (1 − y) log(1 − p)."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)

    def forward(self, input, target):
        return binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(BCELoss):
    """BCELoss of p = sigmoid(x), exact where p is near 0 or 1."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(weight, size_average, reduce, reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input, target):
        return binary_cross_entropy_with_logits(input, target, self.weight, reduction=self.reduction,
                                                pos_weight=self.pos_weight)


class KLDivLoss(_Loss):
    """y (log y − x), of log probabilities x and probabilities y."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input, target):
        return kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class CosineSimilarity(Module):
    """x₁ · x₂ / (‖x₁‖ ‖x₂‖) along an axis."""

    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1, x2):
        return cosine_similarity(x1, x2, self.dim, self.eps)
