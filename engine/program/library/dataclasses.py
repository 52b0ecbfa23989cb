"""The package dataclasses; dataclass and field are the engine's own."""


from unroll.engine import field_names


class Field:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"Field(name={self.name!r})"


def fields(class_or_instance):
    cls = class_or_instance if isinstance(class_or_instance, type) else type(class_or_instance)
    return tuple([Field(name) for name in field_names(cls)])


def is_dataclass(obj):
    return bool(field_names(obj if isinstance(obj, type) else type(obj)))


def _plain(value):
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, tuple):
        return tuple([_plain(each) for each in value])
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if not isinstance(value, type) and is_dataclass(value):
        return asdict(value)
    return value


def asdict(instance):
    return {name: _plain(getattr(instance, name)) for name in field_names(type(instance))}


def astuple(instance):
    return tuple([_plain(getattr(instance, name)) for name in field_names(type(instance))])


def replace(instance, **changes):
    values = {name: getattr(instance, name) for name in field_names(type(instance))}
    values.update(changes)
    return type(instance)(**values)
