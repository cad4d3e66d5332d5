"""Model classes of torchvision and transformers, saved by PyTorch and run by Sconce: which load, run and give PyTorch's numbers.

    python benches/zoo.py [--sconce target/release/sconce] [--only SUBSTRING] [--how script trace export] [--library torchvision transformers]
                          [--runtime target/runtime/sconce-rt] [--size 64] [--mode=--no-compile] [--keep FOLDER] [--json FILE] [--time 600]

Every class is made with random weights (nothing is downloaded; transformers' configurations are shrunk), scripted or, where PyTorch refuses that, traced, and saved
(`--how export`: exported by torch.export); PyTorch runs what it loads from that file, Sconce runs the file, and the results are compared: `equal` bit for bit, `close` within 1e-4 of the value and 1e-5 of the largest one, or
no further than ten times PyTorch's own distance from the same program in f64 or from its own result without oneDNN, `wrong` otherwise. Detections are compared in
PyTorch's order: a model that has not been trained gives many scores that differ in the last bit. What PyTorch does not save is `refused`, with its reason. The archive is deleted
before the next is made. Exit status 1 when something is wrong, does not load or does not run.
"""
import argparse
import contextlib
import copy
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

warnings.filterwarnings("ignore")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import numpy as np
import torch
from safetensors.torch import load_file
from zoo_transformers import TRANSFORMERS, transformer


@dataclasses.dataclass
class Row:
    """What became of one model in one form."""

    model: str
    how: str
    state: str
    seconds: float = 0.0
    why: str = ""

    def line(self):
        return f"{self.model:<44} {self.how:<7} {self.state:<8} {self.seconds:7.1f}  {self.why}".rstrip()


# ---------------------------------------------------------------- torchvision
def image(channels, *sizes):
    """Smooth with an edge, between 0 and 1: what a camera gives."""
    grids = torch.meshgrid(*[torch.linspace(0, 1, s) for s in sizes], indexing="ij")
    planes = [0.5 + 0.3 * torch.sin(5 * sum(g * (k + c + 1) for k, g in enumerate(grids))) + 0.2 * (grids[-1] > 0.4 + 0.1 * c) for c in range(channels)]
    return torch.stack(planes).float()


def vision(name, size):
    """A torchvision model and its arguments: the smallest picture that the class takes."""
    import torchvision

    keywords = {"weights": None}
    family = torchvision.models.get_model_builder(name).__module__.rsplit(".", 2)[-2:]
    if "detection" in family:
        # A low threshold, else a model that has not been trained finds nothing.
        threshold = {"ssd": "score_thresh", "ssdlite": "score_thresh", "retinanet": "score_thresh", "fcos": "score_thresh"}
        keywords |= {"weights_backbone": None, threshold.get(family[-1], "box_score_thresh"): 0.0}
        keywords |= {} if name.startswith("ssd") else {"min_size": size, "max_size": 2 * size}
        return torchvision.models.get_model(name, **keywords), ([image(3, size, size), image(3, size, size + 16)],)
    if "segmentation" in family:
        return torchvision.models.get_model(name, weights_backbone=None, **keywords), (image(3, size, size)[None],)
    if "optical_flow" in family:
        # RAFT's coarsest correlation must hold two pixels.
        return torchvision.models.get_model(name, **keywords), (image(3, 128, 128)[None] * 2 - 1, image(3, 128, 128).flip(2)[None] * 2 - 1, 2)
    if "video" in family:
        frames = (3, 16, 224, 224) if name.startswith("mvit") else (3, 8, 224, 224) if name.startswith("swin") else (3, 14, 224, 224) if name == "s3d" else (3, 4, size, size)
        return torchvision.models.get_model(name, **keywords), (image(*frames)[None],)
    if name.startswith("vit"):
        size = size // 16 * 16 if name != "vit_h_14" else 56
        keywords["image_size"] = size
    if name.startswith("maxvit"):
        size = 224
    if name.startswith("quantized_inception"):
        size = max(size, 96)
    if name in ("inception_v3", "googlenet"):
        keywords |= {"init_weights": True}
        size = max(size, 96)
    if name.startswith("alexnet"):
        size = max(size, 64)
    return torchvision.models.get_model(name, **keywords), (image(3, size, size)[None],)


def unlike_new(module):
    """Statistics of normalisation as if the model had been trained: new ones are 0 and 1, which hides what is done with them."""
    generator = torch.Generator().manual_seed(7)
    for part in module.modules():
        if getattr(part, "running_mean", None) is not None:
            part.running_mean.copy_(0.1 * torch.randn(part.running_mean.shape, generator=generator))
            part.running_var.copy_(0.75 + 0.5 * torch.rand(part.running_var.shape, generator=generator))
    return module


