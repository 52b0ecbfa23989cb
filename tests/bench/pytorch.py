"""The workloads in idiomatic PyTorch.

python3 pytorch.py train WORKLOAD THREADS < VALUES   →   {"seconds": of a step, "results": [the first three losses]}
python3 pytorch.py write ONE_TOKEN THREADS < VALUES   →   {"seconds": of a pass, "results": [the logits]}

VALUES: float32, the model's inputs, ids (B, T), then its parameters in the order of the engine's model.
"""

import json
import math
import sys
import time

import numpy
import torch
import torch.nn.functional as F
from torch import nn

V = 64  # words


def position_table(T, D):
    t, i = torch.arange(T)[:, None], torch.arange(D)[None]
    angle = t / 10000 ** ((i - i % 2) / D)
    return torch.where(i % 2 == 1, angle.cos(), angle.sin())


def causal_mask(T):
    return torch.full((T, T), -1e9).triu(1)


class AdditiveAttention(nn.Module):
    def __init__(self, H, A):
        super().__init__()
        self.W = nn.Linear(H, A, bias=False)
        self.U = nn.Linear(H, A)
        self.v = nn.Linear(A, 1, bias=False)

    def forward(self, state, keys, states):
        scores = self.v(torch.tanh(self.W(state)[:, None] + keys))[..., 0]  # (B, S)
        return (scores.softmax(-1)[:, None] @ states)[:, 0]


class Recurrent(nn.Module):
    """W1: GRU encoder, additive attention, GRU decoder."""

    inputs = [(64, 16)] * 3

    def __init__(self, E=64, H=128, A=128):
        super().__init__()
        self.source = nn.Embedding(V, E)
        self.encoder = nn.GRU(E, H, batch_first=True)
        self.target = nn.Embedding(V, E)
        self.init = nn.Linear(H, H)
        self.attention = AdditiveAttention(H, A)
        self.decoder = nn.GRUCell(E + H, H)
        self.out = nn.Linear(H + H + E, V)

    def forward(self, source, target):
        states, last = self.encoder(self.source(source))
        keys, state = self.attention.U(states), torch.tanh(self.init(last[0]))
        rows = []
        for y in self.target(target).unbind(1):
            context = self.attention(state, keys, states)
            state = self.decoder(torch.cat([y, context], 1), state)
            rows.append(torch.cat([state, context, y], 1))
        return self.out(torch.stack(rows, 1))


class Attention(nn.Module):
    def __init__(self, D, N):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(D, D) for _ in range(4))
        self.N = N

    def heads(self, x):  # (B, T, D) → (B, N, T, D/N)
        return x.unflatten(-1, (self.N, -1)).transpose(1, 2)

    def forward(self, x, memory, mask=0.0, cache=None):
        q, k, v = self.heads(self.q(x)), self.heads(self.k(memory)), self.heads(self.v(memory))
        if cache is not None:
            k, v = (torch.cat(pair, 2) for pair in zip(cache, (k, v))) if cache else (k, v)
            cache[:] = k, v
        weights = (q @ k.transpose(2, 3) / math.sqrt(q.shape[-1]) + mask).softmax(-1)
        return self.o((weights @ v).transpose(1, 2).flatten(2))


class EncoderBlock(nn.Module):
    def __init__(self, D, N, width):
        super().__init__()
        self.self = Attention(D, N)
        self.norm1 = nn.LayerNorm(D)
        self.up, self.down = nn.Linear(D, width), nn.Linear(width, D)
        self.norm2 = nn.LayerNorm(D)

    def forward(self, x):  # post-norm
        x = self.norm1(x + self.self(x, x))
        return self.norm2(x + self.down(F.relu(self.up(x))))

    def pre_norm(self, x, mask, cache=None):
        y = self.norm1(x)
        x = x + self.self(y, y, mask, cache)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class DecoderBlock(nn.Module):
    def __init__(self, D, N, width):
        super().__init__()
        self.self = Attention(D, N)
        self.norm1 = nn.LayerNorm(D)
        self.cross = Attention(D, N)
        self.norm2 = nn.LayerNorm(D)
        self.up, self.down = nn.Linear(D, width), nn.Linear(width, D)
        self.norm3 = nn.LayerNorm(D)

    def forward(self, x, memory, mask):
        x = self.norm1(x + self.self(x, x, mask))
        x = self.norm2(x + self.cross(x, memory))
        return self.norm3(x + self.down(F.relu(self.up(x))))


