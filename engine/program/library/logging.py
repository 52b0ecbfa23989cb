"""The package logging: nobody reads it here."""

DEBUG, INFO, WARNING, ERROR, CRITICAL = 10, 20, 30, 40, 50


class Logger:
    def __init__(self, name="root"):
        self.name = name

    def debug(self, message, *args, **kwargs):
        pass

    def info(self, message, *args, **kwargs):
        pass

    def warning(self, message, *args, **kwargs):
        pass

    def error(self, message, *args, **kwargs):
        pass

    def setLevel(self, level):
        pass

    def addHandler(self, handler):
        pass


def getLogger(name="root"):
    return Logger(name)


def basicConfig(**options):
    pass


def debug(message, *args, **kwargs):
    pass


def info(message, *args, **kwargs):
    pass


def warning(message, *args, **kwargs):
    pass


def error(message, *args, **kwargs):
    pass
