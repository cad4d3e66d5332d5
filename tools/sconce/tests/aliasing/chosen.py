"""Chosen programs about who shares what, each named by what it shows, with what Python answers: cases in the form of `testdata/programs` for `sconce check`.

    python chosen.py FOLDER

Writes FOLDER/<name>/{source.py,calls.json}. As in `generate.py`, what PyTorch computes eagerly is right; programs that PyTorch's own compiler changes are
named at the end. In `CALLS`, `x` and `y` are the two tensors of a call: apart, one tensor, or laid over each other in one storage.
"""
import importlib.util
import json
import os
import sys
import tempfile
import warnings

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../conformance"))
from recording import encode_group, outcome, refusal

HEAD = '''import torch
from typing import Dict, List, NamedTuple, Optional, Tuple


'''


def base(n=4):
    return torch.arange(1.0, n + 1)


def apart():
    return torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.5, -1.0, 2.0]), 2


def same():
    b = base(3)
    return b, b, 2


def shifted():
    b = base()
    return b[0:3], b[1:4], 2


def interleaved():
    b = base(6)
    return b[0::2], b[1::2], 2


def transposed():
    b = base(9).reshape(3, 3)
    return b, b.t(), 2


def expanded():
    b = base(1)
    return b.expand(3), torch.tensor([1.0, 2.0, 3.0]), 2


def parts():
    b = base(9).reshape(3, 3)
    return b[0:2], b[1], 2


def never():
    return apart()[:2] + (0,)


CALLS = [apart, same, shifted, interleaved, transposed, parts, expanded, never]

# Name, what stands before the function, and its body.
PROGRAMS = {}


def program(name, body, before=""):
    assert name not in PROGRAMS, name
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    PROGRAMS[name] = HEAD + (before.strip("\n") + "\n\n\n" if before else "") + "def f(x, y, n: int):\n" + lines


# What may give back its operand.
program("type_as_gives_back_its_operand", "z = x.type_as(y)\nz.add_(1)\nreturn x")
program("type_as_itself", "z = x.type_as(x)\nz.add_(1)\nreturn x")
program("type_as_another_dtype_copies", "z = x.type_as(y.double())\nz.add_(1)\nreturn x, z")
program("to_its_own_dtype", "z = x.to(torch.float32)\nz.mul_(2)\nw = x.to(torch.float32, copy=True)\nw.zero_()\nreturn x, w")
program("float_of_floats", "z = x.float()\nz.sub_(1)\nw = x.double()\nw.sub_(1)\nreturn x, w")
program("contiguous_of_what_is", "z = x.contiguous()\nz.neg_()\nreturn x, z")
program("contiguous_of_a_transpose", "z = y.t().contiguous()\nz.neg_()\nreturn y, z")
program("reshape_views_where_it_can", "z = x.reshape(-1)\nz.add_(1)\nw = x.t().reshape(-1)\nw.add_(10)\nreturn x, w")
program("dropout_in_evaluation", "z = torch.dropout(x, 0.5, False)\nz.add_(1)\nreturn x")
program("detach_shares", "z = x.detach()\nz.exp_()\nreturn x")
program("clone_does_not_share", "z = x.clone()\nz.exp_()\nreturn x, z")
program("expand_sees_writes_to_its_base", "z = x.unsqueeze(0).expand_as(torch.stack([x, x]))\nx.add_(1)\nreturn z * 1")
program("broadcast_shares", "a, b = torch.broadcast_tensors(x, y)\na.sub_(0)\nx.add_(1)\nreturn a + b")

# Aggregates.
program("list_holds_the_tensor", "l = [x, y]\nl[0].add_(1)\nreturn x, l[1]")
program("list_with_another_name", "l = [x]\nm = l\nm.append(y)\nl[1].mul_(2)\nreturn l, m")
program("slice_of_a_list_is_a_list", "l = [x, y]\nm = l[0:1]\nm.append(x)\nm[0].add_(1)\nreturn l, m")
program("list_in_a_list_in_a_list", "l = [x]\nll = [[l], [l]]\nll[0][0].append(y)\nll[1][0][1].add_(1)\nreturn l, y")
program("dictionary_holds_the_tensor", 'd = {"a": x, "b": y}\nd["a"].add_(1)\nd["b"] = x\nd["b"].mul_(3)\nreturn d, y')
program("dictionary_in_a_dictionary", 'd = {"a": x}\ne = {"d": d}\ne["d"]["c"] = y\nd["c"].add_(1)\nreturn y, len(d)')
program("values_of_a_dictionary", 'd = {"a": x, "b": y}\nfor v in d.values():\n    v.add_(1)\nreturn x, y')
program("tuple_holds_the_tensor", "t = (x, (y, x + 1))\nt[1][0].add_(1)\nt[1][1].add_(1)\nreturn t, x")
program("named_tuple_holds_the_tensor", "p = Pair(x, y)\np.first.add_(1)\nreturn p.second, x", "class Pair(NamedTuple):\n    first: torch.Tensor\n    second: torch.Tensor")
program(
    "object_holds_the_tensor",
    "o = Box(x)\no.bump()\no.value = y\no.bump()\nreturn x, y, o.value",
    "class Box:\n    def __init__(self, value: torch.Tensor):\n        self.value = value\n\n    def bump(self):\n        self.value.add_(1)",
)
program("optional_holds_the_tensor", "z: Optional[torch.Tensor] = None\nif n > 1:\n    z = x\nif z is not None:\n    z.add_(1)\nreturn x")
program("pop_gives_the_tensor_itself", "l = [x, y]\nz = l.pop()\nz.add_(1)\nreturn l, z")
program("comprehension_of_views", "l = [x[i : i + 1] for i in range(n)]\nfor v in l:\n    v.add_(1)\nreturn x, l")
program("extend_by_views", "l = [y]\nl.extend(x.unbind())\nl[1].add_(1)\nl[-1].mul_(2)\nreturn x, len(l)")

