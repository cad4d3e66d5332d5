"""Arguments that are a number or a tuple of numbers, one for each dimension."""
from typing import List

import torch
from torch._jit_internal import BroadcastingList1, BroadcastingList2, BroadcastingList3, BroadcastingList4


def _tuple_of(given, count):
    """A number count times, anything else apart into a tuple."""
    return tuple(given) if hasattr(given, "__iter__") or isinstance(given, (str, tuple, list)) else (given,) * count


# Compiled, an `int[n]` has become a list on its way in.

def _single(x: BroadcastingList1[int]) -> List[int]:
    if torch.jit.is_scripting():
        return x
    else:
        return _tuple_of(x, 1)


def _pair(x: BroadcastingList2[int]) -> List[int]:
    if torch.jit.is_scripting():
        return x
    else:
        return _tuple_of(x, 2)


def _triple(x: BroadcastingList3[int]) -> List[int]:
    if torch.jit.is_scripting():
        return x
    else:
        return _tuple_of(x, 3)


def _quadruple(x: BroadcastingList4[int]) -> List[int]:
    if torch.jit.is_scripting():
        return x
    else:
        return _tuple_of(x, 4)


def _reverse_repeat_tuple(values, times):
    """Each entry so many times, the last first: what a padding by dimension is to `pad`."""
    return tuple([value for value in values[::-1] for _ in range(times)])


def _list_with_default(out_size: List[int], defaults: List[int]) -> List[int]:
    """An output size with every None taken from the trailing entries of defaults."""
    if torch.jit.is_scripting():
        assert len(defaults) > len(out_size)
        return out_size
    else:
        if isinstance(out_size, int):
            return out_size
        if len(defaults) <= len(out_size):
            raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
        trailing = defaults[len(defaults) - len(out_size):]
        return [known if size is None else size for size, known in zip(out_size, trailing)]
