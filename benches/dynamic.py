"""Code for any sizes against code for the sizes at hand: ratios of least and median times, case by case, of a suite of models.

    python benches/dynamic.py FOLDER [--sconce target/release/sconce] [--cases NAME,NAME] [--slice 0.25] [--rounds 1] [--threads 1]

FOLDER is a suite as `sconce bench` reads it: a folder for each model, with its cases in `info.json`. Both are compiled anew; `sconce bench` and `sconce bench
--dynamic` take turns. `sconce check FOLDER` compares the results of both. A ratio above 1: code for any sizes is slower.
"""
import argparse
import json
import pathlib
import statistics
import subprocess


def measured(args, case, dynamic):
    """Least and median seconds of a call."""
    command = [args.sconce, "bench", args.folder, "--case", case, "--compile", "now", "--cache", "off", "--json"]
    command += ["--threads", str(args.threads), "--seconds", str(args.slice), *["--dynamic"] * dynamic]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{case}: {done.stderr.strip()}")
    times = json.loads(done.stdout)["times"][-1]
    return times["min_seconds"], times["median_seconds"]


def cases_of(folder):
    for info in sorted(folder.glob("*/info.json")):
        yield from (f"{info.parent.name}/{case}" for case in json.loads(info.read_text()).get("cases", {}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--sconce", default="target/release/sconce")
    parser.add_argument("--cases", default="")
    parser.add_argument("--slice", type=float, default=0.25)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    wanted, ratios = [name for name in args.cases.split(",") if name], []
    for case in cases_of(args.folder):
        if wanted and not any(case.startswith(name) for name in wanted):
            continue
        turns = [[measured(args, case, dynamic) for dynamic in (False, True)] for _ in range(args.rounds)]
        (least, median), (any_least, any_median) = [
            (min(turn[i][0] for turn in turns), statistics.median(turn[i][1] for turn in turns)) for i in (0, 1)
        ]
        ratios.append((any_least / least, any_median / median, case))
        print(f"{case:40} {least * 1e6:10.1f} us {any_least * 1e6:10.1f} us  {ratios[-1][0]:.2f} / {ratios[-1][1]:.2f}", flush=True)
    if not ratios:
        raise SystemExit(f"{args.folder}: no case of a model's info.json is meant by --cases {args.cases}")
    means = [statistics.geometric_mean(r[i] for r in ratios) for i in (0, 1)]
    slow = [f"{name} {ratio:.2f}" for ratio, _, name in sorted(ratios, reverse=True) if ratio > 1.2]
    print(f"{len(ratios)} cases: geometric mean {means[0]:.2f} by minimum, {means[1]:.2f} by median; above 1.2: {', '.join(slow) or 'none'}")


if __name__ == "__main__":
    main()
