# The model of gpt_functions.py, with modules.
import math

import torch
from torch import nn
from torch.nn import functional as F

D, N, L, LONGEST = 64, 4, 2, 64


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(D, D)
        self.k = nn.Linear(D, D)
        self.v = nn.Linear(D, D)
        self.o = nn.Linear(D, D)

    def heads(self, x):
        B, T, _ = x.shape
        return x.view(B, T, N, D // N).transpose(1, 2)

    def forward(self, x):
        B, T, _ = x.shape
        Q, K, V = self.heads(self.q(x)), self.heads(self.k(x)), self.heads(self.v(x))
        S = Q @ K.transpose(-2, -1) / math.sqrt(D // N)
        future = torch.triu(torch.ones(T, T), 1) > 0
        weights = F.softmax(S.masked_fill(future, float("-inf")), dim=-1)
        return self.o((weights @ V).transpose(1, 2).reshape(B, T, D))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1 = nn.LayerNorm(D)
        self.attention = Attention()
        self.norm2 = nn.LayerNorm(D)
        self.up = nn.Linear(D, 4 * D)
        self.down = nn.Linear(4 * D, D)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, D)
        self.positions = nn.Embedding(LONGEST, D)
        self.blocks = nn.ModuleList([Block() for _ in range(L)])
        self.norm = nn.LayerNorm(D)
        self.head = nn.Linear(D, VOCABULARY)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


model = GPT()
