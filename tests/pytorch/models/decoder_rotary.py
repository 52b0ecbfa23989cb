"""A decoder with rotary positions, fewer heads of keys than of queries, RMS normalisation and a gated MLP."""
import math
from dataclasses import dataclass
from typing import Optional, Tuple

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Arguments:
    width: int = 16
    layers: int = 2
    heads: int = 4
    key_heads: Optional[int] = None
    tokens: int = 12
    multiple: int = 8  # the width of the MLP is a multiple of this
    epsilon: float = 1e-5
    length: int = 8


class RMSNorm(torch.nn.Module):
    def __init__(self, width: int, epsilon: float):
        super().__init__()
        self.epsilon = epsilon
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        scale = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + self.epsilon)
        return (x.float() * scale).type_as(x) * self.weight


def angles(size: int, length: int, base: float = 10000.0) -> Tuple[torch.Tensor, torch.Tensor]:
    """Cosine and sine of position · frequency: (length, size / 2) each."""
    frequencies = 1.0 / (base ** (torch.arange(0, size, 2)[: (size // 2)].float() / size))
    turns = torch.outer(torch.arange(length, device=frequencies.device), frequencies).float()
    return torch.cos(turns), torch.sin(turns)


def beside(table: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """The table in a shape that broadcasts over batch and heads of x: (1, T, 1, size / 2)."""
    assert 1 < x.ndim and table.shape == (x.shape[1], x.shape[-1])
    return table.view([size if axis in (1, x.ndim - 1) else 1 for axis, size in enumerate(x.shape)])


def rotate(x: torch.Tensor, cosine: torch.Tensor, sine: torch.Tensor) -> torch.Tensor:
    """Turns each pair of neighbours of (B, T, heads, size), which has five axes while the pairs are apart."""
    a, b = x.float().reshape(x.shape[:-1] + (-1, 2)).unbind(-1)
    cosine, sine = beside(cosine, a), beside(sine, a)
    return torch.stack([a * cosine - b * sine, a * sine + b * cosine], dim=-1).flatten(3).type_as(x)


def share_heads(x: torch.Tensor, times: int) -> torch.Tensor:
    """Each head of keys or values serves several heads of queries."""
    B, T, heads, size = x.shape
    if times == 1:
        return x
    return (
        x[:, :, :, None, :]
        .expand(B, T, heads, times, size)
        .reshape(B, T, heads * times, size)
    )


class Attention(nn.Module):
    def __init__(self, arguments: Arguments):
        super().__init__()
        self.heads = arguments.heads
        self.key_heads = arguments.heads if arguments.key_heads is None else arguments.key_heads
        assert self.heads % self.key_heads == 0
        self.size = arguments.width // arguments.heads
        self.query = nn.Linear(arguments.width, self.heads * self.size, bias=False)
        self.key = nn.Linear(arguments.width, self.key_heads * self.size, bias=False)
        self.value = nn.Linear(arguments.width, self.key_heads * self.size, bias=False)
        self.merge = nn.Linear(self.heads * self.size, arguments.width, bias=False)
        future = torch.full((1, 1, arguments.length, arguments.length), float("-inf"))
        self.register_buffer("future", torch.triu(future, diagonal=1))

    def forward(self, x: torch.Tensor, cosine: torch.Tensor, sine: torch.Tensor) -> torch.Tensor:
        B, T, _ = x.shape
        q = rotate(self.query(x).view(B, T, self.heads, self.size), cosine, sine)
        k = rotate(self.key(x).view(B, T, self.key_heads, self.size), cosine, sine)
        v = self.value(x).view(B, T, self.key_heads, self.size)
        times = self.heads // self.key_heads
        q, k, v = (part.transpose(1, 2) for part in (q, share_heads(k, times), share_heads(v, times)))
        scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(self.size) + self.future[:, :, :T, :T]
        y = torch.matmul(F.softmax(scores.float(), dim=-1).type_as(q), v)
        return self.merge(y.transpose(1, 2).contiguous().view(B, T, -1))


class GatedMLP(nn.Module):
    def __init__(self, width: int, hidden: Optional[int], multiple: int):
        super().__init__()
        if hidden is None:
            hidden = int(2 * 4 * width / 3)
            hidden = multiple * ((hidden + multiple - 1) // multiple)
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Block(nn.Module):
    def __init__(self, number: int, arguments: Arguments):
        super().__init__()
        self.number = number
        self.attention = Attention(arguments)
        self.mlp = GatedMLP(arguments.width, hidden=None, multiple=arguments.multiple)
        self.norm1 = RMSNorm(arguments.width, epsilon=arguments.epsilon)
        self.norm2 = RMSNorm(arguments.width, epsilon=arguments.epsilon)

    def forward(self, x, cosine, sine):
        h = x + self.attention.forward(self.norm1(x), cosine, sine)
        return h + self.mlp.forward(self.norm2(h))


class Decoder(nn.Module):
    last_loss: Optional[torch.Tensor]

    def __init__(self, arguments: Arguments):
        super().__init__()
        self.token = nn.Embedding(arguments.tokens, arguments.width)
        self.blocks = torch.nn.ModuleList()
        for number in range(arguments.layers):
            self.blocks.append(Block(number, arguments))
        self.norm = RMSNorm(arguments.width, epsilon=arguments.epsilon)
        self.head = nn.Linear(arguments.width, arguments.tokens, bias=False)
        self.token.weight = self.head.weight
        cosine, sine = angles(arguments.width // arguments.heads, arguments.length)
        self.register_buffer("cosine", cosine, persistent=False)
        self.register_buffer("sine", sine, persistent=False)
        self.last_loss = None

    def forward(self, ids: torch.Tensor, targets: Optional[torch.Tensor] = None) -> torch.Tensor:
        _, T = ids.shape
        h = self.token(ids)
        for block in self.blocks:
            h = block(h, self.cosine[:T], self.sine[:T])
        logits = self.head(self.norm(h))
        if targets is not None:
            self.last_loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=0)
        return logits


model = Decoder(Arguments(key_heads=2))


def forward(ids):
    return model(ids)
