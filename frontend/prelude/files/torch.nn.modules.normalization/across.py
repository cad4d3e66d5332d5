"""Normalisation across channels by a sum that slides over them."""
import torch
from torch import Tensor


def _across_channels(input: Tensor, size: int, alpha: float, beta: float, k: float) -> Tensor:
    """input / (k + alpha / size sum)^beta, the sum of squares of the channels around each."""
    squares = input.pow(2)
    reach = (size + 1) // 2
    total = squares[:, :reach].sum(1)
    sums = [total]
    for channel in range(1, input.size(1)):
        if channel + reach <= input.size(1):
            total = total + squares[:, channel + reach - 1]
        # Recorded so: with an even size the first channel stays in a step longer.
        if channel > reach:
            total = total - squares[:, channel - reach]
        sums.append(total)
    return input * (torch.stack(sums, 1) * (alpha / size) + k).pow(-beta)
