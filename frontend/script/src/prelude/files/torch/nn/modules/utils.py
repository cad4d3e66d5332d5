"""One size for several dimensions."""

from collections.abc import Iterable


def _ntuple(n):
    def parse(x):
        if isinstance(x, Iterable):
            return tuple(x)
        return tuple([x] * n)

    return parse


_single = _ntuple(1)
_pair = _ntuple(2)
_triple = _ntuple(3)
_quadruple = _ntuple(4)


def _reverse_repeat_tuple(t, n):
    return tuple(x for x in reversed(t) for _ in range(n))


def _list_with_default(out_size, defaults):
    if isinstance(out_size, int):
        return out_size
    if len(defaults) <= len(out_size):
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    return [v if v is not None else d for v, d in zip(out_size, defaults[-len(out_size):])]


# What the compiler calls instead of each.
_single.operator = "aten::_single"
_pair.operator = "aten::_pair"
_triple.operator = "aten::_triple"
_quadruple.operator = "aten::_quadruple"
_list_with_default.operator = "aten::list_with_default"
