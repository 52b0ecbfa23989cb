"""torch.optim: the lab trains the model, with an optimiser that is one of its settings."""


class Optimizer:
    """What an optimiser of a program's own is derived from."""

    def __init__(self, params=None, defaults=None):
        raise NotImplementedError("an optimiser is not here, as the lab trains the model itself: leave it out of what runs")
