"""Dropout of whole channels."""

import warnings

import torch
from torch import Tensor


def _drop_channels(input: Tensor, p: float, training: bool, inplace: bool, spatial: int) -> Tensor:
    """`input` has so many spatial dimensions after the channels, and perhaps a batch before them."""
    name = f"dropout{spatial}d"
    rank = input.dim()
    expected = (
        f"Note that {name} exists to provide channel-wise dropout on inputs with {spatial} spatial "
        f"dimension{'' if spatial == 1 else 's'}, a channel dimension, and an optional batch dimension "
        f"(i.e. {spatial + 1}D or {spatial + 2}D inputs)."
    )
    if rank != spatial + 1 and rank != spatial + 2:
        if spatial == 1:
            raise RuntimeError(f"{name}: Expected 2D or 3D input, but received a {rank}D input. {expected}")
        warnings.warn(
            f"{name}: Received a {rank}-D input to {name}, which is deprecated and will result in an error in a "
            "future release. To retain the behavior and silence this warning, please use dropout instead. "
            f"{expected}"
        )
    if spatial == 2:
        if rank == 3:
            warnings.warn(
                "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is "
                "desired - input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will "
                "change in a future release to interpret the input as one without a batch dimension, i.e. shape "
                "(C, H, W). To maintain the 1D channel-wise dropout behavior, please switch to using dropout1d "
                "instead."
            )
    elif rank != spatial + 2:
        # The operator takes the first dimension for the batch.
        if inplace:
            return input.unsqueeze_(0).feature_dropout_(p, training).squeeze_(0)
        return torch.feature_dropout(input.unsqueeze(0), p, training).squeeze(0)
    if inplace:
        return torch.feature_dropout_(input, p, training)
    return torch.feature_dropout(input, p, training)
