# Windows, and the frequencies of a transform's bins.


def steps(n: int, periodic: bool):
    """i / last, where a periodic window is the first part of one that is longer by one."""
    return torch.arange(n, dtype=torch.float64), float(n if periodic else n - 1)


def of(values, dtype: Optional[int]):
    """A window of one element is 1."""
    found = torch.ones([1], dtype=torch.float64) if values.numel() == 1 else values
    return found.to(torch.float32 if dtype is None else dtype)


def cosine(n: int, periodic: bool, alpha: float, beta: float, dtype: Optional[int]):
    i, last = steps(n, periodic)
    return of(alpha - beta * (i * (2.0 * math.pi) / last).cos(), dtype)


# aten::hann_window
def hann_window(window_length, dtype, layout, device, pin_memory):
    """0.5 - 0.5 cos(2 pi i / last)"""
    return cosine(window_length, True, 0.5, 0.5, dtype)


# aten::hann_window.periodic
def hann_window_periodic(window_length, periodic, dtype, layout, device, pin_memory):
    return cosine(window_length, periodic, 0.5, 0.5, dtype)


# aten::hamming_window
def hamming_window(window_length, dtype, layout, device, pin_memory):
    """alpha - beta cos(2 pi i / last)"""
    return cosine(window_length, True, 0.54, 0.46, dtype)


# aten::hamming_window.periodic
def hamming_window_periodic(window_length, periodic, dtype, layout, device, pin_memory):
    return cosine(window_length, periodic, 0.54, 0.46, dtype)


# aten::hamming_window.periodic_alpha
def hamming_window_alpha(window_length, periodic, alpha, dtype, layout, device, pin_memory):
    return cosine(window_length, periodic, alpha, 0.46, dtype)


# aten::hamming_window.periodic_alpha_beta
def hamming_window_alpha_beta(window_length, periodic, alpha, beta, dtype, layout, device, pin_memory):
    return cosine(window_length, periodic, alpha, beta, dtype)


def blackman(n: int, periodic: bool, dtype: Optional[int]):
    i, last = steps(n, periodic)
    return of(0.42 - 0.5 * (i * (2.0 * math.pi) / last).cos() + 0.08 * (i * (4.0 * math.pi) / last).cos(), dtype)


# aten::blackman_window
def blackman_window(window_length, dtype, layout, device, pin_memory):
    """0.42 - 0.5 cos(2 pi i / last) + 0.08 cos(4 pi i / last)"""
    return blackman(window_length, True, dtype)


# aten::blackman_window.periodic
def blackman_window_periodic(window_length, periodic, dtype, layout, device, pin_memory):
    return blackman(window_length, periodic, dtype)


def bartlett(n: int, periodic: bool, dtype: Optional[int]):
    i, last = steps(n, periodic)
    x = 2.0 * i / last
    return of(torch.where(2.0 * i <= last, x, 2.0 - x), dtype)


# aten::bartlett_window
def bartlett_window(window_length, dtype, layout, device, pin_memory):
    """1 - |2 i / last - 1|"""
    return bartlett(window_length, True, dtype)


# aten::bartlett_window.periodic
def bartlett_window_periodic(window_length, periodic, dtype, layout, device, pin_memory):
    return bartlett(window_length, periodic, dtype)


def kaiser(n: int, periodic: bool, beta: float, dtype: Optional[int]):
    i, last = steps(n, periodic)
    x = 2.0 * i / last - 1.0
    arch = (1.0 - x * x).clamp_min(0.0).sqrt()
    return of((beta * arch).i0() / torch.full([], beta, dtype=torch.float64).i0(), dtype)


# aten::kaiser_window
def kaiser_window(window_length, dtype, layout, device, pin_memory):
    """I0(beta sqrt(1 - (2 i / last - 1)^2)) / I0(beta)"""
    return kaiser(window_length, True, 12.0, dtype)


# aten::kaiser_window.periodic
def kaiser_window_periodic(window_length, periodic, dtype, layout, device, pin_memory):
    return kaiser(window_length, periodic, 12.0, dtype)


