"""The package enum: each name that the body of a class assigns is a member."""

from unroll.engine import make_instance


class auto:
    """The next whole number."""


class Enum:
    """Its members are instances, and equal only to themselves."""

    def __init_subclass__(cls):
        members = []
        for name, value in list(cls.__dict__.items()):
            if name.startswith("_") or callable(value) or isinstance(value, (property, staticmethod, classmethod)):
                continue
            if isinstance(value, auto):
                value = members[-1].value + 1 if members else 1
            member = make_instance(cls)
            member.name, member.value = name, value
            member._name_, member._value_ = name, value
            members.append(member)
            setattr(cls, name, member)
        cls._members = members

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    def __repr__(self):
        return f"<{type(self).__name__}.{self.name}: {self.value!r}>"

    def __class_getitem__(cls, name):
        return getattr(cls, name)


class IntEnum(Enum):
    """Its members are compared as whole numbers, and are indices."""

    def __str__(self):
        return str(self.value)

    def __int__(self):
        return self.value

    def __index__(self):
        return self.value

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, IntEnum) else other)

    def __lt__(self, other):
        return self.value < int(other)

    def __le__(self, other):
        return self.value <= int(other)

    def __gt__(self, other):
        return self.value > int(other)

    def __ge__(self, other):
        return self.value >= int(other)

    def __add__(self, other):
        return self.value + int(other)

    def __radd__(self, other):
        return self.value + int(other)

    def __sub__(self, other):
        return self.value - int(other)

    def __rsub__(self, other):
        return int(other) - self.value

    def __mul__(self, other):
        return self.value * int(other)

    def __rmul__(self, other):
        return self.value * int(other)


class StrEnum(Enum):
    """Its members are compared as texts."""

    def __str__(self):
        return self.value

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, StrEnum) else other)


class Flag(IntEnum):
    pass


class IntFlag(Flag):
    pass


def unique(cls):
    return cls
