"""The package warnings: nobody reads them here."""


def warn(message, category=None, stacklevel=1):
    pass


def filterwarnings(action, *args, **kwargs):
    pass


def simplefilter(action, *args, **kwargs):
    pass


class catch_warnings:
    def __init__(self, **options):
        pass

    def __enter__(self):
        return []

    def __exit__(self, *exception):
        return None
