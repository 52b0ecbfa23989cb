"""A Transformer of parts that are handed in and copied; a layer passes its sublayers as functions."""
import copy
import math

import torch
import torch.nn as nn
from torch.nn.functional import log_softmax


def copies(module, count):
    "The same layer several times, each with parameters of its own."
    return nn.ModuleList([copy.deepcopy(module) for _ in range(count)])


class Norm(nn.Module):
    def __init__(self, width, epsilon=1e-6):
        super(Norm, self).__init__()
        self.gain = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.epsilon = epsilon

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        deviation = x.std(-1, keepdim=True)
        return self.gain * (x - mean) / (deviation + self.epsilon) + self.bias


class Residual(nn.Module):
    "x plus a sublayer of the normalised x."

    def __init__(self, width, dropout):
        super(Residual, self).__init__()
        self.norm = Norm(width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))


def attend(query, key, value, mask=None, dropout=None):
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights


class Attention(nn.Module):
    def __init__(self, heads, width, dropout=0.1):
        super(Attention, self).__init__()
        assert width % heads == 0
        self.heads = heads
        self.size = width // heads
        self.linears = copies(nn.Linear(width, width), 4)
        self.weights = None
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = mask.unsqueeze(1)  # one mask for all heads
        batch = query.size(0)
        query, key, value = [
            linear(x).view(batch, -1, self.heads, self.size).transpose(1, 2)
            for linear, x in zip(self.linears, (query, key, value))
        ]
        x, self.weights = attend(query, key, value, mask=mask, dropout=self.dropout)
        del query, key, value
        x = (
            x.transpose(1, 2)
            .contiguous()
            .view(batch, -1, self.heads * self.size)
        )
        return self.linears[-1](x)


class MLP(nn.Module):
    def __init__(self, width, hidden, dropout=0.1):
        super(MLP, self).__init__()
        self.widen = nn.Linear(width, hidden)
        self.narrow = nn.Linear(hidden, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.narrow(self.dropout(self.widen(x).relu()))


class EncoderLayer(nn.Module):
    def __init__(self, width, attention, mlp, dropout):
        super(EncoderLayer, self).__init__()
        self.width = width
        self.attention = attention
        self.mlp = mlp
        self.residuals = copies(Residual(width, dropout), 2)

    def forward(self, x, mask):
        x = self.residuals[0](x, lambda x: self.attention(x, x, x, mask))
        return self.residuals[1](x, self.mlp)


class DecoderLayer(nn.Module):
    def __init__(self, width, attention, cross_attention, mlp, dropout):
        super(DecoderLayer, self).__init__()
        self.width = width
        self.attention = attention
        self.cross_attention = cross_attention
        self.mlp = mlp
        self.residuals = copies(Residual(width, dropout), 3)

    def forward(self, x, memory, source_mask, target_mask):
        m = memory
        x = self.residuals[0](x, lambda x: self.attention(x, x, x, target_mask))
        x = self.residuals[1](x, lambda x: self.cross_attention(x, m, m, source_mask))
        return self.residuals[2](x, self.mlp)


class Stack(nn.Module):
    "Layers one after another; each takes what follows x as it is."

    def __init__(self, layer, count):
        super(Stack, self).__init__()
        self.layers = copies(layer, count)
        self.norm = Norm(layer.width)

    def forward(self, x, *others):
        for layer in self.layers:
            x = layer(x, *others)
        return self.norm(x)


class Scaled(nn.Module):
    def __init__(self, width, tokens):
        super(Scaled, self).__init__()
        self.table = nn.Embedding(tokens, width)
        self.width = width

    def forward(self, ids):
        return self.table(ids) * math.sqrt(self.width)


class Positions(nn.Module):
    def __init__(self, width, dropout, length=50):
        super(Positions, self).__init__()
        self.dropout = nn.Dropout(p=dropout)
        waves = torch.zeros(length, width)
        position = torch.arange(0, length).unsqueeze(1)
        frequency = torch.exp(torch.arange(0, width, 2) * -(math.log(10000.0) / width))
        waves[:, 0::2] = torch.sin(position * frequency)
        waves[:, 1::2] = torch.cos(position * frequency)
        self.register_buffer("waves", waves.unsqueeze(0))

    def forward(self, x):
        return self.dropout(x + self.waves[:, : x.size(1)].requires_grad_(False))


class Translator(nn.Module):
    def __init__(self, encoder, decoder, source, target, output):
        super(Translator, self).__init__()
        self.encoder = encoder
        self.decoder = decoder
        self.source = source
        self.target = target
        self.output = output

    def forward(self, source, target, source_mask, target_mask):
        memory = self.encoder(self.source(source), source_mask)
        return self.decoder(self.target(target), memory, source_mask, target_mask)

    @staticmethod
    def target_mask(target, padding):
        "Hides padding and what comes later."
        size = target.size(-1)
        past = torch.triu(torch.ones((1, size, size)), diagonal=1).type(torch.uint8) == 0
        return (target != padding).unsqueeze(-2) & past.type_as((target != padding).data)


def make(source_tokens, target_tokens, count=2, width=16, hidden=32, heads=2, dropout=0.1):
    c = copy.deepcopy
    attention, mlp = Attention(heads, width), MLP(width, hidden, dropout)
    positions = Positions(width, dropout)
    model = Translator(
        Stack(EncoderLayer(width, c(attention), c(mlp), dropout), count),
        Stack(DecoderLayer(width, c(attention), c(attention), c(mlp), dropout), count),
        nn.Sequential(Scaled(width, source_tokens), c(positions)),
        nn.Sequential(Scaled(width, target_tokens), c(positions)),
        nn.Linear(width, target_tokens),
    )
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
    return model


model = make(12, 12)


def forward(source, target_in):
    source_mask = (source != 0).unsqueeze(-2)
    states = model(source, target_in, source_mask, Translator.target_mask(target_in, 0))
    return log_softmax(model.output(states), dim=-1)
