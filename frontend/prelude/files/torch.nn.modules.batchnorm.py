"""Normalisation by channel over a batch, and what it shares with normalisation by sample."""
import torch
import torch.distributed as _processes
import torch.nn.functional as F
from torch import Tensor
from torch.nn import init
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter, UninitializedBuffer


def _check_rank(input: Tensor, fewest: int, most: int) -> None:
    rank = input.dim()
    if rank < fewest or rank > most:
        wanted = f"{most}D" if fewest == most else f"{fewest}D or {most}D"
        raise ValueError(f"expected {wanted} input (got {rank}D input)")


class _NormBase(Module):
    """Parameters and running statistics of one value for each channel."""

    __constants__ = ["track_running_stats", "momentum", "eps", "num_features", "affine"]
    _version = 2
    _may_be_absent = ("num_batches_tracked",)

    num_features: int
    eps: float
    affine: bool
    track_running_stats: bool

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None,
                 dtype=None, *, bias=True):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self._allot({"device": device, "dtype": dtype}, affine, affine and bias)

    def _allot(self, factory, weight, bias):
        def row(wanted):
            return torch.empty([self.num_features], **factory) if wanted else None

        for name, wanted in (("weight", weight), ("bias", bias)):
            self.register_parameter(name, Parameter(row(wanted)) if wanted else None)
        for name in ("running_mean", "running_var"):
            self.register_buffer(name, row(self.track_running_stats))
        self._count(factory)
        self.reset_parameters()

    def _count(self, factory):
        counter = torch.tensor(0, dtype=torch.int64, device=factory.get("device"))
        self.register_buffer("num_batches_tracked", counter if self.track_running_stats else None)

    def reset_running_stats(self):
        for name, start in (("running_mean", 0), ("running_var", 1), ("num_batches_tracked", 0)):
            if self.track_running_stats:
                getattr(self, name).fill_(start)

    def reset_parameters(self):
        self.reset_running_stats()
        for parameter, start in ((self.weight, 1.0), (self.bias, 0.0)):
            if parameter is not None:
                init.constant_(parameter, start)

    def extra_repr(self):
        said = {"eps": self.eps, "momentum": self.momentum, "affine": self.affine, "bias": self.bias is not None,
                "track_running_stats": self.track_running_stats}
        return ", ".join([str(self.num_features)] + [f"{name}={value}" for name, value in said.items()])


class _BatchNorm(_NormBase):
    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        following = self.training and self.track_running_stats
        if following and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
        if self.momentum is not None:
            share = self.momentum
        elif self.num_batches_tracked is None or not following:
            share = 0.0
        else:
            share = 1.0 / float(self.num_batches_tracked)
        # Statistics switched off after construction: in training they are left as they are.
        known = following or not self.training
        return F.batch_norm(input, self.running_mean if known else None, self.running_var if known else None,
                            self.weight, self.bias,
                            self.training or (self.running_mean is None and self.running_var is None), share, self.eps)


class BatchNorm1d(_BatchNorm):
    def _check_input_dim(self, input: Tensor) -> None:
        _check_rank(input, 2, 3)


class BatchNorm2d(_BatchNorm):
    def _check_input_dim(self, input: Tensor) -> None:
        _check_rank(input, 4, 4)


class BatchNorm3d(_BatchNorm):
    def _check_input_dim(self, input: Tensor) -> None:
        _check_rank(input, 5, 5)


class SyncBatchNorm(_BatchNorm):
    """There is one process, so nothing to be synchronised."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True,
                 process_group=None, device=None, dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input: Tensor) -> None:
        if torch.jit.is_scripting():
            _processes.is_initialized()
        elif input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        for name, child in list(module._modules.items()):
            module._modules[name] = cls.convert_sync_batchnorm(child, process_group)
        if not isinstance(module, _BatchNorm):
            return module
        settings = {name: getattr(module, name) for name in _NormBase.__constants__}
        made = cls(process_group=process_group, bias=module.bias is not None, **settings)
        made.load_state_dict(module.state_dict(), assign=True)
        return made.train(module.training)


class _Lazy(LazyModuleMixin):
    _width = "num_features"

    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *,
                 bias=True):
        super().__init__(0, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _leave_empty(self, factory, **wanted):
        super()._leave_empty(factory, **wanted)
        for name in ("running_mean", "running_var"):
            self.register_buffer(name, UninitializedBuffer(**factory) if self.track_running_stats else None)
        self._count(factory)


class LazyBatchNorm1d(_Lazy, BatchNorm1d):
    pass


class LazyBatchNorm2d(_Lazy, BatchNorm2d):
    pass


class LazyBatchNorm3d(_Lazy, BatchNorm3d):
    pass
