"""Recurrent layers over whole sequences, and the cells that make one step."""

import math
import torch
import warnings
from torch import Tensor, _VF
from torch.nn import init
from torch.nn.parameter import Parameter
from torch.nn.utils.rnn import PackedSequence
from typing import List, Optional, Tuple
from .module import Module


# How many blocks of `hidden_size` rows the weights of a layer hold, by mode.
_BLOCKS = {"RNN_RELU": 1, "RNN_TANH": 1, "GRU": 3, "LSTM": 4}


def _draw_weights(module):
    """Every parameter from the uniform distribution within 1 / sqrt(hidden_size) of zero."""
    reach = 0 if module.hidden_size <= 0 else 1.0 / math.sqrt(module.hidden_size)
    for parameter in module.parameters():
        init.uniform_(parameter, -reach, reach)


def _refuse_projection(settings):
    if "proj_size" in settings:
        raise ValueError("proj_size: expected only by LSTM")


def _apply_permutation(tensor: Tensor, permutation: Tensor, dim: int = 1) -> Tensor:
    return torch.index_select(tensor, dim, permutation)


class RNNBase(Module):
    """Weights and checks of the layers. `_flat_weights` lists the weights in the operators' order."""

    __jit_unused_properties__ = ["all_weights"]
    __constants__ = [
        "mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional", "proj_size"
    ]
    mode: str
    bias: bool
    batch_first: bool
    bidirectional: bool
    dropout: float
    input_size: int
    hidden_size: int
    proj_size: int
    num_layers: int

    def __init__(
        self,
        mode,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        if not isinstance(hidden_size, int):
            raise TypeError(f"hidden_size: expected int, got {type(hidden_size).__name__}")
        for name, given in [("bias", bias), ("batch_first", batch_first)]:
            if not isinstance(given, bool):
                raise TypeError(f"{name}: expected bool, got {type(given).__name__}")
        if mode not in _BLOCKS:
            raise ValueError(f"mode: expected RNN_TANH, RNN_RELU, LSTM or GRU, got {mode}")
        for name, given in [("hidden_size", hidden_size), ("num_layers", num_layers)]:
            if given < 1:
                raise ValueError(f"{name}: expected at least 1, got {given}")
        if proj_size < 0 or proj_size >= hidden_size:
            raise ValueError(f"proj_size: expected 0 or more and less than hidden_size, got {proj_size}")
        if isinstance(dropout, bool) or dropout < 0 or dropout > 1:
            raise ValueError(f"dropout: expected a probability from 0 to 1, got {dropout}")

        super().__init__()
        self.mode = mode
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.bias, self.batch_first = bias, batch_first
        self.dropout, self.bidirectional = float(dropout), bidirectional
        self.proj_size = proj_size

        rows = _BLOCKS[mode] * hidden_size
        state = proj_size or hidden_size
        endings = ["", "_reverse"] if bidirectional else [""]
        groups, names = [], []
        columns = input_size
        for layer in range(num_layers):
            for ending in endings:
                shapes = {"weight_ih": (rows, columns), "weight_hh": (rows, state)}
                if bias:
                    shapes["bias_ih"] = (rows,)
                    shapes["bias_hh"] = (rows,)
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                group = []
                for kind, shape in shapes.items():
                    full = f"{kind}_l{layer}{ending}"
                    setattr(self, full, Parameter(torch.empty(shape, device=device, dtype=dtype)))
                    group.append(full)
                groups.append(group)
                names.extend(group)
            columns = state * len(endings)
        self._flat_weights_names = names
        self._all_weights = groups
        self._flat_weights = [getattr(self, full) for full in self._flat_weights_names]
        self.reset_parameters()

    @property
    def all_weights(self):
        return [[getattr(self, full) for full in group] for group in self._all_weights]

    def _update_flat_weights(self) -> None:
        if not torch.jit.is_scripting():
            self._flat_weights = [getattr(self, full) for full in self._flat_weights_names]

    def reset_parameters(self) -> None:
        _draw_weights(self)

    def flatten_parameters(self) -> None:
        """Nothing to do: the weights need no common storage here."""
        pass

    def permute_hidden(self, hx: Tensor, permutation: Optional[Tensor]):
        if permutation is None:
            return hx
        else:
            return _apply_permutation(hx, permutation)

    def get_expected_hidden_size(self, input: Tensor, batch_sizes: Optional[Tensor]) -> Tuple[int, int, int]:
        if batch_sizes is not None:
            batch = int(batch_sizes[0])
        else:
            batch = input.size(0 if self.batch_first else 1)
        directions = 2 if self.bidirectional else 1
        if self.proj_size > 0:
            return self.num_layers * directions, batch, self.proj_size
        else:
            return self.num_layers * directions, batch, self.hidden_size

    def check_hidden_size(
        self, hx: Tensor, expected_hidden_size: Tuple[int, int, int], msg: str = "Expected hidden size {}, got {}"
    ) -> None:
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_input(self, input: Tensor, batch_sizes: Optional[Tensor]) -> None:
        rank = 2 if batch_sizes is not None else 3
        if input.dim() != rank:
            raise RuntimeError(f"input must have {rank} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}"
            )

    def check_forward_args(self, input: Tensor, hidden: Tensor, batch_sizes: Optional[Tensor]) -> None:
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))