# ---------------------------------------------------------------- one model
def saved(module, inputs, how, file):
    """Saves the module in the first of the forms that PyTorch takes; gives the form, or the reasons."""
    why = []
    for form in how:
        try:
            if form == "export":
                torch.export.save(torch.export.export(module, copy.deepcopy(inputs), strict=False), file)
            else:
                made = torch.jit.script(module) if form == "script" else torch.jit.trace(module, inputs, check_trace=False, strict=False)
                made.save(file)
            return form, ""
        except Exception as e:
            lines = [line.strip() for line in str(e).splitlines() if line.strip()] or [""]
            why.append(f"{form}: {type(e).__name__}: {lines[0][:160]}")
    return None, "; ".join(why)


def flat(value, name=""):
    """Tensors by their path, as Sconce names what it saves."""
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, (list, tuple)):
        parts = enumerate(value)
    elif value is None:
        return {}
    else:
        return {name or "out": torch.as_tensor(value)}
    out = {}
    for key, part in parts:
        out |= flat(part, f"{name}.{key}" if name else str(key))
    return out


def argument(value, folder, count):
    """A value as an argument of the command line; tensors go into files."""
    if isinstance(value, torch.Tensor):
        count[0] += 1
        path = os.path.join(folder, f"argument{count[0]}.npy")
        np.save(path, value.numpy())
        return path
    if isinstance(value, list):
        return "[" + ", ".join(argument(v, folder, count) for v in value) + "]"
    return repr(value)


def farthest(got, want):
    """The largest difference, as a share of the largest value of each result."""
    return max((float((got[k].double() - w.double()).abs().max() / w.double().abs().max().clamp(min=1e-30)) for k, w in want.items() if w.numel() and w.is_floating_point()), default=0.0)


def in_order(got, want):
    """Detections in the order of those they are nearest to by box, label and score; other results as they are."""
    got = dict(got)
    for key in [k for k in want if k.endswith("boxes")]:
        whole = key[: -len("boxes")]
        parts = [k for k in want if k.startswith(whole)]
        if {whole + "labels", whole + "scores"} <= set(parts) and all(k in got and got[k].shape == want[k].shape for k in parts) and len(want[key]):

            def rows(r):
                return torch.cat([r[key].double(), 1e4 * r[whole + "labels"][:, None].double(), 100 * r[whole + "scores"][:, None].double()], 1)

            nearest = torch.cdist(rows(want), rows(got), p=float("inf")).argmin(1)
            got |= {k: got[k][nearest] for k in parts}
    return got


def compare(got, want, references):
    """`equal`, `close` or `wrong`, and why; the references say how far from the truth, or from itself, PyTorch is."""
    got = {k.replace("'", "").replace('"', ""): v for k, v in got.items()}
    equal = got.keys() == want.keys() and all(torch.equal(got[k].nan_to_num(), w.nan_to_num()) for k, w in want.items())
    got = in_order(got, want)
    if got.keys() != want.keys():
        return "wrong", f"results {sorted(got)}, expected {sorted(want)}"
    worst = ""
    for key, w in want.items():
        g = got[key]
        if g.shape != w.shape or g.dtype != w.dtype:
            return "wrong", f"{key} is {g.dtype} {list(g.shape)}, expected {w.dtype} {list(w.shape)}"
        if not w.is_floating_point() and not w.is_complex():
            if not torch.equal(g, w):
                return "wrong", f"{key}: {int((g != w).sum())} of {w.numel()} differ"
        elif not torch.equal(g.nan_to_num(), w.nan_to_num()):
            finite = w[w.isfinite()].abs()
            top = float(finite.max()) if finite.numel() else 0.0
            if not torch.allclose(g, w, rtol=1e-4, atol=1e-5 * top, equal_nan=True):
                worst = worst or f"{key}: differs by {float((g - w).abs().max()):.3g}, largest value {top:.3g}"
    if worst:
        for what, reference in references.items():
            other = reference()
            if other is None or other.keys() != want.keys() or any(other[k].shape != want[k].shape for k in want):
                continue
            other = in_order(other, want)
            ours, theirs = farthest(got, other), farthest(want, other)
            if ours <= 10 * theirs:
                return "close", f"{ours:.1e} from {what}, PyTorch {theirs:.1e}"
        return "wrong", worst
    return ("equal" if equal else "close"), f"{sum(w.numel() for w in want.values())} numbers"


def in_f64(module, inputs):
    def wide(v):
        if isinstance(v, (list, tuple)):
            return type(v)(wide(x) for x in v)
        return v.double() if isinstance(v, torch.Tensor) and v.is_floating_point() else v

    torch.set_default_dtype(torch.float64)
    try:
        return flat(copy.deepcopy(module).double()(*wide(inputs)))
    except Exception:
        return None
    finally:
        torch.set_default_dtype(torch.float32)


