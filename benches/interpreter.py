"""The interpreter alone against PyTorch, eager and TorchScript, over a suite of models: ratios of minima and medians, in turns in one run.

    python benches/interpreter.py MODELS [--sconce target/release/sconce] [--only SUBSTRING] [--threads 1 2] [--rounds 5] [--slice 0.05] [--json FILE]

MODELS is a folder of models: each has `info.json` with cases, the archive, `source.py` with `build()`, recorded inputs and results. Every engine's result is compared with the
recorded one before anything is timed. Every round gives each engine a slice of time, so that noise from outside falls on all alike. With one thread the least time of a call is the
smaller of the wall clock's minimum and of the least mean processor time of a slice, which other programs on the machine hardly inflate. A ratio is PyTorch's time divided by
Sconce's: above 1 Sconce is faster. `peak` is the share of what the machine's f32 multiply-adds reach on as many threads in the same run, for cases made of products.
"""
import argparse
import ctypes
import importlib.util
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import numpy as np
import torch
from safetensors.numpy import load_file

PEAK = r"""
typedef float wide __attribute__((vector_size(WIDTH)));
float turns(long n) {
    wide sums[12], a, b;
    for (int k = 0; k < WIDTH / 4; k++) { a[k] = 0.999f; b[k] = 1e-3f; }
    for (int i = 0; i < 12; i++) for (int k = 0; k < WIDTH / 4; k++) sums[i][k] = i;
    for (long t = 0; t < n; t++) {
        __asm__ volatile("" : "+x"(a), "+x"(b));
        #pragma GCC unroll 12
        for (int i = 0; i < 12; i++) sums[i] = sums[i] * a + b;
    }
    wide all = sums[0];
    for (int i = 1; i < 12; i++) all += sums[i];
    return all[0];
}
"""


class Peak:
    """How many multiply-adds a second the machine does now."""

    def __init__(self, folder):
        self.turns = None
        source, library = os.path.join(folder, "peak.c"), os.path.join(folder, "peak.so")
        with open(source, "w") as f:
            f.write(PEAK)
        try:
            wide = "avx512f" in open("/proc/cpuinfo").read()
        except OSError:
            wide = False
        self.width = 64 if wide else 32
        build = ["cc", "-O3", "-march=native", "-ffp-contract=fast", "-mprefer-vector-width=512", f"-DWIDTH={self.width}", "-shared", "-fPIC", source, "-o", library]
        if not wide:
            build.remove("-mprefer-vector-width=512")
        try:
            made = subprocess.run(build, capture_output=True, text=True)
            if made.returncode == 0:
                self.turns = ctypes.CDLL(library).turns
                self.turns.argtypes, self.turns.restype = [ctypes.c_long], ctypes.c_float
            else:
                print("no share of the peak:", made.stderr.strip().splitlines()[-1])
        except OSError as e:
            print("no share of the peak:", e)

    def flops(self, threads, n=100_000):
        """Floating point operations a second of so many threads, by their processor time: the best of a few short runs."""
        each = n * 12 * (self.width // 4) * 2

        def run(rates):
            begun = time.thread_time()
            self.turns(n)
            rates.append(each / (time.thread_time() - begun))

        best = 0.0
        for _ in range(5):
            rates = []
            runs = [threading.Thread(target=run, args=(rates,)) for _ in range(threads)]
            for r in runs:
                r.start()
            for r in runs:
                r.join()
            best = max(best, sum(rates))
        return best


def formula(text, names):
    """What `(r*7 + c) mod 5, row r, column c` says of every row and column: sums and products of numbers and names, and `mod`."""
    import ast
    import operator
    known = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Mod: operator.mod, ast.FloorDiv: operator.floordiv}

    def value(node):
        match node:
            case ast.BinOp():
                return known[type(node.op)](value(node.left), value(node.right))
            case ast.Name():
                return names[node.id]
            case ast.Constant(value=int(n)):
                return n
        raise ValueError(f"`{text}` is no formula of {', '.join(names)}")

    return value(ast.parse(text.split(", row")[0].replace(" mod ", " % "), mode="eval").body)


