# Elementwise functions.


@core("aten::rsub.Tensor")
def rsub_tensor(self, other, alpha):
    return aten.sub.Tensor(other, self, alpha=alpha)


@core("aten::rsub.Scalar")
def rsub(self, other, alpha):
    return aten.sub.Tensor(other, self, alpha=alpha)


@core("aten::square")
def square(self):
    return aten.pow.Tensor_Scalar(self, 2)


@core("aten::floor_divide")
def floor_divide(self, other):
    return aten.div.Tensor_mode(self, other, rounding_mode="floor")


@core("aten::floor_divide.Scalar")
def floor_divide_scalar(self, other):
    return aten.div.Tensor_mode(self, other, rounding_mode="floor")


@composite("aten::true_divide.Tensor", "aten::divide.Tensor", "aten::true_divide.Scalar", "aten::divide.Scalar")
def true_divide(self, other):
    return aten.div.Tensor(self, other)


@composite("aten::__and__.Tensor")
def and_tensor(self, other):
    return aten.bitwise_and.Tensor(self, other)


@composite("aten::__and__.Scalar")
def and_scalar(self, other):
    return aten.bitwise_and.Scalar(self, other)


@composite("aten::__or__.Tensor")
def or_tensor(self, other):
    return aten.bitwise_or.Tensor(self, other)


@composite("aten::__or__.Scalar")
def or_scalar(self, other):
    return aten.bitwise_or.Scalar(self, other)


@composite("aten::__xor__.Tensor")
def xor_tensor(self, other):
    return aten.bitwise_xor.Tensor(self, other)


@composite("aten::__xor__.Scalar")
def xor_scalar(self, other):
    return aten.bitwise_xor.Scalar(self, other)


@core("aten::clamp_min")
def clamp_min(self, min):
    return aten.clamp.default(self, min)


@core("aten::clamp_min.Tensor")
def clamp_min_tensor(self, min):
    return aten.clamp.Tensor(self, min)


@core("aten::clamp_max")
def clamp_max(self, max):
    return aten.clamp.default(self, None, max)


@core("aten::clamp_max.Tensor")
def clamp_max_tensor(self, max):
    return aten.clamp.Tensor(self, None, max)


@composite("aten::clip")
def clip(self, min, max):
    return aten.clamp.default(self, min, max)


@core("aten::frac")
def frac(self):
    return aten.sub.Tensor(self, aten.trunc.default(self))


@composite("aten::fix")
def fix(self):
    return aten.trunc.default(self)


@composite("aten::absolute")
def absolute(self):
    return aten.abs.default(self)


@composite("aten::negative")
def negative(self):
    return aten.neg.default(self)


@composite("aten::multiply.Tensor", "aten::multiply.Scalar")
def multiply(self, other):
    return aten.mul.Tensor(self, other)


@composite("aten::subtract.Tensor", "aten::subtract.Scalar")
def subtract(self, other, alpha):
    return aten.sub.Tensor(self, other, alpha=alpha)


@core("aten::sinc")
def sinc(self):
    x = aten.mul.Tensor(self, pi)
    zero = aten.eq.Scalar(x, 0)
    inside = aten.div.Tensor(aten.sin.default(x), x)
    return aten.where.self(zero, scalar(1, inside), inside)


@core("aten::deg2rad")
def deg2rad(self):
    return aten.mul.Tensor(self, 0.017453292519943295)


@core("aten::rad2deg")
def rad2deg(self):
    return aten.mul.Tensor(self, 57.29577951308232)


@core("aten::sgn")
def sgn(self):
    if self.dtype.is_complex:
        return NotImplemented
    return aten.sign.default(self)


@core("aten::addcmul")
def addcmul(self, tensor1, tensor2, value):
    return aten.add.Tensor(self, aten.mul.Tensor(aten.mul.Tensor(tensor1, value), tensor2))


@core("aten::lerp.Scalar")
def lerp_scalar(self, end, weight):
    weight = aten.full.default([], weight, dtype=self.dtype, layout=self.layout, device=self.device, pin_memory=False)
    return aten.lerp.Tensor(self, end, weight)


@core("aten::lerp.Tensor")
def lerp(self, end, weight):
    """From the nearer end, so that both are met."""
    far = aten.ge.Scalar(aten.abs.default(weight), 0.5)
    share = aten.where.self(far, aten.sub.Tensor(weight, 1), weight)
    start = aten.where.self(far, end, self)
    return aten.add.Tensor(aten.mul.Tensor(share, aten.sub.Tensor(end, self)), start)


@core("aten::where.ScalarOther")
def where_scalar_other(condition, self, other):
    return aten.where.self(condition, self, in_common(other, self))


@core("aten::where.ScalarSelf")
def where_scalar_self(condition, self, other):
    return aten.where.self(condition, in_common(self, other), other)


