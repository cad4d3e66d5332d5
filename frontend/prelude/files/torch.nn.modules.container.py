"""Modules and parameters by number or by name."""
import collections
import warnings
from typing import Dict

from torch import Tensor
from torch.nn.modules.module import Module, _kind
from torch.nn.parameter import Parameter


def _place(index, count, inclusive=False):
    """index counted from the front, of count entries; inclusive allows the place behind the last."""
    at = int(index)
    if at < -count or at > count or (at == count and not inclusive):
        raise IndexError(f"index {at} is out of range")
    return at + count if at < 0 else at


def _iterable(value):
    return hasattr(value, "__iter__") or isinstance(value, (list, tuple, dict, set, Module))


def _expect_iterable(owner, value, method, of=""):
    if not _iterable(value):
        raise TypeError(f"{owner}.{method} should be called with an iterable{of}, but got {type(value).__name__}")


def _pairs(owner, given):
    """(key, value) of a mapping or of a sequence of pairs."""
    _expect_iterable(owner, given, "update", " of key/value pairs")
    if hasattr(given, "items"):
        return list(given.items())
    rows = list(given)
    for number, row in enumerate(rows):
        if not _iterable(row):
            raise TypeError(f"{owner} update sequence element #{number} should be Iterable; is{type(row).__name__}")
        if len(row) != 2:
            raise ValueError(f"{owner} update sequence element #{number} has length {len(row)}; 2 is required")
    return [(row[0], row[1]) for row in rows]


class Container(Module):
    def __init__(self, **kwargs):
        super().__init__()
        warnings.warn("`nn.Container` is deprecated. All of its functionality is now implemented in `nn.Module`. "
                      "Subclass that instead.", FutureWarning)
        for name, module in kwargs.items():
            self.add_module(name, module)


def _name_at(row, index):
    return list(row._modules)[_place(index, len(row._modules))]


def _renew(row, modules):
    """Other children, named 0, 1, 2 …"""
    row._modules.clear()
    for module in modules:
        row.add_module(str(len(row._modules)), module)


def _repeated(row, count):
    if not isinstance(count, int):
        raise TypeError(f"unsupported operand type(s) for *: {type(row)} and {type(count)}")
    if count < 1:
        raise ValueError(f"Non-positive multiplication factor {count} for {type(row)}")
    return list(row) * count


class _Row(Module):
    """What a list of modules and a sequence of modules have in common."""

    _modules: Dict[str, Module]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(list(self._modules.values()))

    def __setitem__(self, index, module):
        setattr(self, _name_at(self, index), module)

    def __delitem__(self, index):
        rest = list(self._modules.values())
        if type(index) is not slice:
            index = _place(index, len(rest))
        del rest[index]
        _renew(self, rest)

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key):
        taken = self[key]
        del self[key]
        return taken

    def insert(self, index, module):
        every = list(self._modules.values())
        every.insert(index, module)
        _renew(self, every)


class ModuleList(_Row):
    _modules: Dict[str, Module]

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, index):
        if type(index) is slice:
            return type(self)(list(self._modules.values())[index])
        return self._modules[_name_at(self, index)]

    def extend(self, modules):
        _expect_iterable("ModuleList", modules, "extend")
        for module in list(modules):
            self.append(module)
        return self

    def __iadd__(self, modules):
        return self.extend(modules)

    def __add__(self, other):
        return ModuleList(list(self) + list(other))

    def __repr__(self):
        """Neighbours that print alike share a line."""
        groups = []
        for number, module in enumerate(self):
            text = repr(module).replace("\n", "\n  ")
            if groups and groups[-1][2] == text:
                groups[-1][1] = number
            else:
                groups.append([number, number, text])
        lines = [f"  ({first}): {text}" if first == last else f"  ({first}-{last}): {last - first + 1} x {text}"
                 for first, last, text in groups]
        return type(self).__name__ + "(" + "".join(["\n" + line for line in lines]) + ("\n)" if lines else ")")


