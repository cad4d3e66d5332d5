"""How much faster cases of a suite of models run on several threads than on one: least and median times of slices that take turns in one process.

    python benches/threads.py MODELS [--sconce target/release/sconce] [--only SUBSTRING] [--threads 2] [--rounds 7] [--slice 0.1] [--compile off] [--below 0.98]

MODELS is a folder of models as `sconce bench` takes it; each case's result is checked before it is timed. `gain` is the time on one thread divided by that on several. With `--below` the
exit status is 1 when the gain of a case's medians is below that.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys


def cases(folder):
    for info in sorted(pathlib.Path(folder).glob("*/info.json")):
        for case in json.loads(info.read_text()).get("cases", json.loads(info.read_text())):
            yield f"{info.parent.name}/{case}"


class Worker:
    """A process that times one case, a slice at a time."""

    def __init__(self, args, case):
        command = [args.sconce, "bench", args.models, "--case", case, "--compile", args.compile, "--threads", str(args.threads), "--worker"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.ready = self.process.stdout.readline().strip() == "ready"

    def slice(self, seconds, threads):
        print(seconds, threads, file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())["seconds"]

    def close(self):
        self.process.stdin.close()
        said = self.process.stderr.read()
        self.process.wait()
        return said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models")
    parser.add_argument("--sconce", default="target/release/sconce")
    parser.add_argument("--only", default="")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--slice", type=float, default=0.1)
    parser.add_argument("--compile", default="off")
    parser.add_argument("--below", type=float)
    args = parser.parse_args()
    gains = []
    print(f"{'case':32} {'1 thread, us':>24} {f'{args.threads} threads, us':>24} {'gain':>12}")
    for case in (c for c in cases(args.models) if args.only in c):
        worker = Worker(args, case)
        if not worker.ready:
            print(f"{case:32} {worker.close().strip().splitlines()[:1]}")
            continue
        times = {1: [], args.threads: []}
        for _ in range(args.rounds):
            for threads, list_ in times.items():
                list_ += worker.slice(args.slice, threads)
        worker.close()
        least, median = ([f(times[n]) * 1e6 for n in (1, args.threads)] for f in (min, statistics.median))
        gains.append((median[0] / median[1], case))
        shown = [f"{least[i]:.0f} / {median[i]:.0f}" for i in (0, 1)]
        print(f"{case:32} {shown[0]:>24} {shown[1]:>24} {f'{least[0] / least[1]:.2f} / {median[0] / median[1]:.2f}':>12}", flush=True)
    if not gains:
        sys.exit(f"no case of {args.models} has {args.only!r} in its name")
    print(f"geometric mean of the medians' gains: {statistics.geometric_mean(g for g, _ in gains):.2f}; least: {min(gains)[0]:.2f} ({min(gains)[1]})")
    if args.below is not None and min(gains)[0] < args.below:
        sys.exit(1)


if __name__ == "__main__":
    main()