# Each forward has two halves, one per overload: packed sequences first, then tensors. Only one is compiled.


class RNN(RNNBase):
    def __init__(self, *args, **kwargs):
        _refuse_projection(kwargs)
        chosen = args[3] if len(args) > 3 else kwargs.pop("nonlinearity", "tanh")
        modes = {"tanh": "RNN_TANH", "relu": "RNN_RELU"}
        if chosen not in modes:
            raise ValueError(f"nonlinearity: expected 'tanh' or 'relu', got '{chosen}'")
        self.nonlinearity = chosen
        args = args[:3] + args[4:]
        super().__init__(modes[chosen], *args, **kwargs)

    @torch._jit_internal._overload_method
    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        pass

    @torch._jit_internal._overload_method
    def forward(self, input: PackedSequence, hx: Optional[Tensor] = None) -> Tuple[PackedSequence, Tensor]:
        pass

    def forward(self, input, hx=None):
        self._update_flat_weights()
        directions = 2 if self.bidirectional else 1
        given = input
        if isinstance(given, PackedSequence):
            data, sizes, order, inverse = input
            longest = sizes[0]
            if hx is None:
                state = torch.zeros(
                    self.num_layers * directions, longest, self.hidden_size, dtype=data.dtype, device=data.device
                )
            else:
                state = self.permute_hidden(hx, order)
            self.check_forward_args(data, state, sizes)
            if self.mode != "RNN_TANH" and self.mode != "RNN_RELU":
                raise AssertionError(f"mode must be RNN_TANH or RNN_RELU, got {self.mode}")
            if self.mode == "RNN_TANH":
                both = _VF.rnn_tanh(
                    data, sizes, state, self._flat_weights, self.bias, self.num_layers, self.dropout,
                    self.training, self.bidirectional
                )
            else:
                both = _VF.rnn_relu(
                    data, sizes, state, self._flat_weights, self.bias, self.num_layers, self.dropout,
                    self.training, self.bidirectional
                )
            steps, last = both[0], both[1]
            return PackedSequence(steps, sizes, order, inverse), self.permute_hidden(last, inverse)
        else:
            whole = None
            if input.dim() not in (2, 3):
                raise ValueError(f"RNN: Expected input to be 2D or 3D, got {input.dim()}D tensor instead")
            batched = input.dim() == 3
            lane = 0 if self.batch_first else 1
            if not batched:
                input = input.unsqueeze(lane)
                if hx is not None:
                    if hx.dim() != 2:
                        raise RuntimeError(
                            f"For unbatched 2-D input, hx should also be 2-D but got {hx.dim()}-D tensor"
                        )
                    hx = hx.unsqueeze(1)
            elif hx is not None and hx.dim() != 3:
                raise RuntimeError(f"For batched 3-D input, hx should also be 3-D but got {hx.dim()}-D tensor")
            lanes = input.size(lane)
            if hx is None:
                state = torch.zeros(
                    self.num_layers * directions, lanes, self.hidden_size, dtype=input.dtype, device=input.device
                )
            else:
                state = self.permute_hidden(hx, whole)
            self.check_forward_args(input, state, whole)
            if self.mode != "RNN_TANH" and self.mode != "RNN_RELU":
                raise AssertionError(f"mode must be RNN_TANH or RNN_RELU, got {self.mode}")
            if self.mode == "RNN_TANH":
                both = _VF.rnn_tanh(
                    input, state, self._flat_weights, self.bias, self.num_layers, self.dropout,
                    self.training, self.bidirectional, self.batch_first
                )
            else:
                both = _VF.rnn_relu(
                    input, state, self._flat_weights, self.bias, self.num_layers, self.dropout,
                    self.training, self.bidirectional, self.batch_first
                )
            steps, last = both[0], both[1]
            if not batched:
                steps, last = steps.squeeze(lane), last.squeeze(1)
            return steps, self.permute_hidden(last, whole)


