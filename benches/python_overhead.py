"""What a call from Python costs over the same call from Rust, and how calls of several threads of Python share the machine.

    python benches/python_overhead.py [--rounds 20] [--slice 0.05] [--threads 8] [--bound 1.5]

Run it with an interpreter that has the package from a release build (`cargo xtask python --wheel` makes the wheel). Python and Rust (`python -m sconce bench`) take turns; each result is
checked first. "Per core" is what the threads make of a second of a core, as a share of what one thread makes of it: on a machine that is busy with other things the gain is small, this
is not; locks that spin show in it, and waiting shows in the cores that were used. With --bound the exit status is 1 when the call of nothing costs so many microseconds more than Rust's.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import sconce

try:
    import numpy
except ImportError:
    numpy = None

#: What is called: a name, source, the arguments in Python, and on the command line.
CASES = [
    ("nothing", "def f():\n    pass\n", lambda: (), []),
    ("an int", "def f(n: int) -> int:\n    return n\n", lambda: (3,), ["3"]),
    ("a tensor", "import torch\ndef f(x):\n    return x\n", lambda: (sconce.compile("import torch\ndef f():\n    return torch.ones(4)\n")(),), ["4xf32=ones"]),
    ("an array of NumPy's", "import torch\ndef f(x):\n    return x\n", lambda: (numpy.ones(4, numpy.float32),), ["4xf32=ones"]),
    ("a list of 10 ints", "from typing import List\ndef f(x: List[int]):\n    return x\n", lambda: (list(range(10)),), [str(list(range(10)))]),
]

#: Calls of which one thread makes enough to be busy: products of matrices, and the interpreter's own work.
WORK = [
    ("matrix products", "import torch\ndef f(x):\n    for i in range(4):\n        x = torch.tanh(x @ x)\n    return x.sum()\n", "import torch\ndef g():\n    return torch.ones(128, 128)\n"),
    ("a loop of ints", "import torch\ndef f(x):\n    s = 0\n    for i in range(20000):\n        s += i % 7\n    return x.sum() + s\n", "import torch\ndef g():\n    return torch.ones(4)\n"),
]


class Rust:
    """A process that times the call without Python, a slice at a time."""

    def __init__(self, source, inputs):
        with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
            file.write(source)
        self.file = file.name
        given = [word for text in inputs for word in ("-i", text)]
        command = [sys.executable, "-m", "sconce", "bench", self.file, "--entry", "f", "--compile", "off", "--worker", *given]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline().strip() == "ready"

    def slice(self, seconds):
        print(seconds, file=self.process.stdin, flush=True)
        return statistics.median(json.loads(self.process.stdout.readline())["seconds"])

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        os.unlink(self.file)


def python_slice(call, arguments, seconds):
    """Seconds of a call, over so many that reading the clock does not count."""
    best, calls, end = [], 1000, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(calls):
            call(*arguments)
        best.append((time.perf_counter() - start) / calls)
    return statistics.median(best)


def empty_slice(seconds):
    """The same of a function of Python's that does nothing: what the loop and a call cost at least."""
    return python_slice(lambda: None, (), seconds)


def overhead(args):
    print(f"{'a call with':24} {'Python, us':>11} {'Rust, us':>10} {'over it, us':>12}")
    over_nothing = None
    for name, source, make, inputs in CASES:
        if "NumPy" in name and numpy is None:
            print(f"{name:24} NumPy is not installed")
            continue
        model, arguments = sconce.compile(source), make()
        # The result is the argument, or nothing.
        result = model(*arguments)
        shown = [v.tolist() if hasattr(v, "tolist") else v for v in (result, *arguments)]
        assert shown[0] == (shown[1] if arguments else None)
        rust, times = Rust(source, inputs), ([], [])
        for _ in range(args.rounds):
            times[0].append(python_slice(model, arguments, args.slice))
            times[1].append(rust.slice(args.slice))
        rust.close()
        python, native = (statistics.median(t) * 1e6 for t in times)
        over_nothing = python - native if over_nothing is None else over_nothing
        print(f"{name:24} {python:11.3f} {native:10.3f} {python - native:12.3f}", flush=True)
    print(f"a function of Python's that does nothing takes {empty_slice(args.slice) * 1e6:.3f} us")
    return over_nothing


def calls_by(threads, model, argument, seconds):
    """Calls a second that so many threads make together, and the cores that they used."""
    counts, end = [0] * threads, time.perf_counter() + seconds

    def work(i):
        while time.perf_counter() < end:
            model(argument)
            counts[i] += 1

    start, busy = time.perf_counter(), time.process_time()
    running = [threading.Thread(target=work, args=(i,)) for i in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    passed = time.perf_counter() - start
    return sum(counts) / passed, (time.process_time() - busy) / passed


def scaling(args):
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    sconce.set_num_threads(1)
    print(f"\n{args.threads} threads of Python on {cores} cores, each operator on one thread")
    print(f"{'':24} {'1, calls/s':>11} {f'{args.threads}, calls/s':>12} {'gain':>6} {'cores used':>12} {'per core':>9}")
    for name, source, make in WORK:
        model, argument = sconce.compile(source), sconce.compile(make)()
        model(argument)
        rounds = [[calls_by(threads, model, argument, args.slice * 4) for threads in (1, args.threads)] for _ in range(args.rounds)]
        (one, core), (all_, cores) = (map(statistics.median, zip(*of_one)) for of_one in zip(*rounds))
        share = (all_ / cores) / (one / core)
        print(f"{name:24} {one:11.0f} {all_:12.0f} {all_ / one:6.2f} {f'{core:.2f}, {cores:.2f}':>12} {share:9.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--slice", type=float, default=0.05)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--bound", type=float)
    args = parser.parse_args()
    over = overhead(args)
    scaling(args)
    if args.bound is not None and over > args.bound:
        sys.exit(f"the call of nothing costs {over:.3f} us over Rust's; the bound is {args.bound}")


if __name__ == "__main__":
    main()
