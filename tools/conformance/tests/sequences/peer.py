"""Runs sequences of operators with PyTorch and says after every step what all tensors are.

A line of standard input is a JSON list of sequences, each a list of steps; a line of standard output answers it. A step is
`{"new": [dtype, sizes, numbers], "out": [name]}` or `{"op": "aten::add.Tensor", "args": [...], "out": [names]}`. The answer to a step is
`[error or null, {name: [dtype, sizes, strides, offset, first name of the storage, first name of the very tensor, bytes or null]}]`: of tensors
that differ from what was said of them before.
"""

import json
import sys
import warnings

import torch

warnings.simplefilter("ignore")
torch.set_num_threads(1)
torch.set_grad_enabled(False)


def new(dtype, sizes, numbers):
    dtype = getattr(torch, dtype)
    numbers = [complex(*n) if isinstance(n, list) else float(n) if isinstance(n, str) else n for n in numbers]
    return torch.tensor(numbers, dtype=dtype).reshape(sizes)


def argument(value, names):
    if not isinstance(value, dict):
        return value
    (kind, of), = value.items()
    if kind == "t":
        return names[of]
    if kind == "ts":
        return [None if n is None else names[n] for n in of]
    if kind == "c":
        return complex(*of)
    return getattr(torch, of)


def call(step, names):
    if "new" in step:
        return [new(*step["new"])]
    base, _, overload = step["op"].removeprefix("aten::").partition(".")
    op = getattr(getattr(torch.ops.aten, base), overload or "default")
    positional, keywords = [], {}
    for value, declared in zip(step["args"], op._schema.arguments):
        value = argument(value, names)
        if declared.kwarg_only:
            keywords[declared.name] = value
        else:
            positional.append(value)
    result = op(*positional, **keywords)
    return list(result) if isinstance(result, (list, tuple)) else [result]


def data(t):
    flat = t.new_empty(t.numel()).copy_(t.reshape(-1))
    return flat.view(torch.uint8).numpy().tobytes().hex() if t.numel() else ""


def state(names):
    storages, tensors, out = {}, {}, {}
    for name, t in names.items():
        out[name] = [
            str(t.dtype)[6:],
            list(t.shape),
            list(t.stride()),
            t.storage_offset(),
            storages.setdefault(t.untyped_storage()._cdata, name),
            tensors.setdefault(id(t), name),
            data(t),
        ]
    return out


def run(steps):
    names, said, answers = {}, {}, []
    for step in steps:
        error = None
        try:
            names.update(zip(step["out"], call(step, names)))
        except Exception as e:  # whatever it raises is a refusal
            error = f"{type(e).__name__}: {e}".split("\n")[0][:300]
        now = state(names)
        answers.append([error, {n: s for n, s in now.items() if said.get(n) != s}])
        said = now
    return answers


for line in sys.stdin:
    print(json.dumps([run(steps) for steps in json.loads(line)], separators=(",", ":")), flush=True)
