"""The linear layer that learns its number of inputs."""
import torch
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.modules.linear import Linear
from torch.nn.parameter import Parameter


class LazyLinear(LazyModuleMixin, Linear):
    _width = "in_features"
    _axis = -1

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, out_features, bias, device, dtype)
        self._leave_empty({"device": device, "dtype": dtype}, weight=True, bias=bias)

    def reset_parameters(self):
        if not self.has_uninitialized_params():
            super().reset_parameters()

    def _allot(self, factory, weight, bias):
        self.weight = Parameter(torch.empty([self.out_features, self.in_features], **factory))
        if bias:
            self.bias = Parameter(torch.empty([self.out_features], **factory))
        self.reset_parameters()
