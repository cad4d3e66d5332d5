"""Initial values of parameters: each function fills a tensor in place and returns it."""
import math
import warnings

import torch

_GAINS = {"sigmoid": 1, "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4, "linear": 1}
_GAINS.update({kind + str(rank) + "d": 1 for kind in ("conv", "conv_transpose") for rank in (1, 2, 3)})


def calculate_gain(nonlinearity, param=None):
    if nonlinearity in _GAINS:
        return _GAINS[nonlinearity]
    if nonlinearity != "leaky_relu":
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    slope = 0.01 if param is None else param
    if isinstance(slope, bool) or not isinstance(slope, (int, float)):
        raise ValueError(f"negative_slope {param} not a valid number")
    return math.sqrt(2.0 / (1 + slope ** 2))


def _fans(tensor):
    """How many inputs a unit has, and how many outputs an input reaches: channels times the kernel."""
    sizes = list(tensor.shape)
    if len(sizes) < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    kernel = math.prod(sizes[2:])
    return {"fan_in": sizes[1] * kernel, "fan_out": sizes[0] * kernel}


def _need_rank(tensor, ranks, words):
    if tensor.dim() not in ranks:
        raise ValueError(f"Only tensors with {words} dimensions are supported")


def _spread(tensor, deviation, generator, uniform):
    """Draws with mean 0 and this standard deviation, evenly or normally distributed."""
    if uniform:
        return uniform_(tensor, -math.sqrt(3.0) * deviation, math.sqrt(3.0) * deviation, generator)
    return normal_(tensor, 0.0, deviation, generator)


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    with torch.no_grad():
        return tensor.uniform_(float(a), float(b), generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    with torch.no_grad():
        return tensor.normal_(float(mean), float(std), generator=generator)


def constant_(tensor, val):
    with torch.no_grad():
        return tensor.fill_(val)


def ones_(tensor):
    return constant_(tensor, 1.0)


def zeros_(tensor):
    return constant_(tensor, 0.0)


def eye_(tensor):
    _need_rank(tensor, [2], "2")
    return _ones_at(tensor, [[n, n] for n in range(min(tensor.shape))])


def dirac_(tensor, groups=1):
    _need_rank(tensor, [3, 4, 5], "3, 4, or 5")
    rows, channels = tensor.shape[0], tensor.shape[1]
    if rows % groups:
        raise ValueError("dim 0 must be divisible by groups")
    share = rows // groups
    centre = [size // 2 for size in tensor.shape[2:]]
    return _ones_at(tensor, [[row, row % share] + centre for row in range(rows) if row % share < channels])


def _ones_at(tensor, places):
    """Zeros but for a one at each place."""
    zeros_(tensor)
    with torch.no_grad():
        for place in places:
            entry = tensor
            for index in place:
                entry = entry[index]
            entry.fill_(1)
    return tensor


def xavier_uniform_(tensor, gain=1.0, generator=None):
    return _xavier(tensor, gain, generator, True)


def xavier_normal_(tensor, gain=1.0, generator=None):
    return _xavier(tensor, gain, generator, False)


def _xavier(tensor, gain, generator, uniform):
    return _spread(tensor, gain * math.sqrt(2.0 / sum(_fans(tensor).values())), generator, uniform)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    return _kaiming(tensor, a, mode, nonlinearity, generator, True)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    return _kaiming(tensor, a, mode, nonlinearity, generator, False)


def _kaiming(tensor, slope, mode, nonlinearity, generator, uniform):
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", UserWarning)
        return tensor
    if mode.lower() not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode.lower()} not supported, please use one of ['fan_in', 'fan_out']")
    fan = _fans(tensor)[mode.lower()]
    return _spread(tensor, calculate_gain(nonlinearity, slope) / math.sqrt(fan), generator, uniform)


def orthogonal_(tensor, gain=1, generator=None):
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.shape[0]
    drawn = tensor.new_empty([rows, tensor.numel() // rows]).normal_(0.0, 1.0, generator=generator)
    wide = drawn.shape[0] < drawn.shape[1]
    basis, upper = torch.linalg.qr(drawn.t() if wide else drawn)
    basis = basis * torch.diag(upper).sign()
    with torch.no_grad():
        tensor.copy_((basis.t() if wide else basis).reshape(tensor.shape)).mul_(gain)
    return tensor


def sparse_(tensor, sparsity, std=0.01, generator=None):
    _need_rank(tensor, [2], "2")
    normal_(tensor, 0.0, std, generator)
    rows, columns = tensor.shape
    cleared = math.ceil(sparsity * rows)
    with torch.no_grad():
        for column in range(columns):
            tensor.select(1, column).index_fill_(0, torch.randperm(rows)[:cleared], 0)
    return tensor


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn("mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
                      "The distribution of values may be incorrect.", UserWarning)
    inside = [math.erf((end - mean) / (std * math.sqrt(2.0))) / 2 for end in (a, b)]
    redraw = _by_normal if inside[1] - inside[0] > 0.3 else _by_uniform
    with torch.no_grad():
        return redraw(tensor, float(mean), float(std), float(a), float(b), generator)


def _by_normal(tensor, mean, std, a, b, generator):
    """Normal draws, again where they lie outside: quick if most lie inside."""
    low, high = [torch.tensor(end, dtype=tensor.dtype) for end in (a, b)]
    tensor.normal_(mean, std, generator=generator)
    outside = (tensor < low) | (tensor > high)
    while bool(outside.any()):
        again = torch.empty_like(tensor).normal_(mean, std, generator=generator)
        tensor.copy_(torch.where(outside, again, tensor))
        outside = (tensor < low) | (tensor > high)
    return tensor


def _by_uniform(tensor, mean, std, a, b, generator):
    """Even draws, each kept with the probability that its density has to the greatest in [a, b]."""
    peak = ((min(max(mean, a), b) - mean) / std) ** 2
    pending = torch.ones_like(tensor, dtype=torch.bool)
    while bool(pending.any()):
        again = torch.empty_like(tensor).uniform_(a, b, generator=generator)
        tensor.copy_(torch.where(pending, again, tensor))
        luck = torch.empty_like(tensor).uniform_(0.0, 1.0, generator=generator).log()
        pending = pending & (luck > (peak - ((tensor - mean) / std) ** 2) / 2)
    return tensor


def _earlier(old, current):
    """The name without underscore, which warns."""
    def call(*args, **kwargs):
        warnings.warn(f"`nn.init.{old}` is now deprecated in favor of `nn.init.{old}_`.", FutureWarning, stacklevel=2)
        return current(*args, **kwargs)
    return call


uniform = _earlier("uniform", uniform_)
normal = _earlier("normal", normal_)
constant = _earlier("constant", constant_)
eye = _earlier("eye", eye_)
dirac = _earlier("dirac", dirac_)
xavier_uniform = _earlier("xavier_uniform", xavier_uniform_)
xavier_normal = _earlier("xavier_normal", xavier_normal_)
kaiming_uniform = _earlier("kaiming_uniform", kaiming_uniform_)
kaiming_normal = _earlier("kaiming_normal", kaiming_normal_)
orthogonal = _earlier("orthogonal", orthogonal_)
sparse = _earlier("sparse", sparse_)
