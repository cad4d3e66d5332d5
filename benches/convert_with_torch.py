"""Converts exported programs to archives of TorchScript by `sconce convert` and has PyTorch load and run what was written.

    /opt/torch/bin/python benches/convert_with_torch.py SCONCE FOLDER [--via ENDING]... [--only NAME] [-v]

FOLDER has NAME/program.pt2 and NAME/calls.json. A program counts as equal when `torch.jit.load` of its conversion, called with the leaves of the recorded arguments,
gives the leaves of the recorded results, call after call on one module, and arguments and state hold what PyTorch's own program leaves in them. Then every input is given another rank, and each of its
sizes becomes one more and one less: what `torch.export.load(...).module()` refuses must be refused, and what it takes must give its results, or be refused by
`sconce run` of the program itself, which asks for more than PyTorch does: ranks, and the lower ends of ranges.

With `--via txt` the program goes through graph text and its tensors beside it on the way to the archive; `py` and `mlir` likewise.
"""
import argparse, collections, copy, dataclasses, json, logging, pathlib, subprocess, sys, tempfile, warnings

import torch
from torch.utils import _pytree as pytree

from export_with_torch import LIMIT, decoded, same, spell

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)


def recorded_leaves(value):
    """The leaves of a recorded value, also of one that has a class of its own."""
    if isinstance(value, list):
        return [leaf for v in value for leaf in recorded_leaves(v)]
    if isinstance(value, dict) and not {"T", "f"} & set(value):
        if "dict" in value:
            return [leaf for _, v in value["dict"] for leaf in recorded_leaves(v)]
        inner = value.get("t") or value.get("nt") or value.get("fields") or []
        pairs = "nt" in value or "obj" in value
        return [leaf for v in inner for leaf in recorded_leaves(v[1] if pairs else v)]
    return [decoded(value)]


def taken(program, leaves):
    """The leaves that the conversion takes: what the export fixed is none of its parameters."""
    inputs = [s for s in program.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    return [leaf for leaf, spec in zip(leaves, inputs) if not isinstance(spec.arg, torch.export.graph_signature.ConstantArgument)]


def converted(sconce, path, via, folder):
    """The archive that becomes of a program."""
    at = str(path)
    for ending in [*via, "pt"]:
        out = f"{folder}/program.{ending}"
        done = subprocess.run([sconce, "convert", at, out], capture_output=True, text=True, timeout=LIMIT)
        if done.returncode:
            raise ValueError(f"refused: {done.stderr.strip()}")
        at = out
    return at


def buffer(module, name):
    for part in name.split("."):
        module = getattr(module, part)
    return module


def call(function, *args, **kwargs):
    """The leaves of a result and of the arguments afterwards, or the error."""
    args, kwargs = pytree.tree_map(lambda v: v.clone() if isinstance(v, torch.Tensor) else v, (args, kwargs))
    torch.manual_seed(0)
    try:
        result = function(*args, **kwargs)
        return pytree.tree_leaves(result) + [leaf for leaf in pytree.tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)], None
    except Exception as e:
        return None, str(e).strip()


def strange(leaves):
    """Arguments that differ from those in a rank or a size, with what differs."""
    for at, leaf in enumerate(leaves):
        if not isinstance(leaf, torch.Tensor):
            continue
        others = [("rank", leaf.unsqueeze(0))]
        for dim, size in enumerate(leaf.shape):
            for other in (size + 1, size - 1):
                if 0 <= other <= 1 << 12:
                    index = torch.arange(other).clamp(max=max(size - 1, 0))
                    others.append((f"size {dim} = {other}", leaf.index_select(dim, index) if size else leaf.new_ones([*leaf.shape[:dim], other, *leaf.shape[dim + 1:]])))
        for what, other in others:
            yield f"leaf {at}: {what}", [*leaves[:at], other, *leaves[at + 1:]]