# Views through branches and loops.
program("view_through_a_branch", "if n > 1:\n    v = x[0:1]\nelse:\n    v = y[0:1]\nv.add_(1)\nreturn x, y")
program("view_or_copy_through_a_branch", "if n > 1:\n    v = x.view(-1)\nelse:\n    v = x + 0\nv.add_(1)\nreturn x, v")
program("write_in_a_branch", "v = x[0:2]\nif n > 1:\n    v.add_(1)\nelse:\n    x.mul_(2)\nreturn x, v")
program("branches_swap", "a, b = x, y\nif n > 1:\n    a, b = b, a\na.add_(1)\nb.mul_(2)\nreturn x, y")
program("view_through_a_loop", "v = x\nfor i in range(n):\n    v = v[1:]\n    v.mul_(2)\nreturn x, v")
program("loop_swaps", "a, b = x, y\nfor i in range(n + 1):\n    a, b = b, a\n    a.add_(1)\nreturn x, y, a")
program("loop_carries_a_view_made_before", "v = x[0:1]\nw = y\nfor i in range(n):\n    w.add_(1)\n    w = v\nreturn x, y")
program("while_walks_over_views", "i = 0\nwhile i < n:\n    x[i].add_(y[i])\n    i += 1\nreturn x")
program("break_after_a_write", "for i in range(n + 3):\n    x.add_(1)\n    if i == 1:\n        break\n    y.add_(x.sum())\nreturn x, y")
program("early_return_of_a_view", "v = x[0:2]\nif n > 1:\n    v.add_(1)\n    return v\nx.mul_(2)\nreturn x[0:2]")
program("factory_in_a_loop_is_new_each_time", "out = torch.zeros_like(x)\nfor i in range(n):\n    z = torch.zeros(x.shape)\n    z.add_(x)\n    out.add_(z)\nreturn out")
program("loop_over_a_list_that_is_written", "l = [x, y]\nfor i in range(n):\n    l[i] = l[1 - i]\n    l[i].add_(1)\nreturn l, x, y")

# What looks equal, dead or constant and is not.
program("equal_expressions_around_a_write", "a = x + 1\nx.add_(1)\nb = x + 1\nreturn a, b")
program("equal_factories_are_two_tensors", "a = torch.zeros([3])\nb = torch.zeros([3])\na.add_(1)\nreturn a, b")
program("equal_views_are_of_one_tensor", "a = x[0:1]\nb = x[0:1]\na.add_(1)\nreturn b * 2")
program("write_to_a_view_that_nobody_reads", "v = x.view([-1])[0:1] if x.is_contiguous() else x[0:1]\nv.zero_()\nreturn x")
program("write_through_a_view_of_a_view", "v = x[0:2][1:]\nv.fill_(7)\nw = v.unsqueeze(0).squeeze(0)\nw.add_(1)\nreturn x")
program("write_to_what_was_read_before", "a = x[0:1] * 2\nx.zero_()\nreturn a, x")
program("in_place_result_is_its_operand", "z = x.add_(1)\nz.mul_(2)\nreturn x, z")
program("constant_is_not_written_twice", "z = torch.ones(x.shape)\nz.add_(y)\nw = torch.ones(x.shape)\nreturn z, w")

# Results that go into a tensor that is there.
program("out_is_an_operand", "torch.mul(x, 2.0, out=x)\nreturn x, y")
program("out_is_what_is_returned", "z = torch.add(y, 1.0, out=x)\nz.mul_(2)\nreturn x")
program("out_is_a_slice", "torch.add(y[0:1].clone(), 1.0, out=x[1:2])\nreturn x")
program("out_grows", "z = torch.empty([0])\nw = torch.add(x, y, out=z)\nw.add_(1)\nreturn z")
program("out_in_a_loop", "z = torch.zeros_like(x)\nl = [z]\nfor i in range(n):\n    torch.add(z, x, out=l[0])\nreturn z")
program("out_through_a_branch", "if n > 1:\n    z = x\nelse:\n    z = torch.empty_like(x)\ntorch.neg(y.clone(), out=z)\nreturn x, z")

