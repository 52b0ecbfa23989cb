"""A whole file as people publish it: a GPT with its configuration, its groups of weights, its estimates and its sampling.

It has all that a model file of that kind has, so that the time from a key press to the shapes of its lines is that of a
real one. Run on the lab, only the model at its end is called.
"""

import inspect
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.nn import functional as F


class Norm(nn.Module):
    """Layer normalisation whose bias can be left out, which the layer of the package could not do at first."""

    def __init__(self, width, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width)) if bias else None

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-5)


class Attention(nn.Module):
    """Each position looks at itself and at those before it."""

    def __init__(self, config):
        super().__init__()
        assert config.n_embd % config.n_head == 0, "the heads must share the width"
        # Queries, keys and values of all heads by one product.
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=config.bias)
        self.attn_dropout = nn.Dropout(config.dropout)
        self.resid_dropout = nn.Dropout(config.dropout)
        self.n_head = config.n_head
        self.n_embd = config.n_embd
        self.dropout = config.dropout
        self.flash = hasattr(torch.nn.functional, "scaled_dot_product_attention")
        if not self.flash:
            print("note: attention is written out, which is slower")
            past = torch.tril(torch.ones(config.block_size, config.block_size))
            self.register_buffer("past", past.view(1, 1, config.block_size, config.block_size))

    def forward(self, x):
        B, T, C = x.size()  # rows of the batch, positions, width
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        if self.flash:
            y = F.scaled_dot_product_attention(
                q, k, v, attn_mask=None, dropout_p=self.dropout if self.training else 0, is_causal=True
            )
        else:
            scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            scores = scores.masked_fill(self.past[:, :, :T, :T] == 0, float("-inf"))
            weights = self.attn_dropout(F.softmax(scores, dim=-1))
            y = weights @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)  # the heads side by side again
        return self.resid_dropout(self.c_proj(y))


class FeedForward(nn.Module):
    """Four times as wide, bent, and back."""

    def __init__(self, config):
        super().__init__()
        self.c_fc = nn.Linear(config.n_embd, 4 * config.n_embd, bias=config.bias)
        self.gelu = nn.GELU()
        self.c_proj = nn.Linear(4 * config.n_embd, config.n_embd, bias=config.bias)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x):
        x = self.c_fc(x)
        x = self.gelu(x)
        x = self.c_proj(x)
        return self.dropout(x)


class Block(nn.Module):
    """Attention, then a feed-forward part, each added to what came in."""

    def __init__(self, config):
        super().__init__()
        self.ln_1 = Norm(config.n_embd, bias=config.bias)
        self.attn = Attention(config)
        self.ln_2 = Norm(config.n_embd, bias=config.bias)
        self.mlp = FeedForward(config)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        x = x + self.mlp(self.ln_2(x))
        return x


@dataclass
class GPTConfig:
    block_size: int = 1024
    vocab_size: int = 50304  # of the published vocabulary, rounded up to a multiple of 64
    n_layer: int = 12
    n_head: int = 12
    n_embd: int = 768
    dropout: float = 0.0
    bias: bool = True  # of the layers and norms; False is a little better and faster


