"""Normalisation over batches."""

import torch
from torch import Tensor
from torch.nn import functional as F, init
from torch.nn.parameter import Parameter
from typing import Optional
from .module import Module


class _NormBase(Module):
    """The affine parameters and running statistics that batch and instance normalisation have in common."""

    _version = 2
    __constants__ = ["track_running_stats", "momentum", "eps", "num_features", "affine"]
    affine: bool
    track_running_stats: bool
    momentum: Optional[float]
    eps: float
    num_features: int

    def __init__(
        self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True,
        device=None, dtype=None, *, bias=True,
    ):
        super().__init__()
        settings = [
            ("num_features", num_features),
            ("eps", eps),
            ("momentum", momentum),
            ("affine", affine),
            ("track_running_stats", track_running_stats),
        ]
        for name, value in settings:
            setattr(self, name, value)

        # What is switched off is still registered, as None.
        for name, wanted in [("weight", affine), ("bias", affine and bias)]:
            made = Parameter(torch.empty(num_features, device=device, dtype=dtype)) if wanted else None
            self.register_parameter(name, made)

        mean, variance, count = None, None, None
        if track_running_stats:
            mean = torch.zeros(num_features, device=device, dtype=dtype)
            variance = torch.ones(num_features, device=device, dtype=dtype)
            count = torch.tensor(0, dtype=torch.long)
        for name, start in [("running_mean", mean), ("running_var", variance), ("num_batches_tracked", count)]:
            self.register_buffer(name, start)
        self.reset_parameters()

    def reset_parameters(self):
        self.reset_running_stats()
        if not self.affine:
            return
        init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def reset_running_stats(self):
        if not self.track_running_stats:
            return
        for buffer, start in [(self.running_mean, 0), (self.running_var, 1), (self.num_batches_tracked, 0)]:
            buffer.fill_(start)

    def _check_input_dim(self, input):
        raise NotImplementedError


class _BatchNorm(_NormBase):
    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)

        # How much this batch counts in the running statistics.
        if self.momentum is None:
            share = 0.0
        else:
            share = self.momentum
        if self.training and self.track_running_stats:
            if self.num_batches_tracked is not None:
                self.num_batches_tracked.add_(1)
                if self.momentum is None:
                    # A plain average of all batches so far.
                    share = 1.0 / float(self.num_batches_tracked)
                else:
                    share = self.momentum

        # Without running statistics the batch's own are used in evaluation too.
        if self.training:
            own_stats = True
        else:
            own_stats = self.running_mean is None and self.running_var is None

        return F.batch_norm(
            input,
            running_mean=self.running_mean if not self.training or self.track_running_stats else None,
            running_var=self.running_var if not self.training or self.track_running_stats else None,
            weight=self.weight, bias=self.bias,
            training=own_stats, momentum=share, eps=self.eps,
        )


class BatchNorm3d(_BatchNorm):
    def _check_input_dim(self, input):
        if input.dim() != 5:
            raise ValueError(f"expected 5D input (got {input.dim()}D input)")


class BatchNorm2d(_BatchNorm):
    def _check_input_dim(self, input):
        if input.dim() != 4:
            raise ValueError(f"expected 4D input (got {input.dim()}D input)")


class BatchNorm1d(_BatchNorm):
    def _check_input_dim(self, input):
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")