# In-place operators on parts of arguments that lie over each other.
program("write_to_one_argument_read_the_other", "x.add_(1)\nreturn y * 1")
program("add_one_argument_to_the_other", "x.add_(y)\nreturn x, y")
program("copy_within_one_tensor", "x[1:].copy_(x[:-1].clone())\nreturn x, y")
program("copy_onto_an_overlapping_part", "if x.is_contiguous():\n    x[1:].copy_(x[:-1])\nreturn x")
program("assign_to_an_element_and_a_slice", "x[0] = 5.0\ny[0:2] = 6.0\nx[-1] += 1.0\nreturn x, y")
program("scale_a_row_by_the_other_argument", "x[0].mul_(y[-1])\nreturn x, y")
program("write_to_a_diagonal", "m = torch.stack([x, x, x]) if x.dim() == 1 else x\nm.diagonal().zero_()\ny.add_(1)\nreturn m, x")
program("index_by_numbers_is_a_copy", "i = torch.tensor([0, 1])\nz = x[i]\nz.add_(1)\nx[i] = x[i] * 2\nreturn x, z")
program("mask_is_a_copy_and_assigns", "z = x[x > 1]\nz.zero_()\nx[x > 2] = 0.0\nreturn x, y")
program("chunks_are_views", "a = x.chunk(2)[0]\nb = x.split(1)[-1]\na.add_(1)\nb.mul_(2)\nreturn x, a")
program("transpose_in_place_leaves_others", "v = x.view(x.shape)\nif x.dim() == 2:\n    v.t_()\nv.add_(1)\nreturn x, v")
program("relu_of_a_part", "torch.relu_(x[1:].neg_())\nreturn x, y")

# Through calls.
TOUCH = "def touch(v):\n    v.add_(1)\n    return v"
program("function_gives_back_its_argument", "z = touch(x)\nz.mul_(2)\nreturn x", TOUCH)
program("function_writes_its_argument", "touch(y[0:2])\nreturn x, y", TOUCH)
program("fork_writes_its_argument", "z = torch.jit.wait(torch.jit.fork(touch, x))\nz.mul_(2)\nreturn x", TOUCH)
program("function_gives_back_one_of_two", "z = choose(x, y, n)\nz.add_(1)\nreturn x, y", "def choose(v, w, n: int):\n    if n > 1:\n        return v\n    return w")
program("function_keeps_its_argument", "l = [y]\nkeep(l, x)\nl[1].add_(1)\nreturn x, y", "def keep(l: List[torch.Tensor], v):\n    l.append(v)")


# What a script says around an error of an operator.
SCRIPTED = "The following operation failed in the TorchScript interpreter.\nTraceback of TorchScript (most recent call last):\n{}: {}\n"


def record(f, make):
    given = make()
    call = {"method": "forward", "expr": make.__name__, "args": encode_group(given)}
    # The other may reach beyond the first, so the size of their storage is said, and where in it the first begins.
    first = given[0]
    call["args"][0].update(st=list(first.stride()), buf=[first.untyped_storage().nbytes() // first.element_size(), first.storage_offset()])
    try:
        out = f(*given)
    except (RuntimeError, IndexError) as error:
        return call | {"error": refusal(error)}
    return call | outcome(out, given, call["args"])


def without_words(calls):
    return [c | {"error": None} if "error" in c else c for c in calls]


def main(folder):
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    unlike = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in PROGRAMS.items():
            path = os.path.join(scratch, f"{name}.py")
            with open(path, "w") as f:
                f.write(text)
            spec = importlib.util.spec_from_file_location(name, path)
            # PyTorch looks for the sources of classes in modules that are known.
            module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            calls = [record(module.f, make) for make in CALLS]
            scripted = [record(torch.jit.script(module.f), make) for make in CALLS]
            if without_words(scripted) != without_words(calls):
                unlike.append(name)
            for call in calls:
                if "error" in call:
                    call["error"][1] = SCRIPTED.format(*call["error"])
            own = os.path.join(folder, name)
            os.makedirs(own, exist_ok=True)
            with open(os.path.join(own, "source.py"), "w") as f:
                f.write(text + "\n#@ entry f\n")
            with open(os.path.join(own, "calls.json"), "w") as f:
                f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in calls) + "\n]\n")
    print(f"{len(PROGRAMS)} programs; PyTorch's compiler changes {', '.join(unlike) or 'none'}")


if __name__ == "__main__":
    main(sys.argv[1])
