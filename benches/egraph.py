"""What the rewrite rules make of 22 graphs: modelled cost and measured time before and after, against a greedy peephole with the same rules, and whether the order of
the input matters.

    python benches/egraph.py [--sconce target/perf/sconce] [--opt target/perf/sconce-opt] [--only bert llama] [--seconds 1] [--turns 5] [--shufflings 20] [--no-times] [--replay]

`benches/egraph/*.py` are the graphs: 12 of the kind that TASO and tensat are measured with, 10 blocks of models, written from their published descriptions. The cost is that
of the model in `lowering/egraph/src/cost.rs`, in microseconds. Times are of `sconce bench`, one thread, in turns without rewriting (`--rewrites off`), with the greedy peephole
and with the e-graph: the least and the median of a call, in microseconds. A shuffling puts the operations in another order that their operands allow and renames them; the same
text must come out. `--replay` has every explanation checked by `sconce-opt --replay`. Results with and without rewriting must agree before anything is measured, to 1e-5 of
the largest element. Exit status 1
where a cost got worse, texts differ, results differ or an explanation does not hold.
"""
import argparse
import array
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
ENTRY = "M().eval()"
HOWS = ["off", "greedy", "on"]


# What results may differ by, of the largest element.
CLOSE = 1e-5


def largest(file):
    """The largest element of the f32 tensors of a safetensors file, by magnitude."""
    content = file.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    tensors = [t for name, t in json.loads(content[8:start]).items() if name != "__metadata__" and t["dtype"] == "F32"]
    parts = [array.array("f", content[start + t["data_offsets"][0] : start + t["data_offsets"][1]]) for t in tensors]
    return max((abs(x) for part in parts for x in part), default=0.0)


def run(*command, check=True):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if check and done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done


class Graph:
    def __init__(self, file, args, folder):
        self.file, self.args, self.folder, self.name = file, args, folder, file.stem
        self.inputs = re.search(r"^# inputs: (.*)$", file.read_text(), re.M).group(1).split()

    def call(self):
        return [self.file, "--entry", ENTRY, "--seed", 1, *[word for i in self.inputs for word in ("-i", i)], "--compile", "now", "--cache", "off"]

    def cost(self, how):
        """The modelled cost before and after, in microseconds; nothing where nothing changed."""
        report = run(self.args.sconce, "run", *self.call(), "--rewrites", how, "--report").stdout
        found = re.findall(r"egraph: modelled cost (\d+) -> (\d+) ns", report)
        return tuple(sum(int(pair[i]) for pair in found) / 1000 for i in (0, 1)) if found else None

    def agrees(self):
        """Do results with and without rewriting agree?"""
        expected = self.folder / f"{self.name}.safetensors"
        run(self.args.sconce, "run", *self.call(), "--rewrites", "off", "--output", expected)
        # Products in another order round otherwise, by what is summed and not by what is left where terms cancel.
        close = CLOSE * largest(expected)
        got = run(self.args.sconce, "run", *self.call(), "--rewrites", "on", "--expect", expected, "--atol", close, check=False)
        return got.returncode == 0 or got.stdout + got.stderr

    def times(self):
        """The least and the median time of a call for each way, measured in turns."""
        workers = {}
        for how in HOWS:
            command = [self.args.sconce, "bench", *self.call(), "--rewrites", how, "--threads", 1, "--worker"]
            workers[how] = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            if workers[how].stdout.readline().strip() != "ready":
                sys.exit(f"{self.name}: the worker does not start: {' '.join(map(str, command))}")
        times = {how: [] for how in HOWS}
        for _ in range(self.args.turns):
            for how, worker in workers.items():
                print(self.args.seconds / self.args.turns, file=worker.stdin, flush=True)
                answer = json.loads(worker.stdout.readline())
                times[how] += answer["seconds"]
        for worker in workers.values():
            worker.stdin.close()
            worker.wait()
        return {how: (min(t) * 1e6, statistics.median(t) * 1e6) for how, t in times.items()}

    def typed(self):
        """The program with its weights as constants and known types, before the rewriting."""
        archive, text = self.folder / f"{self.name}.pt", self.folder / f"{self.name}.mlir"
        run(self.args.sconce, "save", self.file, "--entry", ENTRY, "-o", archive)
        names = re.findall(r"func\.func private @([^(]*)\(", run(self.args.opt, archive, "--freeze").stdout)
        types = ",".join(["_", *self.inputs])
        passes = f"freeze,default,specialize-inputs{{types={types} function={names[-1]}}},functionalize"
        text.write_text(run(self.args.opt, archive, f"--pass-pipeline=builtin.module({passes})").stdout)
        return text, names[-1]

    def shufflings(self):
        """How many texts come of how many shufflings."""
        file, name = self.typed()
        text = file.read_text()
        texts = set()
        for seed in range(self.args.shufflings):
            shuffled = self.folder / "shuffled.mlir"
            shuffled.write_text(shuffle(text, name, random.Random(seed)))
            texts.add(run(self.args.opt, shuffled, "--egraph=class=reassociates order=1").stdout)
        return len(texts)

    def replays(self):
        """What the checker says of the explanations."""
        file, _ = self.typed()
        explained = self.folder / f"{self.name}.explained"
        explained.write_text(run(self.args.opt, file, "--egraph=class=reassociates explain=1", "-o", os.devnull).stderr)
        done = run(self.args.opt, "--replay", explained, check=False)
        return done.returncode == 0, (done.stdout + done.stderr).strip()


