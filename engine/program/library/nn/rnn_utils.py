"""torch.nn.utils.rnn: sequences of several lengths as one tensor."""

import torch


class PackedSequence:
    """Sequences without padding. data (Σ lengths, …) has the first item of all sequences, then the second of those that
    have one, …; batch_sizes says how many each time. The longest sequence comes first: sorted_indices says which that
    was, unsorted_indices where each went."""

    def __init__(self, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        self.data = data
        self.batch_sizes = batch_sizes
        self.sorted_indices = sorted_indices
        self.unsorted_indices = unsorted_indices

    def to(self, *args, **kwargs):
        return self


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Padded sequences (T, N, …), or (N, T, …) with batch_first, and their lengths (N) → a PackedSequence."""
    lengths = lengths if isinstance(lengths, torch.Tensor) else torch.tensor(lengths)
    input = input.transpose(0, 1) if batch_first else input
    order, places = None, None
    if enforce_sorted:
        if (lengths[1:] > lengths[:-1]).any():
            raise RuntimeError("lengths must be sorted in decreasing order: or pass enforce_sorted=False")
    else:
        lengths, order = lengths.sort(descending=True)
        places = order.sort()[1]
        input = input.index_select(1, order)
    if lengths[-1] <= 0:
        raise RuntimeError("each sequence needs a length of at least 1")
    batch_sizes = [int((lengths > t).sum()) for t in range(int(lengths[0]))]
    data = torch.cat([input[t, :size] for t, size in enumerate(batch_sizes)])
    return PackedSequence(data, torch.tensor(batch_sizes), order, places)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """A PackedSequence → padded sequences (T, N, …), or (N, T, …) with batch_first, and their lengths (N)."""
    batch_sizes = sequence.batch_sizes.tolist()
    lengths = torch.stack([(sequence.batch_sizes > i).sum() for i in range(batch_sizes[0])])
    steps = [_filled(rows, batch_sizes[0], padding_value) for rows in sequence.data.split(batch_sizes)]
    output = torch.stack(steps)
    if total_length is not None:
        output = _filled(output, total_length, padding_value)
    if sequence.unsorted_indices is not None:
        output = output.index_select(1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices]
    return output.transpose(0, 1) if batch_first else output, lengths


def pad_sequence(sequences, batch_first=False, padding_value=0.0):
    """A list of sequences (Tᵢ, …) → (T, N, …), or (N, T, …) with batch_first, where T is the largest length."""
    length = max([len(each) for each in sequences])
    return torch.stack([_filled(each, length, padding_value) for each in sequences], dim=0 if batch_first else 1)


def pack_sequence(sequences, enforce_sorted=True):
    """A list of sequences (Tᵢ, …) → a PackedSequence."""
    return pack_padded_sequence(pad_sequence(sequences), [len(each) for each in sequences], False, enforce_sorted)


def _filled(rows, size, value):
    """(n, …) → (size, …), with rows of this value at the end."""
    missing = size - rows.shape[0]
    if missing == 0:
        return rows
    return torch.cat([rows, torch.full((missing,) + rows.shape[1:], value, dtype=rows.dtype)])
