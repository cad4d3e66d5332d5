"""What the softmax functions share, and sampling from a softmax."""

import warnings

import torch
from torch import Tensor


def _softmax_dim(name: str, rank: int) -> int:
    """The dimension of a call that gives none."""
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument."
    )
    return 0 if rank in (0, 1, 3) else 1


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.")
    draws = torch.empty_like(logits, memory_format=torch.contiguous_format)
    gumbel = draws.exponential_().log().neg()
    soft = torch.softmax((logits + gumbel) / tau, dim)
    if not hard:
        return soft
    winner = torch.max(soft, dim, True)[1]
    sample = torch.zeros_like(logits, memory_format=torch.contiguous_format).scatter_(dim, winner, 1.0)
    # The value of the sample, the gradient of the softmax.
    return sample - soft.detach() + soft
