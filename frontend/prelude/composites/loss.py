# Losses made of other operators, and how gradients go back through losses.


def reduced(values, reduction: int):
    """Reduction 0 keeps the values, 1 is their mean, 2 their sum."""
    if reduction == 1:
        return values.mean()
    if reduction == 2:
        return values.sum()
    return values


def share(grad, n: int, reduction: int):
    """Of a mean each of its n values has a part of the gradient."""
    return grad / n if reduction == 1 else grad


# aten::mse_loss_backward
def mse_loss_backward(grad_output, self, target, reduction):
    """2 (x - y) g"""
    return (2.0 * (self - target) * share(grad_output, self.numel(), reduction)).contiguous()


# aten::huber_loss_backward
def huber_loss_backward(grad_output, self, target, reduction, delta):
    """(x - y) g, the difference cut to [-delta, delta]"""
    return (self - target).clamp(-abs(delta), abs(delta)) * share(grad_output, self.numel(), reduction)


# aten::smooth_l1_loss_backward
def smooth_l1_loss_backward(grad_output, self, target, reduction, beta):
    """d / beta g, and sign(d) g where |d| is at least beta"""
    d = self - target
    slope = torch.where(d.abs() >= beta, d.sign(), d / beta)
    return slope * share(grad_output, self.numel(), reduction)


# aten::binary_cross_entropy_backward
def binary_cross_entropy_backward(grad_output, self, target, weight, reduction):
    """(x - y) / ((1 - x) x) w g"""
    found = (self - target) / ((1.0 - self) * self).clamp_min(1e-12)
    if weight is not None:
        found = found * weight
    return found * share(grad_output, self.numel(), reduction)


# aten::soft_margin_loss_backward
def soft_margin_loss_backward(grad_output, self, target, reduction):
    """-y z / (z + 1) g with z = exp(-y x)"""
    z = (-target * self).exp()
    return -target * z / (z + 1.0) * share(grad_output, self.numel(), reduction)


# aten::hinge_embedding_loss
def hinge_embedding_loss(self, target, margin, reduction):
    """x where y is not -1, and max(margin - x, 0) where y is not 1"""
    far = torch.where(target == 1, 0, (margin - self).clamp_min(0))
    near = torch.where(target == -1, 0, self)
    return reduced((far + near).to(torch.result_type(self, target)), reduction)


# aten::margin_ranking_loss
def margin_ranking_loss(input1, input2, target, margin, reduction):
    """max(-y (a - b) + margin, 0)"""
    return reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction)


# aten::poisson_nll_loss
def poisson_nll_loss(input, target, log_input, full, eps, reduction):
    """exp(x) - y x, or x - y log(x + eps); in full with Stirling's y log(y) - y + log(2 pi y) / 2 where y > 1"""
    found = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2.0 * math.pi * target).log()
        found = found + stirling.masked_fill(target <= 1, 0)
    return reduced(found, reduction)


def distance(x, y, p: float, eps: float):
    return torch.linalg.vector_norm(x - y + eps, p, [-1])


# aten::triplet_margin_loss
def triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction):
    """max(margin + |a - p| - |a - n|, 0); swapped, the smaller one of |a - n| and |p - n|"""
    far = distance(anchor, negative, p, eps)
    if swap:
        far = torch.minimum(far, distance(positive, negative, p, eps))
    return reduced((margin + distance(anchor, positive, p, eps) - far).clamp_min(0), reduction)


# aten::cosine_embedding_loss
def cosine_embedding_loss(input1, input2, target, margin, reduction):
    """1 - cos where y is 1, max(cos - margin, 0) where it is -1"""
    dot = (input1 * input2).sum([-1])
    squares = ((input1 * input1).sum([-1]) + 1e-12) * ((input2 * input2).sum([-1]) + 1e-12)
    cosine = dot / squares.sqrt()
    near = torch.where(target == 1, 1.0 - cosine, 0.0)
    far = torch.where(target == -1, (cosine - margin).clamp_min(0), 0.0)
    return reduced(near + far, reduction)


def nll_backward(grad, t, target, weight: Optional[Tensor], reduction: int, ignored: int, total):
    """-w g at the target's class, divided by the weights' sum in a mean; nothing where the target is ignored."""
    dim = 1 if t.dim() > 1 else 0
    classes = t.size(dim)
    counts = target != ignored
    outside = (counts & ((target < 0) | (target >= classes))).reshape([-1]).nonzero()
    if outside.numel() > 0:
        raise IndexError(f"Target {int(target.reshape([-1])[int(outside[0, 0])])} is out of bounds.")
    named = torch.where(counts, target, 0)
    g = grad.reshape([]) if grad.numel() == 1 else grad.reshape(target.shape)
    step = -(g / total if reduction == 1 else g)
    if weight is not None:
        step = step * weight.index_select(0, named.reshape([-1])).reshape(named.shape)
    step = torch.where(counts, step, 0).to(t.dtype)
    return torch.zeros(t.shape, dtype=t.dtype).scatter(dim, named.unsqueeze(dim), step.unsqueeze(dim))


# aten::nll_loss
def nll_loss(self, target, weight, reduction, ignore_index):
    """The loss without the sum of the weights."""
    return torch.ops.aten.nll_loss_forward(self, target, weight, reduction, ignore_index)[0]


