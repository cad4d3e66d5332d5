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
