# Pointwise operators that choose another.


# prims::div
def div(self, other):
    """Integers are cut towards zero."""
    if self.is_floating_point() or self.is_complex():
        return torch.div(self, other)
    return torch.div(self, other, rounding_mode="trunc")
