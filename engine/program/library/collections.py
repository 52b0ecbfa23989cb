"""The package collections."""

OrderedDict = dict


class _Dictionary:
    """What is used as a dictionary, and is an object."""

    def __init__(self, *items, **entries):
        self._entries = dict(*items, **entries)

    def __getitem__(self, key):
        return self._entries[key] if key in self._entries else self.__missing__(key)

    def __missing__(self, key):
        raise KeyError(key)

    def __setitem__(self, key, value):
        self._entries[key] = value

    def __delitem__(self, key):
        del self._entries[key]

    def __contains__(self, key):
        return key in self._entries

    def __iter__(self):
        return iter(self._entries)

    def __len__(self):
        return len(self._entries)

    def __eq__(self, other):
        return self._entries == (other._entries if isinstance(other, _Dictionary) else other)

    def keys(self):
        return self._entries.keys()

    def values(self):
        return self._entries.values()

    def items(self):
        return self._entries.items()

    def get(self, key, default=None):
        return self._entries.get(key, default)

    def pop(self, key, *default):
        return self._entries.pop(key, *default)

    def setdefault(self, key, default=None):
        return self._entries.setdefault(key, default)

    def update(self, *others, **entries):
        self._entries.update(*others, **entries)

    def clear(self):
        self._entries.clear()


class UserDict(_Dictionary):
    pass


class defaultdict(_Dictionary):
    """A dictionary that makes the value of a key that it lacks."""

    def __init__(self, default_factory=None, *items, **entries):
        super().__init__(*items, **entries)
        self.default_factory = default_factory

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        self._entries[key] = self.default_factory()
        return self._entries[key]

    def copy(self):
        return defaultdict(self.default_factory, self._entries)

    def __repr__(self):
        return f"defaultdict({self.default_factory!r}, {self._entries!r})"


class Counter(_Dictionary):
    """How often each item occurs."""

    def __init__(self, items=None, **entries):
        super().__init__()
        self.update(items, **entries)

    def __missing__(self, key):
        return 0

    def update(self, items=None, **entries):
        self._add(items, entries, 1)

    def subtract(self, items=None, **entries):
        self._add(items, entries, -1)

    def _add(self, items, entries, sign):
        counts = dict(entries)
        if isinstance(items, (dict, _Dictionary)):
            counts.update(items)
        elif items is not None:
            for item in items:
                counts[item] = counts.get(item, 0) + 1
        for item, count in counts.items():
            self._entries[item] = self._entries.get(item, 0) + sign * count

    def most_common(self, n=None):
        return sorted(self._entries.items(), key=lambda entry: entry[1], reverse=True)[:n]

    def elements(self):
        return iter([item for item, count in self._entries.items() for _ in range(count)])

    def total(self):
        return sum(self._entries.values())

    def copy(self):
        return Counter(self._entries)

    def __add__(self, other):
        total = self.copy()
        total.update(other)
        return total

    def __repr__(self):
        return f"Counter({dict(self.most_common())!r})"


class deque:
    """A list that grows and shrinks at both ends, up to maxlen items."""

    def __init__(self, iterable=(), maxlen=None):
        self.maxlen = maxlen
        self._items = []
        self.extend(iterable)

    def append(self, item):
        self._items.append(item)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            self._items.pop(0)

    def appendleft(self, item):
        self._items.insert(0, item)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            self._items.pop()

    def extend(self, iterable):
        for item in iterable:
            self.append(item)

    def extendleft(self, iterable):
        for item in iterable:
            self.appendleft(item)

    def pop(self):
        return self._items.pop()

    def popleft(self):
        return self._items.pop(0)

    def clear(self):
        self._items.clear()

    def rotate(self, n=1):
        if self._items:
            n = n % len(self._items)
            self._items = self._items[len(self._items) - n:] + self._items[:len(self._items) - n]

    def __getitem__(self, index):
        return self._items[index]

    def __setitem__(self, index, item):
        self._items[index] = item

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, item):
        return item in self._items

    def __repr__(self):
        return f"deque({self._items!r})"


class _NamedTuple:
    """What namedtuple(…) makes: its fields are attributes and items."""

    _fields = ()
    _defaults = ()

    def __init__(self, *args, **kwargs):
        names = self._fields
        if len(args) > len(names):
            raise TypeError(f"{type(self).__name__} takes {len(names)} arguments, and {len(args)} are given")
        given = dict(zip(names, args))
        for name, value in kwargs.items():
            if name not in names or name in given:
                raise TypeError(f"{type(self).__name__} takes no argument {name} here")
            given[name] = value
        fallbacks = dict(zip(names[len(names) - len(self._defaults):], self._defaults))
        for name in names:
            if name not in given and name not in fallbacks:
                raise TypeError(f"{type(self).__name__} needs a value for {name}")
            setattr(self, name, given[name] if name in given else fallbacks[name])

    def _values(self):
        return tuple([getattr(self, name) for name in self._fields])

    def _asdict(self):
        return dict(zip(self._fields, self._values()))

    def _replace(self, **kwargs):
        return type(self)(**{**self._asdict(), **kwargs})

    def __iter__(self):
        return iter(self._values())

    def __len__(self):
        return len(self._fields)

    def __getitem__(self, index):
        return self._values()[index]

    def __eq__(self, other):
        return self._values() == (other._values() if isinstance(other, _NamedTuple) else other)

    def __lt__(self, other):
        return self._values() < tuple(other)

    def __repr__(self):
        inner = ", ".join([f"{name}={getattr(self, name)!r}" for name in self._fields])
        return f"{type(self).__name__}({inner})"


def namedtuple(typename, field_names, defaults=()):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()

    class NamedTuple(_NamedTuple):
        _fields = tuple(field_names)
        _defaults = tuple(defaults)

    NamedTuple.__name__ = typename
    return NamedTuple
