"""What every layer, and every model made of layers, is."""

from torch.nn import Parameter


class Module:
    """A layer or a model. Its parameters, buffers and submodules are the attributes that hold one."""

    def __init__(self):
        self.training = True
        self._is_persistent = {}  # of each buffer, by its name

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def forward(self, *args, **kwargs):
        raise NotImplementedError(f"{type(self).__name__} has no method forward")

    # ── What belongs to this module alone ──

    @property
    def _parameters(self):
        return {name: each for name, each in self.__dict__.items() if isinstance(each, Parameter)}

    @property
    def _buffers(self):
        return {name: getattr(self, name) for name in self._is_persistent if getattr(self, name) is not None}

    @property
    def _modules(self):
        return {name: each for name, each in self.__dict__.items() if isinstance(each, Module)}

    def register_parameter(self, name, param):
        setattr(self, name, param)

    def register_buffer(self, name, tensor, persistent=True):
        """Keeps a tensor that is no parameter. If it is persistent, it is part of state_dict."""
        setattr(self, name, tensor)
        self._is_persistent[name] = persistent

    def add_module(self, name, module):
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        setattr(self, name, module)

    def register_module(self, name, module):
        self.add_module(name, module)

    # ── What belongs to this module and to all below it, under names such as "layers.0.weight" ──

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        found = _walk(self, prefix)
        return iter(_once(found) if remove_duplicate else found)

    def modules(self):
        return iter([module for _, module in self.named_modules()])

    def named_children(self):
        return iter(_once(self._modules.items()))

    def children(self):
        return iter([child for _, child in self.named_children()])

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """Each parameter once, under its first name."""
        found = _named(self, lambda module: module._parameters, prefix, recurse)
        return iter(_once(found) if remove_duplicate else found)

    def parameters(self, recurse=True):
        return iter([each for _, each in self.named_parameters(recurse=recurse)])

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        found = _named(self, lambda module: module._buffers, prefix, recurse)
        return iter(_once(found) if remove_duplicate else found)

    def buffers(self, recurse=True):
        return iter([each for _, each in self.named_buffers(recurse=recurse)])

    def get_submodule(self, target):
        """The module at a path: "layers.0"."""
        found = self
        for name in target.split(".") if target else []:
            found = getattr(found, name)
        return found

    def get_parameter(self, target):
        path, _, name = target.rpartition(".")
        return getattr(self.get_submodule(path), name)

    def get_buffer(self, target):
        return self.get_parameter(target)

    # ── Its state ──

    def state_dict(self, destination=None, prefix="", keep_vars=False):
        state = {} if destination is None else destination
        for name, each in _state(self).items():
            state[prefix + name] = each if keep_vars else each.detach()
        return state

    def load_state_dict(self, state_dict, strict=True):
        """Copies the tensors into those of the same names. Returns the names that are missing, and the unexpected."""
        own = _state(self)
        missing = [name for name in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in own]
        if strict and missing + unexpected:
            raise RuntimeError(f"load_state_dict: missing are {missing}, unexpected are {unexpected}")
        for name, each in own.items():
            if name in state_dict:
                if state_dict[name].shape != each.shape:
                    raise RuntimeError(f"load_state_dict: {name} is {each.shape}, and not {state_dict[name].shape}")
                each.data.copy_(state_dict[name])
        return missing, unexpected

    # ── What changes it ──

    def apply(self, fn):
        """Calls fn with each submodule, then with this module."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def train(self, mode=True):
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for each in self.parameters():
            each.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Does nothing: every backward pass starts without gradients."""

    # ── Words: there is one device, and one type of numbers ──

    def to(self, *args, **kwargs):
        return self

    def type(self, dst_type):
        return self

    def cuda(self, device=None):
        return self

    def cpu(self):
        return self

    def float(self):
        return self

    def double(self):
        return self

    def half(self):
        return self

    def bfloat16(self):
        return self


def _walk(module, prefix):
    """[(path, module)]: the module, then each submodule with all below it."""
    found = [(prefix, module)]
    for name, child in module._modules.items():
        found += _walk(child, _join(prefix, name))
    return found


def _named(module, contents, prefix="", recurse=True):
    """[(path, object)]: the contents of the module, a dictionary, then those of the modules below it."""
    found = []
    for path, each in (_walk(module, prefix) if recurse else [(prefix, module)]):
        found += [(_join(path, name), content) for name, content in contents(each).items()]
    return found


def _state(module):
    """{path: tensor}: all parameters and persistent buffers; shared ones are there under each of their names."""
    return dict(_named(module, _state_of_one))


def _state_of_one(module):
    state = module._parameters
    for name, each in module._buffers.items():
        if module._is_persistent[name]:
            state[name] = each
    return state


def _join(path, name):
    return f"{path}.{name}" if path else name


def _once(named):
    """Of the pairs (name, object), the first of each object."""
    kept = []
    for name, each in named:
        if not any(each is other for _, other in kept):
            kept.append((name, each))
    return kept
