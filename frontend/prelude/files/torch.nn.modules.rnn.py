"""Recurrent networks of several layers and directions, and their single steps."""
import math
import warnings
from typing import List, Optional, Tuple

import torch
from torch import Tensor
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter
from torch.nn.utils.rnn import PackedSequence

# How many matrices of hidden_size rows lie above each other in a weight, by mode.
_GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "GRU": 3, "LSTM": 4}
_MODE_OF = {"tanh": "RNN_TANH", "relu": "RNN_RELU"}
# What a printed network says beyond its sizes: settings that are not as usual.
_USUAL = {"proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0, "bidirectional": False}


def _draw_all(module, hidden_size):
    """Every parameter in order, uniform within 1 / sqrt(hidden_size)."""
    reach = 1.0 / math.sqrt(hidden_size) if hidden_size > 0 else 0.0
    for each in module.parameters():
        torch.nn.init.uniform_(each, -reach, reach)


# ---------------------------------------------------------------- shared by the networks, compiled
def _blank(groups: int, batch: int, width: int, like: Tensor) -> Tensor:
    return torch.zeros(groups, batch, width, dtype=like.dtype, device=like.device)


def _repacked(data: Tensor, source: PackedSequence) -> PackedSequence:
    return PackedSequence(data, source.batch_sizes, source.sorted_indices, source.unsorted_indices)


def _check_rank(net: str, input: Tensor):
    rank = input.dim()
    if rank < 2 or rank > 3:
        found = f"{rank}D tensor" if net == "RNN" else f"{rank}D"
        raise ValueError(f"{net}: Expected input to be 2D or 3D, got {found} instead")


def _with_batch(hx: Tensor, single: bool) -> Tensor:
    """A given state as the operators want it, with a batch of one for a single sequence."""
    rank = hx.dim()
    if single and rank != 2:
        raise RuntimeError(f"For unbatched 2-D input, hx should also be 2-D but got {rank}-D tensor")
    if not single and rank != 3:
        raise RuntimeError(f"For batched 3-D input, hx should also be 3-D but got {rank}-D tensor")
    return hx.unsqueeze(1) if single else hx


def _pair_with_batch(hx: Tuple[Tensor, Tensor], single: bool) -> Tuple[Tensor, Tensor]:
    h, c = hx
    ranks = f"({h.dim()}-D, {c.dim()}-D)"
    if single:
        if h.dim() != 2 or c.dim() != 2:
            raise RuntimeError(f"For unbatched 2-D input, hx and cx should also be 2-D but got {ranks} tensors")
        return h.unsqueeze(1), c.unsqueeze(1)
    if h.dim() != 3 or c.dim() != 3:
        raise RuntimeError(f"For batched 3-D input, hx and cx should also be 3-D but got {ranks} tensors")
    return hx


def _reordered(state: Tensor, order: Optional[Tensor]) -> Tensor:
    return state if order is None else state.index_select(1, order)


def _recur(mode: str, input: Tensor, state: Tensor, weights: List[Tensor], bias: bool, layers: int, dropout: float,
           training: bool, bidirectional: bool, batch_first: bool) -> Tuple[Tensor, Tensor]:
    """A padded batch through a network whose state is one tensor."""
    if mode == "GRU":
        return torch._VF.gru(input, state, weights, bias, layers, dropout, training, bidirectional, batch_first)
    if mode == "RNN_TANH":
        return torch._VF.rnn_tanh(input, state, weights, bias, layers, dropout, training, bidirectional, batch_first)
    return torch._VF.rnn_relu(input, state, weights, bias, layers, dropout, training, bidirectional, batch_first)


def _recur_packed(mode: str, input: PackedSequence, state: Tensor, weights: List[Tensor], bias: bool, layers: int,
                  dropout: float, training: bool, bidirectional: bool) -> Tuple[Tensor, Tensor]:
    data, sizes = input.data, input.batch_sizes
    if mode == "GRU":
        return torch._VF.gru(data, sizes, state, weights, bias, layers, dropout, training, bidirectional)
    if mode == "RNN_TANH":
        return torch._VF.rnn_tanh(data, sizes, state, weights, bias, layers, dropout, training, bidirectional)
    return torch._VF.rnn_relu(data, sizes, state, weights, bias, layers, dropout, training, bidirectional)


class RNNBase(Module):
    __constants__ = ["mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout",
                     "bidirectional", "proj_size"]
    __jit_unused_properties__ = ["all_weights"]

    mode: str
    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    proj_size: int

    def __init__(self, mode: str, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True,
                 batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, proj_size: int = 0,
                 device=None, dtype=None):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = dropout
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check_settings()
        self.dropout = float(dropout)
        self._flat_weights_names = []
        self._all_weights = []
        for layer in range(num_layers):
            for end in ["", "_reverse"] if bidirectional else [""]:
                self._add_weights(layer, f"_l{layer}{end}", {"device": device, "dtype": dtype})
        self._update_flat_weights()
        self.reset_parameters()

    def _check_settings(self):
        for name, kind in (("input_size", int), ("hidden_size", int), ("bias", bool), ("batch_first", bool)):
            value = getattr(self, name)
            if not isinstance(value, kind):
                raise TypeError(f"{name} should be of type {kind.__name__}, got: {type(value).__name__}")
        for name in ("input_size", "hidden_size", "num_layers"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be greater than zero")
        p = self.dropout
        if isinstance(p, bool) or not isinstance(p, (int, float)) or p < 0 or p > 1:
            raise ValueError("dropout should be a number in range [0, 1] representing the probability of an element "
                             "being zeroed")
        if p > 0 and self.num_layers == 1:
            warnings.warn("dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                          f"num_layers greater than 1, but got dropout={p} and num_layers={self.num_layers}")
        if self.proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if self.mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + self.mode)
        if self.proj_size and self.mode != "LSTM":
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")

    def _add_weights(self, layer, suffix, place):
        """The parameters of one direction of one layer, named with suffix."""
        rows = _GATES[self.mode] * self.hidden_size
        given_back = self.proj_size or self.hidden_size
        below = given_back * (2 if self.bidirectional else 1) if layer else self.input_size
        shapes = {"weight_ih": (rows, below), "weight_hh": (rows, given_back)}
        if self.bias:
            shapes["bias_ih"] = shapes["bias_hh"] = (rows,)
        if self.proj_size:
            shapes["weight_hr"] = (self.proj_size, self.hidden_size)
        names = [kind + suffix for kind in shapes]
        for name, shape in zip(names, shapes.values()):
            setattr(self, name, Parameter(torch.empty(shape, **place)))
        self._flat_weights_names += names
        self._all_weights.append(names)

    def _update_flat_weights(self):
        if not torch.jit.is_scripting():
            self._flat_weights = [getattr(self, name) for name in self._flat_weights_names]

    def flatten_parameters(self):
        self._update_flat_weights()

    def reset_parameters(self):
        _draw_all(self, self.hidden_size)

    @property
    def all_weights(self):
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def extra_repr(self):
        odd = [f"{name}={getattr(self, name)}" for name, usual in _USUAL.items() if getattr(self, name) != usual]
        return ", ".join([str(self.input_size), str(self.hidden_size)] + odd)

    def permute_hidden(self, hx: Tensor, permutation: Optional[Tensor]) -> Tensor:
        return _reordered(hx, permutation)

    def check_forward_args(self, input: Tensor, hidden: Tensor, batch_sizes: Optional[Tensor]) -> None:
        self.check_input(input, batch_sizes)
        expected = self.get_expected_hidden_size(input, batch_sizes)
        self.check_hidden_size(hidden, expected)

    def check_input(self, input: Tensor, batch_sizes: Optional[Tensor]) -> None:
        wanted = 3 if batch_sizes is None else 2
        if input.dim() != wanted:
            raise RuntimeError(f"input must have {wanted} dimensions, got {input.dim()}")
        if input.size(-1) != self.input_size:
            raise RuntimeError("input.size(-1) must be equal to input_size. "
                               f"Expected {self.input_size}, got {input.size(-1)}")

    # A state has a row for each direction of each layer, as many as there are groups of weights. They are counted by
    # their names, as bidirectional may be anything that is true.
    def get_expected_hidden_size(self, input: Tensor, batch_sizes: Optional[Tensor]) -> Tuple[int, int, int]:
        width = self.proj_size if self.proj_size > 0 else self.hidden_size
        if batch_sizes is None:
            return len(self._all_weights), input.size(0 if self.batch_first else 1), width
        return len(self._all_weights), int(batch_sizes[0]), width

    def check_hidden_size(self, hx: Tensor, expected_hidden_size: Tuple[int, int, int],
                          msg: str = "Expected hidden size {}, got {}") -> None:
        groups, batch, width = expected_hidden_size
        if list(hx.size()) != [groups, batch, width]:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))


