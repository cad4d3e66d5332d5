# Normalisations as other operators say them, and norms of weights.


# aten::_batch_norm_impl_index
def batch_norm_index(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    """Also an empty reserve, and the way taken."""
    out, mean, scale = torch.native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
    return out, mean, scale, torch.zeros([0], dtype=torch.uint8), 0


# aten::_batch_norm_with_update
def batch_norm_with_update(input, weight, bias, running_mean, running_var, momentum, eps):
    """Trained, with an empty reserve."""
    out, mean, scale = torch.native_batch_norm(input, weight, bias, running_mean, running_var, True, momentum, eps)
    return out, mean, scale, torch.zeros([0], dtype=torch.uint8)


# aten::_batch_norm_with_update_functional
def batch_norm_with_update_functional(input, weight, bias, running_mean, running_var, momentum, eps):
    """Trained; the statistics are results, not written."""
    means = running_mean.clone(memory_format=torch.contiguous_format)
    variances = running_var.clone(memory_format=torch.contiguous_format)
    out, mean, scale = torch.native_batch_norm(input, weight, bias, means, variances, True, momentum, eps)
    return out, mean, scale, torch.zeros([0], dtype=torch.uint8), means, variances


# aten::_native_batch_norm_legit_functional
def batch_norm_functional(input, weight, bias, running_mean, running_var, training, momentum, eps):
    """The statistics are results, not written."""
    means = running_mean.clone(memory_format=torch.contiguous_format)
    variances = running_var.clone(memory_format=torch.contiguous_format)
    out, mean, scale = torch.native_batch_norm(input, weight, bias, means, variances, training, momentum, eps)
    return out, mean, scale, means, variances


def all_but(kept: int, n: int) -> List[int]:
    """The dimensions but one."""
    return [d for d in range(kept)] + [d for d in range(kept + 1, n)]


def move(running: Optional[Tensor], new, momentum: float, channels: int):
    """(1 - momentum) * running + momentum * new, in place."""
    if running is not None:
        # Of more running statistics than channels the first ones are these channels'.
        kept = running[:channels] if running.dim() == 1 and running.size(0) > channels else running
        kept.copy_(kept * (1.0 - momentum) + new * momentum)


# aten::batch_norm_update_stats
def batch_norm_update_stats(input, running_mean, running_var, momentum):
    """Means and biased variances of the channels; running variances move towards unbiased ones."""
    if input.dim() < 2:
        raise RuntimeError(f"batch_norm_update_stats: input has sizes {input.shape}")
    others = all_but(1, input.dim())
    wide = input.to(torch.float64 if input.dtype == torch.float64 else torch.float32)
    variance, mean = torch.var_mean(wide, others, correction=0)
    channels = input.size(1)
    n = input.numel() / max(channels, 1)
    move(running_mean, mean, momentum, channels)
    move(running_var, variance * (math.inf if n == 1.0 else n / (n - 1.0)), momentum, channels)
    return mean, variance


# aten::_fused_rms_norm
def fused_rms_norm(input, normalized_shape, weight, eps):
    """x s w with s = 1 / sqrt(mean(x^2) + eps), and s."""
    double = input.dtype == torch.float64
    wide = input.to(torch.float64 if double else torch.float32)
    least = 2.220446049250313e-16 if double else 1.1920928955078125e-07
    dims = [d - len(normalized_shape) for d in range(len(normalized_shape))]
    scale = (wide.pow(2).mean(dims, True) + (least if eps is None else eps)).rsqrt()
    out = (wide * scale).to(input.dtype)
    if weight is not None:
        out = out * weight
    return out, scale


# aten::_weight_norm
def weight_norm(v, g, dim):
    """v scaled so that its norms are g."""
    return v * (g / torch.norm_except_dim(v, 2, dim))


# aten::_weight_norm_interface_backward
def weight_norm_backward(grad_w, saved_v, saved_g, saved_norms, dim):
    """With s = sum(grad v): (g / n) (grad - v s / n^2), and s / n."""
    others = all_but(dim + saved_v.dim() if dim < 0 else dim, saved_v.dim())
    product = (grad_w * saved_v).sum(others, True)
    along = saved_v * (product / (saved_norms * saved_norms))
    return saved_g / saved_norms * (grad_w - along), product / saved_norms


# aten::cosine_similarity
def cosine_similarity(x1, x2, dim, eps):
    """x y / (max(|x|, eps) max(|y|, eps))"""
    x, y = x1.to(torch.float64), x2.to(torch.float64)
    x, y = torch.broadcast_tensors([x, y])
    lengths = torch.linalg.vector_norm(x, 2, [dim]).clamp_min(eps) * torch.linalg.vector_norm(y, 2, [dim]).clamp_min(eps)
    return ((x * y).sum([dim]) / lengths).to(torch.result_type(x1, x2))


# aten::pairwise_distance
def pairwise_distance(x1, x2, p, eps, keepdim):
    """|x - y + eps|"""
    return torch.linalg.vector_norm(x1 - x2 + eps, p, [-1], keepdim)


# aten::renorm
def renorm(self, p, dim, maxnorm):
    """Slices along a dimension whose norm is too large are scaled down to it."""
    others = all_but(dim + self.dim() if dim < 0 else dim, self.dim())
    most = float(maxnorm)
    wide = self.to(torch.complex128 if self.is_complex() else torch.float64)
    norms = torch.linalg.vector_norm(wide, p, others, True)
    return (wide * torch.where(norms > most, most / (norms + 1e-7), 1.0)).to(self.dtype).contiguous()


# aten::_weight_norm_interface
def weight_norm_interface(v, g, dim):
    """v g / |v| with the norm over all dimensions but one, and those norms."""
    others = all_but(dim + v.dim() if dim < 0 else dim, v.dim())
    wide = v.to(torch.float64)
    norms = wide.abs() if len(others) == 0 else torch.linalg.vector_norm(wide, 2, others, True)
    scaled = wide * (g.to(torch.float64).reshape(norms.shape) / norms)
    return scaled.to(v.dtype).contiguous(), norms.reshape(g.shape).to(g.dtype)


# aten::_native_batch_norm_legit.no_stats
def batch_norm_no_stats(input, weight, bias, training, momentum, eps):
    return torch.native_batch_norm(input, weight, bias, None, None, True, momentum, eps)


# aten::instance_norm
def instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled):
    """Every channel of every sample is a group; running statistics move towards the mean over the samples."""
    if not use_input_stats:
        return torch.batch_norm(input, weight, bias, running_mean, running_var, False, momentum, eps, False)
    n, channels = input.size(0), input.size(1)
    inner = input.numel() // max(n * channels, 1)
    if running_mean is not None and running_var is not None:
        wide = input.to(torch.float64).reshape([n, channels, inner])
        variance, mean = torch.var_mean(wide, [2], correction=1)
        move(running_mean, mean.mean([0]), momentum, channels)
        move(running_var, variance.mean([0]), momentum, channels)
    return torch.native_group_norm(input, weight, bias, n, channels, inner, channels, eps)[0].contiguous()
