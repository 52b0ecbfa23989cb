"""torch.nn.functional: what is neither an operation of the engine nor in one of the files beside this one."""

import torch
from unroll.nn.activations import GLU, SELU, Hardsigmoid, Hardswish, Hardtanh, LogSigmoid, Mish, ReLU6
from unroll.nn.activations import Softmin, Softsign, Tanhshrink, Threshold
from unroll.nn.attention import scaled_dot_product_attention
from unroll.nn.convolution import conv1d, conv2d
from unroll.nn.dropout import dropout, dropout1d, dropout2d
from unroll.nn.embedding import embedding
from unroll.nn.linear import linear
from unroll.nn.losses import binary_cross_entropy, binary_cross_entropy_with_logits, cosine_similarity, cross_entropy
from unroll.nn.losses import huber_loss, kl_div, l1_loss, mse_loss, nll_loss, smooth_l1_loss
from unroll.nn.normalization import normalize
from unroll.nn.padding import pad
from unroll.nn.pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, avg_pool1d, avg_pool2d, max_pool1d, max_pool2d


def bilinear(input1, input2, weight, bias=None):
    output = torch.einsum("...i, kij, ...j -> ...k", input1, weight, input2)
    return output if bias is None else output + bias


def relu6(input, inplace=False):
    return ReLU6(inplace)(input)


def selu(input, inplace=False):
    return SELU(inplace)(input)


def mish(input, inplace=False):
    return Mish(inplace)(input)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return Hardtanh(min_val, max_val, inplace)(input)


def hardsigmoid(input, inplace=False):
    return Hardsigmoid(inplace)(input)


def hardswish(input, inplace=False):
    return Hardswish(inplace)(input)


def threshold(input, threshold, value, inplace=False):
    return Threshold(threshold, value, inplace)(input)


def softsign(input):
    return Softsign()(input)


def tanhshrink(input):
    return Tanhshrink()(input)


def logsigmoid(input):
    return LogSigmoid()(input)


def softmin(input, dim=None):
    return Softmin(dim)(input)


def glu(input, dim=-1):
    return GLU(dim)(input)


def prelu(input, weight):
    return torch.where(input > 0, input, weight.view((-1,) + (1,) * (input.dim() - 2)) * input)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """Jang et al. 2016: softmax of logits with noise, a random choice that has a gradient. With hard it is one-hot."""
    noise = -torch.log(-torch.log(torch.rand(logits.shape)))
    soft = torch.softmax((logits + noise) / tau, dim=dim)
    if not hard:
        return soft
    chosen = torch.zeros_like(soft).scatter_(dim, soft.argmax(dim=dim, keepdim=True), 1.0)
    return chosen - soft.detach() + soft  # the value of chosen, the gradient of soft
