"""Records what PyTorch's executors say of calls: what testdata/executor holds.

    python record.py FOLDER

Writes FOLDER/executor/profiles.json (types that `prim::profile` has seen after each run), specializations.json (which changes of a call make another plan),
gradients.json (how many plans calls leave that require gradients or do not), strategies.json (settings as they are read back) and preoptimized.txt (functions of
testdata/programs, inlined and after the three passes that come before any executor); `cargo xtask testdata --only executor --shared FOLDER` packs them.

A tensor is {"dtype", "sizes", "strides", "grad"}, a list {"items"}, a tuple a list, and None null: values never matter.
"""
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings

import torch

warnings.simplefilter("ignore")


def written(v):
    if isinstance(v, torch.Tensor):
        dtype = str(v.dtype).removeprefix("torch.")
        return {"dtype": dtype, "sizes": list(v.shape), "strides": list(v.stride()), "grad": v.requires_grad}
    if isinstance(v, list):
        return {"items": [written(i) for i in v]}
    return [written(i) for i in v] if isinstance(v, tuple) else v


def t(*sizes, **more):
    return torch.ones(*sizes, **more)


RUNS = {
    "once": [(t(2, 3), t(2, 3))],
    "same": [(t(2, 3), t(2, 3)), (t(2, 3), t(2, 3))],
    "size": [(t(2, 3), t(2, 3)), (t(2, 4), t(2, 4))],
    "dtype": [(t(2, 3), t(2, 3)), (t(2, 3), t(2, 3, dtype=torch.float64))],
    "rank": [(t(2, 3), t(2, 3)), (t(2, 3), t(3))],
    "rank then back": [(t(2, 3), t(3)), (t(2, 3), t(2, 3)), (t(2, 3), t(3))],
    "layout": [(t(2, 3), t(2, 3)), (t(3, 2).t(), t(2, 3))],
    "expanded": [(t(2, 1).expand(2, 3), t(2, 3))],
    "sliced": [(t(4, 6)[::2, ::2], t(2, 3))],
    "one": [(t(1, 3), t(3, 1)), (t(1, 3), t(3, 1))],
    "scalar": [(t(()), t(()))],
    "empty": [(t(0, 3), t(1, 3))],
    "gradient": [(t(2, 3), t(2, 3)), (t(2, 3), t(2, 3, requires_grad=True))],
    "gradients": [(t(2, 3, requires_grad=True), t(2, 3))],
    "all differ": [(t(2, 3), t(2, 3)), (t(3, dtype=torch.float64), t(2, 3, dtype=torch.int64))],
}

# The first is the call that the others change in one thing.
CALLS = {
    "as it is": (t(2, 3), None, (t(1), 1), [t(1)], 1),
    "size": (t(2, 4), None, (t(1), 1), [t(1)], 1),
    "strides": (t(3, 2).t(), None, (t(1), 1), [t(1)], 1),
    "int": (t(2, 3), None, (t(1), 1), [t(1)], 7),
    "int in a tuple": (t(2, 3), None, (t(1), 7), [t(1)], 1),
    "list": (t(2, 3), None, (t(1), 1), [t(1, 1, dtype=torch.float64), t(1)], 1),
    "dtype": (t(2, 3, dtype=torch.float64), None, (t(1), 1), [t(1)], 1),
    "rank": (t(2, 3, 1), None, (t(1), 1), [t(1)], 1),
    "requires_grad": (t(2, 3, requires_grad=True), None, (t(1), 1), [t(1)], 1),
    "defined": (t(2, 3), t(1), (t(1), 1), [t(1)], 1),
    "dtype in a tuple": (t(2, 3), None, (t(1, dtype=torch.float64), 1), [t(1)], 1),
    "rank in a tuple": (t(2, 3), None, (t(1, 1), 1), [t(1)], 1),
    "requires_grad in a tuple": (t(2, 3), None, (t(1, requires_grad=True), 1), [t(1)], 1),
}


def profiles():
    rows = []
    for name, runs in RUNS.items():
        again = torch.jit.CompilationUnit("def f(x, y):\n    return torch.sin(x) * 2 + y\n").f
        torch._C._jit_set_num_profiled_runs(len(runs) + 1)
        seen = []
        for run in runs:
            again(*run)
            text = str(torch.jit.last_executed_optimized_graph())
            seen.append(re.findall(r"prim::profile\[profiled_type=(.*), seen_none=(\d)\]", text))
        rows.append({"name": name, "runs": [written(run) for run in runs], "profiled": seen})
    return rows