class GRU(RNNBase):
    def __init__(self, *args, **kwargs):
        _refuse_projection(kwargs)
        super().__init__("GRU", *args, **kwargs)

    @torch._jit_internal._overload_method
    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        pass

    @torch._jit_internal._overload_method
    def forward(self, input: PackedSequence, hx: Optional[Tensor] = None) -> Tuple[PackedSequence, Tensor]:
        pass

    def forward(self, input, hx=None):
        self._update_flat_weights()
        given = input
        if isinstance(given, PackedSequence):
            data, sizes, order, inverse = input
            longest = sizes[0]
            if hx is None:
                directions = 2 if self.bidirectional else 1
                state = torch.zeros(
                    self.num_layers * directions, longest, self.hidden_size, dtype=data.dtype, device=data.device
                )
            else:
                state = self.permute_hidden(hx, order)
            self.check_forward_args(data, state, sizes)
            both = _VF.gru(
                data, sizes, state, self._flat_weights, self.bias, self.num_layers, self.dropout,
                self.training, self.bidirectional
            )
            steps, last = both[0], both[1]
            return PackedSequence(steps, sizes, order, inverse), self.permute_hidden(last, inverse)
        else:
            whole = None
            if input.dim() not in (2, 3):
                raise ValueError(f"GRU: Expected input to be 2D or 3D, got {input.dim()}D instead")
            batched = input.dim() == 3
            lane = 0 if self.batch_first else 1
            if not batched:
                input = input.unsqueeze(lane)
                if hx is not None:
                    if hx.dim() != 2:
                        raise RuntimeError(
                            f"For unbatched 2-D input, hx should also be 2-D but got {hx.dim()}-D tensor"
                        )
                    hx = hx.unsqueeze(1)
            elif hx is not None and hx.dim() != 3:
                raise RuntimeError(f"For batched 3-D input, hx should also be 3-D but got {hx.dim()}-D tensor")
            lanes = input.size(lane)
            if hx is None:
                directions = 2 if self.bidirectional else 1
                state = torch.zeros(
                    self.num_layers * directions, lanes, self.hidden_size, dtype=input.dtype, device=input.device
                )
            else:
                state = self.permute_hidden(hx, whole)
            self.check_forward_args(input, state, whole)
            both = _VF.gru(
                input, state, self._flat_weights, self.bias, self.num_layers, self.dropout,
                self.training, self.bidirectional, self.batch_first
            )
            steps, last = both[0], both[1]
            if not batched:
                steps, last = steps.squeeze(lane), last.squeeze(1)
            return steps, self.permute_hidden(last, whole)


