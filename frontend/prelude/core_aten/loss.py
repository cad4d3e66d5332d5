# Losses. Their reductions are numbers: 0 for none, 1 for the mean, 2 for the sum.


def reduced(x, reduction):
    if reduction == 1:
        return aten.mean.default(x)
    if reduction == 2:
        return aten.sum.default(x)
    return x


@core("aten::mse_loss")
def mse_loss(self, target, reduction):
    x, y = in_float(self), in_float(target)
    return back(reduced(aten.pow.Tensor_Scalar(aten.sub.Tensor(x, y), 2), reduction), self)


@composite("aten::l1_loss")
def l1_loss(self, target, reduction):
    return reduced(aten.abs.default(aten.sub.Tensor(self, target)), reduction)


@core("aten::smooth_l1_loss")
def smooth_l1_loss(self, target, reduction, beta):
    distance = aten.abs.default(aten.sub.Tensor(self, target))
    near = aten.lt.Scalar(distance, beta)
    small = aten.div.Tensor(aten.mul.Tensor(aten.pow.Tensor_Scalar(distance, 2), 0.5), beta)
    return reduced(aten.where.self(near, small, aten.sub.Tensor(distance, 0.5 * beta)), reduction)


@core("aten::huber_loss")
def huber_loss(self, target, reduction, delta):
    distance = aten.abs.default(aten.sub.Tensor(self, target))
    near = aten.lt.Scalar(distance, delta)
    small = aten.mul.Tensor(aten.mul.Tensor(distance, 0.5), distance)
    large = aten.mul.Tensor(aten.sub.Tensor(distance, 0.5 * delta), delta)
    return reduced(aten.where.self(near, small, large), reduction)


@core("aten::binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(self, target, weight, pos_weight, reduction):
    other = aten.mul.Tensor(aten.sub.Tensor(1, target), self)
    if pos_weight is not None:
        factor = aten.add.Tensor(aten.mul.Tensor(aten.sub.Tensor(pos_weight, 1), target), 1)
        loss = aten.sub.Tensor(other, aten.mul.Tensor(factor, aten.log_sigmoid.default(self)))
    else:
        loss = aten.sub.Tensor(other, aten.log_sigmoid.default(self))
    if weight is not None:
        loss = aten.mul.Tensor(loss, weight)
    return reduced(loss, reduction)


@core("aten::binary_cross_entropy")
def binary_cross_entropy(self, target, weight, reduction):
    against = aten.mul.Tensor(aten.sub.Tensor(target, 1), bounded(aten.log1p.default(aten.neg.default(self))))
    loss = aten.sub.Tensor(against, aten.mul.Tensor(target, bounded(aten.log.default(self))))
    if weight is not None:
        loss = aten.mul.Tensor(loss, weight)
    return reduced(loss, reduction)


def bounded(logarithm):
    """Logarithms of 0 are not endless."""
    least = aten.full.default([], -100, dtype=logarithm.dtype, layout=logarithm.layout, device=logarithm.device, pin_memory=False)
    return aten.maximum.default(logarithm, least)


@composite("aten::kl_div")
def kl_div(self, target, reduction, log_target):
    if log_target:
        loss = aten.mul.Tensor(aten.exp.default(target), aten.sub.Tensor(target, self))
    else:
        product = aten.mul.Tensor(target, self)
        loss = aten.sub.Tensor(aten.xlogy.Tensor(target, target), product)
    return reduced(loss, reduction)


@composite("aten::cross_entropy_loss")
def cross_entropy_loss(self, target, weight, reduction, ignore_index, label_smoothing):
    channel = 0 if self.ndim == 1 else 1
    if self.shape == target.shape or (label_smoothing > 0.0 and weight is not None):
        return NotImplemented
    logarithms = aten.log_softmax.int(self, channel, self.dtype)
    loss = aten.nll_loss_nd.default(logarithms, target, weight, reduction, ignore_index)
    if label_smoothing == 0.0:
        return loss
    smooth = aten.neg.default(aten.sum.dim_IntList(logarithms, [channel]))
    ignored = aten.eq.Scalar(target, ignore_index)
    smooth = aten.masked_fill.Scalar(smooth, ignored, 0.0)
    if reduction == 1:
        seen = aten.sum.default(aten.bitwise_not.default(ignored))
        smooth = aten.div.Tensor(aten.sum.default(smooth), seen)
    elif reduction == 2:
        smooth = aten.sum.default(smooth)
    share = aten.mul.Scalar(smooth, label_smoothing / float(self.size(channel)))
    return aten.add.Tensor(aten.mul.Scalar(loss, 1.0 - label_smoothing), share)


@composite("aten::nll_loss_nd")
def nll_loss_nd(self, target, weight, reduction, ignore_index):
    if self.ndim == 1 or self.ndim == 2:
        return aten.nll_loss_forward.default(self, target, weight, reduction, ignore_index)[0]
    if self.ndim == 4:
        return aten.nll_loss2d_forward.default(self, target, weight, reduction, ignore_index)[0]
    return NotImplemented


@composite("aten::nll_loss")
def nll_loss(self, target, weight, reduction, ignore_index):
    return aten.nll_loss_forward.default(self, target, weight, reduction, ignore_index)[0]


@core("aten::nll_loss_forward", "aten::nll_loss2d_forward")
def nll_loss_forward(self, target, weight, reduction, ignore_index):
    channel = 0 if self.ndim < 2 else 1
    shape = None
    if weight is not None:
        if self.ndim > 1:
            sizes = [1] * self.ndim
            sizes[1] = weight.size(0)
            shape = aten.view.default(weight, sizes)
        else:
            shape = weight
        self = aten.mul.Tensor(self, shape)
    safe = aten.where.self(aten.ne.Scalar(target, ignore_index), target, scalar(0, target))
    chosen = aten.unsqueeze.default(safe, channel)
    loss = aten.neg.default(aten.squeeze.dim(aten.gather.default(self, channel, chosen), channel))
    loss = aten.where.self(aten.ne.Scalar(target, ignore_index), loss, scalar(0, loss))
    if reduction == 0 and self.ndim > 1:
        return loss, aten.full.default([], 0.0, dtype=self.dtype, layout=self.layout, device=self.device, pin_memory=False)
    if weight is not None:
        spread = aten.expand.default(shape, self.shape)
        own = aten.squeeze.dim(aten.gather.default(spread, channel, chosen), channel)
        own = aten.where.self(aten.ne.Scalar(target, ignore_index), own, scalar(0, own))
        total = aten.sum.default(own)
    else:
        total = aten.sum.default(aten.ne.Scalar(target, ignore_index))
        total = aten._to_copy.default(total, dtype=self.dtype, device=self.device)
    if reduction == 2:
        return aten.sum.default(loss), total
    return aten.div.Tensor(aten.sum.default(loss), total), total


@composite("aten::pairwise_distance")
def pairwise_distance(x1, x2, p, eps, keepdim):
    difference = aten.add.Scalar(aten.sub.Tensor(x1, x2), eps)
    inner = max(x1.ndim, x2.ndim) - 1
    return aten.norm.ScalarOpt_dim(difference, p, [inner], keepdim)
