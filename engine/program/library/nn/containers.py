"""Modules, or parameters, in lists and dictionaries. In a plain list or dictionary a model would not find them."""

from torch.nn import Parameter
from unroll.nn.module import Module


class Sequential(Module):
    """Modules that are called one after another: Sequential(a, b)(x) = b(a(x)). A dictionary gives them names."""

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], dict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            self.extend(args)

    def forward(self, input):
        for module in self:
            input = module(input)
        return input

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, index):
        found = list(self._modules.items())[index]
        return type(self)(dict(found)) if isinstance(found, list) else found[1]

    def __setitem__(self, index, module):
        setattr(self, list(self._modules)[index], module)

    def __delitem__(self, index):
        self.__dict__.pop(list(self._modules)[index])
        _renumber(self, list(self))

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        modules = list(self)
        modules.insert(index, module)
        _renumber(self, modules)
        return self


class _List(Module):
    """What ModuleList and ParameterList have in common: the attributes "0", "1", …"""

    def __init__(self, values=None):
        super().__init__()
        if values is not None:
            self.extend(values)

    def _values(self):
        return list(self._modules.values())

    def _kept(self, value):
        return value

    def __len__(self):
        return len(self._values())

    def __iter__(self):
        return iter(self._values())

    def __contains__(self, value):
        return any(each is value for each in self._values())

    def __getitem__(self, index):
        found = self._values()[index]
        return type(self)(found) if isinstance(found, list) else found

    def __setitem__(self, index, value):
        setattr(self, str(range(len(self))[index]), self._kept(value))

    def __delitem__(self, index):
        values = self._values()
        del values[index]
        _renumber(self, values)

    def __add__(self, other):
        return type(self)(self._values() + list(other))

    def __iadd__(self, values):
        return self.extend(values)

    def append(self, value):
        setattr(self, str(len(self)), self._kept(value))
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def insert(self, index, value):
        values = self._values()
        values.insert(index, self._kept(value))
        _renumber(self, values)

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value


class ModuleList(_List):
    """A list of modules. It cannot be called: the model that has it says what follows what."""

    def __init__(self, modules=None):
        super().__init__(modules)


class ParameterList(_List):
    """A list of parameters."""

    def _values(self):
        return list(self._parameters.values())

    def _kept(self, value):
        return value if isinstance(value, Parameter) else Parameter(value)


class _Dict(Module):
    """What ModuleDict and ParameterDict have in common: an attribute for each key."""

    def __init__(self, values=None):
        super().__init__()
        if values is not None:
            self.update(values)

    def _contents(self):
        return self._modules

    def _kept(self, value):
        return value

    def __len__(self):
        return len(self._contents())

    def __iter__(self):
        return iter(self._contents())

    def __contains__(self, key):
        return key in self._contents()

    def __getitem__(self, key):
        return self._contents()[key]

    def __setitem__(self, key, value):
        if hasattr(self, key) and key not in self:
            raise KeyError(f"attribute '{key}' already exists")
        setattr(self, key, self._kept(value))

    def __delitem__(self, key):
        self.pop(key)

    def keys(self):
        return self._contents().keys()

    def values(self):
        return self._contents().values()

    def items(self):
        return self._contents().items()

    def get(self, key, default=None):
        return self._contents().get(key, default)

    def update(self, values):
        """Takes a dictionary, or pairs of a key and a value."""
        pairs = values if isinstance(values, (list, tuple)) else values.items()
        for key, value in pairs:
            self[key] = value

    def pop(self, key):
        value = self[key]
        self.__dict__.pop(key)
        return value

    def clear(self):
        for key in list(self):
            self.pop(key)


class ModuleDict(_Dict):
    """A dictionary of modules: blocks["encoder"], or blocks.encoder."""

    def __init__(self, modules=None):
        super().__init__(modules)


class ParameterDict(_Dict):
    """A dictionary of parameters."""

    def __init__(self, parameters=None):
        super().__init__(parameters)

    def _contents(self):
        return self._parameters

    def _kept(self, value):
        return value if isinstance(value, Parameter) else Parameter(value)


def _renumber(container, values):
    """Makes these values the only ones, under the names "0", "1", …"""
    for name in [name for name, each in container.__dict__.items() if isinstance(each, (Module, Parameter))]:
        container.__dict__.pop(name)
    for i, value in enumerate(values):
        setattr(container, str(i), value)
