"""Loads before.pt and after.pt of every subfolder and compares code, state and the results of the recorded calls."""
import json, os, re, sys, warnings
import torch

warnings.filterwarnings("ignore")
DTYPES = dict(f16="float16", bf16="bfloat16", f32="float32", f64="float64", i8="int8", i16="int16", i32="int32",
              i64="int64", u8="uint8", b="bool", c64="complex64", c128="complex128")


class Unknown(Exception):
    pass


def number(x):
    return float(x) if isinstance(x, str) else x


def decode(v):
    """An argument; what needs the other tensors or classes of the recording is left to other tests."""
    if v is None or isinstance(v, (bool, int, float, str)):
        return v
    if isinstance(v, list):
        return [decode(x) for x in v]
    if "T" in v and not any(k in v for k in ("of", "buf", "st", "g")):
        dtype = getattr(torch, DTYPES[v["T"]])
        if "fill" in v:
            return torch.full(v["s"], number(v["fill"]), dtype=dtype)
        data = [number(x) for x in v["d"]]
        if dtype.is_complex:
            data = [complex(a, b) for a, b in zip(data[::2], data[1::2])]
        return torch.tensor(data, dtype=dtype).reshape(v["s"])
    if "f" in v:
        return float(v["f"])
    if "c" in v:
        return complex(*[number(x) for x in v["c"]])
    if "t" in v:
        return tuple(decode(x) for x in v["t"])
    if "dict" in v:
        return {decode(k): decode(x) for k, x in v["dict"]}
    if "dev" in v:
        return torch.device(v["dev"])
    if "th" in v:
        return getattr(torch, v["th"].split(".")[1])
    raise Unknown


def run(module, call):
    args, kwargs = decode(call["args"]), decode(call.get("kwargs", {"dict": []}))
    torch.manual_seed(call.get("seed", 0))
    try:
        return getattr(module, call["method"])(*args, **kwargs)
    except Exception as e:
        return re.sub("0x[0-9a-f]+", "ADDRESS", str(e).splitlines()[-1])


def same(a, b):
    if isinstance(a, torch.Tensor):
        return (isinstance(b, torch.Tensor) and (a.dtype, a.shape, a.stride(), a.requires_grad) ==
                (b.dtype, b.shape, b.stride(), b.requires_grad) and torch.equal(torch.isnan(a), torch.isnan(b)) and
                torch.equal(torch.nan_to_num(a.detach()), torch.nan_to_num(b.detach())))
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return type(a) is type(b) and (a == b or a != a or not isinstance(a, (int, float, str)))


def code(module):
    """PyTorch cannot print some traced code that it wrote itself (its debug records lack a type)."""
    try:
        return module.code
    except RuntimeError:
        return None


def check(folder):
    before, after = (torch.jit.load(os.path.join(folder, f)) for f in ("before.pt", "after.pt"))
    problems = []
    if code(before) not in (None, code(after)):
        problems.append("the code differs")
    if not same(dict(before.state_dict()), dict(after.state_dict())):
        problems.append("the state differs")
    calls = 0
    for call in json.load(open(os.path.join(folder, "calls.json"))):
        try:
            x, y = run(before, call), run(after, call)
        except Unknown:
            break
        calls += 1
        if not same(x, y):
            problems.append("%s: %r and %r" % (call["method"], x, y))
    return problems, calls


def main():
    total, wrong = 0, 0
    for number_ in sorted(os.listdir(sys.argv[1]), key=int):
        folder = os.path.join(sys.argv[1], number_)
        problems, calls = check(folder)
        total += calls
        if problems:
            wrong += 1
            print(open(os.path.join(folder, "name")).read(), problems[:2])
    print("%d calls, %d archives differ" % (total, wrong))
    return wrong > 0


sys.exit(main())