class Transformer(nn.Module):
    """W2: encoder–decoder, post-norm, ReLU."""

    inputs = [(32, 16)] * 3

    def __init__(self, D=128, N=4, width=512, L=2):
        super().__init__()
        self.source, self.target = nn.Embedding(V, D), nn.Embedding(V, D)
        self.encoder = nn.ModuleList(EncoderBlock(D, N, width) for _ in range(L))
        self.decoder = nn.ModuleList(DecoderBlock(D, N, width) for _ in range(L))
        self.out = nn.Linear(D, V)
        self.scale = math.sqrt(D)
        self.positions, self.mask = position_table(16, D), causal_mask(16)

    def forward(self, source, target):
        memory = self.source(source) * self.scale + self.positions
        for block in self.encoder:
            memory = block(memory)
        x = self.target(target) * self.scale + self.positions
        for block in self.decoder:
            x = block(x, memory, self.mask)
        return self.out(x)


class LanguageModel(nn.Module):
    """W3: decoder-only, pre-norm, GELU, the embedding tied to the output."""

    inputs = [(16, 64)] * 2

    def __init__(self, D=128, N=4, width=512, L=4):
        super().__init__()
        self.embedding = nn.Embedding(V, D)
        self.blocks = nn.ModuleList(EncoderBlock(D, N, width) for _ in range(L))
        self.norm = nn.LayerNorm(D)
        self.scale = math.sqrt(D)
        self.positions, self.mask = position_table(64, D), causal_mask(64)

    def forward(self, words):
        x = self.embedding(words) * self.scale + self.positions
        for block in self.blocks:
            x = block.pre_norm(x, self.mask)
        return F.linear(self.norm(x), self.embedding.weight)


class LargeLanguageModel(nn.Module):
    """W4: GPT-2-small's shape, with learned positions; returns the logits of the last position."""

    inputs = [(1, 1), (1, 127), (1, 1)]  # <bos>, the prompt, the token after it

    def __init__(self, D=768, N=12, width=3072, L=12, words=8192, longest=160):
        super().__init__()
        self.embedding = nn.Embedding(words, D)
        self.positions = nn.Embedding(longest, D)
        self.blocks = nn.ModuleList(EncoderBlock(D, N, width) for _ in range(L))
        self.norm = nn.LayerNorm(D)
        self.scale = math.sqrt(D)

    def forward(self, words, caches):
        first, T = caches[0][0].shape[2] if caches[0] else 0, words.shape[1]
        x = self.embedding(words) * self.scale + self.positions.weight[first : first + T]
        mask = causal_mask(T) if T > 1 else 0.0
        for block, cache in zip(self.blocks, caches):
            x = block.pre_norm(x, mask, cache)
        return F.linear(self.norm(x[:, -1]), self.embedding.weight)


def given(model, values):
    """The inputs; sets the parameters."""
    read = iter(values.split([math.prod(s) for s in model.inputs] + [p.numel() for p in model.parameters()]))
    inputs = [next(read).reshape(s).long() for s in model.inputs]
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(next(read).reshape(p.shape))
    return inputs


def training(workload, values):
    """A training step, and the first losses, each before its step."""
    model = {"1": Recurrent, "2": Transformer, "3": LanguageModel}[workload]()
    *words, target = given(model, values)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.001)

    def step():
        optimiser.zero_grad()
        loss = F.cross_entropy(model(*words).flatten(0, 1), target.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        return loss.item()

    return step, [step() for _ in range(3)]


def writing(one_token, values):
    """A pass over the prompt or over the token after it, and its logits."""
    model = LargeLanguageModel()
    bos, prompt, token = given(model, values)
    before = [[] for _ in model.blocks]
    if one_token == "1":
        model(torch.cat([bos, prompt], 1), before)
    words = token if one_token == "1" else torch.cat([bos, prompt], 1)

    def run():
        return model(words, [list(cache) for cache in before])

    return run, run()[0].tolist()


def median_of(run, rounds=30):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return sorted(times)[rounds // 2]


def main():
    kind, which, threads = sys.argv[1:]
    torch.set_num_threads(int(threads))
    values = torch.from_numpy(numpy.frombuffer(sys.stdin.buffer.read(), numpy.float32).copy())
    with torch.inference_mode(kind == "write"):
        run, results = {"train": training, "write": writing}[kind](which, values)
        print(json.dumps({"seconds": median_of(run), "results": results}))


main()
