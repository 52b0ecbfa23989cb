"""The package types."""


class SimpleNamespace:
    """Attributes, and nothing else."""

    def __init__(self, **entries):
        for name, value in entries.items():
            setattr(self, name, value)

    def __eq__(self, other):
        return isinstance(other, SimpleNamespace) and self.__dict__ == other.__dict__

    def __repr__(self):
        return "namespace(" + ", ".join([f"{name}={value!r}" for name, value in self.__dict__.items()]) + ")"
