"""The package abc: a method that is abstract here is an ordinary one."""


class ABC:
    pass


class ABCMeta:
    pass


def abstractmethod(function):
    return function


def abstractproperty(function):
    return property(function)


def abstractclassmethod(function):
    return classmethod(function)


def abstractstaticmethod(function):
    return staticmethod(function)
