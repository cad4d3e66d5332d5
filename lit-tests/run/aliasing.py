# What a container holds, an attribute is and an operator gives back is the thing itself: a write to it is seen wherever it is.
#
# RUN: sconce run %s --entry in_list -i 3xf32=1 | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry in_list -i 3xf32=1 --no-compile | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry in_list -i 3xf32=1 --static | FileCheck %s --check-prefix=THREE
# RUN: sconce save %s --entry in_list -o %t.pt && sconce run %t.pt -i 3xf32=1 | FileCheck %s --check-prefix=THREE
# RUN: sconce convert %t.pt %t.ptl && sconce run %t.ptl -i 3xf32=1 | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry in_dict -i 3xf32=1 | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry in_tuple -i 3xf32=1 | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry in_named_tuple -i 3xf32=1 | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry in_object -i 3xf32=1 | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry in_inner_list -i 3xf32=1 | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry in_inner_list -i 3xf32=1 --static | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry swapped_in_a_loop -i 3xf32=1 | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry extended -i 3xf32=1 | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry read_twice -i 3xf32=1 | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry same_type -i 3xf32=2 | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry not_dropped -i 3xf32=2 | FileCheck %s --check-prefix=THREE
# RUN: sconce run %s --entry numbers -i 3 | FileCheck %s --check-prefix=NUMBERS
# RUN: sconce run %s --entry numbers -i 3 --static | FileCheck %s --check-prefix=NUMBERS
# RUN: sconce run %s --entry dict_in_dict -i 3 | FileCheck %s --check-prefix=INNER
# THREE: tensor([3., 3., 3.])
# NUMBERS: [3, 0, 1, 2]
# INNER: {'a': {'b': [7, 3, 4]}}
import torch
from typing import Dict, List, NamedTuple


class Pair(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


class Box:
    def __init__(self, value: torch.Tensor):
        self.value = value


def in_list(x):
    a = x * 2
    l = [a]
    a.add_(1.0)
    return l[0]


def in_dict(x):
    a = x * 2
    d = {"k": a}
    a.add_(1.0)
    return d["k"]


def in_tuple(x, n: int = 0):
    a = x * 2
    t = (a, x) if n == 0 else (x, a)
    a.add_(1.0)
    return t[0]


def in_named_tuple(x):
    a = x * 2
    p = Pair(a, x)
    p.first.add_(1.0)
    return p.first


def in_object(x):
    a = x * 2
    o = Box(a)
    a.add_(1.0)
    return o.value


def inner(a) -> List[List[torch.Tensor]]:
    return [[a]]


def in_inner_list(x):
    a = x * 2
    ll = inner(a)
    b = x * 3
    ll[0].append(b)
    b.sub_(1.0)
    a.add_(1.0)
    return ll[0][0] + ll[0][1] - 2.0


def swapped_in_a_loop(x):
    a = x * 2
    b = x * 5
    for i in range(1):
        a, b = b, a
    b.add_(1.0)
    return b


def extended(x):
    a = x * 2
    l = [x]
    l.extend([a])
    a.add_(1.0)
    return l[1]


def read_twice(x):
    l = [x * 1, x * 1]
    before = torch.stack(l).sum(0)
    l[0].add_(1.0)
    return torch.stack(l).sum(0) * before / 2


def same_type(x):
    y = x.type_as(x)
    y.add_(1)
    return x


def not_dropped(x):
    y = torch.dropout(x, 0.5, False)
    y.add_(1)
    return x


def numbers(n: int):
    m = [n]
    ll = [m]
    for i in range(n):
        m += [i]
    return ll[0]


def dict_in_dict(n: int):
    inside: Dict[str, List[int]] = {"b": [0, n]}
    d = {"a": inside}
    inside["b"].append(4)
    m = d["a"]["b"]
    m[0] = 7
    return d
