# A module that is converted to a .sconce file takes its weights, its hooks and what its parts share along.
#
# RUN: sconce save %s --entry 'Net()' -o %t.pt
# RUN: sconce convert %t.pt %t.sconce
# RUN: sconce run %t.pt -i 2xf32=1 | FileCheck %s
# RUN: sconce run %t.sconce -i 2xf32=1 | FileCheck %s
# RUN: sconce run %t.sconce -i 2xf32=1 --no-compile --repeat 2 | FileCheck %s --check-prefix=TWICE
# RUN: sconce-rt %t.sconce -i 2xf32=1 | FileCheck %s
import torch
from torch import nn


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([2.0, 3.0]))

    def forward(self, x):
        return x * self.w


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Part()
        self.b = self.a
        self.register_buffer("calls", torch.zeros(1))
        self.register_buffer("same", self.calls.view(1))

    def forward(self, x):
        self.calls.add_(1.0)
        return self.b(self.a(x)) + self.same


# CHECK: 5., 10.
# TWICE: 6., 11.
