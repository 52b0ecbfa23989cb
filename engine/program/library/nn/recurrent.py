"""Recurrent networks: a state that each item of a sequence changes."""

import math

import torch
from torch.nn import Parameter
from unroll.nn.dropout import dropout
from unroll.nn.init import uniform_
from unroll.nn.linear import linear
from unroll.nn.module import Module
from unroll.nn.rnn_utils import PackedSequence, pack_padded_sequence, pad_packed_sequence

# A step takes W x + b of the input, V h + c of the last state h, and the last state; it returns the next one. A state
# is a tuple of tensors (…, hidden), the first of which is the output.


def rnn_step(from_input, from_state, state, nonlinearity="tanh"):
    """Elman 1990: h' = tanh(W x + b + V h + c)."""
    total = from_input + from_state
    return (torch.tanh(total) if nonlinearity == "tanh" else torch.relu(total),)


def lstm_step(from_input, from_state, state):
    """Hochreiter and Schmidhuber 1997: c' = forget · c + input · new, h' = output · tanh(c')."""
    input_gate, forget_gate, new, output_gate = (from_input + from_state).chunk(4, dim=-1)
    cell = torch.sigmoid(forget_gate) * state[1] + torch.sigmoid(input_gate) * torch.tanh(new)
    return torch.sigmoid(output_gate) * torch.tanh(cell), cell


def gru_step(from_input, from_state, state):
    """Cho et al. 2014: h' = (1 − update) · new + update · h, where new sees of h what reset lets through."""
    input_reset, input_update, input_new = from_input.chunk(3, dim=-1)
    state_reset, state_update, state_new = from_state.chunk(3, dim=-1)
    reset = torch.sigmoid(input_reset + state_reset)
    update = torch.sigmoid(input_update + state_update)
    new = torch.tanh(input_new + reset * state_new)
    return ((1 - update) * new + update * state[0],)


class _Recurrent(Module):
    """What cells and layers have in common."""

    gates = 1  # how many rows of a weight each unit of the state has
    parts = 1  # how many tensors a state has

    def _make_weights(self, input_size, suffix):
        rows = self.gates * self.hidden_size
        setattr(self, f"weight_ih{suffix}", Parameter(torch.empty(rows, input_size)))
        setattr(self, f"weight_hh{suffix}", Parameter(torch.empty(rows, self.hidden_size)))
        setattr(self, f"bias_ih{suffix}", Parameter(torch.empty(rows)) if self.bias else None)
        setattr(self, f"bias_hh{suffix}", Parameter(torch.empty(rows)) if self.bias else None)

    def reset_parameters(self):
        """All are uniform within ±1 / √hidden_size."""
        bound = 1 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for each in self.parameters():
            uniform_(each, -bound, bound)

    def _step(self, from_input, from_state, state):
        raise NotImplementedError("a recurrent network says how it takes a step")

    def _as_tuple(self, hx, shape):
        """The state as a tuple: hx, whose tensors must have this shape, or zeros."""
        if hx is None:
            return (torch.zeros(shape),) * self.parts
        state = (hx,) if self.parts == 1 else hx
        for each in state:
            if each.shape != shape:
                raise RuntimeError(f"Expected hidden size {tuple(shape)}, got {tuple(each.shape)}")
        return state


# ── One step: cells ──


class _Cell(_Recurrent):
    def __init__(self, input_size, hidden_size, bias):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        self._make_weights(input_size, "")
        self.reset_parameters()

    def forward(self, input, hx=None):
        """input (N, input_size) or (input_size), state hx (N, hidden_size) or (hidden_size) → the next state."""
        state = self._as_tuple(hx, input.shape[:-1] + (self.hidden_size,))
        from_input = linear(input, self.weight_ih, self.bias_ih)
        from_state = linear(state[0], self.weight_hh, self.bias_hh)
        state = self._step(from_input, from_state, state)
        return state[0] if self.parts == 1 else state


class RNNCell(_Cell):
    """One step of an RNN: (N, input_size) and the state (N, hidden_size) → the next state."""

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias)
        self.nonlinearity = nonlinearity

    def _step(self, from_input, from_state, state):
        return rnn_step(from_input, from_state, state, self.nonlinearity)


class LSTMCell(_Cell):
    """One step of an LSTM: (N, input_size) and the state (h, c), each (N, hidden_size) → the next state."""

    gates = 4
    parts = 2

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias)

    def _step(self, from_input, from_state, state):
        return lstm_step(from_input, from_state, state)


class GRUCell(_Cell):
    """One step of a GRU: (N, input_size) and the state (N, hidden_size) → the next state."""

    gates = 3

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias)

    def _step(self, from_input, from_state, state):
        return gru_step(from_input, from_state, state)


