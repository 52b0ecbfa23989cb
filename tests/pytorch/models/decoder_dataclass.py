"""A decoder-only Transformer whose sizes are a dataclass. The table of embeddings is also the output layer."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.nn import functional as F


@dataclass
class Sizes:
    tokens: int = 64
    length: int = 32
    width: int = 32
    heads: int = 4
    layers: int = 2
    dropout: float = 0.1
    bias: bool = True


class Norm(nn.Module):
    """Layer normalisation, with or without a bias."""

    def __init__(self, width, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width)) if bias else None

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-5)


class CausalAttention(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        assert sizes.width % sizes.heads == 0, f"{sizes.heads} heads cannot share a width of {sizes.width}"
        self.heads = sizes.heads
        self.qkv = nn.Linear(sizes.width, 3 * sizes.width, bias=sizes.bias)
        self.merge = nn.Linear(sizes.width, sizes.width, bias=sizes.bias)
        self.dropout = sizes.dropout
        self.fused = hasattr(F, "scaled_dot_product_attention")
        if not self.fused:
            past = torch.tril(torch.ones(sizes.length, sizes.length))
            self.register_buffer("past", past.view(1, 1, sizes.length, sizes.length))

    def forward(self, x):
        B, T, C = x.size()
        # Each of the three: (B, T, C) → (B, heads, T, C / heads).
        q, k, v = [part.view(B, T, self.heads, C // self.heads).transpose(1, 2) for part in self.qkv(x).split(C, dim=2)]
        if self.fused:
            dropout = self.dropout if self.training else 0.0
            y = F.scaled_dot_product_attention(q, k, v, dropout_p=dropout, is_causal=True)
        else:
            scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            scores = scores.masked_fill(self.past[:, :, :T, :T] == 0, float("-inf"))
            y = F.dropout(F.softmax(scores, dim=-1), self.dropout, self.training) @ v
        return self.merge(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.norm1 = Norm(sizes.width, bias=sizes.bias)
        self.attention = CausalAttention(sizes)
        self.norm2 = Norm(sizes.width, bias=sizes.bias)
        self.mlp = nn.Sequential(
            nn.Linear(sizes.width, 4 * sizes.width, bias=sizes.bias),
            nn.GELU(),
            nn.Linear(4 * sizes.width, sizes.width, bias=sizes.bias),
            nn.Dropout(sizes.dropout),
        )

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Decoder(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.sizes = sizes
        self.body = nn.ModuleDict(dict(
            token = nn.Embedding(sizes.tokens, sizes.width),
            position = nn.Embedding(sizes.length, sizes.width),
            drop = nn.Dropout(sizes.dropout),
            blocks = nn.ModuleList([Block(sizes) for _ in range(sizes.layers)]),
            norm = Norm(sizes.width, bias=sizes.bias),
        ))
        self.head = nn.Linear(sizes.width, sizes.tokens, bias=False)
        self.body.token.weight = self.head.weight
        self.apply(self._start)
        for name, parameter in self.named_parameters():
            if name.endswith("merge.weight"):
                nn.init.normal_(parameter, mean=0.0, std=0.02 / math.sqrt(2 * sizes.layers))
        print("%.1f thousand parameters" % (self.count() / 1e3,))

    @classmethod
    def small(cls, **changes):
        options = {"tokens": 12, "length": 8, "width": 16, "heads": 2}
        options.update(changes)
        return cls(Sizes(**options))

    def count(self, positions=False):
        total = sum(parameter.numel() for parameter in self.parameters())
        return total if positions else total - self.body.position.weight.numel()

    def _start(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, ids, targets=None):
        B, T = ids.size()
        assert T <= self.sizes.length, f"{T} tokens are more than {self.sizes.length}"
        positions = torch.arange(0, T, dtype=torch.long, device=ids.device)
        x = self.body.drop(self.body.token(ids) + self.body.position(positions))
        for block in self.body.blocks:
            x = block(x)
        x = self.body.norm(x)
        if targets is None:
            return self.head(x[:, [-1], :]), None
        logits = self.head(x)
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)

    @torch.no_grad()
    def continue_text(self, ids, count, temperature=1.0, keep=None):
        for _ in range(count):
            logits, _ = self(ids if ids.size(1) <= self.sizes.length else ids[:, -self.sizes.length:])
            logits = logits[:, -1, :] / temperature
            if keep is not None:
                best, _ = torch.topk(logits, min(keep, logits.size(-1)))
                logits[logits < best[:, [-1]]] = -float("Inf")
            ids = torch.cat((ids, torch.multinomial(F.softmax(logits, dim=-1), num_samples=1)), dim=1)
        return ids


model = Decoder.small(layers=2)


def forward(ids):
    return model(ids, ids)[0]
