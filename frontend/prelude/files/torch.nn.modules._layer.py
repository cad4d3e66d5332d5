"""What the classes that are made from records of layers share; everything here runs while a layer is made."""
import math

import torch
from torch.nn import init
from torch.nn._reduction import legacy_get_string
from torch.nn.parameter import Parameter


def _own(layer, device, dtype, **made_of):
    """Registers a parameter under each name: of a shape, not yet filled, or of a tensor, or none."""
    for name, source in made_of.items():
        if isinstance(source, tuple):
            source = torch.empty(source, device=device, dtype=dtype)
        layer.register_parameter(name, source if source is None else Parameter(source))


def _begin(parameter, fill, *more, **named):
    """Fills a parameter, if there is one."""
    if parameter is not None:
        fill(parameter, *more, **named)


def _uniform(parameter, count):
    """Draws from the interval of half-width 1/sqrt(count)."""
    reach = count and 1.0 / math.sqrt(count)
    init.uniform_(parameter, -reach, reach)


def _zero_row(table, row):
    if row is not None:
        with torch.no_grad():
            table[row].fill_(0)


def _matrix(table):
    """The sizes of a matrix of rows."""
    _refuse(table.dim() != 2, AssertionError, "Embeddings parameter is expected to be 2-dimensional")
    return tuple(table.shape)


def _refuse(wrong, kind, words):
    if wrong:
        raise kind(words)


def _given(value, otherwise):
    """The value, if it is one."""
    return otherwise if value is None else value


def _floats(given):
    """A number or several as floats."""
    if given is None or isinstance(given, (int, float)):
        return given if given is None else float(given)
    return tuple([float(number) for number in given])


def _reduction(size_average, reduce, reduction):
    """The reduction of a loss; the two older arguments, where either is given, decide instead."""
    return reduction if size_average is None and reduce is None else legacy_get_string(size_average, reduce)
