"""The package itertools. Each function gives all its items at once."""


class _Chain:
    """chain(a, b) and chain.from_iterable([a, b]): the items of each."""

    def __call__(self, *iterables):
        return self.from_iterable(iterables)

    def from_iterable(self, iterables):
        return iter([item for items in iterables for item in items])


chain = _Chain()


def product(*iterables, repeat=1):
    rows = [()]
    for items in [list(each) for each in iterables] * repeat:
        rows = [row + (item,) for row in rows for item in items]
    return iter(rows)


def accumulate(iterable, func=None, initial=None):
    items = list(iterable)
    if initial is not None:
        items = [initial] + items
    totals = items[:1]
    for item in items[1:]:
        totals.append(totals[-1] + item if func is None else func(totals[-1], item))
    return iter(totals)


def zip_longest(*iterables, fillvalue=None):
    columns = [list(each) for each in iterables]
    longest = max([len(each) for each in columns], default=0)
    return zip(*[each + [fillvalue] * (longest - len(each)) for each in columns])


def repeat(item, times=None):
    if times is None:
        raise NotImplementedError("itertools.repeat without an end is not here: give it a number of times")
    return iter([item] * times)


def islice(iterable, *bounds):
    return iter(list(iterable)[slice(*bounds)])


def pairwise(iterable):
    items = list(iterable)
    return zip(items[:-1], items[1:])


def starmap(function, iterable):
    return iter([function(*each) for each in iterable])


def takewhile(predicate, iterable):
    taken = []
    for item in iterable:
        if not predicate(item):
            break
        taken.append(item)
    return iter(taken)


def dropwhile(predicate, iterable):
    items = list(iterable)
    first = 0
    while first < len(items) and predicate(items[first]):
        first += 1
    return iter(items[first:])


def filterfalse(predicate, iterable):
    return iter([item for item in iterable if not (predicate(item) if predicate else item)])


def compress(data, selectors):
    return iter([item for item, selected in zip(data, selectors) if selected])


def tee(iterable, n=2):
    items = list(iterable)
    return tuple([iter(items) for _ in range(n)])


def groupby(iterable, key=None):
    groups = []
    for item in iterable:
        value = item if key is None else key(item)
        if groups and groups[-1][0] == value:
            groups[-1][1].append(item)
        else:
            groups.append((value, [item]))
    return iter([(value, iter(items)) for value, items in groups])


def _places(count, r):
    """All rows of r different places, in order."""
    rows = [()]
    for _ in range(r):
        rows = [row + (i,) for row in rows for i in range(count) if i not in row]
    return rows


def permutations(iterable, r=None):
    items = list(iterable)
    return iter([tuple([items[i] for i in row]) for row in _places(len(items), len(items) if r is None else r)])


def combinations(iterable, r):
    items = list(iterable)
    rows = [()]
    for _ in range(r):
        rows = [row + (i,) for row in rows for i in range(row[-1] + 1 if row else 0, len(items))]
    return iter([tuple([items[i] for i in row]) for row in rows])


def combinations_with_replacement(iterable, r):
    items = list(iterable)
    rows = [()]
    for _ in range(r):
        rows = [row + (i,) for row in rows for i in range(row[-1] if row else 0, len(items))]
    return iter([tuple([items[i] for i in row]) for row in rows])


def count(start=0, step=1):
    raise NotImplementedError("itertools.count has no end, and is not here: write range with one")


def cycle(iterable):
    raise NotImplementedError("itertools.cycle has no end, and is not here: write items[i % len(items)]")
