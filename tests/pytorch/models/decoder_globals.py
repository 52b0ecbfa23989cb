"""A decoder whose sizes are variables of the file, with one module for each head."""
import torch
import torch.nn as nn
from torch.nn import functional as F

tokens = 12
length = 8
width = 16
heads = 2
layers = 2
dropout = 0.2
device = "cuda" if torch.cuda.is_available() else "cpu"

torch.manual_seed(1)


class Head(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.query = nn.Linear(width, size, bias=False)
        self.key = nn.Linear(width, size, bias=False)
        self.value = nn.Linear(width, size, bias=False)
        self.register_buffer("past", torch.tril(torch.ones(length, length)))
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        B, T, C = x.shape
        q, k = self.query(x), self.key(x)
        weights = q @ k.transpose(-2, -1) * q.shape[-1]**-0.5  # (B, T, T)
        weights = weights.masked_fill(self.past[:T, :T] == 0, float('-inf'))
        return self.drop(F.softmax(weights, dim=-1)) @ self.value(x)


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.each = nn.ModuleList([Head(width // heads) for _ in range(heads)])
        self.merge = nn.Linear(width, width)

    def forward(self, x):
        return self.merge(torch.cat([head(x) for head in self.each], dim=-1))


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attention = Heads()
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width), nn.Dropout(dropout))
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        x = x + self.mlp(self.norm2(x))
        return x


class LanguageModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.token_table = nn.Embedding(tokens, width)
        self.position_table = nn.Embedding(length, width)
        self.blocks = nn.Sequential(*[Block(width) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, tokens)
        self.apply(self.start)

    def start(self, module):
        if isinstance(module, nn.Linear):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)

    def forward(self, ids, targets=None):
        B, T = ids.shape
        x = self.token_table(ids) + self.position_table(torch.arange(T, device=device))
        logits = self.head(self.norm(self.blocks(x)))
        if targets is None:
            loss = None
        else:
            loss = F.cross_entropy(logits.view(B*T, tokens), targets.view(B*T))
        return logits, loss

    def generate(self, ids, count):
        for _ in range(count):
            logits, _ = self(ids[:, -length:])
            probabilities = F.softmax(logits[:, -1, :], dim=-1)
            ids = torch.cat((ids, torch.multinomial(probabilities, num_samples=1)), dim=1)
        return ids


model = LanguageModel().to(device)
print(sum(p.numel() for p in model.parameters()), 'parameters')


def forward(ids):
    return model(ids)[0]
