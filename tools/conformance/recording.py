"""Values as recorded programs write them (`calls.json`), and numbers that pack small: what the repository's recorders share. Needs PyTorch.

A tensor is {"T": dtype, "s": sizes, "d": numbers}, with "st", its strides, where it is not contiguous, and "of" and "o", the number of an earlier
tensor of the group and the distance from its first element, where it lies in that one's storage, and "g" where it requires a gradient. {"same": n} is the n-th tensor itself. Tuples are
{"t": items}, named ones {"nt": [[name, item]]}, dictionaries {"dict": [[key, value]]}, numbers that JSON lacks {"f": "nan"}.
"""
import math
import re

import torch

DTYPES = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32", torch.float64: "f64", torch.int8: "i8", torch.int16: "i16", torch.int32: "i32",
          torch.int64: "i64", torch.uint8: "u8", torch.bool: "b", torch.complex64: "c64", torch.complex128: "c128"}

_DRAWN = torch.randn(251, generator=torch.Generator().manual_seed(20), dtype=torch.float64)
# Whole 64ths repeat well and every dtype of floats holds them.
PATTERN = (_DRAWN * 64).round() / 64


def pattern(*sizes, off=0):
    """Floats from a repeating pattern; `off` begins elsewhere in it."""
    places = (torch.arange(math.prod(sizes)) + 7 * off) % len(PATTERN)
    return PATTERN[places].reshape(sizes).float()


def fill(module):
    """Gives every parameter and running statistic numbers of the pattern, scaled as an initialisation would; the module, in evaluation mode."""
    with torch.no_grad():
        for k, (name, p) in enumerate(module.named_parameters()):
            numbers = pattern(*p.shape, off=k)
            if p.dim() > 1:
                # A power of two keeps the numbers short.
                numbers = numbers * 2.0 ** round(-math.log2(max(p[0].numel(), 1)) / 2)
            else:
                numbers = numbers / 8 + (1.0 if name.endswith("weight") else 0.0)
            p.copy_(numbers)
        for k, (name, b) in enumerate(module.named_buffers()):
            if name.endswith("running_mean"):
                b.copy_(pattern(*b.shape, off=k) / 4)
            elif name.endswith("running_var"):
                b.copy_(pattern(*b.shape, off=k).abs() / 2 + 0.75)
    return module.eval()


def number(x, digits):
    """A number of a tensor, floats in at most so many digits."""
    if isinstance(x, float):
        return float(f"%.{digits}g" % x) if math.isfinite(x) else str(x)
    return int(x)


class Encoder:
    """Encodes the values of one group: the arguments of a call, or one result."""

    def __init__(self):
        self.seen = []

    def value(self, v):
        if isinstance(v, torch.Tensor):
            return self.tensor(v)
        if isinstance(v, tuple) and hasattr(v, "_fields"):
            return {"nt": [[name, self.value(item)] for name, item in zip(v._fields, v)]}
        if isinstance(v, tuple):
            return {"t": [self.value(item) for item in v]}
        if isinstance(v, list):
            return [self.value(item) for item in v]
        if isinstance(v, dict):
            return {"dict": [[self.value(k), self.value(item)] for k, item in v.items()]}
        if isinstance(v, float) and not math.isfinite(v):
            return {"f": str(v)}
        if v is None or isinstance(v, (bool, int, float, str)):
            return v
        raise TypeError(f"a value of {type(v)} has no recorded form here")

    def tensor(self, t):
        for k, other in enumerate(self.seen):
            if other is t:
                return {"same": k}
        out = {"T": DTYPES[t.dtype], "s": list(t.shape)}
        if not t.is_contiguous():
            out["st"] = list(t.stride())
        parts = torch.view_as_real(t.resolve_conj()) if t.is_complex() else t
        # As many digits as tell any two numbers of the dtype apart.
        digits = 17 if parts.dtype == torch.float64 else 9
        out["d"] = [number(x, digits) for x in parts.reshape(-1).tolist()]
        if t.requires_grad:
            out["g"] = 1
        storage = t.untyped_storage().data_ptr()
        for k, other in enumerate(self.seen):
            if t.numel() and other.numel() and other.untyped_storage().data_ptr() == storage:
                out.update(of=k, st=list(t.stride()), o=t.storage_offset() - other.storage_offset())
                break
        self.seen.append(t)
        return out


def encode(v):
    """A value as a group of its own."""
    return Encoder().value(v)


def shares(out, arguments):
    """Pairs of tensors, numbered depth first, of the result and of the arguments that share storage; one without elements shares none."""
    found, flat = [], []

    def walk(v):
        if isinstance(v, torch.Tensor):
            flat.append(v)
        elif isinstance(v, dict):
            [walk(item) for item in v.values()]
        elif isinstance(v, (list, tuple)):
            [walk(item) for item in v]
    walk(out)
    for i, t in enumerate(flat):
        for j, a in enumerate(arguments):
            if t.numel() and t.untyped_storage().data_ptr() == a.untyped_storage().data_ptr():
                found.append([i, j])
    return found


def encode_group(values):
    """Values as one group: the arguments of a call."""
    group = Encoder()
    return [group.value(v) for v in values]


def outcome(out, given, before):
    """What came of a call: its result, its arguments where they are not as `before` has them, and which tensors of the result share storage with tensors among them."""
    call = {"out": encode(out)}
    after = encode_group(given)
    if [v.get("d") for v in after if isinstance(v, dict)] != [v.get("d") for v in before if isinstance(v, dict)]:
        call["args_after"] = after
    found = shares(out, [v for v in given if isinstance(v, torch.Tensor)])
    if found:
        call["alias"] = found
    return call


def refusal(error):
    """What was raised: its class and its text, in which files are named from their package on, or by their own name."""
    return [type(error).__name__, re.sub(r'File "(?:[^"]*/site-packages/|[^"]*/)', 'File "', str(error))]