def run(options, file, result, given):
    """Sconce's run of an archive: the command's, or the runtime's of what the command converts it to. The runtime takes no lists of tensors."""
    called = dict(capture_output=True, text=True, timeout=options.time)
    if options.runtime is None or any(part.startswith("[") for part in given):
        return subprocess.run([options.sconce, "run", file, "-o", result, "--no-grad", "--seed", "0", *options.mode.split(), *given], **called)
    program = file + ".sconce"
    converted = subprocess.run([options.sconce, "convert", file, program], **called)
    return converted if converted.returncode != 0 else subprocess.run([options.runtime, program, "-o", result, "--seed", "0", *given], **called)


def replay(name, module, inputs, how, options, folder):
    """One model: saved, run by both, compared."""
    file = os.path.join(folder, "model.pt2" if how == ["export"] else "model.pt")
    form, why = saved(module, inputs, how, file)
    if form is None:
        return Row(name, "-", "refused", why=why)
    loaded = torch.export.load(file).module() if form == "export" else torch.jit.load(file)
    torch.manual_seed(0)
    try:
        want = flat(loaded(*copy.deepcopy(inputs)))
    except Exception as e:
        return Row(name, form, "refused", why=f"PyTorch does not run it: {str(e).strip().splitlines()[-1][:160]}")
    result, count = os.path.join(folder, "result.safetensors"), [0]
    given = [part for value in inputs for part in ("-i", argument(value, folder, count))]
    start = time.perf_counter()
    try:
        ran = run(options, file, result, given)
    except subprocess.TimeoutExpired:
        return Row(name, form, "slow", options.time)
    seconds = time.perf_counter() - start
    if ran.returncode != 0:
        lines = [line for line in (ran.stderr + ran.stdout).splitlines() if line.strip()] or [f"status {ran.returncode}"]
        says = next((line for line in lines if "error" in line.lower()), lines[-1])
        tail = "" if says == lines[-1] else " … " + lines[-1]
        return Row(name, form, "failed", seconds, (says + tail)[:400])
    got = load_file(result)

    def without_onednn():
        torch.manual_seed(0)
        with torch.backends.mkldnn.flags(enabled=False):
            return flat(loaded(*copy.deepcopy(inputs)))

    state, why = compare(got, want, {"f64": lambda: in_f64(module, inputs), "PyTorch without oneDNN": without_onednn})
    return Row(name, form, state, seconds, why)


def models(options):
    """Names and makers of everything that was asked for."""
    if "torchvision" in options.library:
        import torchvision

        for name in torchvision.models.list_models():
            yield name, (lambda name=name: vision(name, options.size))
    if "transformers" in options.library:
        for name in TRANSFORMERS:
            for attention in ("eager", "sdpa"):
                yield f"{name} {attention}", (lambda name=name, attention=attention: transformer(name, attention))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--sconce", default=os.path.join("target", "release", "sconce"))
    arguments.add_argument("--runtime", help="sconce-rt, which then runs what the command converts")
    arguments.add_argument("--only", nargs="*", default=[], help="models whose name contains one of these")
    arguments.add_argument("--how", nargs="+", default=["script", "trace"], choices=["script", "trace", "export"])
    arguments.add_argument("--library", nargs="+", default=["torchvision", "transformers"])
    arguments.add_argument("--size", type=int, default=64)
    arguments.add_argument("--mode", default="--no-compile")
    arguments.add_argument("--keep", help="copies the archives and arguments of what fails into this folder")
    arguments.add_argument("--json")
    arguments.add_argument("--time", type=float, default=600)
    arguments.add_argument("--threads", type=int, default=1)
    options = arguments.parse_args()
    torch.set_num_threads(options.threads)
    rows = []
    for name, make in models(options):
        if options.only and not any(part in name for part in options.only):
            continue
        with tempfile.TemporaryDirectory() as folder, torch.no_grad(), contextlib.redirect_stdout(sys.stderr):
            torch.manual_seed(1)
            try:
                made = make()
                if made is None:
                    continue
                module, inputs = made
                row = replay(name, unlike_new(module.eval()), inputs, options.how, options, folder)
            except Exception as e:
                row = Row(name, "-", "unmade", why=f"{type(e).__name__}: {(str(e).strip().splitlines() or [''])[0][:200]}")
            if options.keep and row.state in ("failed", "wrong", "slow"):
                os.makedirs(options.keep, exist_ok=True)
                subprocess.run(["cp", "-r", folder, os.path.join(options.keep, name.replace(" ", "_"))])
        print(row.line(), flush=True)
        rows.append(row)
        if options.json:
            with open(options.json, "w") as f:
                json.dump([dataclasses.asdict(r) for r in rows], f, indent=1)
    counts = {}
    for row in rows:
        counts[row.state] = counts.get(row.state, 0) + 1
    print(", ".join(f"{n} {state}" for state, n in sorted(counts.items())) + f", {len(rows)} in all")
    return 1 if any(r.state in ("failed", "wrong", "slow", "unmade") for r in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