def generated(about, shape, table):
    """An input that is described, not stored: a table repeated."""
    n = math.prod(shape)
    if about["kind"] == "formula":
        r, c = np.meshgrid(np.arange(shape[0]), np.arange(shape[1]), indexing="ij")
        return formula(about["of"], {"r": r, "c": c}).astype(np.float32)
    values = table["N" if about["kind"] == "normal" else "U"]
    values = values[(about["start"] + about["stride"] * np.arange(n, dtype=np.int64)) % len(values)]
    if about["kind"] == "int":
        values = np.floor(values.astype(np.float64) * (about["high"] - about["low"])).astype(np.int64) + about["low"]
    else:
        values = values * np.float32(about["scale"]) + np.float32(about["shift"])
    return values.reshape(shape)


def wrong(case, result, expected):
    """Why a result is not the recorded one, or None."""
    flat = []

    def flatten(v):
        if isinstance(v, tuple):
            for x in v:
                flatten(x)
        else:
            flat.append(v)

    flatten(result)
    if len(flat) != len(case["outputs"]):
        return f"{len(flat)} results for {len(case['outputs'])}"
    for want, got in zip(case["outputs"], flat):
        if "dtype" not in want:
            if got != want["value"] and not (want["type"] == "float" and math.isclose(got, want["value"], rel_tol=1e-6)):
                return f"{got} in place of {want['value']}"
            continue
        got = got.numpy()
        if list(got.shape) != want["shape"]:
            return f"sizes {list(got.shape)}"
        if "sample" in want:
            got = got.reshape(-1)[np.arange(want["sample"]["count"]) * want["sample"]["step"] % got.size]
        difference = np.abs(got.astype(np.float64) - expected[want["key"]].astype(np.float64)).max(initial=0)
        if not difference <= want.get("tol", 0):
            return f"off by {difference:g}, {want.get('tol', 0):g} permitted"
    return None


class Torch:
    def __init__(self, module, arguments, case, expected, threads):
        self.module, self.arguments = module, arguments
        torch.set_num_threads(threads)
        with torch.inference_mode():
            why = wrong(case, module(*arguments), expected)
            if why:
                raise SystemExit(f"PyTorch: {why}")
            for _ in range(4):
                module(*arguments)

    def slice(self, seconds, threads):
        torch.set_num_threads(threads)
        module, arguments, times = self.module, self.arguments, []
        with torch.inference_mode():
            begun, end = time.thread_time(), time.perf_counter() + seconds
            while not times or time.perf_counter() < end:
                start = time.perf_counter()
                module(*arguments)
                times.append(time.perf_counter() - start)
        return times, (time.thread_time() - begun) / len(times)


class Sconce:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "ready":
            raise RuntimeError(self.process.stderr.read().strip().splitlines()[-1])

    def processor(self):
        """Seconds of processor time of the main thread, which waits for us now."""
        try:
            with open(f"/proc/{self.process.pid}/task/{self.process.pid}/schedstat") as f:
                return int(f.read().split()[0]) * 1e-9
        except (OSError, ValueError):
            return math.inf

    def slice(self, seconds, threads):
        begun = self.processor()
        self.process.stdin.write(f"{seconds} {threads}\n")
        self.process.stdin.flush()
        times = json.loads(self.process.stdout.readline())["seconds"]
        used = self.processor() - begun
        return times, used / len(times) if math.isfinite(used) else math.inf

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def modules(models, model, case, document, folder):
    """The module built from its source with the archive's weights, and the archive."""
    about = document["modules"][case["module"]]
    archive = os.path.join(models, model, about["pt"])
    if not os.path.exists(archive):
        packed, archive = os.path.join(models, model, about["packed"]), os.path.join(folder, f"{model}.pt")
        subprocess.run(["zstd", "-d", "-q", "-f", packed, "-o", archive], check=True)
    script = torch.jit.load(archive).eval()
    spec = importlib.util.spec_from_file_location(f"source_{model}", os.path.join(models, model, "source.py"))
    source = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = source
    spec.loader.exec_module(source)
    built = source.build()
    built = (built[case["module"]] if isinstance(built, dict) else built).eval()
    if script.state_dict():
        built.load_state_dict(script.state_dict())
    return built, script


