import torch


def scaled(x: torch.Tensor, by: float) -> torch.Tensor:
    return x * by


def gate(x: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(scaled(x, 0.5))
