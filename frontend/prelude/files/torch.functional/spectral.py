"""Functions of torch about spectra: stft."""

from typing import List, Optional

import torch
from torch import Tensor
from torch._C import _nn


def _frame_margins(x: Tensor, margin: int, mode: str) -> Tensor:
    # Padding modes other than the constant want three dimensions.
    sizes = list(x.shape)
    lacking = 3 - len(sizes)
    lifted = _nn.pad(x.view([1] * lacking + sizes), [margin, margin], mode)
    return lifted.view(list(lifted.shape)[lacking:])


def stft(
    input: Tensor,
    n_fft: int,
    hop_length: Optional[int] = None,
    win_length: Optional[int] = None,
    window: Optional[Tensor] = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: Optional[bool] = None,
    return_complex: Optional[bool] = None,
    align_to_window: Optional[bool] = None,
) -> Tensor:
    if center:
        if align_to_window is not None:
            raise RuntimeError("stft align_to_window should only be set when center = false")
        input = _frame_margins(input, n_fft // 2, pad_mode)
    return torch._VF.stft(
        input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window
    )
