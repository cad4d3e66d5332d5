"""Twenty things that people do with a saved model, from a machine that has none of the products: what they type, what it installs, and how long it takes to the first result.

    python benches/first_results.py --sconce target/release/sconce --models MODELS --work FOLDER
                                    [--only WORDS] [--products sconce onnxruntime pytorch tch] [--torch 'torch==2.13.0'] [--again]

Each product does each task of `first_results.toml` beside this file, in a folder of its own, by the commands and programs that stand there. The machine has Python, Rust and a C compiler;
all else is installed below FOLDER, where it stays for the next time with what it took (`--again` installs anew). Models are those of MODELS (see `benches/interpreter.py`) and recordings of `testdata`;
arguments are made here. Results are compared before anything is printed: arrays with the first product's, texts by what has to stand in them. Exit status 1 when one is wrong.

What is printed is a table in Markdown. A cell says

    3 + 5 lines, 26.1 MB, 0.4 + 0.1 s

that three commands are typed and five lines of program written; that 26.1 million bytes are installed; that installing took 0.4 s and the task 0.1 s, by one try, on this machine.
Commands of the installation are counted, and those that say where it is. No product finds a cache of its own or of pip's; crates that Cargo has downloaded before are not downloaded again. Of a crate, bytes are what its build leaves, unoptimised.
What a product cannot do says why, and so does what cannot be measured here.

How the tasks are written: `needs` are installations, each with its own `needs`, `commands`, and `shell` for whoever uses it (typed once); `there` is what is typed on a machine without, counted and not run; of it the
system's `libraries` of those names count, where a program is linked with them. `write` puts programs into files. `models` are files of MODELS
(`.zst` is unpacked), `recordings` members of packed sets, `prepared` files that were handed over; `arrays` are made, of f32, with those sizes. `expects` gives `expected.npz`, the result of the task that
is `recorded`. The last command's exit status is `status`, else 0; `shows` is a regular expression that its output matches; `result` is an array that it leaves.
"""
import argparse
import array
import ast
import dataclasses
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(HERE)
#: PyPI's PyTorch that tch 0.26 is for.
TORCH = "torch==2.13.0"
#: Seconds that one installation or task may take.
LONGEST = 3600


class Failed(Exception):
    """What a product was expected to do and did not."""


# ---------------------------------------------------------------- arrays
def write_npy(path, sizes):
    """An array of f32: a sine, which is neither constant nor large."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(sizes)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    numbers = array.array("f", (math.sin(0.7 * i) for i in range(math.prod(sizes))))
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + numbers.tobytes())


def read_npy(data):
    """The sizes and the numbers of an array of f32."""
    end = 10 + int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:end].decode())
    if header["descr"] != "<f4" or header["fortran_order"]:
        raise Failed(f"the result is of {header['descr']}, f32 in rows was expected")
    return header["shape"], array.array("f", data[end:])


def read_result(folder, name):
    """The array that `y.npy`, or `y.npz:member`, holds."""
    name, _, member = name.partition(":")
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        raise Failed(f"it leaves no {name}")
    if member:
        with zipfile.ZipFile(path) as packed:
            return read_npy(packed.read(f"{member}.npy"))
    with open(path, "rb") as f:
        return read_npy(f.read())


def compare(result, reference, tolerance):
    """Raises when two arrays differ by more than a share of the largest number."""
    if result[0] != reference[0]:
        raise Failed(f"the result has sizes {result[0]}, not {reference[0]}")
    largest = max(map(abs, reference[1]), default=0.0)
    worst = max((abs(a - b) for a, b in zip(result[1], reference[1])), default=0.0)
    if not worst <= tolerance * largest:
        raise Failed(f"the result is off by {worst}, where the largest number is {largest}")


# ---------------------------------------------------------------- commands
def run(commands, folder, variables, expected=0):
    """Runs lines of shell in a folder, and gives their seconds and what they print. What they leave running ends with them."""
    with tempfile.TemporaryFile("w+", errors="replace") as output, tempfile.TemporaryDirectory() as cache:
        # Where this repository is built is not where others build.
        environment = {name: value for name, value in os.environ.items() if name != "CARGO_TARGET_DIR"} | variables | {"XDG_CACHE_HOME": cache}
        start = time.perf_counter()
        child = subprocess.Popen(["sh", "-c", "set -e\n" + "\n".join(commands)], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = child.wait(LONGEST)
        except subprocess.TimeoutExpired:
            status = f"none after {LONGEST} s"
        seconds = time.perf_counter() - start
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()
        output.seek(0)
        text = output.read()
    if status != expected:
        raise Failed(f"exit status {status}, not {expected}: " + " | ".join(text.strip().splitlines()[-3:]))
    return seconds, text


def expand(text, variables):
    return re.sub(r"\$([A-Z_]+)", lambda m: variables.get(m[1], m[0]), text)


def write_programs(cell, programs, folder, variables):
    """Writes what a cell has to be written, and gives the number of lines."""
    lines = 0
    for path, program in cell.get("write", {}).items():
        text = programs[program].lstrip("\n")
        with open(os.path.join(folder, expand(path, variables)), "w") as f:
            f.write(text)
        lines += len(text.splitlines())
    return lines


def bytes_below(folder):
    """Bytes of all files of a folder; of a file with several names once."""
    seen = {}
    for place, _, names in os.walk(folder):
        for name in names:
            stat = os.lstat(os.path.join(place, name))
            seen[stat.st_dev, stat.st_ino] = stat.st_size
    return sum(seen.values())


def bytes_of_libraries(folder, wanted):
    """Bytes of the system's libraries of these names that programs in a folder are linked with."""
    found = {}
    for name in sorted(os.listdir(os.path.join(folder, "bin"))):
        linked = subprocess.run(["ldd", os.path.join(folder, "bin", name)], capture_output=True, text=True).stdout
        for path in re.findall(r"=> (/\S+)", linked):
            if os.path.basename(path).startswith(tuple(wanted)):
                found[os.path.realpath(path)] = os.stat(path).st_size
    return sum(found.values())


