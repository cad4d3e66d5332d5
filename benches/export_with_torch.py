"""Exports TorchScript programs and models by `sconce export` and has PyTorch load and run what was written.

    /opt/torch/bin/python benches/export_with_torch.py SCONCE [--programs FOLDER] [--models FOLDER] [--archives FOLDER --rewrite BINARY] [--only NAME] [-v]

A program counts as equal when `torch.export.load(...).module()` gives what `torch.jit.load` gives of the same inputs, and `sconce run` runs it.
Refusals are listed by their first line.
"""
import argparse, collections, json, pathlib, subprocess, sys, tempfile, warnings, zipfile

import torch
from safetensors.numpy import load_file as load_numpy
from safetensors.torch import load_file

import interpreter

warnings.filterwarnings("ignore")
import logging
logging.disable(logging.WARNING)


DTYPES = dict(f16=torch.float16, bf16=torch.bfloat16, f32=torch.float32, f64=torch.float64, i8=torch.int8, i16=torch.int16, i32=torch.int32,
              i64=torch.int64, u8=torch.uint8, b=torch.bool, c64=torch.complex64, c128=torch.complex128)

# Seconds for one run of sconce.
LIMIT = 600


def spell(value, folder, count=[0]):
    """A value as `--input` takes it; tensors are files."""
    if isinstance(value, torch.Tensor):
        import numpy as np
        count[0] += 1
        path = f"{folder}/{count[0]}.npy"
        np.save(path, value.detach().numpy())
        return path
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, tuple):
        return "(" + ", ".join(spell(v, folder) for v in value) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(spell(v, folder) for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{spell(k, folder)}: {spell(v, folder)}" for k, v in value.items()) + "}"
    return repr(value)


# Classes of named tuples by their fields: a recording says no more of them.
NAMED = {}