class _OneState(RNNBase):
    """The networks whose state is one tensor."""

    @torch._jit_internal._overload_method
    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        pass

    @torch._jit_internal._overload_method
    def forward(self, input: PackedSequence, hx: Optional[Tensor] = None) -> Tuple[PackedSequence, Tensor]:
        pass

    def forward(self, input, hx=None):
        self._update_flat_weights()
        groups = len(self._all_weights)
        if isinstance(input, PackedSequence):
            widest = input.batch_sizes[0]
            if hx is None:
                state = _blank(groups, widest, self.hidden_size, input.data)
            else:
                state = self.permute_hidden(hx, input.sorted_indices)
            self.check_forward_args(input.data, state, input.batch_sizes)
            data, state = _recur_packed(self.mode, input, state, self._flat_weights, self.bias, self.num_layers,
                                        self.dropout, self.training, self.bidirectional)
            return _repacked(data, input), self.permute_hidden(state, input.unsorted_indices)
        else:
            _check_rank("GRU" if self.mode == "GRU" else "RNN", input)
            single = input.dim() == 2
            across = 0 if self.batch_first else 1
            steps = input.unsqueeze(across) if single else input
            if hx is None:
                state = _blank(groups, steps.size(across), self.hidden_size, steps)
            else:
                state = _with_batch(hx, single)
            self.check_forward_args(steps, state, None)
            output, state = _recur(self.mode, steps, state, self._flat_weights, self.bias, self.num_layers,
                                   self.dropout, self.training, self.bidirectional, self.batch_first)
            if single:
                return output.squeeze(across), state.squeeze(1)
            return output, state


