"""A decoder configured by an object that takes any attribute; its MLP is a lambda over a ModuleDict."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Options:
    """Attributes by name, also from a dictionary."""

    def __init__(self, **values):
        self.__dict__.update(values)

    def update(self, values):
        self.__dict__.update(values)

    def __str__(self):
        return ", ".join("%s=%s" % (name, value) for name, value in sorted(self.__dict__.items()))


class SmoothReLU(nn.Module):
    """GELU by its tanh approximation."""

    def forward(self, x):
        inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))
        return 0.5 * x * (1.0 + torch.tanh(inner))


class Attention(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.heads, self.width = options.heads, options.width
        self.project = nn.Linear(self.width, 3 * self.width)
        self.merge = nn.Linear(self.width, self.width)
        self.drop = nn.Dropout(options.dropout)
        # "bias" is the name of a buffer here, as in the first published weights of this kind.
        self.register_buffer("bias", torch.tril(torch.ones(options.length, options.length))
                                          .view(1, 1, options.length, options.length))

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.project(x).split(self.width, dim=2)
        k = k.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        q = q.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        v = v.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        weights = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        weights = weights.masked_fill(self.bias[:, :, :T, :T] == 0, float('-inf'))
        y = self.drop(F.softmax(weights, dim=-1)) @ v
        return self.merge(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.norm1 = nn.LayerNorm(options.width)
        self.attention = Attention(options)
        self.norm2 = nn.LayerNorm(options.width)
        self.mlp = nn.ModuleDict({
            'widen': nn.Linear(options.width, 4 * options.width),
            'narrow': nn.Linear(4 * options.width, options.width),
            'activation': SmoothReLU(),
        })
        mlp = self.mlp
        self.think = lambda x: mlp.narrow(mlp.activation(mlp.widen(x)))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        x = x + self.think(self.norm2(x))
        return x


class Decoder(nn.Module):
    kinds = {
        'small': dict(layers=2, heads=2, width=16),
        'wide': dict(layers=1, heads=4, width=64),
    }

    @staticmethod
    def default_options():
        options = Options(dropout=0.1)
        options.kind = None
        options.layers = options.heads = options.width = None
        options.tokens = None
        options.length = None
        return options

    def __init__(self, options):
        super().__init__()
        assert options.tokens is not None and options.length is not None
        kind_given = options.kind is not None
        sizes_given = all([options.layers is not None, options.heads is not None, options.width is not None])
        assert kind_given ^ sizes_given, "give either a kind or the sizes"
        if kind_given:
            options.update(self.kinds[options.kind])
        self.length = options.length
        self.token = nn.Embedding(options.tokens, options.width)
        self.position = nn.Embedding(options.length, options.width)
        self.drop = nn.Dropout(options.dropout)
        self.blocks = nn.ModuleList([Block(options) for _ in range(options.layers)])
        self.norm = nn.LayerNorm(options.width)
        self.head = nn.Linear(options.width, options.tokens, bias=False)
        self.apply(self._start)

    def _start(self, module):
        if isinstance(module, nn.Linear):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            module.weight.data.normal_(mean=0.0, std=0.02)
        elif isinstance(module, nn.LayerNorm):
            torch.nn.init.zeros_(module.bias)
            torch.nn.init.ones_(module.weight)

    def groups(self):
        """Names of the parameters that weight decay shrinks, and of the others."""
        decay, keep = set(), set()
        for path, module in self.named_modules():
            for name, _ in module.named_parameters(recurse=False):
                full = '%s.%s' % (path, name) if path else name
                (decay if name.endswith('weight') and isinstance(module, nn.Linear) else keep).add(full)
        assert len(decay & keep) == 0
        return sorted(list(decay)), sorted(list(keep))

    def forward(self, ids, targets=None):
        B, T = ids.size()
        assert T <= self.length, f"{T} tokens, but a length of {self.length}"
        positions = torch.arange(0, T, dtype=torch.long, device=ids.device).unsqueeze(0)
        x = self.drop(self.token(ids) + self.position(positions))
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        return logits, loss


options = Decoder.default_options()
options.kind = 'small'
options.tokens = 12
options.length = 8
model = Decoder(options)
print(options)


def forward(ids):
    return model(ids)[0]