def fresh(value):
    """A copy to call with: files, which `sconce` is given, say nothing of gradients."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        kind = NAMED.get(value._fields, type(value))
        return kind(*(fresh(v) for v in value))
    if isinstance(value, (tuple, list)):
        return type(value)(fresh(v) for v in value)
    if isinstance(value, dict):
        return {k: fresh(v) for k, v in value.items()}
    return value


def register(path):
    """Named tuples that a program takes or gives are classes that PyTorch must know to load it."""
    with zipfile.ZipFile(path) as archive:
        document = next(n for n in archive.namelist() if n.endswith("models/model.json"))
        named = json.loads(archive.read(document))["graph_module"]["treespec_namedtuple_fields"]
    for name, about in named.items():
        last, fields = name.rsplit(".")[-1], tuple(about["field_names"])
        if name not in torch.utils._pytree.SERIALIZED_TYPE_TO_PYTHON_TYPE:
            NAMED[fields] = collections.namedtuple(last, fields)
            torch.utils._pytree._register_namedtuple(NAMED[fields], serialized_type_name=name)


def leaves(value):
    if isinstance(value, dict):
        return [x for k in value for x in leaves(value[k])]
    if isinstance(value, (tuple, list)):
        return [x for v in value for x in leaves(v)]
    return [value]


def same(a, b):
    a, b = leaves(a), leaves(b)
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if isinstance(x, torch.Tensor) and isinstance(y, torch.Tensor):
            if x.dtype != y.dtype or x.shape != y.shape:
                return False
            if not torch.allclose(x.double() if not x.is_complex() else x, y.double() if not y.is_complex() else y, rtol=1e-3, atol=1e-4, equal_nan=True):
                return False
        elif isinstance(x, float) and isinstance(y, float):
            if abs(x - y) > 1e-4 * max(1, abs(x)) and x == x:
                return False
        elif x != y:
            return False
    return True


def attempt(sconce, model, method, args, folder, dynamic=(), others=()):
    """What became of one program; `others` are arguments that an archive with dynamic sizes also takes."""
    out = f"{folder}/out.pt2"
    spelled = lambda args: [x for a in args for x in ("--input", spell(a, folder))]
    command = [sconce, "export", str(model), *spelled(args), "-o", out]
    for size in dynamic:
        command += ["--dynamic", size]
    if method != "forward":
        command += ["--method", method]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    if done.returncode:
        return "refused", done.stderr.strip()
    try:
        register(out)
        program = torch.export.load(out)
    except Exception as e:
        return "torch does not load", str(e)
    for args in [args, *others]:
        original = torch.jit.load(str(model))
        torch.manual_seed(0)
        try:
            want = getattr(original, method)(*fresh(args))
        except Exception as e:
            return "raises", str(e)
        torch.manual_seed(0)
        try:
            got = program.module()(*fresh(args))
        except Exception as e:
            return "torch does not run", str(e).strip().splitlines()[-1]
        if not same(want, got):
            return "differs", f"{want} {got}"[:2000]
        run = subprocess.run([sconce, "run", out, *spelled(args)], capture_output=True, text=True, timeout=LIMIT)
        if run.returncode:
            return "sconce does not run", run.stderr.strip()
    return "equal", ""


def programs(root, only):
    sys.path.insert(0, str(root))
    import tslib
    for row in json.load(open(root / "index.json")):
        if only and only not in f"{row['area']}/{row['name']}":
            continue
        folder = root / row["area"] / row["name"]
        calls = json.load(open(folder / "calls.json"))
        calls = [c for c in calls if "error" not in c and "archive_error" not in c and not c.get("kwargs")]
        if not calls:
            continue
        try:
            args = tslib.decode_group(calls[0]["args"]) if hasattr(tslib, "decode_group") else [tslib.decode(a) for a in calls[0]["args"]]
        except Exception as e:
            print(f"{row['name']}: {e}")
            continue
        yield f"{row['area']}/{row['name']}", folder / "model.pt", calls[0]["method"], args, [], []


def models(root, only):
    """Each case as it is; each module once more with the first size of tensors as one that varies, and with three of it."""
    for info in sorted(root.glob("*/info.json")):
        if only and only not in str(info.parent.name):
            continue
        about = json.load(open(info))
        seen = set()
        for case, row in about["cases"].items():
            args = [value_of(root, info.parent, case, i) for i in row["inputs"]]
            model = info.parent / about["modules"][row["module"]]["pt"]
            packed = pathlib.Path(str(model) + ".zst")
            if not model.exists() and packed.exists():
                out = pathlib.Path(tempfile.gettempdir()) / f"{info.parent.name}.pt"
                subprocess.run(["zstd", "-dqf", str(packed), "-o", str(out)], check=True)
                model = out
            method = row.get("method", "forward")
            yield f"{info.parent.name}/{case}", model, method, args, [], []
            if row["module"] not in seen and about["mode"] == "script":
                seen.add(row["module"])
                batches = batched(model, method, row["inputs"], args)
                if batches:
                    names, first, *others = batches
                    yield f"{info.parent.name}/{case} dynamic", model, method, first, [f"{n}:0=batch(1..)" for n in names], others


def batched(model, method, inputs, args):
    """Names of the tensors whose first size may be another, and arguments with three of it; none where the module itself refuses them."""
    tensors = [i for i, a in enumerate(args) if isinstance(a, torch.Tensor) and a.dim() and a.shape[0] == first_size(args)]
    if not tensors:
        return None
    of = lambda n: [torch.cat([a] * n)[:n].contiguous() if i in tensors else a for i, a in enumerate(args)]
    sizes = [of(n) for n in (4, 1, 7)]
    try:
        for given in sizes:
            getattr(torch.jit.load(str(model)), method)(*fresh(given))
    except Exception:
        return None
    return [[inputs[i]["name"] for i in tensors], *sizes]


def first_size(args):
    return next((a.shape[0] for a in args if isinstance(a, torch.Tensor) and a.dim()), None)


def value_of(root, folder, case, about):
    if "value" in about:
        return about["value"]
    if about.get("stored"):
        return load_file(str(folder / "inputs.safetensors"))[f"{case}/{about['name']}"]
    made = interpreter.generated(about["gen"], about["shape"], load_numpy(str(root / "pattern.safetensors")))
    return torch.from_numpy(made).to(DTYPES[about["dtype"]])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sconce")
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--archives", type=pathlib.Path)
    parser.add_argument("--rewrite")
    parser.add_argument("--only")
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    for title, root, each in [("programs", args.programs, programs), ("models", args.models, models)]:
        if not root:
            continue
        counts, reasons = collections.Counter(), collections.Counter()
        for name, model, method, values, dynamic, others in each(root, args.only):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    what, why = attempt(args.sconce, model, method, values, folder, dynamic, others)
                except Exception as e:
                    what, why = "script", f"{type(e).__name__}: {e}"
            counts[what] += 1
            if what != "equal":
                first = (why.splitlines() or [""])[0]
                reasons[f"{what}: {first[:150]}"] += 1
                if args.v or what not in ("refused", "raises"):
                    print(f"{name}: {what}: {why[:600]}", flush=True)
        print(f"{title}: {dict(counts)}")
        for reason, n in reasons.most_common(40):
            print(f"  {n:4} {reason}")
    if args.archives:
        loaded = 0
        for path in sorted(args.archives.glob("*/program.pt2")):
            with tempfile.TemporaryDirectory() as folder:
                out = f"{folder}/program.pt2"
                subprocess.run([args.rewrite, str(path), out], check=True)
                try:
                    replay(path.parent, torch.export.load(out))
                    loaded += 1
                except Exception as e:
                    print(f"{path.parent.name}: {type(e).__name__}: {str(e)[:400]}")
        print(f"archives written again that PyTorch loads with the recorded values: {loaded}")


def decoded(v):
    """A recorded value of an exported program's calls; None where it has a class of its own."""
    if isinstance(v, list):
        return [decoded(x) for x in v]
    if not isinstance(v, dict):
        return v
    if "T" in v:
        dtype = DTYPES.get(v["T"]) or getattr(torch, v["T"])
        if "fill" in v:
            return torch.full(v["s"], v["fill"], dtype=dtype)
        numbers = [float(x) if isinstance(x, str) else x for x in v["d"]]
        if dtype.is_complex:
            # Real and imaginary parts in turns.
            numbers = [complex(*pair) for pair in zip(numbers[::2], numbers[1::2])]
        return torch.tensor(numbers, dtype=dtype).reshape(v["s"])
    if "t" in v:
        return tuple(decoded(x) for x in v["t"])
    if "dict" in v:
        return {decoded(k): decoded(x) for k, x in v["dict"]}
    if "f" in v:
        return float(v["f"])
    raise KeyError(f"a value of its own class: {sorted(v)}")


def replay(folder, program):
    """Runs the recorded calls one after the other."""
    module = program.module()
    for call in json.load(open(folder / "calls.json")):
        args = [decoded(a) for a in call["args"]]
        kwargs = {k: decoded(v) for k, v in (call.get("kwargs") or {}).items()}
        got = module(*args, **kwargs)
        if not same(decoded(call["out"]), got):
            raise ValueError(f"differs: {got}")


if __name__ == "__main__":
    main()
