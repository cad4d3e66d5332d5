"""Sequences of different lengths, padded to one tensor or packed step by step."""
from typing import List, NamedTuple, Optional, Tuple, Union

import torch
from torch import Tensor


class PackedSequence(NamedTuple):
    """All first steps, then all second ones …; batch_sizes tells how many sequences still go on at each step."""
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Optional[Tensor]
    unsorted_indices: Optional[Tensor]


def _batch_dim(batch_first: bool) -> int:
    return 0 if batch_first else 1


def invert_permutation(permutation: Optional[Tensor]) -> Optional[Tensor]:
    if permutation is None:
        return None
    back = torch.empty_like(permutation, memory_format=torch.contiguous_format)
    places = torch.arange(0, len(permutation), device=permutation.device)
    return back.scatter_(0, permutation, places)


def pack_padded_sequence(input: Tensor, lengths: Union[Tensor, List[int]], batch_first: bool = False,
                         enforce_sorted: bool = True) -> PackedSequence:
    if isinstance(lengths, Tensor):
        counts = lengths.to(dtype=torch.int64)
    else:
        counts = torch.tensor(lengths)
    if enforce_sorted:
        data, sizes = torch._pack_padded_sequence(input, counts, batch_first)
        return PackedSequence(data, sizes, None, None)
    counts, longest_first = torch.sort(counts, descending=True)
    order = longest_first.to(input.device)
    data, sizes = torch._pack_padded_sequence(input.index_select(_batch_dim(batch_first), order), counts, batch_first)
    return PackedSequence(data, sizes, order, invert_permutation(order))


def pad_packed_sequence(sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0,
                        total_length: Optional[int] = None) -> Tuple[Tensor, Tensor]:
    steps = sequence.batch_sizes.size(0)
    wanted = steps if total_length is None else total_length
    if wanted < steps:
        raise ValueError("Expected total_length to be at least the length of the longest sequence in input, "
                         f"but got total_length={wanted} and max sequence length being {steps}")
    data, sizes = sequence.data, sequence.batch_sizes
    padded, lengths = torch._pad_packed_sequence(data, sizes, batch_first, padding_value, wanted)
    order = sequence.unsorted_indices
    if order is None:
        return padded, lengths
    return padded.index_select(_batch_dim(batch_first), order), lengths[order.cpu()]


def pad_sequence(sequences: Union[Tensor, List[Tensor]], batch_first: bool = False, padding_value: float = 0.0,
                 padding_side: str = "right") -> Tensor:
    if isinstance(sequences, Tensor):
        rows = sequences.unbind(0)
    else:
        rows = sequences
    return torch._C._nn.pad_sequence(rows, batch_first, padding_value, padding_side)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> List[Tensor]:
    rows = padded_sequences if batch_first else padded_sequences.transpose_(0, 1)
    steps = torch.arange(rows.size(1), device=lengths.device)
    found: List[Tensor] = []
    for i in range(min(rows.size(0), lengths.size(0))):
        found.append(rows[i][steps < lengths[i]])
    return found


def pack_sequence(sequences: List[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    counts = torch.tensor([len(each) for each in sequences])
    return pack_padded_sequence(pad_sequence(sequences), counts, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> List[Tensor]:
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