# aten::kaiser_window.beta
def kaiser_window_beta(window_length, periodic, beta, dtype, layout, device, pin_memory):
    return kaiser(window_length, periodic, beta, dtype)


# aten::fft_fftfreq
def fftfreq(n, d, dtype, layout, device, pin_memory):
    """(0, 1, …, -2, -1) / (n d)"""
    i = torch.arange(n, dtype=torch.float64)
    bins = torch.where(i < (n + 1) // 2, i, i - n)
    return (bins * (1.0 / (n * d))).to(torch.float32 if dtype is None else dtype)


# aten::fft_rfftfreq
def rfftfreq(n, d, dtype, layout, device, pin_memory):
    """(0, 1, …, n / 2) / (n d)"""
    bins = torch.arange(n // 2 + 1, dtype=torch.float64)
    return (bins * (1.0 / (n * d))).to(torch.float32 if dtype is None else dtype)


def scale_of(norm: Optional[str], forward: bool) -> int:
    """By what a transform is divided: 0 nothing, 1 the root of the length, 2 the length."""
    if norm is None or norm == "backward":
        return 0 if forward else 2
    if norm == "ortho":
        return 1
    return 2 if forward else 0


def as_complex(x):
    """Complex numbers as wide as the numbers are."""
    wide = x.dtype == torch.float64 or x.dtype == torch.complex128
    return x.to(torch.complex128 if wide else torch.complex64)


def as_real(x):
    return x.to(torch.float64 if x.dtype == torch.float64 else torch.float32)


def resized(x, dim: int, n: int):
    """The first n places of a dimension, zeros where there are fewer."""
    at = dim % x.dim()
    have = x.size(at)
    if n < have:
        return x.narrow(at, 0, n)
    if n == have:
        return x
    zeros = [0] * (2 * (x.dim() - 1 - at))
    return torch.constant_pad_nd(x, zeros + [0, n - have], 0).contiguous()


def length(x, n: Optional[int], dim: int) -> int:
    return x.size(dim) if n is None else n


def whole_length(x, n: Optional[int], dim: int) -> int:
    """Of the signal whose half spectrum this is."""
    return 2 * (x.size(dim) - 1) if n is None else n


# aten::fft_fft
def fft(self, n, dim, norm):
    """X[k] = sum_j x[j] exp(-2 pi i j k / n)"""
    x = as_complex(self)
    return torch.ops.aten._fft_c2c(resized(x, dim, length(x, n, dim)), [dim], scale_of(norm, True), True)


# aten::fft_ifft
def ifft(self, n, dim, norm):
    x = as_complex(self)
    return torch.ops.aten._fft_c2c(resized(x, dim, length(x, n, dim)), [dim], scale_of(norm, False), False)


# aten::fft_rfft
def rfft(self, n, dim, norm):
    """Of real numbers, whose spectrum's other half is the conjugate of the first."""
    x = as_real(self)
    return torch.ops.aten._fft_r2c(resized(x, dim, length(x, n, dim)), [dim], scale_of(norm, True), True)


# aten::fft_irfft
def irfft(self, n, dim, norm):
    x = as_complex(self)
    whole = whole_length(x, n, dim)
    return torch.ops.aten._fft_c2r(resized(x, dim, whole // 2 + 1), [dim], scale_of(norm, False), whole)


# aten::fft_hfft
def hfft(self, n, dim, norm):
    """Of what has a real spectrum: the inverse of the conjugates, without its scale."""
    x = as_complex(self)
    whole = whole_length(x, n, dim)
    return torch.ops.aten._fft_c2r(resized(x, dim, whole // 2 + 1).conj_physical(), [dim], scale_of(norm, True), whole)


# aten::fft_ihfft
def ihfft(self, n, dim, norm):
    x = as_real(self)
    half = torch.ops.aten._fft_r2c(resized(x, dim, length(x, n, dim)), [dim], scale_of(norm, False), True)
    return half.conj_physical()


def places(x, s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    """The dimensions that are transformed: those that are named, else as many last ones as there are lengths, else all."""
    first = 0
    count = x.dim()
    if dim is not None:
        return [d % x.dim() for d in dim]
    if s is not None:
        first = x.dim() - len(s)
        count = len(s)
    return [first + i for i in range(count)]


def lengths(x, s: Optional[List[int]], dims: List[int]) -> List[int]:
    """How long the signal is in each; -1 says as it is."""
    found = [x.size(d) for d in dims]
    if s is not None:
        for i in range(len(dims)):
            if s[i] != -1:
                found[i] = s[i]
    return found


def last_length(x, s: Optional[List[int]], dims: List[int]) -> int:
    """The same of the last dimension, of whose spectrum there is half."""
    if s is not None:
        if s[-1] != -1:
            return s[-1]
    return 2 * (x.size(dims[-1]) - 1)


def all_resized(x, dims: List[int], n: List[int]):
    for i in range(len(dims)):
        x = resized(x, dims[i], n[i])
    return x


# aten::fft_fftn, aten::fft_fft2
def fftn(self, s, dim, norm):
    x = as_complex(self)
    dims = places(x, s, dim)
    return torch.ops.aten._fft_c2c(all_resized(x, dims, lengths(x, s, dims)), dims, scale_of(norm, True), True)


# aten::fft_ifftn, aten::fft_ifft2
def ifftn(self, s, dim, norm):
    x = as_complex(self)
    dims = places(x, s, dim)
    return torch.ops.aten._fft_c2c(all_resized(x, dims, lengths(x, s, dims)), dims, scale_of(norm, False), False)


# aten::fft_rfftn, aten::fft_rfft2
def rfftn(self, s, dim, norm):
    x = as_real(self)
    dims = places(x, s, dim)
    return torch.ops.aten._fft_r2c(all_resized(x, dims, lengths(x, s, dims)), dims, scale_of(norm, True), True)


# aten::fft_irfftn, aten::fft_irfft2
def irfftn(self, s, dim, norm):
    x = as_complex(self)
    dims = places(x, s, dim)
    n = lengths(x, s, dims)
    whole = last_length(x, s, dims)
    n[-1] = whole // 2 + 1
    return torch.ops.aten._fft_c2r(all_resized(x, dims, n), dims, scale_of(norm, False), whole)


# aten::fft_hfftn, aten::fft_hfft2
def hfftn(self, s, dim, norm):
    """The last dimension is the one with the real spectrum; the others are transformed before it."""
    x = as_complex(self)
    dims = places(x, s, dim)
    if len(dims) == 0:
        raise RuntimeError("hfftn must transform at least one axis")
    n = lengths(x, s, dims)
    whole = last_length(x, s, dims)
    scale = scale_of(norm, True)
    x = all_resized(x, dims[:-1], n[:-1])
    if len(dims) > 1:
        x = torch.ops.aten._fft_c2c(x, dims[:-1], scale, True)
    return torch.ops.aten._fft_c2r(resized(x, dims[-1], whole // 2 + 1).conj_physical(), dims[-1:], scale, whole)


# aten::fft_ihfftn, aten::fft_ihfft2
def ihfftn(self, s, dim, norm):
    x = as_real(self)
    dims = places(x, s, dim)
    if len(dims) == 0:
        raise RuntimeError("ihfftn must transform at least one axis")
    scale = scale_of(norm, False)
    x = all_resized(x, dims, lengths(x, s, dims))
    half = torch.ops.aten._fft_r2c(x, dims[-1:], scale, True).conj_physical()
    return half if len(dims) == 1 else torch.ops.aten._fft_c2c(half, dims[:-1], scale, False)


def rolled(x, dim: Optional[List[int]], back: bool):
    dims = places(x, None, dim)
    by = [x.size(d) - x.size(d) // 2 if back else x.size(d) // 2 for d in dims]
    return x.clone(memory_format=torch.contiguous_format) if len(dims) == 0 else x.roll(by, dims)


# aten::fft_fftshift
def fftshift(self, dim):
    """Zero frequency in the middle."""
    return rolled(self, dim, False)


# aten::fft_ifftshift
def ifftshift(self, dim):
    return rolled(self, dim, True)