def arguments(program, leaves):
    """The arguments of the program itself with these leaves."""
    inputs = [s for s in program.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    given = iter(leaves)
    every = [s.arg.value if isinstance(s.arg, torch.export.graph_signature.ConstantArgument) else next(given) for s in inputs]
    return pytree.tree_unflatten(every, program.call_spec.in_spec)


def refused_here(sconce, path, args, kwargs, folder):
    """Does `sconce run` refuse the call?"""
    values = [spell(plain(v), folder) for v in args] + [f"{name}={spell(plain(v), folder)}" for name, v in kwargs.items()]
    inputs = [part for value in values for part in ("-i", value)]
    return subprocess.run([sconce, "run", str(path), *inputs], capture_output=True, timeout=LIMIT).returncode == 1


def plain(value):
    """Containers as the command line has them."""
    if dataclasses.is_dataclass(value):
        return tuple(plain(getattr(value, f.name)) for f in dataclasses.fields(value))
    if isinstance(value, (tuple, list)):
        return (tuple if isinstance(value, tuple) else list)(plain(v) for v in value)
    return {k: plain(v) for k, v in value.items()} if isinstance(value, dict) else value


def compare_strange(sconce, path, program, archive, leaves, folder, counts):
    """Calls that may have to be refused."""
    for what, other in strange(leaves):
        args, kwargs = arguments(program, other)
        want, refused = call(copy.deepcopy(program).module(), *args, **kwargs)
        got, raised = call(torch.jit.load(archive), *other)
        if want is not None and got is None and refused_here(sconce, path, args, kwargs, folder):
            counts["refused as by sconce run"] += 1
        elif (want is None) != (got is None):
            raise ValueError(f"{what}: PyTorch {refused or 'takes it'}; the conversion {raised or 'takes it'}")
        elif want is not None and not same(want, got):
            raise ValueError(f"{what}: differs")
        else:
            counts["refused as by PyTorch" if want is None else "taken as by PyTorch"] += 1


def recorded(root, only):
    # Classes of the programs' own trees are made when they are imported.
    sys.path.insert(0, str(root))
    if (root / "programs.py").exists():
        import programs  # noqa: F401
    for path in sorted(root.glob("*/program.pt2")):
        if only and only not in path.parent.name:
            continue
        yield path.parent.name, path, json.load(open(path.parent / "calls.json"))


def attempt(sconce, path, calls, via, folder, counts):
    program = torch.export.load(str(path))
    archive = converted(sconce, path, via, folder)
    original, module = copy.deepcopy(program).module(), torch.jit.load(archive)
    first = None
    for number, recorded in enumerate(calls):
        given = list((recorded.get("kwargs") or {}).values())
        leaves = taken(program, recorded_leaves(recorded["args"]) + recorded_leaves(given))
        first = first or leaves
        args, kwargs = arguments(program, leaves)
        (want, refused), (got, raised) = call(original, *args, **kwargs), call(module, *leaves)
        if refused or raised:
            raise ValueError(f"call {number}: {refused or raised}")
        results = recorded_leaves(recorded["out"])
        if not same(results, got[:len(results)]):
            raise ValueError(f"call {number} differs: {got}")
        if not same(want, got):
            raise ValueError(f"call {number}: what the arguments hold afterwards differs: {got}")
        counts["calls"] += 1
        for name, value in original.state_dict().items():
            if not same(value, buffer(module, name)):
                raise ValueError(f"call {number}: {name} is {buffer(module, name)}")
            counts["tensors of the state"] += 1
    if first is not None:
        compare_strange(sconce, path, program, archive, first, folder, counts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sconce")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--via", action="append", default=[])
    parser.add_argument("--only")
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    counts, results = collections.Counter(), collections.Counter()

    def tell(name, attempted):
        try:
            attempted()
            results["equal"] += 1
        except Exception as e:
            results["not equal"] += 1
            print(f"{name}: {type(e).__name__ + ': ' if args.v else ''}{str(e)[:600]}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        for name, path, calls in recorded(args.folder, args.only):
            tell(name, lambda: attempt(args.sconce, path, calls, args.via, folder, counts))
    print(f"programs: {dict(results)}; {dict(counts)}")


main()
