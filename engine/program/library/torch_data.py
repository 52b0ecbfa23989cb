"""torch.utils.data: data sets can be defined; the lab loads its own data."""


class Dataset:
    pass


class IterableDataset(Dataset):
    pass


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple([tensor[index] for tensor in self.tensors])

    def __len__(self):
        return len(self.tensors[0])


class Sampler:
    pass


def _refuse(name):
    raise NotImplementedError(f"{name} is not here, as the lab loads the data itself: leave it out of what runs")


class DataLoader:
    def __init__(self, *args, **kwargs):
        _refuse("DataLoader")


def random_split(*args, **kwargs):
    _refuse("random_split")
