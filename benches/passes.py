"""What passes cost on programs that grow: seconds of each alone, of pipelines and of the ways into and out of the dialect, and how they grow with the program.

    cargo build --profile perf -p sconce-opt --example pass_growth
    python benches/passes.py [--tool target/perf/examples/pass_growth] [--shapes lists,writes] [--stages dce,import] [--sizes 1000,10000,100000] [--measure instructions] [--table FILE]
    python benches/passes.py --model bert12.pt --types 1x128xi64,1x128xi64,1x128xi64 [--below 300]

Programs of any size come in shapes (`tools/sconce-opt/examples/pass_growth/shapes.rs`): chains of pointwise operators and of products, constants, lists, tuples, writes, branches, loops, nests, calls. The stages are the passes that are registered, each on the program as it was imported and on its values, those of targets on its regions. Seconds are those of one thread's
processor, the least of several runs.

For each stage the table has its worst shape: microseconds per operation at each size, and by how much an operation costs more in the largest program than in the smallest. What costs more
than 1.3 times as much is marked. A large program does not fit into the caches, so that even a pass that looks once at each operation costs more seconds there; with `--measure instructions`
(counted by the processor, where the system lets it) only what a pass does shows. `--table` writes every figure as CSV. With a model, the seconds of import and the default pipeline, together and alone.
"""
import argparse
import collections
import csv
import os
import subprocess
import sys

BOUND = 1.3
# Shorter than this, seconds are noise.
SHORTEST = 2e-3


def rows(command):
    """What the tool says, row by row; what it has to say besides goes to the terminal."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as tool:
        for line in tool.stdout:
            if line.count("\t") < 3:
                print(line, end="", file=sys.stderr, flush=True)
                continue
            shape, stage, size, said = line.rstrip("\n").split("\t", 3)
            yield shape, stage, int(size), said
    if tool.returncode != 0:
        raise SystemExit(f"{command[0]} failed")


def measured(command):
    """Operations by shape and size, seconds by stage, shape and size, and what was refused."""
    operations, seconds, refused = {}, collections.defaultdict(dict), {}
    for shape, stage, size, said in rows(command):
        if stage.startswith("operations ("):
            operations[shape, size, stage.removeprefix("operations ")] = int(said)
            continue
        if stage == "operations":
            operations[shape, size] = int(said)
            print(f"{shape} {size}", file=sys.stderr, flush=True)
            continue
        try:
            seconds[stage, shape][size] = float(said)
        except ValueError:
            refused.setdefault((stage, said), []).append(f"{shape} {size}")
    return operations, seconds, refused


def count(operations, stage, shape, size):
    """Operations of what a stage works on: `(values)` of its name says what that is."""
    return operations.get((shape, size, stage[stage.rfind("(") :]), operations[shape, size])


def growth(operations, stage, shape, taken):
    """How much more an operation costs in the largest program than in the smallest, if that can be told."""
    sizes = sorted(taken)
    if len(sizes) < 2 or taken[sizes[-1]] < SHORTEST:
        return None
    each = [taken[n] / count(operations, stage, shape, n) for n in (sizes[0], sizes[-1])]
    return each[1] / max(each[0], 1e-9)


def table(operations, seconds, unit):
    """The worst shape of each stage; those over the bound."""
    worst = {}
    for (stage, shape), taken in seconds.items():
        grown = growth(operations, stage, shape, taken)
        if grown is not None and (stage not in worst or grown > worst[stage][0]):
            worst[stage] = grown, shape, taken
    over = 0
    print(f"{'stage':44} {'worst shape':12} {unit + ' per operation':36} growth")
    for stage, (grown, shape, taken) in sorted(worst.items()):
        each = "  ".join(f"{n}: {taken[n] / count(operations, stage, shape, n) * 1e6:.2f}" for n in sorted(taken))
        over += grown > BOUND
        print(f"{stage:44} {shape:12} {each:36} x{grown:.2f}{'  over' if grown > BOUND else ''}")
    print(f"{len(worst)} stages, {over} over x{BOUND}")


def model(tool, path, types, below):
    """Import and the default pipeline of one model."""
    command = [tool, "--model", path, "--types", types, "--stages", "import,pipeline default,pipeline typed,specialize"]
    operations, seconds, _ = measured(command)
    for (stage, _), taken in seconds.items():
        print(f"{stage:32} {taken[1] * 1e3:8.1f} ms")
    total = sum(taken[1] for (stage, _), taken in seconds.items() if stage.startswith(("import", "pipeline default")))
    print(f"import and default, {operations[path, 1]} operations: {total * 1e3:.1f} ms")
    return 1 if below and total * 1e3 > below else 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--tool", default=os.path.join("target", "perf", "examples", "pass_growth"))
    arguments.add_argument("--shapes", default="")
    arguments.add_argument("--stages", default="")
    arguments.add_argument("--sizes", default="1000,10000,100000")
    arguments.add_argument("--measure", choices=["seconds", "instructions"], default="seconds")
    arguments.add_argument("--limit", default="30", help="seconds: what would take longer is left out")
    arguments.add_argument("--table", help="a file for every figure")
    arguments.add_argument("--model")
    arguments.add_argument("--types", default="1x128xi64,1x128xi64,1x128xi64")
    arguments.add_argument("--below", type=float, help="milliseconds: more is a failure")
    options = arguments.parse_args()
    if options.model:
        return model(options.tool, options.model, options.types, options.below)
    command = [options.tool, "--sizes", options.sizes, "--limit", options.limit, "--measure", options.measure]
    for name in "shapes", "stages":
        if getattr(options, name):
            command += [f"--{name}", getattr(options, name)]
    operations, seconds, refused = measured(command)
    table(operations, seconds, "thousand instructions" if options.measure == "instructions" else "microseconds")
    for (stage, why), where in sorted(refused.items()):
        print(f"{stage}: {why} ({len(where)} programs, {where[0]} first)")
    if options.table:
        with open(options.table, "w", newline="") as out:
            written = csv.writer(out)
            written.writerow(["stage", "shape", "size", "operations", "seconds"])
            for (stage, shape), taken in sorted(seconds.items()):
                written.writerows([stage, shape, n, count(operations, stage, shape, n), taken[n]] for n in sorted(taken))
    return 0


if __name__ == "__main__":
    sys.exit(main())
