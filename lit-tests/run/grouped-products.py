# Mixtures of experts multiply groups of rows, each by a matrix of its own: PyTorch's numbers and refusals.
#
# RUN: sconce run %s --entry rows | FileCheck %s --check-prefix=ROWS
# RUN: sconce run %s --entry rows --no-compile | FileCheck %s --check-prefix=ROWS
# RUN: sconce run %s --entry columns --no-compile | FileCheck %s --check-prefix=COLUMNS
# RUN: not sconce run %s --entry unaligned --no-compile 2>&1 | FileCheck %s --check-prefix=UNALIGNED
# RUN: not sconce run %s --entry wide_ends --no-compile 2>&1 | FileCheck %s --check-prefix=ENDS
import torch


def ends():
    return torch.tensor([2, 5], dtype=torch.int32)


def rows():
    x = torch.arange(20).to(torch.float32).reshape(5, 4)
    return torch._grouped_mm(x, torch.arange(32).to(torch.float32).reshape(2, 4, 4), ends())


# ROWS:      [  56.,   62.,   68.,   74.],
# ROWS-NEXT: [ 152.,  174.,  196.,  218.],
# ROWS-NEXT: [ 856.,  894.,  932.,  970.],
# ROWS-NEXT: [1208., 1262., 1316., 1370.],
# ROWS-NEXT: [1560., 1630., 1700., 1770.]


def columns():
    x = torch.arange(16).to(torch.float32).reshape(4, 4)
    return torch._grouped_mm(x.t().contiguous(), x, torch.tensor([2, 4], dtype=torch.int32))


# COLUMNS:      [ 16.,  20.,  24.,  28.],
# COLUMNS-NEXT: [ 20.,  26.,  32.,  38.],
# COLUMNS:      [268., 294., 320., 346.]


def unaligned():
    x = torch.arange(20).to(torch.float32).reshape(5, 4)
    return torch._grouped_mm(x, torch.ones(2, 4, 2), ends())


# UNALIGNED: strides should be multiple of 16 bytes


def wide_ends():
    x = torch.arange(20).to(torch.float32).reshape(5, 4)
    return torch._grouped_mm(x, torch.ones(2, 4, 4), torch.tensor([2, 5]))


# ENDS: Offsets have to be int32
