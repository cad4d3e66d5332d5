# Before version 4 the quotient of integers was an integer.
def div_tensor(self: Tensor, other: Tensor) -> Tensor:
    if self.is_floating_point() or other.is_floating_point():
        return self.true_divide(other)
    return self.divide(other, rounding_mode="trunc")

def div_scalar(self: Tensor, other: number) -> Tensor:
    if self.is_floating_point() or isinstance(other, float):
        return self.true_divide(other)
    return self.divide(other, rounding_mode="trunc")

def div_tensor_mode(self: Tensor, other: Tensor, *, rounding_mode: Optional[str] = None) -> Tensor:
    return self.divide(other, rounding_mode=rounding_mode)

def div_scalar_mode(self: Tensor, other: number, *, rounding_mode: Optional[str] = None) -> Tensor:
    return self.divide(other, rounding_mode=rounding_mode)

def div_out(self: Tensor, other: Tensor, *, out: Tensor) -> Tensor:
    if self.is_floating_point() or other.is_floating_point() or out.is_floating_point():
        return self.true_divide(other, out=out)
    return self.divide(other, rounding_mode="trunc", out=out)

def div_out_mode(self: Tensor, other: Tensor, *, rounding_mode: Optional[str] = None, out: Tensor) -> Tensor:
    return self.divide(other, rounding_mode=rounding_mode, out=out)

def div_in_place_tensor(self: Tensor, other: Tensor) -> Tensor:
    if self.is_floating_point() or other.is_floating_point():
        return self.true_divide_(other)
    return self.divide_(other, rounding_mode="trunc")

def div_in_place_scalar(self: Tensor, other: number) -> Tensor:
    if self.is_floating_point() or isinstance(other, float):
        return self.true_divide_(other)
    return self.divide_(other, rounding_mode="trunc")

def div_in_place_tensor_mode(self: Tensor, other: Tensor, *, rounding_mode: Optional[str] = None) -> Tensor:
    return self.divide_(other, rounding_mode=rounding_mode)

def div_in_place_scalar_mode(self: Tensor, other: number, *, rounding_mode: Optional[str] = None) -> Tensor:
    return self.divide_(other, rounding_mode=rounding_mode)

# Before version 5 a full tensor without dtype was of floats.
def full(size: List[int], fill_value: number, *, dtype: Optional[int] = None, layout: Optional[int] = None, device: Optional[Device] = None, pin_memory: Optional[bool] = None) -> Tensor:
    if dtype is None:
        fill_value = float(fill_value)
    return torch.full(size, fill_value, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)

def full_out(size: List[int], fill_value: number, *, out: Tensor) -> Tensor:
    return torch.full(size, fill_value, out=out)

# Before versions 8 and 9 the number of steps could be left out.
def linspace(start: number, end: number, steps: Optional[int], *, dtype: Optional[int], layout: Optional[int], device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:
    if steps is None:
        return torch.linspace(start, end, 100, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return torch.linspace(start, end, steps, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)

def linspace_out(start: number, end: number, steps: Optional[int], *, out: Tensor) -> Tensor:
    if steps is None:
        return torch.linspace(start, end, 100, out=out)
    return torch.linspace(start, end, steps, out=out)

def logspace(start: number, end: number, steps: Optional[int], base: float, *, dtype: Optional[int], layout: Optional[int], device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:
    if steps is None:
        return torch.logspace(start, end, 100, base, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
    return torch.logspace(start, end, steps, base, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)

def logspace_out(start: number, end: number, steps: Optional[int], base: float, *, out: Tensor) -> Tensor:
    if steps is None:
        return torch.logspace(start, end, 100, base, out=out)
    return torch.logspace(start, end, steps, base, out=out)

# Before version 10 the approximation could not be chosen.
def gelu(self: Tensor) -> Tensor:
    return torch.gelu(self, approximate="none")

def gelu_out(self: Tensor, *, out: Tensor) -> Tensor:
    return torch.gelu(self, approximate="none", out=out)
