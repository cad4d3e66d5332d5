"""Calls every layer that Sconce compiled, as PyTorch loads it, and PyTorch's own, and compares what they give.

The folder has calls.jsonl, and N.pt for the N-th construction that PyTorch scripts.
"""
import json, os, sys, warnings
from collections import OrderedDict

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../frontend/script/tests/pytorch"))
import torch
from torch import nn

import replay

warnings.simplefilter("ignore")
# Texts are compared as they are written: an executor that fuses does so differently in different texts, and rounds differently.
torch._C._jit_set_profiling_executor(False)
torch._C._set_graph_executor_optimize(False)


def outcome(m, row, arguments):
    """What a call gives, or the last line of its error."""
    torch.manual_seed(0)
    m.train(row["mode"] == "train")
    try:
        with torch.no_grad() if row.get("nograd") else torch.enable_grad():
            return eval(row["call"], {"m": m, "torch": torch, "nn": nn, **arguments})
    except Exception as e:
        return "error: " + (str(e).strip().splitlines() or [""])[-1]


def main(folder):
    rows = [json.loads(line) for line in open(os.path.join(folder, "calls.jsonl"))]
    heads = [r for r in rows if r["k"] == "module" and "refused" not in r]
    calls = {}
    for r in rows:
        # A loaded module is called; parts of a container are TorchScript's to take, not Python's.
        if r["k"] == "call" and "sig" in r and r["call"].startswith("m(") and "refused" not in r and "eager" not in r:
            calls.setdefault(r["new"], []).append(r)
    compared = undecoded = 0
    bad = []
    for i, head in enumerate(heads):
        torch.manual_seed(0)
        theirs = torch.jit.script(eval(head["new"], {"torch": torch, "nn": nn, "OrderedDict": OrderedDict}))
        try:
            ours = torch.jit.load(os.path.join(folder, "%d.pt" % i))
        except Exception as e:
            bad.append("%s: %s" % (head["new"], str(e)[:300]))
            continue
        for row in calls.get(head["new"], []):
            try:
                shared = [head["inputs"][a["in"]] if isinstance(a, dict) and "in" in a else a for a in row["args"]]
                given = [{name: replay.decode(v) for (name, _), v in zip(row["sig"], shared)} for _ in range(2)]
            except (KeyError, TypeError):
                undecoded += 1
                continue
            want, got = outcome(theirs, row, given[0]), outcome(ours, row, given[1])
            compared += 1
            if not replay.same(want, got):
                bad.append("%s %s: %s, expected %s" % (head["new"], row["call"], str(got)[:200], str(want)[:200]))
    print("torch %s: %d layers, %d calls compared, %d with arguments that are not decoded" % (torch.__version__, len(heads), compared, undecoded))
    print("\n".join(bad))
    return 1 if bad else 0


sys.exit(main(sys.argv[1]))
