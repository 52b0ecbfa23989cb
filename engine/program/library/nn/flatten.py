"""Layers that give the same values another shape."""

from unroll.nn.module import Module


class Flatten(Module):
    """Makes the axes from start_dim to end_dim one: (N, C, H, W) → (N, C · H · W)."""

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(Module):
    """Makes several axes of one: with dim=1 and sizes (C, H), (N, C · H) → (N, C, H)."""

    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input):
        axis = range(input.dim())[self.dim]
        return input.reshape(input.shape[:axis] + tuple(self.unflattened_size) + input.shape[axis + 1:])
