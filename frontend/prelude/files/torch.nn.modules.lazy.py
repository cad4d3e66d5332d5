"""Layers that learn their number of inputs from the first tensor they see."""
from torch.nn.parameter import UninitializedParameter


class LazyModuleMixin:
    """For a layer made with 0 inputs, whose `_allot(factory, …)` makes its tensors.

    `_width` is the field with the number of inputs. Until it is known the tensors have no sizes; a call before
    compilation tells it.
    """

    _width = "in_channels"
    _axis = 1

    def has_uninitialized_params(self):
        return getattr(self, self._width) == 0

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            setattr(self, self._width, input.shape[self._axis])
            sample = next(self.parameters(), None)
            self._allot({} if sample is None else {"device": sample.device, "dtype": sample.dtype},
                        *[getattr(self, name, None) is not None for name in ("weight", "bias")])

    def _allot(self, factory, weight, bias):
        if self.has_uninitialized_params():
            self._leave_empty(factory, weight=weight, bias=bias)
        else:
            super()._allot(factory, weight, bias)

    def _leave_empty(self, factory, **wanted):
        for name, is_wanted in wanted.items():
            self.register_parameter(name, UninitializedParameter(**factory) if is_wanted else None)

    def __call__(self, *args, **kwargs):
        self.initialize_parameters(args[0])
        return self.forward(*args, **kwargs)
