"""A table with a vector for each token."""

import torch
from torch.nn import Parameter
from unroll.nn.init import normal_
from unroll.nn.module import Module


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    """The rows of weight (rows, dim) with these numbers: (…) → (…, dim). The row padding_idx gets no gradient."""
    if max_norm is not None or scale_grad_by_freq:
        raise NotImplementedError("embedding has neither max_norm nor scale_grad_by_freq here: leave them out")
    rows = weight[input]
    if padding_idx is None:
        return rows
    is_padding = input == (padding_idx if padding_idx >= 0 else padding_idx + weight.shape[0])
    return torch.where(is_padding.unsqueeze(-1), rows.detach(), rows)


class Embedding(Module):
    """The rows of its weight: numbers of tokens (…) → (…, embedding_dim). Padding is 0, and stays so."""

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0,
                 scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None, dtype=None):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx if padding_idx is None else range(num_embeddings)[padding_idx]
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        if _weight is None:
            self.weight = Parameter(torch.empty(num_embeddings, embedding_dim), requires_grad=not _freeze)
            self.reset_parameters()
        else:
            self.weight = Parameter(_weight, requires_grad=not _freeze)

    def reset_parameters(self):
        normal_(self.weight)
        if self.padding_idx is not None:
            self.weight.data[self.padding_idx] = 0

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0,
                        scale_grad_by_freq=False, sparse=False):
        """With this table, which training leaves as it is unless freeze is False."""
        rows, size = embeddings.shape
        return cls(rows, size, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, embeddings, freeze)

    def forward(self, input):
        return embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq)