class LSTM(RNNBase):
    """The state is a pair: the output of the last step and the cell, which alone keeps `hidden_size` with projections."""

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)

    def permute_hidden(self, hx: Tuple[Tensor, Tensor], permutation: Optional[Tensor]) -> Tuple[Tensor, Tensor]:
        if permutation is None:
            return hx
        else:
            return _apply_permutation(hx[0], permutation), _apply_permutation(hx[1], permutation)

    def get_expected_cell_size(self, input: Tensor, batch_sizes: Optional[Tensor]) -> Tuple[int, int, int]:
        if batch_sizes is not None:
            batch = int(batch_sizes[0])
        else:
            batch = input.size(0 if self.batch_first else 1)
        directions = 2 if self.bidirectional else 1
        return self.num_layers * directions, batch, self.hidden_size

    def check_forward_args(
        self, input: Tensor, hidden: Tuple[Tensor, Tensor], batch_sizes: Optional[Tensor]
    ) -> None:
        self.check_input(input, batch_sizes)
        output, message = hidden[0], "Expected hidden[0] size {}, got {}"
        self.check_hidden_size(output, self.get_expected_hidden_size(input, batch_sizes), message)
        cell, message = hidden[1], "Expected hidden[1] size {}, got {}"
        self.check_hidden_size(cell, self.get_expected_cell_size(input, batch_sizes), message)

    @torch._jit_internal._overload_method
    def forward(
        self, input: Tensor, hx: Optional[Tuple[Tensor, Tensor]] = None
    ) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        pass

    @torch._jit_internal._overload_method
    def forward(
        self, input: PackedSequence, hx: Optional[Tuple[Tensor, Tensor]] = None
    ) -> Tuple[PackedSequence, Tuple[Tensor, Tensor]]:
        pass

    def forward(self, input, hx=None):
        self._update_flat_weights()
        whole = None
        directions = 2 if self.bidirectional else 1
        width = self.proj_size if self.proj_size > 0 else self.hidden_size
        given = input
        if isinstance(given, PackedSequence):
            data, sizes, order, inverse = input
            longest = sizes[0]
            if hx is None:
                output = torch.zeros(
                    self.num_layers * directions, longest, width, dtype=data.dtype, device=data.device
                )
                cell = torch.zeros(
                    self.num_layers * directions, longest, self.hidden_size, dtype=data.dtype, device=data.device
                )
                state = (output, cell)
            else:
                state = self.permute_hidden(hx, order)
            three = _VF.lstm(
                data, sizes, state, self._flat_weights, self.bias, self.num_layers, self.dropout,
                self.training, self.bidirectional
            )
            steps, last = three[0], three[1:]
            return PackedSequence(steps, sizes, order, inverse), self.permute_hidden(last, inverse)
        else:
            if input.dim() not in (2, 3):
                raise ValueError(f"LSTM: Expected input to be 2D or 3D, got {input.dim()}D instead")
            batched = input.dim() == 3
            lane = 0 if self.batch_first else 1
            if not batched:
                input = input.unsqueeze(lane)
            lanes = input.size(lane)
            if hx is None:
                output = torch.zeros(
                    self.num_layers * directions, lanes, width, dtype=input.dtype, device=input.device
                )
                cell = torch.zeros(
                    self.num_layers * directions, lanes, self.hidden_size, dtype=input.dtype, device=input.device
                )
                state = (output, cell)
                self.check_forward_args(input, state, whole)
            else:
                if batched:
                    if hx[0].dim() != 3 or hx[1].dim() != 3:
                        raise RuntimeError(
                            f"For batched 3-D input, hx and cx should also be 3-D but got ({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
                        )
                else:
                    if hx[0].dim() != 2 or hx[1].dim() != 2:
                        raise RuntimeError(
                            f"For unbatched 2-D input, hx and cx should also be 2-D but got ({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
                        )
                    hx = (hx[0].unsqueeze(1), hx[1].unsqueeze(1))
                self.check_forward_args(input, hx, whole)
                state = self.permute_hidden(hx, whole)
            three = _VF.lstm(
                input, state, self._flat_weights, self.bias, self.num_layers, self.dropout,
                self.training, self.bidirectional, self.batch_first
            )
            steps, last = three[0], three[1:]
            if not batched:
                steps = steps.squeeze(lane)
                last = (last[0].squeeze(1), last[1].squeeze(1))
            return steps, self.permute_hidden(last, whole)


