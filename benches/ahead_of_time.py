"""Builds every case of a suite of models with tensor arguments as a shared library, compares it with the interpreter, and times a call.

    python benches/ahead_of_time.py MODELS --sconce target/perf/sconce [--models matmul,mlp]      (numpy)

A case that is refused is printed with the reason. `difference` is the largest absolute one of any result, `us` the least of five calls on one thread. Exit status 1 if a
library's results differ by more than 1e-3, or it dies.
"""
import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

DTYPES = {"f32": np.float32, "f64": np.float64, "i64": np.int64}


def arguments_of(case, folder):
    """Files of generated arguments; none if one is no tensor."""
    random, files = np.random.default_rng(0), []
    for i, argument in enumerate(case["inputs"]):
        dtype = DTYPES.get(argument.get("dtype"))
        if dtype is None:
            return None
        if dtype is np.int64:
            values = random.integers(0, argument.get("gen", {}).get("high") or 10, argument["shape"])
        else:
            values = random.standard_normal(argument["shape"])
        files.append(os.path.join(folder, f"{i}.npy"))
        np.save(files[-1], np.asarray(values, dtype))
    return files


def call(library, inputs, expected):
    """In a process of its own, as code that is wrong may end it: the largest difference, and microseconds."""
    results = np.load(expected)
    wanted = [results[key] for key in results.files]
    given = [np.ascontiguousarray(np.load(path)) for path in inputs] + [np.zeros_like(w) for w in wanted]
    run = ctypes.CDLL(library).case_run
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in given]
    times = []
    for _ in range(6):
        began = time.perf_counter()
        if run(*pointers) != 0:
            sys.exit("it returned an error")
        times.append(time.perf_counter() - began)
    got = given[len(inputs):]
    difference = max(float(np.abs(g.astype(np.float64) - w.astype(np.float64)).max(initial=0)) for g, w in zip(got, wanted))
    print(json.dumps({"difference": difference, "us": min(times[1:]) * 1e6}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("suite")
    parser.add_argument("--sconce", default="target/release/sconce")
    parser.add_argument("--models", default="")
    args = parser.parse_args()
    sconce = os.path.abspath(args.sconce)
    names = [m for m in args.models.split(",") if m] or sorted(os.listdir(args.suite))
    built = refused = wrong = 0
    for name in names:
        path = os.path.join(args.suite, name, "info.json")
        if not os.path.exists(path):
            continue
        with open(path) as file:
            info = json.load(file)
        for case_name, case in info["cases"].items():
            program = os.path.join(args.suite, name, info["modules"][case["module"]]["pt"])
            with tempfile.TemporaryDirectory() as folder:
                files = arguments_of(case, folder)
                if files is None or not os.path.exists(program):
                    continue
                library, expected = os.path.join(folder, "case.so"), os.path.join(folder, "expected.npz")
                inputs = [word for file in files for word in ("-i", file)]
                method = ["--method", case["method"]] if case.get("method") else []
                began = time.perf_counter()
                made = subprocess.run([sconce, "compile", program, *inputs, *method, "-o", library, "--cache", "off"], capture_output=True, text=True)
                took = time.perf_counter() - began
                label = f"{name}/{case_name}"
                if made.returncode != 0:
                    refused += 1
                    print(f"{label:32} {made.stderr.strip().splitlines()[0]}", flush=True)
                    continue
                subprocess.run([sconce, "run", program, *inputs, *method, "--compile", "off", "-o", expected], check=True, capture_output=True)
                child = subprocess.run([sys.executable, __file__, "--call", library, expected, *files], capture_output=True, text=True)
                measured = json.loads(child.stdout) if child.returncode == 0 else {"difference": float("inf"), "us": 0.0}
                built += 1
                wrong += measured["difference"] > 1e-3
                print(f"{label:32} difference {measured['difference']:8.1e} {measured['us']:11.1f} us   built in {took:5.1f} s", flush=True)
    print(f"{built} built, {refused} refused, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--call"]:
        call(sys.argv[2], sys.argv[4:], sys.argv[3])
    else:
        main()
