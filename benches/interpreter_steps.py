"""What a step of the interpreter costs, against TorchScript and CPython in the same run: nanoseconds per loop turn, minima, in turns.

    cargo build --profile perf -p sconce --bin sconce; cargo build --profile perf -p sconce-interpreter --example time_program
    python benches/interpreter_steps.py [--only SUBSTRING] [--rounds 5]

A ratio is the peer's time divided by Sconce's. Each body depends on its last turn, because TorchScript unrolls loops and shares what is computed twice. Tensors have
16 elements. `empty_call` is one call with nothing to do: from Rust for Sconce, from Python for TorchScript.
"""
import argparse
import inspect
import math
import os
import subprocess
import sys
import tempfile
import time
import warnings
from typing import Dict, List, Tuple

import torch
from torch import Tensor


def int_add(n: int, t: Tensor) -> int:
    s = 0
    for i in range(n):
        s = s + i
    return s


def int_4ops(n: int, t: Tensor) -> int:
    s = 1
    for i in range(n):
        s = (s * 5 + i) % 1000003 - 1
    return s


def float_add(n: int, t: Tensor) -> float:
    s = 0.0
    for i in range(n):
        s = s + 1.5
    return s


def branch(n: int, t: Tensor) -> int:
    s = 0
    for i in range(n):
        if i > 100:
            s = s + 1
        else:
            s = s + 2
    return s


def while_loop(n: int, t: Tensor) -> int:
    i = 0
    while i < n:
        i = i + 1
    return i


def list_append(n: int, t: Tensor) -> int:
    xs: List[int] = []
    for i in range(n):
        xs.append(i)
    return len(xs)


def list_index(n: int, t: Tensor) -> int:
    xs = [1, 2, 3, 4]
    s = 0
    for i in range(n):
        s = s + xs[i % 4]
    return s


def dict_get_set(n: int, t: Tensor) -> int:
    d: Dict[str, int] = {"a": 1, "b": 2}
    for i in range(n):
        d["b"] = d["b"] + 1
    return d["b"]


def str_concat_slice(n: int, t: Tensor) -> int:
    s = "abcd"
    for i in range(n):
        s = (s + "x")[1:]
    return len(s)


def tuple_swap(n: int, t: Tensor) -> int:
    p = (1, 2)
    for i in range(n):
        p = (p[1], p[0] + i)
    return p[0]


def loop_int(n: int, t: Tensor) -> int:
    x = 12345
    acc = 0
    for i in range(n):
        x = (x * 1103515245 + 12345) % 2147483648
        if x % 3 == 0:
            acc = acc + (x >> 7)
        else:
            acc = acc ^ i
    return acc


def loop_float(n: int, t: Tensor) -> Tuple[float, int]:
    x = 0.5
    s = 0.0
    i = 0
    while i < n:
        x = 3.5 * x * (1.0 - x)
        s = s + math.sqrt(x)
        if s < 0.0:
            break
        i += 1
    return s, i


def tensor_add1(n: int, t: Tensor) -> Tensor:
    for i in range(n):
        t = t + t
    return t


def tensor_add1_scalar(n: int, t: Tensor) -> Tensor:
    for i in range(n):
        t = t + 1.0
    return t


def tensor_add1_inplace(n: int, t: Tensor) -> Tensor:
    u = t.clone()
    for i in range(n):
        u.add_(t)
    return u


def tensor_view(n: int, t: Tensor) -> Tensor:
    for i in range(n):
        t = t.view(4, 4).view(16)
    return t


def tensor_narrow(n: int, t: Tensor) -> Tensor:
    for i in range(n):
        t = t.narrow(0, 0, 16)
    return t


def tensor_add1_inplace_and_item(n: int, t: Tensor) -> float:
    s = 0.0
    u = t[0].clone()
    for i in range(n):
        u.add_(u)
        s = s + float(u.item())
    return s


def tensor_mm4x4(n: int, t: Tensor) -> Tensor:
    m = t.view(4, 4)
    u = m
    for i in range(n):
        u = torch.mm(u, m)
    return u


def tensor_narrow_and_cat(n: int, t: Tensor) -> Tensor:
    u = t
    for i in range(n):
        u = torch.cat([u.narrow(0, 0, 8), u.narrow(0, 8, 8)])
    return u


def empty_call(n: int, t: Tensor) -> int:
    return n


SCALARS = [int_add, int_4ops, float_add, branch, while_loop, list_append, list_index, dict_get_set, str_concat_slice, tuple_swap, loop_int, loop_float]
TENSORS = [tensor_add1, tensor_add1_scalar, tensor_add1_inplace, tensor_view, tensor_narrow, tensor_add1_inplace_and_item, tensor_mm4x4, tensor_narrow_and_cat]


def compiled(sconce, folder, f):
    """The function as a Program, by Sconce's own compiler."""
    source = os.path.join(folder, f"{f.__name__}.py")
    with open(source, "w") as out:
        out.write("import math\nimport torch\nfrom torch import Tensor\nfrom typing import Dict, List, Tuple\n\n\n" + inspect.getsource(f))
    program = source.removesuffix(".py") + ".sconce"
    subprocess.run([sconce, "save", source, "--entry", f.__name__, "-o", program], check=True)
    return program


def least(f, n, t, seconds=0.05):
    best, end = math.inf, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.process_time()
        f(n, t)
        best = min(best, time.process_time() - start)
    return best


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--sconce", default="target/perf/sconce")
    p.add_argument("--worker", default="target/perf/examples/time_program")
    p.add_argument("--only", default="")
    p.add_argument("--rounds", type=int, default=5)
    options = p.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    t = torch.full((16,), 1e-30)
    todo = [(f, 200000) for f in SCALARS] + [(f, 20000) for f in TENSORS] + [(empty_call, 1)]
    print(f"{'row':30} {'Sconce':>8} {'script':>8} {'CPython':>8} {'script/Sconce':>14} {'CPython/Sconce':>15}")
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        with subprocess.Popen([options.worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as worker:
            for f, n in todo:
                if options.only not in f.__name__:
                    continue
                program, script = compiled(options.sconce, folder, f), torch.jit.script(f)
                ours, theirs, python = [], [], []
                for _ in range(3):
                    script(n, t)
                for _ in range(options.rounds):
                    # Fewer turns, because wall clock is all that it has: a short call is not interrupted.
                    turns = max(1, n // 40)
                    worker.stdin.write(f"{program} {turns} 0.1\n")
                    worker.stdin.flush()
                    reply = worker.stdout.readline().strip()
                    if reply.startswith("error"):
                        sys.exit(f"{f.__name__}: {reply}")
                    ours.append(float(reply) * n / turns)
                    if n == 1:
                        theirs.append(least(lambda n, t: [script(n, t) for _ in range(1000)], n, t) / 1000)
                        python.append(least(lambda n, t: [f(n, t) for _ in range(1000)], n, t) / 1000)
                    else:
                        theirs.append(least(script, n, t))
                        python.append(least(f, n, t))
                a, b, c = (min(x) / n * 1e9 for x in (ours, theirs, python))
                print(f"{f.__name__:30} {a:8.1f} {b:8.1f} {c:8.1f} {b / a:14.2f} {c / a:15.2f}", flush=True)


if __name__ == "__main__":
    main()