class RNNCellBase(Module):
    __constants__ = ["input_size", "hidden_size", "bias"]
    bias: bool
    input_size: int
    hidden_size: int
    weight_hh: Tensor
    weight_ih: Tensor

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = num_chunks * hidden_size
        for name, columns in [("weight_ih", input_size), ("weight_hh", hidden_size)]:
            setattr(self, name, Parameter(torch.empty((rows, columns), device=device, dtype=dtype)))
        for name in ["bias_ih", "bias_hh"]:
            made = Parameter(torch.empty(rows, device=device, dtype=dtype)) if bias else None
            self.register_parameter(name, made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        _draw_weights(self)


# A cell takes one row without a batch or a batch of rows; a single row passes as a batch of one.


class GRUCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        if input.dim() not in (1, 2):
            raise ValueError(f"GRUCell: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None and hx.dim() not in (1, 2):
            raise ValueError(f"GRUCell: Expected hidden to be 1D or 2D, got {hx.dim()}D instead")
        batched = input.dim() == 2
        rows = input.unsqueeze(0) if not batched else input
        if hx is None:
            state = torch.zeros(rows.size(0), self.hidden_size, dtype=rows.dtype, device=rows.device)
        else:
            state = hx.unsqueeze(0) if not batched else hx
        after = _VF.gru_cell(rows, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return after.squeeze(0) if not batched else after


class LSTMCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: Optional[Tuple[Tensor, Tensor]] = None) -> Tuple[Tensor, Tensor]:
        if input.dim() not in (1, 2):
            raise ValueError(f"LSTMCell: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None:
            for which, part in enumerate(hx):
                if part.dim() not in (1, 2):
                    raise ValueError(f"LSTMCell: Expected hx[{which}] to be 1D or 2D, got {part.dim()}D instead")
        batched = input.dim() == 2
        rows = input.unsqueeze(0) if not batched else input
        if hx is None:
            blank = torch.zeros(rows.size(0), self.hidden_size, dtype=rows.dtype, device=rows.device)
            state = (blank, blank)
        else:
            state = (hx[0].unsqueeze(0), hx[1].unsqueeze(0)) if not batched else hx
        after = _VF.lstm_cell(rows, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return (after[0].squeeze(0), after[1].squeeze(0)) if not batched else after


class RNNCell(RNNCellBase):
    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]
    nonlinearity: str

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        if input.dim() not in (1, 2):
            raise ValueError(f"RNNCell: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None and hx.dim() not in (1, 2):
            raise ValueError(f"RNNCell: Expected hidden to be 1D or 2D, got {hx.dim()}D instead")
        batched = input.dim() == 2
        rows = input.unsqueeze(0) if not batched else input
        if hx is None:
            state = torch.zeros(rows.size(0), self.hidden_size, dtype=rows.dtype, device=rows.device)
        else:
            state = hx.unsqueeze(0) if not batched else hx
        if self.nonlinearity == "tanh":
            after = _VF.rnn_tanh_cell(rows, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        elif self.nonlinearity == "relu":
            after = _VF.rnn_relu_cell(rows, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        else:
            after = rows
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return after.squeeze(0) if not batched else after