class GPT(nn.Module):
    """A decoder of blocks between an embedding and a layer that shares its table."""

    def __init__(self, config):
        super().__init__()
        assert config.vocab_size is not None
        assert config.block_size is not None
        self.config = config

        self.transformer = nn.ModuleDict(dict(
            wte = nn.Embedding(config.vocab_size, config.n_embd),
            wpe = nn.Embedding(config.block_size, config.n_embd),
            drop = nn.Dropout(config.dropout),
            h = nn.ModuleList([Block(config) for _ in range(config.n_layer)]),
            ln_f = Norm(config.n_embd, bias=config.bias),
        ))
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
        # The table of the embedding is the weight of the last layer.
        self.transformer.wte.weight = self.lm_head.weight

        self.apply(self._start)
        # What is added to the stream starts smaller the more blocks there are.
        for name, parameter in self.named_parameters():
            if name.endswith("c_proj.weight"):
                torch.nn.init.normal_(parameter, mean=0.0, std=0.02 / math.sqrt(2 * config.n_layer))

        print("parameters: %.2f million" % (self.count_parameters() / 1e6,))

    def count_parameters(self, without_positions=True):
        """How many values the parameters have.

        The table of positions is left out unless asked for. That of the tokens is counted, as the last layer has it.
        """
        count = sum(parameter.numel() for parameter in self.parameters())
        if without_positions:
            count -= self.transformer.wpe.weight.numel()
        return count

    def _start(self, module):
        if isinstance(module, nn.Linear):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)

    def forward(self, idx, targets=None):
        device = idx.device
        b, t = idx.size()
        assert t <= self.config.block_size, f"{t} positions are more than the {self.config.block_size} of the model"
        pos = torch.arange(0, t, dtype=torch.long, device=device)  # (t)

        tok_emb = self.transformer.wte(idx)  # (b, t, n_embd)
        pos_emb = self.transformer.wpe(pos)  # (t, n_embd)
        x = self.transformer.drop(tok_emb + pos_emb)
        for block in self.transformer.h:
            x = block(x)
        x = self.transformer.ln_f(x)

        if targets is not None:
            logits = self.lm_head(x)
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        else:
            # To continue a text, the last position is enough.
            logits = self.lm_head(x[:, [-1], :])
            loss = None
        return logits, loss

    def shorten(self, block_size):
        """Takes fewer positions: of a checkpoint that has more than are needed."""
        assert block_size <= self.config.block_size
        self.config.block_size = block_size
        self.transformer.wpe.weight = nn.Parameter(self.transformer.wpe.weight[:block_size])
        for block in self.transformer.h:
            if hasattr(block.attn, "past"):
                block.attn.past = block.attn.past[:, :, :block_size, :block_size]

    @classmethod
    def published(cls, kind, changes=None):
        """The weights that were published, which are stored the other way round."""
        assert kind in {"small", "medium", "large", "huge"}
        changes = changes or {}
        assert all(name == "dropout" for name in changes)  # nothing else can be changed afterwards
        from transformers import GPT2LMHeadModel

        print("loading the weights of: %s" % kind)
        sizes = {
            "small": dict(n_layer=12, n_head=12, n_embd=768),
            "medium": dict(n_layer=24, n_head=16, n_embd=1024),
            "large": dict(n_layer=36, n_head=20, n_embd=1280),
            "huge": dict(n_layer=48, n_head=25, n_embd=1600),
        }[kind]
        sizes["vocab_size"] = 50257
        sizes["block_size"] = 1024
        sizes["bias"] = True
        if "dropout" in changes:
            print(f"dropout is {changes['dropout']}")
            sizes["dropout"] = changes["dropout"]
        model = GPT(GPTConfig(**sizes))
        own = model.state_dict()
        own_names = [name for name in own.keys() if not name.endswith(".attn.past")]

        theirs = GPT2LMHeadModel.from_pretrained(kind).state_dict()
        their_names = [name for name in theirs.keys() if not name.endswith(".attn.masked_bias")]
        their_names = [name for name in their_names if not name.endswith(".attn.bias")]
        turned = ["attn.c_attn.weight", "attn.c_proj.weight", "mlp.c_fc.weight", "mlp.c_proj.weight"]
        assert len(own_names) == len(their_names), f"{len(own_names)} names, and not {len(their_names)}"
        for name in their_names:
            if any(name.endswith(each) for each in turned):
                assert theirs[name].shape[::-1] == own[name].shape
                with torch.no_grad():
                    own[name].copy_(theirs[name].t())
            else:
                assert theirs[name].shape == own[name].shape
                with torch.no_grad():
                    own[name].copy_(theirs[name])
        return model

    def make_optimiser(self, weight_decay, learning_rate, betas, device_type):
        """Matrices decay; biases and the weights of norms do not."""
        parameters = {name: parameter for name, parameter in self.named_parameters()}
        parameters = {name: parameter for name, parameter in parameters.items() if parameter.requires_grad}
        decaying = [parameter for name, parameter in parameters.items() if parameter.dim() >= 2]
        others = [parameter for name, parameter in parameters.items() if parameter.dim() < 2]
        groups = [
            {"params": decaying, "weight_decay": weight_decay},
            {"params": others, "weight_decay": 0.0},
        ]
        decaying_count = sum(parameter.numel() for parameter in decaying)
        other_count = sum(parameter.numel() for parameter in others)
        print(f"tensors that decay: {len(decaying)}, with {decaying_count:,} values")
        print(f"tensors that do not: {len(others)}, with {other_count:,} values")
        has_fused = "fused" in inspect.signature(torch.optim.AdamW).parameters
        use_fused = has_fused and device_type == "cuda"
        more = dict(fused=True) if use_fused else dict()
        optimiser = torch.optim.AdamW(groups, lr=learning_rate, betas=betas, **more)
        print(f"the fused optimiser is used: {use_fused}")
        return optimiser

    def share_of_peak(self, sequences_a_step, seconds):
        """The part of a card's peak of 312 · 10¹² operations that a step reaches."""
        count = self.count_parameters()
        config = self.config
        layers, heads = config.n_layer, config.n_head
        head_width, length = config.n_embd // config.n_head, config.block_size
        # Six for each weight, forward and back, and twelve for each score.
        a_token = 6 * count + 12 * layers * heads * head_width * length
        a_sequence = a_token * length
        a_step = a_sequence * sequences_a_step
        reached = a_step * (1.0 / seconds)
        promised = 312e12
        return reached / promised

    @torch.no_grad()
    def generate(self, idx, max_new_tokens, temperature=1.0, top_k=None):
        """Continues idx of (b, t) by so many tokens, each drawn and appended.

        The model should be in eval() for this, so that nothing is dropped.
        """
        for _ in range(max_new_tokens):
            # No more than the model has positions for.
            shown = idx if idx.size(1) <= self.config.block_size else idx[:, -self.config.block_size:]
            logits, _ = self(shown)
            logits = logits[:, -1, :] / temperature
            if top_k is not None:
                best, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                logits[logits < best[:, [-1]]] = -float("Inf")
            chances = F.softmax(logits, dim=-1)
            drawn = torch.multinomial(chances, num_samples=1)
            idx = torch.cat((idx, drawn), dim=1)
        return idx


model = GPT(GPTConfig(vocab_size=VOCABULARY, block_size=64, n_layer=2, n_head=2, n_embd=32))


def forward(ids):
    return model(ids, ids)[0]
