# Random numbers in tensors made for them.


# aten::rrelu_with_noise_backward
def rrelu_with_noise_backward(grad_output, self, noise, lower, upper, training, self_is_result):
    """g times the slopes that were drawn; without training the one in the middle."""
    low, high = float(lower), float(upper)
    if training and high - low > 1e-6:
        return noise * grad_output
    return torch.leaky_relu_backward(grad_output, self, (low + high) / 2.0, self_is_result)


def dropped(t, p: float, train: bool, feature: bool, alpha: bool):
    """Without the elements, or channels, that are drawn with probability p; alpha keeps mean and variance of what SELU gives."""
    if p < 0.0 or p > 1.0:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p}")
    if p == 0.0 or not train or t.numel() == 0:
        return t
    if p == 1.0:
        return t * torch.zeros_like(t)
    noise = torch.empty_like(t)
    if feature:
        if t.dim() < 2:
            raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
        noise = torch.empty(t.shape[:2] + [1] * (t.dim() - 2), dtype=t.dtype)
    noise = noise.bernoulli_(1.0 - p)
    if not alpha:
        return t * (noise / (1.0 - p))
    # The fixed point of the SELU activation.
    fixed = 1.7580993408473766
    scale = 1.0 / math.sqrt((fixed * fixed * p + 1.0) * (1.0 - p))
    shift = (noise - 1.0) * (fixed * scale) + fixed * scale * p
    return t * (noise * scale) + shift


# aten::feature_dropout
def feature_dropout(input, p, train):
    return dropped(input, p, train, True, False)


# aten::alpha_dropout
def alpha_dropout(input, p, train):
    return dropped(input, p, train, False, True)


# aten::feature_alpha_dropout
def feature_alpha_dropout(input, p, train):
    return dropped(input, p, train, True, True)


# aten::native_dropout
def native_dropout(input, p, train):
    """The result and what was kept."""
    if input.numel() == 0:
        return input, torch.empty_like(input)
    if train is not None:
        if not train:
            return input, torch.ones_like(input, dtype=torch.bool)
    if p == 1.0:
        nothing = torch.zeros_like(input, dtype=torch.bool)
        return input * nothing.to(input.dtype), nothing
    kept = torch.empty_like(input, dtype=torch.bool).bernoulli_(1.0 - p)
    return input * (kept.to(input.dtype) / (1.0 - p)), kept


# aten::native_dropout_backward
def native_dropout_backward(grad_output, mask, scale):
    return grad_output * (mask.to(grad_output.dtype) * scale)
