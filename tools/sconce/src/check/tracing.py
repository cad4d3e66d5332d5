
import torch as _torch


def T(*shape, scale=1.0, off=0, dtype=_torch.float32):
    n = 1
    for s in shape:
        n = n * s
    return (((_torch.arange(n) + 7 * off) % 13 - 6) / 8.0 * scale).to(dtype).reshape(shape)


def I(*shape, mod=0, off=0, dtype=_torch.int64):
    n = 1
    for s in shape:
        n = n * s
    return ((_torch.arange(n) + 5 * off) % (mod if mod > 0 else 9)).to(dtype).reshape(shape)


def traced(f, *args, eval=False, strict=True):
    return _torch.jit.trace(f, args, check_trace=False, strict=strict)
