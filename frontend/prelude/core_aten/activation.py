# Activations.


@core("aten::silu")
def silu(self):
    x = in_float(self)
    return back(aten.mul.Tensor(x, aten.sigmoid.default(x)), self)


def in_float(x):
    """Half precision is computed in single precision."""
    if x.dtype == torch.float16 or x.dtype == torch.bfloat16:
        return aten._to_copy.default(x, dtype=torch.float32)
    return x


def back(x, like):
    return in_dtype(x, like.dtype)


@composite("aten::relu6")
def relu6(self):
    return aten.hardtanh.default(self, 0, 6)


@composite("aten::selu")
def selu(self):
    return aten.elu.default(self, 1.6732632423543772, 1.0507009873554805)


@core("aten::celu")
def celu(self, alpha):
    x = in_float(self)
    if alpha == 1:
        other = aten.expm1.default(x)
    else:
        other = aten.mul.Tensor(aten.expm1.default(aten.div.Tensor(x, alpha)), alpha)
    return back(aten.where.self(aten.gt.Scalar(x, 0), x, other), self)


@core("aten::hardswish")
def hardswish(self):
    x = in_float(self)
    return back(aten.div.Tensor(aten.mul.Tensor(x, between(x)), 6), self)


@core("aten::hardsigmoid")
def hardsigmoid(self):
    x = in_float(self)
    return back(aten.div.Tensor(between(x), 6), self)


def between(x):
    return aten.clamp.default(aten.clamp.default(aten.add.Tensor(x, 3), 0), None, 6)


@core("aten::softplus")
def softplus(self, beta, threshold):
    x = in_float(self)
    return back(smooth(x, beta, threshold), self)


def smooth(x, beta, threshold):
    if beta == 1:
        small = aten.log1p.default(aten.exp.default(x))
        return aten.where.self(aten.gt.Scalar(x, threshold), x, small)
    scaled = aten.mul.Tensor(x, beta)
    small = aten.div.Tensor(aten.log1p.default(aten.exp.default(scaled)), beta)
    return aten.where.self(aten.gt.Scalar(scaled, threshold), x, small)


@core("aten::mish")
def mish(self):
    x = in_float(self)
    return back(aten.mul.Tensor(x, aten.tanh.default(aten.softplus.default(x, 1, 20))), self)


@composite("aten::log_sigmoid")
def log_sigmoid(self):
    result, _ = aten.log_sigmoid_forward.default(self)
    return result


@core("aten::log_sigmoid_forward")
def log_sigmoid_forward(self):
    x = in_float(self)
    zero = aten.full.default([], 0, dtype=x.dtype, layout=x.layout, device=x.device, pin_memory=False)
    least = aten.minimum.default(zero, x)
    z = aten.exp.default(aten.neg.default(aten.abs.default(x)))
    result = aten.sub.Tensor(least, aten.log1p.default(z))
    return back(result, self), back(z, self)


@core("aten::glu")
def glu(self, dim):
    dim = wrap(dim, self.ndim)
    half = self.size(dim) // 2
    first = aten.slice.Tensor(self, dim, 0, half)
    second = aten.slice.Tensor(self, dim, half, half * 2)
    return aten.mul.Tensor(first, aten.sigmoid.default(second))


@core("aten::hardshrink")
def hardshrink(self, lambd):
    inside = aten.le.Scalar(aten.abs.default(self), lambd)
    return aten.where.self(inside, scalar(0, self), self)


@core("aten::softshrink")
def softshrink(self, lambd):
    outside = aten.gt.Scalar(aten.abs.default(self), lambd)
    moved = aten.sub.Tensor(self, aten.mul.Tensor(aten.sign.default(self), lambd))
    return aten.where.self(outside, moved, aten.mul.Tensor(self, 0))


@core("aten::threshold")
def threshold(self, threshold, value):
    return aten.where.self(aten.le.Scalar(self, threshold), scalar(value, self), self)


@composite("aten::prelu")
def prelu(self, weight):
    if self.ndim > 0:
        sizes = [1] * self.ndim
        if self.ndim > 1:
            sizes[1] = weight.numel()
        elif weight.numel() > 1:
            sizes[0] = weight.numel()
        weight = aten.reshape.default(weight, sizes) if weight.ndim != self.ndim else weight
    return aten._prelu_kernel.default(self, weight)


@core("aten::_prelu_kernel")
def prelu_kernel(self, weight):
    positive = aten.gt.Scalar(self, 0)
    return aten.where.self(positive, self, aten.mul.Tensor(weight, self))


@composite("aten::softmax.int")
def softmax(self, dim, dtype):
    return aten._softmax.default(self if dtype is None else converted(self, dtype), dim, False)


@composite("aten::log_softmax.int")
def log_softmax(self, dim, dtype):
    return aten._log_softmax.default(self if dtype is None else converted(self, dtype), dim, False)


@core("aten::_safe_softmax")
def safe_softmax(self, dim, dtype):
    result = aten._softmax.default(self if dtype is None else converted(self, dtype), dim, False)
    never = aten.eq.Scalar(self, -inf)
    nothing = aten.logical_not.default(aten.any.dim(aten.logical_not.default(never), dim, True))
    return aten.where.self(nothing, aten.zeros_like.default(result), result)


@composite("aten::dropout")
def dropout(input, p, train):
    if p == 0.0 or not train:
        return input
    return aten.native_dropout.default(input, p, train)[0]


@composite("aten::feature_dropout")
def feature_dropout(input, p, train):
    if p == 0.0 or not train:
        return input
    kept = aten.new_empty.default(input, input.shape[:2] + [1] * (input.ndim - 2))
    kept = aten.div.Scalar(aten.bernoulli.p(kept, 1.0 - p), 1.0 - p)
    return aten.mul.Tensor(input, kept)


@composite("aten::alpha_dropout")
def alpha_dropout(input, p, train):
    if p == 0.0 or not train:
        return input
    # What a dropped element becomes, so that mean and variance stay.
    alpha = 1.7580993408473766
    a = 1.0 / sqrt((alpha * alpha * p + 1.0) * (1.0 - p))
    kept = aten.bernoulli.p(aten.empty_like.default(input), 1.0 - p)
    offset = aten.add.Scalar(aten.mul.Scalar(aten.add.Scalar(kept, -1), alpha * a), alpha * a * p)
    return aten.add.Tensor(aten.mul.Tensor(input, aten.mul.Scalar(kept, a)), offset)


@composite("aten::rrelu")
def rrelu(self, lower, upper, training):
    noise = aten.empty_like.default(self, memory_format=torch.contiguous_format)
    return aten.rrelu_with_noise_functional.default(self, noise, lower, upper, training)[0]
