"""Two models that are trained together: a GRU reads, another writes and attends to what the first has read."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

START = 1
END = 2


class Reader(nn.Module):
    def __init__(self, tokens, size, dropout=0.1):
        super(Reader, self).__init__()
        self.size = size
        self.embedding = nn.Embedding(tokens, size)
        self.gru = nn.GRU(size, size, batch_first=True)
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids):
        states, last = self.gru(self.dropout(self.embedding(ids)))
        return states, last  # (B, S, size) and (1, B, size)


class AdditiveAttention(nn.Module):
    def __init__(self, size):
        super(AdditiveAttention, self).__init__()
        self.of_query = nn.Linear(size, size)
        self.of_keys = nn.Linear(size, size)
        self.score = nn.Linear(size, 1)

    def forward(self, query, keys):
        scores = self.score(torch.tanh(self.of_query(query) + self.of_keys(keys)))
        weights = F.softmax(scores.squeeze(2).unsqueeze(1), dim=-1)  # (B, 1, S)
        return torch.bmm(weights, keys), weights


class Writer(nn.Module):
    def __init__(self, tokens, size, dropout=0.1):
        super(Writer, self).__init__()
        self.embedding = nn.Embedding(tokens, size)
        self.attention = AdditiveAttention(size)
        self.gru = nn.GRU(2 * size, size, batch_first=True)
        self.out = nn.Linear(size, tokens)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states, last, target=None, steps=8, forcing=1.0):
        batch = states.size(0)
        given = torch.empty(batch, 1, dtype=torch.long, device=device).fill_(START)
        hidden, outputs, attentions = last, [], []
        for step in range(steps if target is None else target.size(1)):
            if target is not None and random.random() < forcing:
                given = target[:, step].unsqueeze(1)
            output, hidden, weights = self.step(given, hidden, states)
            outputs.append(output)
            attentions.append(weights)
            _, best = output.topk(1)
            given = best.squeeze(-1).detach()  # its own guess is the next input
        logits = F.log_softmax(torch.cat(outputs, dim=1), dim=-1)
        return logits, hidden, torch.cat(attentions, dim=1)

    def step(self, given, hidden, states):
        embedded = self.dropout(self.embedding(given))
        context, weights = self.attention(hidden.permute(1, 0, 2), states)
        output, hidden = self.gru(torch.cat((embedded, context), dim=2), hidden)
        return self.out(output), hidden, weights


reader = Reader(12, 16).to(device)
writer = Writer(12, 16).to(device)


def forward(source, target_in):
    states, last = reader(source)
    return writer(states, last, target_in)[0]
