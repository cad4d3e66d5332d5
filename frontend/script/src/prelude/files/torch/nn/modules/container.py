"""Modules that hold other modules or parameters, in order or by name."""

import operator
import torch
from collections import OrderedDict, abc as container_abcs
from torch.nn.parameter import Parameter
from typing import Any, Dict, Optional
from .module import Module


def _place(index, length):
    at = operator.index(index)
    found = at if at >= 0 else at + length
    if found < 0 or found >= length:
        raise IndexError(f"index {at} is out of range")
    return found


def _pairs(source):
    # Names with what they name, from a mapping or from a run of pairs.
    if isinstance(source, (dict, ModuleDict, ParameterDict)):
        return source.items()
    return source


def _held(value):
    plain = isinstance(value, torch.Tensor) and not isinstance(value, Parameter)
    return Parameter(value) if plain else value


class _Row(Module):
    # Modules in order, under keys that are mostly their places.
    _modules: Dict[str, Module]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._listed())

    def _listed(self):
        return list(self._modules.values())

    def _renumber(self, modules):
        self._modules.clear()
        for module in modules:
            self.append(module)

    def __delitem__(self, idx):
        left = self._listed()
        del left[idx]
        self._renumber(left)

    def append(self, module):
        self.add_module(str(len(self._modules)), module)
        return self

    def extend(self, modules):
        for module in list(modules):
            self.append(module)
        return self


class ModuleList(_Row):
    _modules: Dict[str, Module]

    def __init__(self, modules=None):
        super().__init__()
        self.extend([] if modules is None else modules)

    def __getitem__(self, idx):
        if not isinstance(idx, slice):
            return self._modules[str(_place(idx, len(self._modules)))]
        return type(self)(self._listed()[idx])

    def __setitem__(self, idx, module):
        key = str(_place(idx, len(self._modules)))
        setattr(self, key, module)

    def __add__(self, other):
        return ModuleList(self._listed() + list(other))

    def __iadd__(self, modules):
        return self.extend(modules)

    def insert(self, index, module):
        wider = self._listed()
        wider.insert(index, module)
        self._renumber(wider)

    def pop(self, key):
        taken = self[key]
        del self[key]
        return taken


class Sequential(_Row):
    _modules: Dict[str, Module]

    def __init__(self, *args):
        super().__init__()
        named = len(args) == 1 and isinstance(args[0], OrderedDict)
        steps = args[0].items() if named else [(str(at), step) for at, step in enumerate(args)]
        for key, step in steps:
            self.add_module(key, step)

    def forward(self, input):
        for step in self:
            input = step(input)
        return input

    def __getitem__(self, idx):
        if not isinstance(idx, slice):
            return self._listed()[_place(idx, len(self._modules))]
        return type(self)(OrderedDict(list(self._modules.items())[idx]))

    def __setitem__(self, idx, module):
        keys = list(self._modules.keys())
        setattr(self, keys[_place(idx, len(keys))], module)

    def insert(self, index, module):
        wider = self._listed()
        wider.insert(index, module)
        self._renumber(wider)
        return self


class ModuleDict(Module):
    _modules: Dict[str, Module]

    def __init__(self, modules=None):
        super().__init__()
        self.update({} if modules is None else modules)

    def update(self, modules):
        for key, module in _pairs(modules):
            self.add_module(key, module)

    # Reading.

    def __contains__(self, key):
        return key in self._modules

    def __getitem__(self, key):
        return self._modules[key]

    def __iter__(self):
        return iter(list(self._modules))

    def __len__(self):
        return len(self._modules)

    def items(self):
        return self._modules.items()

    def values(self):
        return self._modules.values()

    def keys(self):
        return self._modules.keys()

    # Changing.

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def pop(self, key):
        taken = self._modules[key]
        del self._modules[key]
        return taken

    def clear(self):
        self._modules.clear()


class ParameterDict(Module):
    def __init__(self, parameters=None):
        super().__init__()
        self._keys: Dict[str, None] = {}
        self.update({} if parameters is None else parameters)

    def update(self, parameters):
        for key, value in _pairs(parameters):
            self[key] = value

    def __contains__(self, key):
        return key in self._keys

    def __getitem__(self, key):
        return getattr(self, str(key))

    def get(self, key, default=None):
        if key in self._keys:
            return self[key]
        return default

    def __iter__(self):
        return iter(list(self._keys))

    def __len__(self):
        return len(self._keys)

    def keys(self):
        return self._keys.keys()

    def values(self):
        return [self[key] for key in self._keys]

    def items(self):
        return [(key, self[key]) for key in self._keys]

    def __setitem__(self, key, value):
        setattr(self, str(key), _held(value))
        self._keys[key] = None

    def __delitem__(self, key):
        delattr(self, str(key))
        del self._keys[key]


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        self.extend([] if values is None else values)

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter(self._listed())

    def _listed(self):
        return [getattr(self, str(at)) for at in range(self._size)]

    def __getitem__(self, idx):
        if not isinstance(idx, slice):
            return getattr(self, str(_place(idx, self._size)))
        return type(self)(self._listed()[idx])

    def __setitem__(self, idx, param):
        key = str(_place(idx, self._size))
        setattr(self, key, _held(param))

    def append(self, value):
        setattr(self, str(self._size), _held(value))
        self._size += 1
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def __iadd__(self, parameters):
        return self.extend(parameters)
