# The model of gpt_modules.py, with functions.
import math

import torch
from torch.nn import functional as F

D, N, L, LONGEST = 64, 4, 2, 64


def linear(name, x, size):
    weight = parameter(f"{name}.weight", (size, x.shape[-1]))
    bias = parameter(f"{name}.bias", (size,), init="zeros")
    return x @ weight.T + bias


def norm(name, x):
    weight = parameter(f"{name}.weight", (D,), init="ones")
    bias = parameter(f"{name}.bias", (D,), init="zeros")
    return F.layer_norm(x, (D,), weight, bias)


def heads(x):
    B, T, _ = x.shape
    return x.view(B, T, N, D // N).transpose(1, 2)


def attention(name, x):
    B, T, _ = x.shape
    Q, K, V = heads(linear(f"{name}.q", x, D)), heads(linear(f"{name}.k", x, D)), heads(linear(f"{name}.v", x, D))
    S = Q @ K.transpose(-2, -1) / math.sqrt(D // N)
    future = torch.triu(torch.ones(T, T), 1) > 0
    weights = F.softmax(S.masked_fill(future, float("-inf")), dim=-1)
    return linear(f"{name}.o", (weights @ V).transpose(1, 2).reshape(B, T, D), D)


def forward(ids):
    tokens = parameter("tokens.weight", (VOCABULARY, D), init="normal")
    positions = parameter("positions.weight", (LONGEST, D), init="normal")
    x = F.embedding(ids, tokens) + F.embedding(torch.arange(ids.shape[1]), positions)
    for i in range(L):
        x = x + attention(f"blocks.{i}.attention", norm(f"blocks.{i}.norm1", x))
        h = F.gelu(linear(f"blocks.{i}.up", norm(f"blocks.{i}.norm2", x), 4 * D))
        x = x + linear(f"blocks.{i}.down", h, D)
    return linear("head", norm("norm", x), VOCABULARY)
