"""einops.layers.torch: rearrange and reduce as layers, for nn.Sequential."""

from einops import rearrange, reduce
from unroll.nn.module import Module


class Rearrange(Module):
    """The same values with their axes as the pattern says: "b c (h p) (w q) -> b (h w) (c p q)"."""

    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.axes_lengths = axes_lengths

    def forward(self, input):
        return rearrange(input, self.pattern, **self.axes_lengths)


class Reduce(Module):
    """The mean, sum, max, … along the axes that the right side of the pattern leaves out: "b c h w -> b c"."""

    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.reduction = reduction
        self.axes_lengths = axes_lengths

    def forward(self, input):
        return reduce(input, self.pattern, self.reduction, **self.axes_lengths)