class RNN(_OneState):
    def __init__(self, *args, **kwargs):
        settings = list(args)
        if len(settings) > 3:
            kwargs["nonlinearity"] = settings.pop(3)
        self.nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if self.nonlinearity not in _MODE_OF:
            raise ValueError(f"Unknown nonlinearity '{self.nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(_MODE_OF[self.nonlinearity], *settings, **kwargs)


class GRU(_OneState):
    def __init__(self, *args, **kwargs):
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(self, input: Tensor, batch_sizes: Optional[Tensor]) -> Tuple[int, int, int]:
        groups, batch, _ = self.get_expected_hidden_size(input, batch_sizes)
        return groups, batch, self.hidden_size

    def check_forward_args(self, input: Tensor, hidden: Tuple[Tensor, Tensor], batch_sizes: Optional[Tensor]) -> None:
        h, c = hidden
        self.check_input(input, batch_sizes)
        wanted = self.get_expected_hidden_size(input, batch_sizes)
        self.check_hidden_size(h, wanted, "Expected hidden[0] size {}, got {}")
        wanted = self.get_expected_cell_size(input, batch_sizes)
        self.check_hidden_size(c, wanted, "Expected hidden[1] size {}, got {}")

    def permute_hidden(self, hx: Tuple[Tensor, Tensor], permutation: Optional[Tensor]) -> Tuple[Tensor, Tensor]:
        return _reordered(hx[0], permutation), _reordered(hx[1], permutation)

    @torch._jit_internal._overload_method
    def forward(self, input: Tensor,
                hx: Optional[Tuple[Tensor, Tensor]] = None) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        pass

    @torch._jit_internal._overload_method
    def forward(self, input: PackedSequence,
                hx: Optional[Tuple[Tensor, Tensor]] = None) -> Tuple[PackedSequence, Tuple[Tensor, Tensor]]:
        pass

    def forward(self, input, hx=None):
        self._update_flat_weights()
        groups = len(self._all_weights)
        width = self.proj_size if self.proj_size > 0 else self.hidden_size
        if isinstance(input, PackedSequence):
            data, sizes = input.data, input.batch_sizes
            widest = sizes[0]
            if hx is None:
                states = _blank(groups, widest, width, data), _blank(groups, widest, self.hidden_size, data)
            else:
                states = self.permute_hidden(hx, input.sorted_indices)
            data, h, c = torch._VF.lstm(data, sizes, states, self._flat_weights, self.bias, self.num_layers,
                                        self.dropout, self.training, self.bidirectional)
            return _repacked(data, input), self.permute_hidden((h, c), input.unsorted_indices)
        else:
            _check_rank("LSTM", input)
            single = input.dim() == 2
            across = 0 if self.batch_first else 1
            steps = input.unsqueeze(across) if single else input
            if hx is None:
                count = steps.size(across)
                states = _blank(groups, count, width, steps), _blank(groups, count, self.hidden_size, steps)
            else:
                states = _pair_with_batch(hx, single)
            self.check_forward_args(steps, states, None)
            output, h, c = torch._VF.lstm(steps, states, self._flat_weights, self.bias, self.num_layers,
                                          self.dropout, self.training, self.bidirectional, self.batch_first)
            if single:
                return output.squeeze(across), (h.squeeze(1), c.squeeze(1))
            return output, (h, c)


# ---------------------------------------------------------------- single steps
def _check_step(cell: str, what: str, given: Tensor):
    rank = given.dim()
    if rank < 1 or rank > 2:
        raise ValueError(f"{cell}: Expected {what} to be 1D or 2D, got {rank}D instead")


def _step_state(input: Tensor, hx: Optional[Tensor], width: int) -> Tensor:
    """The state before a step, zeros if none is given; input decides whether there is a batch."""
    single = input.dim() == 1
    if hx is None:
        return torch.zeros(1 if single else input.size(0), width, dtype=input.dtype, device=input.device)
    return hx.unsqueeze(0) if single else hx


class RNNCellBase(Module):
    __constants__ = ["input_size", "hidden_size", "bias"]

    input_size: int
    hidden_size: int
    bias: bool
    weight_ih: Tensor
    weight_hh: Tensor

    def __init__(self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        for name, shape in (("weight_ih", (rows, input_size)), ("weight_hh", (rows, hidden_size)),
                            ("bias_ih", (rows,)), ("bias_hh", (rows,))):
            wanted = bias or len(shape) > 1
            self.register_parameter(name, Parameter(torch.empty(shape, device=device, dtype=dtype)) if wanted else None)
        self.reset_parameters()

    def reset_parameters(self):
        _draw_all(self, self.hidden_size)

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            text += f", nonlinearity={self.nonlinearity}"
        return text


class RNNCell(RNNCellBase):
    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]

    nonlinearity: str

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh", device=None,
                 dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        _check_step("RNNCell", "input", input)
        if hx is not None:
            _check_step("RNNCell", "hidden", hx)
        if self.nonlinearity != "tanh" and self.nonlinearity != "relu":
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        single = input.dim() == 1
        x = input.unsqueeze(0) if single else input
        state = _step_state(input, hx, self.hidden_size)
        if self.nonlinearity == "tanh":
            state = torch._VF.rnn_tanh_cell(x, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        else:
            state = torch._VF.rnn_relu_cell(x, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return state.squeeze(0) if single else state


class GRUCell(RNNCellBase):
    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        _check_step("GRUCell", "input", input)
        if hx is not None:
            _check_step("GRUCell", "hidden", hx)
        single = input.dim() == 1
        x = input.unsqueeze(0) if single else input
        state = torch._VF.gru_cell(x, _step_state(input, hx, self.hidden_size), self.weight_ih, self.weight_hh,
                                   self.bias_ih, self.bias_hh)
        return state.squeeze(0) if single else state


class LSTMCell(RNNCellBase):
    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: Optional[Tuple[Tensor, Tensor]] = None) -> Tuple[Tensor, Tensor]:
        _check_step("LSTMCell", "input", input)
        single = input.dim() == 1
        if hx is not None:
            _check_step("LSTMCell", "hx[0]", hx[0])
            _check_step("LSTMCell", "hx[1]", hx[1])
        x = input.unsqueeze(0) if single else input
        if hx is None:
            h = _step_state(input, None, self.hidden_size)
            c = h
        else:
            h, c = _step_state(input, hx[0], self.hidden_size), _step_state(input, hx[1], self.hidden_size)
        h, c = torch._VF.lstm_cell(x, (h, c), self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return (h.squeeze(0), c.squeeze(0)) if single else (h, c)
