import torch

def f(x: torch.Tensor):
    return x + torch.arange(x.size(1), device=x.device).relu()
