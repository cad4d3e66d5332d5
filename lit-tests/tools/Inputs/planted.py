import torch
from torch import Tensor


def f(x: Tensor, y: Tensor):
    return torch.sin(torch.exp(x + y) * x) + y
