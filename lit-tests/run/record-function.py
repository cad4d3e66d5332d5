# Parts of a program that are named for a profiler run as if they were not.
#
# RUN: sconce run %s -i 2xf32=1 | FileCheck %s
import torch
from torch.autograd.profiler import record_function


def f(x: torch.Tensor) -> torch.Tensor:
    with torch.autograd.profiler.record_function("scope"):
        y = x + 1
    with record_function("other", "detail") as named:
        y = y * 2
    return y


# CHECK: tensor([4., 4.])
