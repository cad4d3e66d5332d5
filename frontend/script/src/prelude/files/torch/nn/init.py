"""How parameters begin: each initialiser fills the tensor it is given, in place, and hands it back."""

import math
import torch
import warnings


# sqrt(3): a uniform draw on [-b, b] has deviation b / sqrt(3)
_SPREAD = math.sqrt(3.0)

_FIXED_GAINS = {
    "linear": 1,
    "sigmoid": 1,
    "conv1d": 1,
    "conv_transpose1d": 1,
    "conv2d": 1,
    "conv_transpose2d": 1,
    "conv3d": 1,
    "conv_transpose3d": 1,
    "selu": 3.0 / 4,
    "tanh": 5.0 / 3,
    "relu": math.sqrt(2.0),
}


def _need(met, what):
    if not met:
        raise ValueError(what)


# draws


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    with torch.no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    with torch.no_grad():
        return tensor.normal_(mean, std, generator=generator)


def _no_grad_uniform_(tensor, a, b, generator=None):
    return uniform_(tensor, a, b, generator)


def _no_grad_normal_(tensor, mean, std, generator=None):
    return normal_(tensor, mean, std, generator)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    # inverse sampling: uniform between the bounds' probabilities, then back through erfinv
    def probability(bound):
        return (1.0 + math.erf((bound - mean) / std / math.sqrt(2.0))) / 2.0

    first = 2 * probability(a) - 1
    last = 2 * probability(b) - 1
    tensor.uniform_(first, last, generator=generator)
    tensor.erfinv_()
    tensor.mul_(std * math.sqrt(2.0))
    tensor.add_(mean)
    tensor.clamp_(min=a, max=b)
    return tensor


def sparse_(tensor, sparsity, std=0.01, generator=None):
    _need(tensor.ndimension() == 2, "sparse_ expects a matrix")
    height, width = tensor.shape
    blank = math.ceil(sparsity * height)
    tensor.normal_(0, std, generator=generator)
    for column in range(width):
        chosen = torch.randperm(height)[:blank]
        tensor[chosen, column] = 0
    return tensor


def orthogonal_(tensor, gain=1, generator=None):
    _need(tensor.ndimension() >= 2, "orthogonal_ expects at least 2 dimensions")
    if tensor.numel() == 0:
        return tensor
    height = tensor.size(0)
    width = tensor.numel() // height
    wide = height < width
    drawn = torch.empty([height, width], dtype=tensor.dtype).normal_(0, 1, generator=generator)
    q, r = torch.linalg.qr(drawn.t() if wide else drawn)
    # the signs of r's diagonal make the factor unique, hence uniformly distributed
    q = q * torch.diag(r, 0).sign()
    tensor.copy_((q.t() if wide else q).reshape(tensor.shape))
    tensor.mul_(gain)
    return tensor


# fixed values


def constant_(tensor, val):
    return tensor.fill_(val)


def zeros_(tensor):
    return tensor.zero_()


def ones_(tensor):
    return tensor.fill_(1.0)


def eye_(tensor):
    _need(tensor.ndimension() == 2, "eye_ expects a matrix")
    tensor.copy_(torch.eye(tensor.size(0), tensor.size(1)))
    return tensor


def dirac_(tensor, groups=1):
    _need(tensor.ndimension() in [3, 4, 5], "dirac_ expects 3, 4 or 5 dimensions")
    shape = tensor.size()
    _need(shape[0] % groups == 0, "dirac_ expects groups to divide dimension 0")
    share = shape[0] // groups
    centre = tuple(n // 2 for n in shape[2:])
    tensor.zero_()
    for group in range(groups):
        for channel in range(min(share, shape[1])):
            at = (group * share + channel, channel) + centre
            tensor[at] = 1
    return tensor


# draws scaled by the layer's width


def calculate_gain(nonlinearity, param=None):
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return math.sqrt(2.0 / (1 + slope**2))
    _need(nonlinearity in _FIXED_GAINS, f"no gain is known for {nonlinearity}")
    return _FIXED_GAINS[nonlinearity]


def _calculate_fan_in_and_fan_out(tensor):
    _need(tensor.dim() >= 2, "fans are defined for 2 or more dimensions")
    window = 1
    for n in tensor.shape[2:]:
        window *= n
    return tensor.size(1) * window, tensor.size(0) * window


def _calculate_correct_fan(tensor, mode):
    wanted = mode.lower()
    _need(wanted in ["fan_in", "fan_out"], f"mode must be fan_in or fan_out, not {wanted}")
    into, out_of = _calculate_fan_in_and_fan_out(tensor)
    return into if wanted == "fan_in" else out_of


def _xavier_deviation(tensor, gain):
    into, out_of = _calculate_fan_in_and_fan_out(tensor)
    return gain * math.sqrt(2.0 / float(into + out_of))


def _kaiming_deviation(tensor, a, mode, nonlinearity):
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def xavier_normal_(tensor, gain=1.0, generator=None):
    return normal_(tensor, 0.0, _xavier_deviation(tensor, gain), generator)


def xavier_uniform_(tensor, gain=1.0, generator=None):
    bound = _SPREAD * _xavier_deviation(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if 0 in tensor.shape:
        return tensor
    return normal_(tensor, 0, _kaiming_deviation(tensor, a, mode, nonlinearity), generator)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if 0 in tensor.shape:
        return tensor
    bound = _SPREAD * _kaiming_deviation(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


# the names without the trailing underscore

kaiming_normal = kaiming_normal_
kaiming_uniform = kaiming_uniform_
xavier_normal = xavier_normal_
xavier_uniform = xavier_uniform_
orthogonal = orthogonal_
constant = constant_
normal = normal_
uniform = uniform_
