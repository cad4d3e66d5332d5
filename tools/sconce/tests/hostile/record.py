"""What PyTorch makes of programs that lie: cases in the form of `testdata/programs` for `sconce check --from inlined-graph`.

    SCONCE_KEEP=FOLDER SCONCE_PROGRAMS=160 cargo test -p sconce --test hostile_programs
    python record.py FOLDER OUT/hostile

Each program and its arguments are read from FOLDER. PyTorch, which believes what graphs declare, gets the program without its lies; what is kept has them.
A program that PyTorch does not end in two seconds, or that ends PyTorch, is left out, as are those that it refuses in words about its own insides (OTHERS).
"""
import json
import multiprocessing
import os
import re
import resource
import sys
import warnings

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../conformance"))
from recording import encode_group, outcome

DTYPES = {"Float": torch.float32, "Double": torch.float64, "Half": torch.float16, "BFloat16": torch.bfloat16, "Long": torch.int64, "Int": torch.int32, "Bool": torch.bool}
LIE = re.compile(r" : (?:" + "|".join(DTYPES) + r")\([^()]*\)")
OTHERS = re.compile(r"SymInt|alloc_cpu|overflow|Negative strides|is invalid for input|zeros: Dimension|softmax_lastdim|expand\(CPU")
# A tensor with more elements is not written down.
MANY = 4096


def tensor(laid):
    t = torch.tensor(laid["values"], dtype=torch.float64).to(DTYPES[laid["dtype"]]).reshape(laid["sizes"])
    return t.as_strided(*laid["view"]) if laid["view"] else t


def record(function, arguments):
    given = [tensor(t) for t in arguments["tensors"]] + arguments["numbers"]
    call = {"method": "forward", "args": encode_group(given)}
    for said, t in zip(call["args"], given):
        if isinstance(t, torch.Tensor):
            said.update(st=list(t.stride()), buf=[t.untyped_storage().nbytes() // t.element_size(), 0])
    try:
        out = function(*given)
    except (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError) as error:
        last = [line for line in str(error).split("\n") if line.strip()][-1]
        if OTHERS.search(last):
            return None
        last = last if last.startswith("RuntimeError: ") else f"RuntimeError: {last}"
        return call | {"error": ["RuntimeError", "The following operation failed in the TorchScript interpreter.\nTraceback of TorchScript (most recent call last):\n" + last + "\n"]}
    if any(t.numel() > MANY for t in (out if isinstance(out, tuple) else (out,))):
        return None
    return call | outcome(out, given, call["args"])


def run(source, program, folder):
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    torch.set_num_threads(1)
    with open(os.path.join(source, program, "inlined_graph.txt")) as f:
        text = f.read()
    with open(os.path.join(source, program, "arguments.json")) as f:
        arguments = json.load(f)
    # A function of PyTorch's gives back one value.
    head, results = LIE.sub(" : Tensor", text).rsplit("  return (", 1)
    names = results.rsplit(")", 1)[0]
    types = ", ".join("Tensor" for _ in names.split(", "))
    honest = f"{head}  %all : ({types}) = prim::TupleConstruct({names})\n  return (%all)\n"
    function = torch._C._create_function_from_graph("forward", torch._C.parse_ir(honest))
    calls = [record(function, a) for a in arguments]
    if any(c is None for c in calls):
        return
    own = os.path.join(folder, program)
    os.makedirs(own, exist_ok=True)
    with open(os.path.join(own, "inlined_graph.txt"), "w") as f:
        f.write(text)
    with open(os.path.join(own, "calls.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in calls) + "\n]\n")


def main(source, folder):
    warnings.filterwarnings("ignore")
    torch._C._jit_set_profiling_executor(False)
    programs = sorted(os.listdir(source))
    context = multiprocessing.get_context("fork")
    for program in programs:
        child = context.Process(target=run, args=(source, program, folder))
        child.start()
        child.join(2)
        if child.is_alive():
            child.kill()
            child.join()
    print(f"{len(os.listdir(folder))} of {len(programs)} programs")


if __name__ == "__main__":
    main(*sys.argv[1:])
