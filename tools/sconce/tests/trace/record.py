"""Records what torch.jit.trace makes of the programs in programs.py: what testdata/trace holds.

    python record.py FOLDER [name ...]

Writes FOLDER/<name>/{source.py,calls.json} in the form of the recorded programs, and beside them traced.txt (the trace, calls of traced submodules put in
their place) and trace.json (warnings, and the error if it was refused); `cargo xtask testdata --only trace --shared PARENT` packs PARENT/trace.
"""
import json
import linecache
import os
import sys
import types
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../conformance"))
import torch
from recording import encode

import programs

warnings.resetwarnings()
torch.set_num_threads(1)
UNSAID = ("FutureWarning", "DeprecationWarning")


def neutral(text):
    """A text without the place where PyTorch is installed."""
    return text.replace(os.path.dirname(os.path.dirname(os.path.abspath(torch.__file__))) + "/", "")


def tensors(v):
    if isinstance(v, torch.Tensor):
        return [v]
    items = v.values() if isinstance(v, dict) else v if isinstance(v, (list, tuple)) else []
    return [t for item in items for t in tensors(item)]


def called(value, args):
    """What a call gives and changes."""
    buffers = dict(value.named_buffers()) if isinstance(value, torch.nn.Module) else {}
    before = {name: encode(b) for name, b in buffers.items()}
    torch.manual_seed(3)
    out = value(*args)
    row = {"out": encode(out)}
    place = lambda t: t.untyped_storage().data_ptr()
    given = tensors(args)
    alias = [[i, next(j for j, t in enumerate(given) if place(t) == place(o))] for i, o in enumerate(tensors(out)) if place(o) in map(place, given)]
    state = {name: encode(b) for name, b in buffers.items() if encode(b) != before[name]}
    return row | ({"alias": alias} if alias else {}) | ({"state": state} if state else {})


def module_of(name, source):
    module = types.ModuleType(name)
    linecache.cache["source.py"] = (len(source), None, source.splitlines(True), "source.py")
    sys.modules[name] = module
    exec(compile(source, "source.py", "exec"), module.__dict__)
    return module


def traced(entry, module):
    result = {"warnings": [], "error": None}
    value = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = eval(entry, module.__dict__)
        except Exception as e:
            result["error"] = [type(e).__name__, neutral(str(e))]
    for w in caught:
        row = [w.category.__name__, neutral(str(w.message))]
        if row[0] not in UNSAID and row not in result["warnings"]:
            result["warnings"].append(row)
    return value, result


def record(out, name, source, entry, calls):
    folder = os.path.join(out, name)
    os.makedirs(folder, exist_ok=True)
    write = lambda file, text: open(os.path.join(folder, file), "w").write(text)
    torch.manual_seed(0)
    module = module_of(name, source)
    value, result = traced(entry, module)
    write("source.py", source.rstrip() + f"\n\n#@ entry {entry}\n")
    write("trace.json", json.dumps(result, indent=0))
    if value is None:
        return
    write("traced.txt", neutral(str(value.inlined_graph)))
    rows = []
    for call in calls or []:
        args = eval(f"({call}{'' if call.rstrip().endswith(',') else ','})", module.__dict__)
        row = {"method": "forward", "expr": call, "seed": 3, "args": encode(list(args))}
        rows.append(row | called(value, args))
    if rows:
        write("calls.json", json.dumps(rows, separators=(",", ":")))


def main():
    out, wanted = sys.argv[1], sys.argv[2:]
    for name, source, entry, calls in programs.programs():
        if not wanted or name in wanted:
            record(out, name, source, entry, calls)


if __name__ == "__main__":
    main()