def in_common(number, x):
    dtype = promoted([number, x])
    return aten.scalar_tensor.default(number, dtype=dtype, layout=x.layout, device=x.device)


@core("aten::where.Scalar")
def where_scalar(condition, self, other):
    dtype = promoted([self, other])
    second = aten.scalar_tensor.default(other, dtype=dtype, layout=condition.layout, device=condition.device)
    first = aten.scalar_tensor.default(self, dtype=dtype, layout=condition.layout, device=condition.device)
    return aten.where.self(condition, first, second)


@core("aten::masked_fill.Scalar")
def masked_fill_scalar(self, mask, value):
    if self.dtype.is_floating_point and is_integer(value):
        value = float(value)
    return aten.where.self(mask, scalar(value, self), self)


@core("aten::masked_fill.Tensor")
def masked_fill_tensor(self, mask, value):
    return aten.where.self(mask, in_dtype(value, self.dtype), self)


@core("aten::nan_to_num")
def nan_to_num(self, nan, posinf, neginf):
    if not self.dtype.is_floating_point:
        return aten.clone.default(self)
    nan = 0.0 if nan is None else nan
    posinf = largest(self.dtype) if posinf is None else posinf
    neginf = -largest(self.dtype) if neginf is None else neginf
    x = aten.where.self(aten.isnan.default(self), scalar(nan, self), self)
    x = aten.where.self(aten.eq.Scalar(self, -inf), scalar(neginf, self), x)
    return aten.where.self(aten.eq.Scalar(self, inf), scalar(posinf, self), x)


@core("aten::xlogy.Tensor")
def xlogy(self, other):
    zero = aten.eq.Scalar(self, 0)
    product = aten.mul.Tensor(self, aten.log.default(other))
    result = aten.where.self(zero, scalar(0, product), product)
    return aten.where.self(aten.isnan.default(other), scalar(nan, result), result)


@core("aten::logit")
def logit(self, eps):
    # Without bounds they are where no result is.
    low = -1.0 if eps is None else eps
    high = 1.0 - low
    below = aten.lt.Scalar(self, low)
    above = aten.gt.Scalar(self, high)
    x = aten.where.self(above, scalar(high, self), self)
    x = aten.where.self(below, scalar(low, x), x)
    return aten.log.default(aten.div.Tensor(x, aten.sub.Tensor(1, x)))


@core("aten::addcdiv")
def addcdiv(self, tensor1, tensor2, value):
    return aten.add.Tensor(self, aten.div.Tensor(aten.mul.Tensor(tensor1, value), tensor2))


@composite("aten::isfinite")
def isfinite(self):
    if not (self.dtype.is_floating_point or self.dtype.is_complex):
        return aten.ones_like.default(self, dtype=torch.bool)
    bounded = aten.ne.Scalar(aten.abs.default(self), inf)
    return aten.mul.Tensor(aten.eq.Tensor(self, self), bounded)


@composite("aten::float_power.Tensor_Scalar")
def float_power(self, exponent):
    base = in_dtype(self, torch.complex128 if self.dtype.is_complex else torch.float64)
    return aten.pow.Tensor_Scalar(base, float(exponent))


@composite("aten::special_expit")
def special_expit(self):
    return aten.sigmoid.default(self)


@composite("aten::isclose")
def isclose(self, other, rtol, atol, equal_nan):
    if equal_nan or not self.dtype.is_floating_point:
        return NotImplemented
    close = aten.eq.Tensor(self, other)
    if rtol == 0.0 and atol == 0.0:
        return close
    allowed = aten.add.Scalar(aten.abs.default(aten.mul.Scalar(other, rtol)), atol)
    distance = aten.abs.default(aten.sub.Tensor(self, other))
    near = aten.bitwise_and.Tensor(aten.isfinite.default(distance), aten.le.Tensor(distance, allowed))
    return aten.bitwise_or.Tensor(close, near)


@core("aten::logaddexp")
def logaddexp(self, other):
    if self.dtype.is_complex:
        return NotImplemented
    first = aten.ge.Tensor(self, other)
    larger = aten.where.self(first, self, other)
    smaller = aten.where.self(first, other, self)
    endless = aten.logical_and.default(aten.logical_not.default(aten.isfinite.default(self)), aten.eq.Tensor(self, other))
    sums = aten.add.Tensor(larger, aten.log1p.default(aten.exp.default(aten.sub.Tensor(smaller, larger))))
    return aten.where.self(endless, self, sums)


@core("aten::heaviside")
def heaviside(self, values):
    zero = aten.eq.Scalar(self, 0)
    below = aten.logical_or.default(aten.lt.Scalar(self, 0), aten.isnan.default(self))
    return aten.where.self(zero, values, aten.where.Scalar(below, 0, 1))