# aten::nll_loss_nd
def nll_loss_nd(self, target, weight, reduction, ignore_index):
    """What has further dimensions is an image of one line."""
    if self.dim() <= 2:
        return torch.ops.aten.nll_loss(self, target, weight, reduction, ignore_index)
    batch, classes = self.size(0), self.size(1)
    places = target.numel() // max(batch, 1)
    image, line = self.reshape(batch, classes, 1, places), target.reshape(batch, 1, places)
    loss = torch.ops.aten.nll_loss2d_forward(image, line, weight, reduction, ignore_index)[0]
    return loss.reshape(target.shape) if reduction == 0 else loss


# aten::nll_loss_backward, aten::nll_loss2d_backward
def nll_loss_backward(grad_output, self, target, weight, reduction, ignore_index, total_weight):
    return nll_backward(grad_output, self, target, weight, reduction, ignore_index, total_weight)


def by_samples(grad, n: int, reduction: int):
    """A gradient in f64 for each sample, as a column."""
    return share(grad.to(torch.float64).reshape([-1, 1]), n, reduction)


def rows_of(t):
    """Samples in f64 as rows; one vector is one sample."""
    return t.to(torch.float64).reshape([-1, t.size(-1) if t.dim() > 0 else 1])


def margins(x, target, p: float, margin: float, weight: Optional[Tensor]) -> Tuple[Tensor, Tensor]:
    """How far each class but the right one is too near, and its weight."""
    classes = x.size(1)
    if bool(((target < 0) | (target >= classes)).any()):
        raise RuntimeError("target out of range")
    if p != 1.0 and p != 2.0:
        raise RuntimeError("only p == 1 and p == 2 supported")
    at = target.reshape([-1, 1])
    w = torch.ones([], dtype=torch.float64)
    if weight is not None:
        if weight.numel() != classes:
            raise RuntimeError(f"inconsistent weight size, expected {classes} but got {weight.shape}")
        w = weight.to(torch.float64).reshape([-1]).index_select(0, target.reshape([-1])).unsqueeze(1)
    z = margin - x.gather(1, at) + x
    return torch.where(z > 0, z, 0).scatter(1, at, 0), w


# aten::multi_margin_loss
def multi_margin_loss(self, target, p, margin, weight, reduction):
    """w_y / n times the sum over other classes of max(margin - x_y + x_c, 0)^p"""
    x = rows_of(self)
    z, w = margins(x, target, float(p), float(margin), weight)
    values = (w * z.pow(float(p))).sum([1]) / x.size(1)
    return reduced(values.reshape(self.shape[:-1]), reduction).to(self.dtype)


# aten::multi_margin_loss_backward
def multi_margin_loss_backward(grad_output, self, target, p, margin, weight, reduction):
    """What comes too near goes away, and the right class the other way."""
    x = rows_of(self)
    z, w = margins(x, target, float(p), float(margin), weight)
    step = w * (2.0 * z if float(p) == 2.0 else z.sign())
    step = step.scatter_add(1, target.reshape([-1, 1]), -step.sum([1], True))
    return (step * by_samples(grad_output, x.size(0), reduction) / x.size(1)).reshape(self.shape).to(self.dtype)


def labels_of(target, n: int) -> Tuple[Tensor, Tensor]:
    """The classes that samples name, and which of them count: those before the first that is negative."""
    labels = target.reshape([-1, n])
    if bool(((labels < -1) | (labels >= n)).any()):
        raise RuntimeError("argument #2 'target' is out of range")
    return labels.clamp_min(0), (labels < 0).cumsum(1) == 0


def multilabel_margins(self, target, reduction: int) -> Tuple[Tensor, Tensor]:
    """The sum over targets t and other classes c of max(1 - x_t + x_c, 0), divided by their number; and which classes are targets."""
    x = rows_of(self)
    n = x.size(1)
    labels, counts = labels_of(target, n)
    marks = torch.zeros_like(x).scatter_add(1, labels, counts.to(torch.float64)).clamp_max(1.0)
    total = torch.zeros([x.size(0)], dtype=torch.float64)
    i = 0
    while i < n and bool(counts.select(1, i).any()):
        z = 1.0 - x.gather(1, labels.narrow(1, i, 1)) + x
        near = (z > 0) & (marks == 0) & counts.narrow(1, i, 1)
        total = total + torch.where(near, z, 0).sum([1])
        i += 1
    loss = reduced((total / n).reshape(self.shape[:-1]), reduction)
    return loss.to(self.dtype), marks.reshape(target.shape).to(self.dtype)


# aten::multilabel_margin_loss_forward
def multilabel_margin_loss_forward(self, target, reduction):
    return multilabel_margins(self, target, reduction)


# aten::multilabel_margin_loss
def multilabel_margin_loss(self, target, reduction):
    return multilabel_margins(self, target, reduction)[0]


# aten::multilabel_margin_loss_backward
def multilabel_margin_loss_backward(grad_output, self, target, reduction, is_target):
    """Each class that is too near a target goes away from it, and the target the other way."""
    x = rows_of(self)
    n = x.size(1)
    labels, counts = labels_of(target, n)
    if is_target.numel() != x.numel():
        raise RuntimeError("inconsistent target size")
    others = is_target.reshape([-1, n]) == 0
    step = torch.zeros_like(x)
    i = 0
    while i < n and bool(counts.select(1, i).any()):
        at = labels.narrow(1, i, 1)
        z = 1.0 - x.gather(1, at) + x
        near = ((z > 0) & others & counts.narrow(1, i, 1)).to(torch.float64)
        step = (step + near).scatter_add(1, at, -near.sum([1], True))
        i += 1
    return (step * by_samples(grad_output, x.size(0), reduction) / n).reshape(self.shape).to(self.dtype)
