import torch


def f(x: torch.Tensor, n: int):
    if n > 2:
        raise ValueError("too many: " + str(n))
    y = torch.cat([
        x,
        x[0]], n)
    return y
