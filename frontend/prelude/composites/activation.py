# Activations made of others, and how gradients go back through them.


# aten::glu_jvp
def glu_jvp(glu, x, dx, dim):
    """With x = (a, b) and s = sigmoid(b): (a s)' = da s + a s (db - s db)."""
    da, db = dx.chunk(2, dim)
    gate = x.chunk(2, dim)[1].sigmoid()
    return da * gate + glu * (db - gate * db)


# aten::glu_backward
def glu_backward(grad_output, self, dim):
    """With x = (a, b) and s = sigmoid(b): (g s, g a s (1 - s))."""
    a, b = self.to(torch.float64).chunk(2, dim)
    g = grad_output.to(torch.float64)
    gate = b.sigmoid()
    return torch.cat([g * gate, g * a * gate * (1.0 - gate)], dim).to(self.dtype)


# aten::_prelu_kernel_backward
def prelu_backward(grad_output, self, weight):
    """g where x > 0, else w g; and x g where x is not above 0."""
    positive = self > 0
    product = self * grad_output
    to_weight = torch.where(positive, torch.zeros([], dtype=product.dtype), product)
    return torch.where(positive, grad_output, weight * grad_output), to_weight


# aten::_masked_softmax
def masked_softmax(self, mask, dim, mask_type):
    """Softmax of the elements that the mask leaves; the others are zero."""
    if mask.dtype != torch.bool:
        raise RuntimeError("Mask should be a boolean tensor")
    shaped = mask
    if mask_type is not None and mask.dim() == 2 and self.dim() == 4:
        # One mask for all heads and rows of a sample, or for all samples and heads.
        if mask_type == 1:
            shaped = mask.view([mask.size(0), 1, 1, mask.size(1)])
        elif mask_type == 0:
            shaped = mask.view([1, 1, mask.size(0), mask.size(1)])
    hidden = self.to(torch.float64).masked_fill(shaped.expand(self.shape), -math.inf)
    return hidden.softmax(-1 if dim is None else dim).to(self.dtype)


def as_input(gradient, grad, dtype: int):
    """Only a half input that was computed in f32 gets its own dtype back."""
    half = dtype == torch.float16 and grad.dtype == torch.float32
    return gradient.to(torch.float16 if half else grad.dtype).contiguous()


# aten::_softmax_backward_data
def softmax_backward(grad_output, output, dim, input_dtype):
    """y (g - sum(g y))"""
    g, y = grad_output.to(torch.float64), output.to(torch.float64)
    return as_input(y * (g - (g * y).sum([dim], True)), grad_output, input_dtype)


# aten::_log_softmax_backward_data
def log_softmax_backward(grad_output, output, dim, input_dtype):
    """g - exp(y) sum(g)"""
    g = grad_output.to(torch.float64)
    return as_input(g - output.to(torch.float64).exp() * g.sum([dim], True), grad_output, input_dtype)


# aten::log_sigmoid_forward
def log_sigmoid_forward(self):
    """Also exp(-|x|), which the derivative is made of."""
    return torch.log_sigmoid(self), torch.exp(-torch.abs(self)).contiguous()
