# What tensors say of their elements.


# aten::isreal
def isreal(self):
    """Whether the imaginary part is zero."""
    if self.is_complex():
        return self.imag == 0
    return torch.ones(self.shape, dtype=torch.bool)