def operations(body):
    """The lines of each operation; one with regions has several."""
    found, depth = [], 0
    for line in body:
        if depth:
            found[-1].append(line)
        else:
            found.append([line])
        depth += line.count("{") - line.count("}")
    return found


def results(line):
    """The names that a line defines, and where what it uses begins."""
    match = re.match(r"\s*((?:%[\w.-]+(?::\d+)?(?:, )?)+) = ", line)
    return ({n.split(":")[0] for n in match.group(1).split(", ")}, match.end()) if match else (set(), 0)


def inner(lines):
    """The names that the regions of an operation define."""
    names = set()
    for line in lines[1:]:
        names |= results(line)[0]
        if line.lstrip().startswith("^"):
            names |= set(re.findall(r"(%[\w.-]+):", line))
    return names


def shuffle(text, name, rng):
    """The module with the operations of a function in another order that their operands allow, and other names. Operations with regions, which may raise, keep their order."""
    lines = text.splitlines()
    begin = next(i for i, line in enumerate(lines) if f"@{name}(" in line)
    end = next(i for i in range(begin, len(lines)) if lines[i].strip().startswith("return"))
    body = operations(lines[begin + 1 : end])
    # Names of regions may be used again behind them: each gets one of its own.
    for i, one in enumerate(body):
        own = {n: f"%r{i}_{n[1:]}" for n in inner(one)}
        body[i] = one[:1] + [re.sub(r"%[\w.-]+", lambda m: own.get(m.group(), m.group()), line) for line in one[1:]]
    made = [results(one[0])[0] for one in body]
    used = [set(re.findall(r"%[\w.-]+", "\n".join(one)[results(one[0])[1] :])) for one in body]
    maker = {n: i for i, names in enumerate(made) for n in names}
    waits = [{maker[n] for n in names if n in maker} - {i} for i, names in enumerate(used)]
    regions = [i for i, one in enumerate(body) if len(one) > 1]
    for earlier, later in zip(regions, regions[1:]):
        waits[later].add(earlier)
    order, ready, left = [], [i for i, w in enumerate(waits) if not w], set(range(len(body)))
    while ready:
        i = ready.pop(rng.randrange(len(ready)))
        order.append(i)
        left.discard(i)
        for j in left:
            if i in waits[j]:
                waits[j].discard(i)
                if not waits[j]:
                    ready.append(j)
    numbers = list(range(len(maker)))
    rng.shuffle(numbers)
    renamed = {n: f"%v{numbers[k]}" for k, n in enumerate(sorted(maker))}
    new = [line for i in order for line in body[i]] + [lines[end]]
    new = [re.sub(r"%[\w.-]+", lambda m: renamed.get(m.group(), m.group()), line) for line in new]
    return "\n".join(lines[: begin + 1] + new + lines[end + 1 :]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sconce", default=ROOT / "target/perf/sconce")
    parser.add_argument("--opt", default=ROOT / "target/perf/sconce-opt")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--shufflings", type=int, default=20)
    parser.add_argument("--no-times", action="store_true")
    parser.add_argument("--replay", action="store_true")
    args = parser.parse_args()
    wrong, better, faster, count = [], 0, 0, 0
    print(f"{'graph':<16}{'cost':>10}{'greedy':>10}{'e-graph':>10}   texts   time off / greedy / e-graph: least (median) µs")
    with tempfile.TemporaryDirectory() as folder:
        for file in sorted((HERE / "egraph").glob("*.py")):
            if args.only and file.stem not in args.only:
                continue
            graph = Graph(file, args, pathlib.Path(folder))
            count += 1
            agrees = graph.agrees()
            if agrees is not True:
                wrong.append(f"{graph.name}: results differ: {agrees}")
            on, greedy = graph.cost("on"), graph.cost("greedy")
            before = max((pair[0] for pair in (on, greedy) if pair), default=None)
            after, peephole = (pair[1] if pair else before for pair in (on, greedy))
            line = f"{graph.name:<16}{before or 0:>10.1f}{peephole or 0:>10.1f}{after or 0:>10.1f}"
            if before is not None:
                better += after < peephole
                if after > before or after > peephole:
                    wrong.append(f"{graph.name}: the cost got worse")
            if args.shufflings:
                texts = graph.shufflings()
                line += f"{texts:>5}/{args.shufflings}"
                if texts != 1:
                    wrong.append(f"{graph.name}: {texts} texts of {args.shufflings} shufflings")
            if not args.no_times:
                times = graph.times()
                faster += times["on"][0] < times["off"][0]
                line += "   " + " / ".join(f"{times[how][0]:.0f} ({times[how][1]:.0f})" for how in HOWS)
            if args.replay:
                holds, said = graph.replays()
                line += f"   {said.splitlines()[-1] if said else 'nothing to explain'}"
                if not holds:
                    wrong.append(f"{graph.name}: {said}")
            print(line, flush=True)
    print(f"{count} graphs: cheaper than the greedy peephole by the model in {better}" + ("" if args.no_times else f"; faster than without rewriting in {faster}"))
    for line in wrong:
        print(f"WRONG {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
