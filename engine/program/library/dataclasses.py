"""The package dataclasses; dataclass and field are the engine's own."""


class Field:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"Field(name={self.name!r})"


def _names(cls):
    return list(cls.__annotations__)


def fields(class_or_instance):
    cls = class_or_instance if isinstance(class_or_instance, type) else type(class_or_instance)
    return tuple([Field(name) for name in _names(cls)])


def is_dataclass(obj):
    return hasattr(obj, "__annotations__") or hasattr(type(obj), "__annotations__")


def _plain(value):
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, tuple):
        return tuple([_plain(each) for each in value])
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if hasattr(value, "__dict__") and not isinstance(value, type) and _names(type(value)):
        return asdict(value)
    return value


def asdict(instance):
    return {name: _plain(getattr(instance, name)) for name in _names(type(instance))}


def astuple(instance):
    return tuple([_plain(getattr(instance, name)) for name in _names(type(instance))])


def replace(instance, **changes):
    values = {name: getattr(instance, name) for name in _names(type(instance))}
    values.update(changes)
    return type(instance)(**values)
