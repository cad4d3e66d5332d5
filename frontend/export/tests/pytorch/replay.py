"""Calls every archive below a folder and the one that was saved from it, and compares what they give.

An archive that this PyTorch does not load is left out: its operators are newer. What it loads must also load as it was saved.
"""
import json, math, os, re, sys
import torch

DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "i8": torch.int8,
          "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8, "b": torch.bool,
          "c64": torch.complex64, "c128": torch.complex128}


def tensor(v):
    dtype = DTYPES[v["T"]]
    count = math.prod(v["s"])
    numbers = [float(x) if isinstance(x, str) else x for x in v.get("d") or [v.get("fill", 0)] * count]
    if v["T"].startswith("c") and "d" in v:
        numbers = [complex(a, b) for a, b in zip(numbers[::2], numbers[1::2])]
    out = torch.tensor(numbers, dtype=dtype).reshape(v["s"])
    return out.requires_grad_() if v.get("g") else out


def decode(v):
    """An argument of a recorded call; KeyError for what only the program's own classes can make."""
    if isinstance(v, list):
        return [decode(x) for x in v]
    if not isinstance(v, dict):
        return v
    if "T" in v:
        if "buf" in v or "st" in v:
            raise KeyError("a view")
        return tensor(v)
    if "f" in v:
        return float(v["f"])
    if "c" in v:
        return complex(*v["c"])
    if "t" in v:
        return tuple(decode(x) for x in v["t"])
    if "dict" in v:
        return {decode(k): decode(x) for k, x in v["dict"]}
    if "dev" in v:
        return torch.device(v["dev"])
    if "th" in v:
        return getattr(torch, v["th"].split(".")[1])
    raise KeyError(next(iter(v)))


def same(a, b):
    if isinstance(a, torch.Tensor):
        return isinstance(b, torch.Tensor) and a.dtype == b.dtype and a.shape == b.shape and bool(
            ((a == b) | ((a != a) & (b != b))).all())
    if isinstance(a, (list, tuple)):
        return type(a).__name__ == type(b).__name__ and len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, float):
        return type(b) is float and (a == b or a != a and b != b)
    if type(a).__module__ in ("builtins", "torch"):
        return type(a) is type(b) and a == b
    return str(a) == str(b) or type(a).__name__ == type(b).__name__


def result(module, call, mobile):
    arguments, keywords = decode(call["args"]), decode(call.get("kwargs", {"dict": []}))
    if "seed" in call:
        torch.manual_seed(call["seed"])
    try:
        if mobile:
            return module.run_method(call["method"], *arguments)
        return getattr(module, call["method"])(*arguments, **keywords)
    except Exception as e:
        return re.sub("0x[0-9a-f]+", "", "error: " + (str(e).strip().splitlines() or [""])[-1])


def open_archive(path, mobile):
    if mobile:
        from torch.jit.mobile import _load_for_lite_interpreter
        return _load_for_lite_interpreter(path)
    return torch.jit.load(path)


def main(root):
    equal = calls = undecoded = unreadable = 0
    bad = []
    for folder, _, files in sorted(os.walk(root)):
        for file in sorted(f for f in files if f.startswith("saved_")):
            mobile = file.endswith(".ptl")
            path, recorded = os.path.join(folder, file), os.path.join(folder, file[len("saved_"):])
            try:
                theirs = open_archive(recorded, mobile)
            except Exception:
                unreadable += 1
                continue
            try:
                ours = open_archive(path, mobile)
                for call in json.load(open(os.path.join(folder, "calls.json"))):
                    try:
                        want, got = result(theirs, call, mobile), result(ours, call, mobile)
                    except KeyError:
                        undecoded += 1
                        continue
                    calls += 1
                    if not same(want, got):
                        bad.append("%s: %s gives %s, expected %s" % (path, call["method"], str(got)[:200], str(want)[:200]))
                equal += 1
            except Exception as e:
                bad.append("%s: %s" % (path, str(e)[:300]))
    print("torch %s: %d archives, %d calls compared; %d calls with arguments of the program's own classes, %d archives that it does not read"
          % (torch.__version__, equal, calls, undecoded, unreadable))
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
