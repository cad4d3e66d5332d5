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