class Sequential(_Row):
    _modules: Dict[str, Module]

    def __init__(self, *args):
        super().__init__()
        named = len(args) == 1 and isinstance(args[0], collections.OrderedDict)
        for name, module in args[0].items() if named else enumerate(args):
            self.add_module(str(name), module)

    def forward(self, input):
        value = input
        for layer in self:
            value = layer(value)
        return value

    def __getitem__(self, index):
        if type(index) is slice:
            return type(self)(collections.OrderedDict(list(self._modules.items())[index]))
        return self._modules[_name_at(self, index)]

    def insert(self, index, module):
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        super().insert(index, module)
        return self

    def extend(self, sequential):
        for module in list(sequential):
            self.append(module)
        return self

    def __add__(self, other):
        if not isinstance(other, Sequential):
            raise ValueError("add operator supports only objects of Sequential class, "
                             f"but {type(other)} is given.")
        return Sequential(*list(self), *list(other))

    def __iadd__(self, other):
        if not isinstance(other, Sequential):
            raise ValueError("add operator supports only objects of Sequential class, "
                             f"but {type(other)} is given.")
        return self.extend(other)

    def __mul__(self, other):
        return Sequential(*_repeated(self, other))

    def __rmul__(self, other):
        return self * other

    def __imul__(self, other):
        return self.extend(_repeated(self, other)[len(self):])


class ModuleDict(Module):
    _modules: Dict[str, Module]

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(list(self._modules))

    def __contains__(self, key):
        return key in self._modules

    def clear(self):
        self._modules.clear()

    def pop(self, key):
        return self._modules.pop(key)

    def keys(self):
        return self._modules.keys()

    def items(self):
        return self._modules.items()

    def values(self):
        return self._modules.values()

    def update(self, modules):
        for key, module in _pairs("ModuleDict", modules):
            self[key] = module


def _as_parameter(value):
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _describe(owner, keys, kind):
    """A line for each value; kind tells how a tensor's type is said."""
    lines = []
    for key in keys:
        value = owner[key]
        if isinstance(value, Tensor):
            sizes = "x".join([str(size) for size in value.shape])
            holder = "Parameter" if isinstance(value, Parameter) else "Tensor"
            said = f"{holder} containing: [{kind(value)} of size {sizes}]"
        else:
            said = "Object of type: " + type(value).__name__
        lines.append(f"  ({key}): {said}")
    return "\n".join(lines)


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter([getattr(self, str(number)) for number in range(self._size)])

    def __getitem__(self, index):
        if type(index) is slice:
            return type(self)(list(self)[index])
        return getattr(self, str(_place(index, self._size)))

    def __setitem__(self, index, value):
        setattr(self, str(_place(index, self._size)), _as_parameter(value))

    def append(self, value):
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values):
        if not _iterable(values) or isinstance(values, Tensor):
            raise TypeError(f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}")
        for value in list(values):
            self.append(value)
        return self

    def __iadd__(self, values):
        return self.extend(values)

    def extra_repr(self):
        return _describe(self, range(self._size), lambda value: str(value.dtype))


class ParameterDict(Module):
    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key):
        if key not in self._keys:
            raise KeyError(key)
        return getattr(self, key)

    def __setitem__(self, key, value):
        if not isinstance(key, str):
            raise TypeError("Index given to ParameterDict cannot be used as a key as it is not a string "
                            f"(type is '{type(key).__name__}'). Open an issue on github if you need non-string keys.")
        self._keys[key] = None
        setattr(self, key, _as_parameter(value))

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, key)

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(list(self._keys))

    def __reversed__(self):
        return iter(list(self._keys)[::-1])

    def __contains__(self, key):
        return key in self._keys

    def keys(self):
        return self._keys.keys()

    def items(self):
        return [(key, getattr(self, key)) for key in self._keys]

    def values(self):
        return [getattr(self, key) for key in self._keys]

    def get(self, key, default=None):
        return self[key] if key in self else default

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key):
        taken = self[key]
        del self[key]
        return taken

    def popitem(self):
        if not self._keys:
            raise KeyError("dictionary is empty")
        last = list(self._keys)[-1]
        return last, self.pop(last)

    def clear(self):
        for key in list(self._keys):
            del self[key]

    def copy(self):
        return ParameterDict(collections.OrderedDict(self.items()))

    def fromkeys(self, keys, default=None):
        return ParameterDict([(key, default) for key in keys])

    def update(self, parameters):
        for key, value in _pairs("ParameterDict", parameters):
            self[key] = value

    def __or__(self, other):
        both = self.copy()
        both.update(other)
        return both

    def __ror__(self, other):
        both = ParameterDict(other)
        both.update(self)
        return both

    def __ior__(self, other):
        self.update(other)
        return self

    def extra_repr(self):
        return _describe(self, self._keys, _kind)
