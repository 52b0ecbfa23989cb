"""Attention: each query takes a mean of the values, weighted by how well their keys fit it."""

import math

import torch
from torch.nn import Parameter
from unroll.nn.dropout import dropout
from unroll.nn.init import constant_, xavier_normal_, xavier_uniform_
from unroll.nn.linear import Linear, linear
from unroll.nn.module import Module


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                                 enable_gqa=False):
    """softmax(Q Kᵀ / √E) V: queries (…, L, E), keys (…, S, E), values (…, S, Ev) → (…, L, Ev).
    attn_mask (…, L, S): True where a query may attend, or numbers that are added to the scores."""
    if enable_gqa:
        key = key.repeat_interleave(query.shape[-3] // key.shape[-3], dim=-3)
        value = value.repeat_interleave(query.shape[-3] // value.shape[-3], dim=-3)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = query @ key.transpose(-2, -1) * scale
    if is_causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:]).tril() == 0, -math.inf)
    if attn_mask is not None:
        scores = scores.masked_fill(~attn_mask, -math.inf) if attn_mask.dtype == torch.bool else scores + attn_mask
    weights = dropout(torch.softmax(scores, dim=-1), dropout_p)
    return weights @ value


class MultiheadAttention(Module):
    """Vaswani et al. 2017: attention num_heads times, each in its own part of embed_dim.
    query (L, N, embed_dim), key (S, N, kdim), value (S, N, vdim) → output (L, N, embed_dim), weights (N, L, S).
    With batch_first N is the first axis; without a batch there is no N."""

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
                 vdim=None, batch_first=False, device=None, dtype=None):
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.add_zero_attn = add_zero_attn
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        if self._qkv_same_embed_dim:
            self.in_proj_weight = Parameter(torch.empty(3 * embed_dim, embed_dim))
        else:
            self.q_proj_weight = Parameter(torch.empty(embed_dim, embed_dim))
            self.k_proj_weight = Parameter(torch.empty(embed_dim, self.kdim))
            self.v_proj_weight = Parameter(torch.empty(embed_dim, self.vdim))
        self.in_proj_bias = Parameter(torch.empty(3 * embed_dim)) if bias else None
        self.out_proj = Linear(embed_dim, embed_dim, bias)
        self.bias_k = Parameter(torch.empty(1, 1, embed_dim)) if add_bias_kv else None
        self.bias_v = Parameter(torch.empty(1, 1, embed_dim)) if add_bias_kv else None
        self._reset_parameters()

    def _reset_parameters(self):
        for weight in [self.in_proj_weight] if self._qkv_same_embed_dim else self._projections():
            xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            constant_(self.in_proj_bias, 0.0)
            constant_(self.out_proj.bias, 0.0)
        if self.bias_k is not None:
            xavier_normal_(self.bias_k)
            xavier_normal_(self.bias_v)

    def _projections(self):
        """The weights of query, key and value."""
        if self._qkv_same_embed_dim:
            return self.in_proj_weight.chunk(3)
        return self.q_proj_weight, self.k_proj_weight, self.v_proj_weight

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                average_attn_weights=True, is_causal=False):
        """key_padding_mask (N, S): True for keys that are padding. attn_mask (L, S) or (N · num_heads, L, S): True
        where a query must not attend. Either may have numbers instead, which are added to the scores."""
        if is_causal and attn_mask is None:
            raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
        assert key.shape[:-1] == value.shape[:-1], "key's sequence and batch dims do not match value's"
        is_batched = query.dim() == 3
        batch_axis = 0 if self.batch_first or not is_batched else 1
        if is_batched and batch_axis == 1:
            query, key, value = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)
        elif not is_batched:
            query, key, value = query.unsqueeze(0), key.unsqueeze(0), value.unsqueeze(0)
            key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
        assert query.shape[0] == key.shape[0], "query and key have different batch sizes"

        q_weight, k_weight, v_weight = self._projections()
        q_bias, k_bias, v_bias = (None, None, None) if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        q = linear(query, q_weight, q_bias)
        k = self._with_added(linear(key, k_weight, k_bias), self.bias_k)
        v = self._with_added(linear(value, v_weight, v_bias), self.bias_v)
        added = k.shape[1] - key.shape[1]

        q, k, v = self._split(q), self._split(k), self._split(v)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)  # (N, heads, L, S)
        if attn_mask is not None:
            _check_shape(attn_mask, [query.shape[0] * self.num_heads, query.shape[1], key.shape[1]])
            attn_mask = attn_mask.view(-1, self.num_heads, *attn_mask.shape[1:]) if attn_mask.dim() == 3 else attn_mask
            scores = _masked(scores, attn_mask, added)
        if key_padding_mask is not None:
            _check_shape(key_padding_mask, [key.shape[0], key.shape[1]])
            scores = _masked(scores, key_padding_mask[:, None, None, :], added)
        weights = dropout(torch.softmax(scores, dim=-1), self.dropout, self.training)
        output = self.out_proj((weights @ v).transpose(1, 2).flatten(2))  # the heads side by side: (N, L, embed_dim)

        if not is_batched:
            output, weights = output.squeeze(0), weights.squeeze(0)
        elif batch_axis == 1:
            output = output.transpose(0, 1)
        if not need_weights:
            return output, None
        return output, weights.mean(-3) if average_attn_weights else weights

    def _with_added(self, x, bias):
        """(N, S, embed_dim) with a learnt row at the end, and a row of zeros, if there are such."""
        if bias is not None:
            x = torch.cat([x, bias.expand(x.shape[0], 1, -1)], dim=1)
        if self.add_zero_attn:
            x = torch.cat([x, torch.zeros(x.shape[0], 1, self.embed_dim)], dim=1)
        return x

    def _split(self, x):
        """(N, L, embed_dim) → (N, heads, L, head_dim)."""
        return x.view(x.shape[0], x.shape[1], self.num_heads, self.head_dim).transpose(1, 2)


def _check_shape(mask, wanted):
    """Masks do not broadcast: they have these sizes, or the last of them."""
    if list(mask.shape) != wanted[-mask.dim() :]:
        raise RuntimeError(f"The shape of the mask is {tuple(mask.shape)}, but should be {wanted[-mask.dim() :]}")


def _masked(scores, mask, added):
    """Scores (…, S + added) with a mask (…, S): every query may attend to the rows that were added."""
    if added > 0:
        mask = torch.cat([mask, torch.zeros(mask.shape[:-1] + (added,), dtype=mask.dtype)], dim=-1)
    return scores.masked_fill(mask, -math.inf) if mask.dtype == torch.bool else scores + mask