def traditional(record):
    torch._C._jit_set_profiling_executor(False)
    torch._C._jit_set_profiling_mode(False)
    rows = record()
    torch._C._jit_set_profiling_executor(True)
    torch._C._jit_set_profiling_mode(True)
    return rows


def gradients():
    f = torch.jit.CompilationUnit("def f(x):\n    return torch.sin(x) * 2 + x\n").f
    rows = []
    for requires in (False, True, False, True):
        f(t(5).requires_grad_(requires))
        rows.append({"requires_grad": requires, "plans": len(f.get_debug_state().execution_plans)})
    return rows


def specializations():
    rows = []
    source = """
def f(x, y: Optional[Tensor], pair: Tuple[Tensor, int], items: List[Tensor], n: int):
    r = x + 1
    if y is not None:
        r = r + y
    return r + pair[0] + items[0] + n
"""
    base = CALLS["as it is"]
    for name, call in CALLS.items():
        for gradients in (True, False):
            f = torch.jit.CompilationUnit(source).f
            with torch.set_grad_enabled(gradients):
                f(*base)
                f(*call)
            plans = len(f.get_debug_state().execution_plans)
            rows.append({"name": name, "gradients": gradients, "base": written(base), "call": written(call), "plans": plans})
    return rows


def strategies():
    rows = [{"default depth": sum(depth for _, depth in torch._C._jit_set_fusion_strategy([("STATIC", 2)]))}]
    for given in ([("STATIC", 1), ("DYNAMIC", 2)], [("DYNAMIC", 1), ("STATIC", 2)], [], [("STATIC", 0)], [("static", 1)], [("FIXED", 1)]):
        try:
            torch._C._jit_set_fusion_strategy(given)
            rows.append({"given": given, "kept": torch._C._jit_set_fusion_strategy(given)})
        except ValueError as e:
            rows.append({"given": given, "error": str(e)})
    torch._C._jit_set_bailout_depth(3)
    rows.append({"bailout depth": 3, "kept": torch._C._jit_set_fusion_strategy([("STATIC", 2)])})
    return rows


def preoptimized(programs):
    """`## PROGRAM` and the graph of each function that a program of this folder names as its entry, without places."""
    texts = []
    for family in sorted(os.listdir(programs)):
        for name in sorted(os.listdir(os.path.join(programs, family))) if os.path.isdir(os.path.join(programs, family)) else ():
            path = os.path.join(programs, family, name, "source.py")
            with open(path) as f:
                entry = [line.removeprefix("#@ entry ").strip() for line in f if line.startswith("#@ entry ")]
            if not entry or "(" in entry[0]:
                continue
            spec = importlib.util.spec_from_file_location("program", path)
            module = importlib.util.module_from_spec(spec)
            try:
                spec.loader.exec_module(module)
                graph = torch.jit.script(getattr(module, entry[0])).graph.copy()
            except Exception:
                # What PyTorch refuses is recorded elsewhere.
                continue
            torch._C._jit_pass_inline(graph)
            # The argument keeps what depends on shapes, as it is kept at that moment.
            torch._C._jit_pass_peephole(graph, True)
            torch._C._jit_pass_constant_propagation_immutable_types(graph)
            torch._C._jit_pass_constant_pooling(graph)
            texts.append(f"## {family}/{name}\n" + re.sub(r" # [^\n]*:\d+:\d+$", "", str(graph), flags=re.M))
    return "".join(texts)


folder = os.path.join(sys.argv[1], "executor")
os.makedirs(folder, exist_ok=True)
for name, made in (
    ("profiles", profiles()),
    ("specializations", traditional(specializations)),
    ("gradients", traditional(gradients)),
    ("strategies", strategies()),
):
    with open(os.path.join(folder, name + ".json"), "w") as out:
        json.dump(made, out, indent=0)
        out.write("\n")
with tempfile.TemporaryDirectory() as scratch, open(os.path.join(folder, "preoptimized.txt"), "w") as out:
    packed = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../testdata/programs.tar.zst")
    subprocess.run(["tar", "--zstd", "-xf", packed, "-C", scratch], check=True)
    out.write(preoptimized(scratch))