# ---------------------------------------------------------------- what is there
@dataclasses.dataclass
class Bench:
    """The table of tasks, and where things are."""

    table: dict
    options: argparse.Namespace

    def __post_init__(self):
        self.work = os.path.abspath(self.options.work)
        self.prepared, self.installs = os.path.join(self.work, "prepared"), os.path.join(self.work, "installs")
        self.notes = os.path.join(self.work, "installed.json")
        if self.options.again:
            shutil.rmtree(self.installs, ignore_errors=True)
        os.makedirs(self.prepared, exist_ok=True)
        os.makedirs(self.installs, exist_ok=True)
        self.installed = {}
        if os.path.exists(self.notes) and not self.options.again:
            with open(self.notes) as f:
                self.installed = json.load(f)
        self.variables = {"REPOSITORY": REPOSITORY, "PREPARED": self.prepared, "PROGRAMS": os.path.join(self.work, "programs"), "TORCH": self.options.torch}
        for name in self.table["install"]:
            self.variables[name.upper()] = os.path.join(self.installs, name)
        #: The results of the first product that has one, by task.
        self.references = {}

    def strip_programs(self):
        """Copies of the programs beside `sconce`, without what only debuggers read, as a release has them."""
        folder = self.variables["PROGRAMS"]
        if os.path.isdir(folder):
            return
        beside = os.path.dirname(os.path.abspath(self.options.sconce))
        shutil.rmtree(folder + ".part", ignore_errors=True)
        os.makedirs(folder + ".part")
        for name in sorted(os.listdir(beside)):
            path = os.path.join(beside, name)
            if name.startswith("sconce") and os.path.isfile(path) and os.access(path, os.X_OK):
                shutil.copy(path, folder + ".part")
                subprocess.run(["strip", os.path.join(folder + ".part", name)], check=True)
        os.rename(folder + ".part", folder)

    def prepare(self, name):
        """What a product hands over ready-made is made here, once."""
        self.strip_programs()
        made = self.table["prepare"][name]
        if not os.path.exists(os.path.join(self.prepared, made["makes"])):
            print(f"preparing {name}", file=sys.stderr, flush=True)
            write_programs(made, self.table["programs"], self.prepared, self.variables)
            own = {name: os.environ[name] for name in ["CARGO_TARGET_DIR"] if name in os.environ}
            run(made["commands"], REPOSITORY, self.variables | own)

    def closure(self, needs):
        """These installations and what they need, in the order that they are made."""
        names = []
        for name in needs:
            for each in [*self.closure(self.table["install"][name].get("needs", [])), name]:
                if each not in names:
                    names.append(each)
        return names

    def shell(self, names):
        return [line for name in names for line in self.table["install"][name].get("shell", [])]

    def install(self, name):
        """Seconds and bytes of an installation, which is made if it is not there."""
        made = self.table["install"][name]
        if name not in self.installed:
            for prepared in made.get("prepared", []):
                self.prepare(prepared)
            print(f"installing {name}", file=sys.stderr, flush=True)
            folder = self.variables[name.upper()]
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            before = bytes_below(self.installs)
            # What it tells the shell is told before, but for an environment, which is to be made.
            lines = self.shell(self.closure(made.get("needs", []))) + [line for line in made.get("shell", []) if line.startswith("export")]
            seconds, _ = run(lines + made["commands"], self.work, self.variables)
            size = bytes_below(self.installs) - before
            if "libraries" in made:
                size += bytes_of_libraries(folder, made["libraries"])
            self.installed[name] = {"seconds": seconds, "bytes": size}
            with open(self.notes, "w") as f:
                json.dump(self.installed, f, indent=1)
        return self.installed[name]

    # ------------------------------------------------------------ a task
    def lay_out(self, task, folder):
        """What a task begins with."""
        for name, path in task.get("models", {}).items():
            source = os.path.join(self.options.models, path)
            if path.endswith(".zst"):
                subprocess.run(["zstd", "-qdf", source, "-o", os.path.join(folder, name)], check=True)
            else:
                shutil.copy(source, os.path.join(folder, name))
        for name, path in task.get("recordings", {}).items():
            packed, member = path.split(":")
            unpacked = subprocess.run(["zstd", "-qdc", os.path.join(REPOSITORY, "testdata", packed)], stdout=subprocess.PIPE, check=True).stdout
            with tempfile.TemporaryFile() as f:
                f.write(unpacked)
                f.seek(0)
                with tarfile.open(fileobj=f) as members, open(os.path.join(folder, name), "wb") as out:
                    shutil.copyfileobj(members.extractfile(member), out)
        for name, path in task.get("prepared", {}).items():
            self.prepare("hostile")
            shutil.copy(os.path.join(self.prepared, path), os.path.join(folder, name))
        for name, sizes in task.get("arrays", {}).items():
            write_npy(os.path.join(folder, name), sizes)
        if task.get("expects"):
            with zipfile.ZipFile(os.path.join(folder, "expected.npz"), "w") as packed:
                packed.write(os.path.join(self.work, "expected.npy"), "out.npy")

    def judge(self, task, cell, folder, text):
        """Raises when what a product did is not what was asked for."""
        shows = cell.get("shows", task.get("shows"))
        if shows and not re.search(shows, text):
            raise Failed(f"what is printed does not match {shows}: " + " | ".join(text.strip().splitlines()[-3:]))
        if "result" not in task:
            return
        result = read_result(folder, cell.get("result", task["result"]))
        compare(result, self.references.setdefault(task["name"], result), task.get("tolerance", 1e-3))
        if task.get("recorded"):
            shutil.copy(os.path.join(folder, "y.npy"), os.path.join(self.work, "expected.npy"))

    def do(self, task, cell):
        """A cell of the table: what a product needs for a task."""
        names = self.closure(cell["needs"])
        installed = [self.install(name) for name in names]
        steps = [*(self.table["install"][name] for name in names), cell]
        typed = [line for step in steps for line in [*step.get("there", []), *step.get("shell", []), *step["commands"]]]
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            self.lay_out(task, folder)
            lines = write_programs(cell, self.table["programs"], folder, self.variables)
            seconds, text = run(self.shell(names) + cell["commands"], folder, self.variables, cell.get("status", 0))
            self.judge(task, cell, folder, text)
        size = sum(each["bytes"] for each in installed) / 1e6
        before = sum(each["seconds"] for each in installed)
        said = f"{len(typed)}{f' + {lines} lines' if lines else ''}, {size:.1f} MB, {before:.1f} + {seconds:.1f} s"
        return f"{said} ({cell['note']})" if "note" in cell else said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sconce", required=True, help="the program; what it is released with lies beside it")
    parser.add_argument("--models", required=True, help="the suite of models")
    parser.add_argument("--work", required=True, help="where everything is installed")
    parser.add_argument("--only", default="", help="tasks whose names contain this")
    parser.add_argument("--products", nargs="+", default=None, help="names of the first table of first_results.toml")
    parser.add_argument("--torch", default=TORCH, help="what pip is to install for PyTorch; options of pip may follow")
    parser.add_argument("--again", action="store_true", help="install anew what is there from the last time")
    options = parser.parse_args()
    with open(os.path.join(HERE, "first_results.toml"), "rb") as f:
        table = tomllib.load(f)
    products = {name: title for name, title in table["products"].items() if options.products is None or name in options.products}
    bench, wrong = Bench(table, options), []
    print("| task | " + " | ".join(products.values()) + " |")
    print("|---" * (len(products) + 1) + "|")
    for task in table["task"]:
        if options.only not in task["name"]:
            continue
        cells = []
        for product in products:
            cell = task[product]
            try:
                said = next((f"{word}: {cell[key]}" for key, word in [("cannot", "cannot"), ("unmeasured", "not measured")] if key in cell), None)
                cells.append(said or bench.do(task, cell))
            except Failed as failure:
                wrong.append(f"{products[product]}, {task['name']}: {failure}")
                cells.append("FAILED")
        print("| " + " | ".join([task["name"], *cells]) + " |", flush=True)
    for line in wrong:
        print(line, file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