# ── Sequences: layers ──


class RNNBase(_Recurrent):
    """Layers of steps over a sequence, in one direction or both."""

    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self._directions = ["", "_reverse"] if bidirectional else [""]
        for layer in range(num_layers):
            size = input_size if layer == 0 else hidden_size * len(self._directions)
            for direction in self._directions:
                self._make_weights(size, f"_l{layer}{direction}")
        self.reset_parameters()

    @property
    def _flat_weights_names(self):
        return list(self._parameters)

    def flatten_parameters(self):
        """Does nothing: it is about the memory of graphics cards."""

    def forward(self, input, hx=None):
        """input (T, N, input_size), or (N, T, …) with batch_first, or (T, input_size), or a PackedSequence; the first
        state hx (layers · directions, N, hidden_size)
        → output (T, N, directions · hidden_size) in the form of input, the last state in that of hx."""
        if isinstance(input, PackedSequence):
            padded, lengths = pad_packed_sequence(input)
            exists = (torch.arange(padded.shape[0])[:, None] < lengths)[:, :, None]
            output, hx = self._layers(padded, hx, exists.unbind(0))
            packed = pack_padded_sequence(output, lengths, enforce_sorted=input.sorted_indices is None)
            return packed, hx
        if input.dim() not in [2, 3]:
            raise RuntimeError(f"Expected input to be 2-D or 3-D, but received a {input.dim()}-D tensor")
        if input.dim() == 2:
            output, hx = self._layers(input.unsqueeze(1), self._each(hx, lambda part: part.unsqueeze(1)))
            return output.squeeze(1), self._each(hx, lambda part: part.squeeze(1))
        if self.batch_first:
            output, hx = self._layers(input.transpose(0, 1), hx)
            return output.transpose(0, 1), hx
        return self._layers(input, hx)

    def _each(self, state, change):
        """The state, with each of its tensors changed."""
        if state is None:
            return None
        return change(state) if self.parts == 1 else tuple([change(part) for part in state])

    def _layers(self, input, hx, exists=None):
        """All layers: (T, N, …) → (T, N, directions · hidden_size) and the last states."""
        count = self.num_layers * len(self._directions)
        first = self._as_tuple(hx, (count, input.shape[1], self.hidden_size))
        last = []
        for layer in range(self.num_layers):
            if layer > 0:
                input = dropout(input, self.dropout, self.training)
            outputs = []
            for direction in self._directions:
                state = tuple([part[len(last)] for part in first])
                output, state = self._sequence(input, state, f"_l{layer}{direction}", exists)
                outputs.append(output)
                last.append(state)
            input = torch.cat(outputs, dim=-1) if self.bidirectional else outputs[0]
        last = [torch.stack([state[i] for state in last]) for i in range(self.parts)]
        return input, last[0] if self.parts == 1 else tuple(last)

    def _sequence(self, input, state, suffix, exists):
        """One layer in one direction, step by step. Where no item exists (padding), the state stays."""
        from_input = linear(input, getattr(self, f"weight_ih{suffix}"), getattr(self, f"bias_ih{suffix}")).unbind(0)
        weight, bias = getattr(self, f"weight_hh{suffix}"), getattr(self, f"bias_hh{suffix}")
        times = list(range(len(from_input)))
        if suffix.endswith("_reverse"):
            times.reverse()
        outputs = list(times)
        for t in times:
            stepped = self._step(from_input[t], linear(state[0], weight, bias), state)
            if exists is not None:
                stepped = tuple([torch.where(exists[t], new, old) for new, old in zip(stepped, state)])
            state = stepped
            outputs[t] = state[0]
        return torch.stack(outputs), state


class RNN(RNNBase):
    """Elman 1990: h_t = tanh(W x_t + b + V h_(t−1) + c), or ReLU instead of tanh."""

    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False, device=None, dtype=None):
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional)
        self.nonlinearity = nonlinearity

    def _step(self, from_input, from_state, state):
        return rnn_step(from_input, from_state, state, self.nonlinearity)


class LSTM(RNNBase):
    """Long short-term memory: gates decide what is written to a cell, forgotten there, and read from it."""

    gates = 4
    parts = 2

    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        if proj_size != 0:
            raise NotImplementedError("LSTM has no proj_size here: leave it out, and put a Linear after the LSTM")
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional)

    def _step(self, from_input, from_state, state):
        return lstm_step(from_input, from_state, state)


class GRU(RNNBase):
    """Gated recurrent unit: a gate decides how much of the state is kept."""

    gates = 3

    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, device=None, dtype=None):
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional)

    def _step(self, from_input, from_state, state):
        return gru_step(from_input, from_state, state)
