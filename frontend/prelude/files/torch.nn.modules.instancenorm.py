"""Normalisation by channel within each sample."""
import warnings

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.batchnorm import _check_rank, _Lazy, _NormBase


class _InstanceNorm(_NormBase):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None,
                 dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _handle_no_batch_input(self, input: Tensor) -> Tensor:
        return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)

    def _apply_instance_norm(self, input: Tensor) -> Tensor:
        share = 0.0 if self.momentum is None else self.momentum
        fresh = not self.track_running_stats or self.training
        return F.instance_norm(input, self.running_mean, self.running_var, self.weight, self.bias, fresh, share,
                               self.eps)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        axis = input.dim() - self._get_no_batch_dim()
        found = input.size(axis)
        if found != self.num_features:
            if not self.affine:
                warnings.warn(f"input's size at dim={axis} does not match num_features. You can silence this warning "
                              "by not passing in num_features, which is not used because affine=False")
            else:
                raise ValueError(f"expected input's size at dim={axis} to match num_features ({self.num_features}), "
                                 f"but got: {found}.")
        return self._apply_instance_norm(input) if axis == 1 else self._handle_no_batch_input(input)


class InstanceNorm1d(_InstanceNorm):
    def _get_no_batch_dim(self) -> int:
        return 2

    def _check_input_dim(self, input: Tensor) -> None:
        _check_rank(input, 2, 3)


class InstanceNorm2d(_InstanceNorm):
    def _get_no_batch_dim(self) -> int:
        return 3

    def _check_input_dim(self, input: Tensor) -> None:
        _check_rank(input, 3, 4)


class InstanceNorm3d(_InstanceNorm):
    def _get_no_batch_dim(self) -> int:
        return 4

    def _check_input_dim(self, input: Tensor) -> None:
        _check_rank(input, 4, 5)


class LazyInstanceNorm1d(_Lazy, InstanceNorm1d):
    pass


class LazyInstanceNorm2d(_Lazy, InstanceNorm2d):
    pass


class LazyInstanceNorm3d(_Lazy, InstanceNorm3d):
    pass
