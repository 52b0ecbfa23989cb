"""A decoder configured by a dictionary; normalisation and activation are written out."""
import torch
import torch.nn as nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, length, heads, dropout, bias=False):
        super().__init__()
        assert d_out % heads == 0, "d_out is not a multiple of heads"
        self.heads = heads
        self.size = d_out // heads
        self.to_query = nn.Linear(d_in, d_out, bias=bias)
        self.to_key = nn.Linear(d_in, d_out, bias=bias)
        self.to_value = nn.Linear(d_in, d_out, bias=bias)
        self.merge = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("future", torch.triu(torch.ones(length, length), diagonal=1))

    def forward(self, x):
        b, n, _ = x.shape
        keys = self.to_key(x).view(b, n, self.heads, self.size).transpose(1, 2)
        queries = self.to_query(x).view(b, n, self.heads, self.size).transpose(1, 2)
        values = self.to_value(x).view(b, n, self.heads, self.size).transpose(1, 2)
        scores = queries @ keys.transpose(2, 3)
        scores.masked_fill_(self.future.bool()[:n, :n], -torch.inf)
        weights = self.drop(torch.softmax(scores / keys.shape[-1]**0.5, dim=-1))
        context = (weights @ values).transpose(1, 2)
        return self.merge(context.contiguous().view(b, n, self.heads * self.size))


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.epsilon = 1e-5
        self.scale = nn.Parameter(torch.ones(width))
        self.shift = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        return self.scale * (x - mean) / torch.sqrt(variance + self.epsilon) + self.shift


class Gelu(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return 0.5 * x * (1 + torch.tanh(torch.sqrt(torch.tensor(2.0 / torch.pi)) * (x + 0.044715 * torch.pow(x, 3))))


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = CausalAttention(
            d_in=config["width"],
            d_out=config["width"],
            length=config["length"],
            heads=config["heads"],
            dropout=config["dropout"],
            bias=config["qkv_bias"])
        self.mlp = nn.Sequential(
            nn.Linear(config["width"], 4 * config["width"]),
            Gelu(),
            nn.Linear(4 * config["width"], config["width"]),
        )
        self.norm1 = Norm(config["width"])
        self.norm2 = Norm(config["width"])
        self.drop = nn.Dropout(config["dropout"])

    def forward(self, x):
        for norm, layer in ((self.norm1, self.attention), (self.norm2, self.mlp)):
            shortcut = x
            x = self.drop(layer(norm(x)))
            x = x + shortcut
        return x


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token = nn.Embedding(config["tokens"], config["width"])
        self.position = nn.Embedding(config["length"], config["width"])
        self.drop = nn.Dropout(config["dropout"])
        self.blocks = nn.Sequential(
            *[Block(config) for _ in range(config["layers"])])
        self.norm = Norm(config["width"])
        self.head = nn.Linear(config["width"], config["tokens"], bias=False)

    def forward(self, ids):
        _, n = ids.shape
        x = self.drop(self.token(ids) + self.position(torch.arange(n, device=ids.device)))
        return self.head(self.norm(self.blocks(x)))


def generate(model, ids, count, length):
    for _ in range(count):
        with torch.no_grad():
            logits = model(ids[:, -length:])
        ids = torch.cat((ids, torch.argmax(logits[:, -1, :], dim=-1, keepdim=True)), dim=1)
    return ids


CONFIG = {
    "tokens": 12,
    "length": 8,
    "width": 16,
    "heads": 2,
    "layers": 2,
    "dropout": 0.1,
    "qkv_bias": False,
}

model = Decoder(CONFIG)


def forward(ids):
    return model(ids)