def mean(values):
    return math.exp(statistics.fmean(math.log(v) for v in values)) if values else float("nan")


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("models")
    p.add_argument("--sconce", default=os.path.join("target", "release", "sconce"))
    p.add_argument("--only", default="")
    p.add_argument("--option", action="append", default=[], help="given to `sconce bench` too, such as --option=--static")
    p.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--slice", type=float, default=0.05)
    p.add_argument("--json")
    options = p.parse_args()
    sys.dont_write_bytecode = True
    warnings.simplefilter("ignore", FutureWarning)
    torch.set_grad_enabled(False)
    table = load_file(os.path.join(options.models, "pattern.safetensors"))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        peak = Peak(folder)
        print(f"{'case':34} {'thr':>3} {'Sconce us':>10} {'median':>10} {'eager':>6} {'median':>6} {'script':>6} {'median':>6} {'peak':>5}", flush=True)
        for model in sorted(os.listdir(options.models)):
            info = os.path.join(options.models, model, "info.json")
            if not os.path.exists(info):
                continue
            with open(info) as f:
                document = json.load(f)
            arrays = {}
            for part in ("inputs", "expected"):
                path = os.path.join(options.models, model, f"{part}.safetensors")
                arrays[part] = load_file(path) if os.path.exists(path) else {}
            for name, case in document["cases"].items():
                title = f"{model}/{name}"
                if options.only not in title:
                    continue
                arguments = []
                for given in case["inputs"]:
                    key = f"{name}/{given['name']}"
                    if "dtype" not in given:
                        arguments.append(given["value"])
                    elif key in arrays["inputs"]:
                        arguments.append(torch.from_numpy(arrays["inputs"][key]))
                    else:
                        arguments.append(torch.from_numpy(np.ascontiguousarray(generated(given["gen"], given["shape"], table))))
                try:
                    command = [options.sconce, "bench", options.models, "--case", title, "--no-compile", "--worker", *options.option]
                    sconce = Sconce(command)
                except RuntimeError as e:
                    print(f"{title:34} {e}", flush=True)
                    continue
                eager, script = modules(options.models, model, case, document, folder)
                peers = {"eager": Torch(eager, arguments, case, arrays["expected"], 1), "script": Torch(script, arguments, case, arrays["expected"], 1)}
                for threads in options.threads:
                    engines = {"sconce": sconce, **peers}
                    times = {engine: [] for engine in engines}
                    low = {engine: math.inf for engine in engines}
                    reached = 0.0
                    for _ in range(options.rounds):
                        if peak.turns and case.get("flops"):
                            reached = max(reached, peak.flops(threads))
                        for name_of, engine in engines.items():
                            wall, processor = engine.slice(options.slice, threads)
                            times[name_of] += wall
                            # With more threads one of them does not say what a call takes.
                            low[name_of] = min(low[name_of], *wall, processor if threads == 1 else math.inf)
                    middle = {engine: statistics.median(t) for engine, t in times.items()}
                    row = {"case": title, "threads": threads, "min_us": low["sconce"] * 1e6, "median_us": middle["sconce"] * 1e6}
                    for engine in peers:
                        row[engine] = low[engine] / low["sconce"]
                        row[f"{engine}_median"] = middle[engine] / middle["sconce"]
                    if reached:
                        row["peak"] = case["flops"] / low["sconce"] / reached
                    rows.append(row)
                    share = f"{row['peak']:5.0%}" if reached else ""
                    print(f"{title:34} {threads:3} {row['min_us']:10.1f} {row['median_us']:10.1f} {row['eager']:6.2f} {row['eager_median']:6.2f}"
                          f" {row['script']:6.2f} {row['script_median']:6.2f} {share}", flush=True)
                sconce.close()
    for threads in options.threads:
        ours = [r for r in rows if r["threads"] == threads]
        columns = [mean([r[c] for r in ours]) for c in ("eager", "eager_median", "script", "script_median")]
        print(f"{'geometric mean of ' + str(len(ours)):34} {threads:3} {'':21} " + " ".join(f"{c:6.2f}" for c in columns))
    if options.json:
        with open(options.json, "w") as f:
            json.dump(rows, f, indent=1)


if __name__ == "__main__":
    main()
