"""Records what torch.jit.trace makes of the programs in programs.py: testdata/trace.

    python record.py OUT [name ...]

Writes OUT/<name>/{source.py,calls.json} in the form of the recorded programs, with their tslib.py (in ../shared/programs, or where TSLIB says), and
beside them traced.txt (the trace, calls of traced submodules put in their place) and trace.json (warnings, and the error if it was refused).
"""
import json
import linecache
import os
import sys
import types
import warnings

sys.path.insert(0, os.environ.get("TSLIB", os.path.join(os.path.dirname(__file__), "../../../../../shared/programs")))
import torch
import tslib
import programs

warnings.resetwarnings()
UNSAID = ("FutureWarning", "DeprecationWarning")


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
            result["error"] = [type(e).__name__, tslib.clean_text(str(e))]
    for w in caught:
        row = [w.category.__name__, tslib.clean_text(str(w.message))]
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
    write("traced.txt", tslib.clean_text(str(value.inlined_graph)))
    rows = []
    for call in calls or []:
        args = eval(f"({call}{'' if call.rstrip().endswith(',') else ','})", module.__dict__)
        row = {"method": "forward", "expr": call, "seed": 3, "args": tslib.encode(list(args))}
        names = [n for n, _ in value.named_buffers()] if isinstance(value, torch.nn.Module) else []
        row.update(tslib.run_call(value, "forward", args, {}, names, 3))
        rows.append(row)
    if rows:
        write("calls.json", json.dumps(rows, separators=(",", ":")))


def main():
    out, wanted = sys.argv[1], sys.argv[2:]
    for name, source, entry, calls in programs.programs():
        if not wanted or name in wanted:
            record(out, name, source, entry, calls)


if __name__ == "__main__":
    main()
