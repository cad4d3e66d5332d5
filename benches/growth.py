"""Seconds and peak memory of loading programs that grow, and what doubling a file multiplies them by: 2 is linear, 4 quadratic.

    python benches/growth.py --sconce target/release/sconce [--scale 1] [--only archive/statements] [--command run] [--keep FOLDER]
    python benches/growth.py --only source/tensors --command "run --compile now --cache off" --limit 600

A program has 200,000 statements in one method (100,000 where they are to be compiled, as the second line has it), 40,000 methods in one class, or 40,000 files of code (in an archive), and comes as an archive, as Python source and as
graph text; `--scale 0.1` makes all of them a tenth. Each is measured at a quarter, a half and the whole of that number. Seconds are a processor's, of a whole process; what the process needs
for a program of one statement is taken off, so that the ratios are those of the growth alone.
"""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile

MIB = 1 << 20
CLASS = "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n"


def text(value):
    """A string, as a pickle of protocol 2 says it."""
    raw = value.encode()
    return b"X" + len(raw).to_bytes(4, "little") + raw


def instance(module, name, members=b""):
    """An object whose state is these members: a string and a value each."""
    return b"c" + module.encode() + b"\n" + name.encode() + b"\n)\x81}(" + text("training") + b"\x89" + members + b"ub"


def archive(path, code, root=None):
    """An archive of one module and these files of code."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as out:
        def member(name, content):
            out.writestr(zipfile.ZipInfo("m/" + name), content)
        member("version", "3\n")
        member("data.pkl", b"\x80\x02" + (root or instance("__torch__", "M")) + b".")
        member("constants.pkl", b"\x80\x02).")
        for name, content in code:
            member("code/" + name, content)


def archive_statements(path, n):
    body = "    y = y + 1\n" * n
    archive(path, [("__torch__.py", CLASS + "  def forward(self: __torch__.M,\n    y: int) -> int:\n" + body + "    return y\n")])


def archive_tensors(path, n):
    body = "    y = torch.add(y, x)\n" * n
    archive(path, [("__torch__.py", CLASS + "  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    y = x\n" + body + "    return y\n")])


def archive_methods(path, n):
    methods = "".join(f"  def m{i}(self: __torch__.M,\n    y: int) -> int:\n    return y + 1\n" for i in range(n - 1))
    methods += "  def forward(self: __torch__.M,\n    y: int) -> int:\n    return y + 1\n"
    archive(path, [("__torch__.py", CLASS + methods)])


def archive_files(path, n):
    """Each file holds the class of one submodule."""
    inner = "class C(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n  def forward(self: __torch__.p%d.C,\n    y: int) -> int:\n    return y + 1\n"
    files = [(f"__torch__/p{i}.py", inner % i) for i in range(n)]
    outer = CLASS + "  training : bool\n" + "".join(f"  s{i} : __torch__.p{i}.C\n" for i in range(n))
    outer += "  def forward(self: __torch__.M,\n    y: int) -> int:\n    return (self.s0).forward(y, )\n"
    members = b"".join(text(f"s{i}") + instance(f"__torch__.p{i}", "C") for i in range(n))
    archive(path, [("__torch__.py", outer), *files], instance("__torch__", "M", members))


def archive_unused(path, n):
    """Files that nothing names."""
    files = [(f"__torch__/p{i}.py", "def f(y: int) -> int:\n  return y + 1\n") for i in range(n)]
    archive(path, [("__torch__.py", CLASS + "  def forward(self: __torch__.M,\n    y: int) -> int:\n    return y + 1\n"), *files])


def written(path, content):
    with open(path, "w") as out:
        out.write(content)


def source_statements(path, n):
    written(path, "def f(y: int) -> int:\n" + "    y = y + 1\n" * n + "    return y\n")


def source_tensors(path, n):
    """Operators on small tensors, to be compiled."""
    steps = ["x = x + y", "x = torch.relu(x)", "x = x * 0.5", "y = y - x", "y = torch.tanh(y)", "x = torch.mm(x, y)", "y = torch.sigmoid(y)"]
    body = "".join(f"    {steps[i % len(steps)]}\n" for i in range(n))
    written(path, f"import torch\ndef f(x: torch.Tensor):\n    y = torch.neg(x)\n{body}    return x, y\n")


def source_functions(path, n):
    written(path, "".join(f"def g{i}(y: int) -> int:\n    return y + 1\n" for i in range(n)) + "def f(y: int) -> int:\n    return y + 1\n")


def source_calls(path, n):
    """Functions that are all called."""
    functions = "".join(f"def g{i}(y: int) -> int:\n    return y + 1\n" for i in range(n))
    written(path, functions + "def f(y: int) -> int:\n" + "".join(f"    y = g{i}(y)\n" for i in range(n)) + "    return y\n")


def source_methods(path, n):
    methods = "".join(f"    @torch.jit.export\n    def m{i}(self, y: int) -> int:\n        return y + 1\n" for i in range(n))
    written(path, "import torch\nclass M(torch.nn.Module):\n" + methods + "    def forward(self, y: int) -> int:\n        return y + 1\nf = M()\n")


def graph_statements(path, n):
    body = "".join(f"  %{i + 3} : int = aten::add(%{i + 2}, %1)\n" for i in range(n))
    written(path, f"graph(%2 : int):\n  %1 : int = prim::Constant[value=1]()\n{body}  return (%{n + 2})\n")


KINDS = {
    "archive/statements": (200_000, archive_statements, "pt"),
    "archive/tensors": (200_000, archive_tensors, "pt"),
    "archive/methods": (40_000, archive_methods, "pt"),
    "archive/files": (40_000, archive_files, "pt"),
    "archive/unused": (40_000, archive_unused, "pt"),
    "source/statements": (200_000, source_statements, "py"),
    "source/tensors": (100_000, source_tensors, "py"),
    "source/functions": (40_000, source_functions, "py"),
    "source/calls": (40_000, source_calls, "py"),
    "source/methods": (40_000, source_methods, "py"),
    "graph/statements": (200_000, graph_statements, "txt"),
}


def argument(path):
    return {"archive_tensors": "f32", "source_tensors": "4x4xf32"}.get(os.path.basename(path).rsplit("_", 1)[0], "1")


def commands(binary, command, path):
    if command == "show":
        entry = ["--entry", "f"] if path.endswith(".py") else []
        return [binary, "show", path, "--schemas", *entry]
    first, *flags = command.split()
    entry = ["--entry", "f"] if path.endswith(".py") else []
    return [binary, first, path, *entry, *(["-i", argument(path)] if first == "run" else []), *flags]


def once(command, limit):
    """Seconds of a processor and peak bytes of one process, or what it said."""
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        stop = threading.Timer(limit, child.kill)
        stop.start()
        _, status, usage = os.wait4(child.pid, 0)
        stop.cancel()
        errors.seek(0)
        said = errors.read(300).decode(errors="replace").strip().splitlines()
    if status != 0:
        return None, None, f"stopped after {limit} s" if os.waitstatus_to_exitcode(status) == -signal.SIGKILL else (said or ["no word"])[0]
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--sconce", default=os.path.join("target", "release", "sconce"))
    arguments.add_argument("--scale", type=float, default=1)
    arguments.add_argument("--only", default="", help="kinds whose name contains this")
    arguments.add_argument("--command", default="show", help="`show` (load everything and print the signatures), or what is to be done with the file, with its flags")
    arguments.add_argument("--limit", type=float, default=120, help="seconds a process may take")
    arguments.add_argument("--keep", help="a folder where the files stay")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        folder = options.keep or passing
        os.makedirs(folder, exist_ok=True)
        for kind, (full, make, suffix) in KINDS.items():
            if options.only not in kind:
                continue

            def measure(n):
                path = os.path.join(folder, f"{kind.replace('/', '_')}_{n}.{suffix}")
                make(path, n)
                return os.path.getsize(path), *once(commands(options.sconce, options.command, path), options.limit)

            _, base, least, said = measure(1)
            if said:
                print(f"{kind:20} {said}")
                continue
            before = None
            for part in 4, 2, 1:
                n = max(1, int(full * options.scale) // part)
                size, seconds, peak, said = measure(n)
                if said:
                    print(f"{kind:20} {n:7}  {size / MIB:6.2f} MiB  {said}")
                    break
                grown, more = seconds - base, peak - least
                line = f"{kind:20} {n:7}  {size / MIB:6.2f} MiB  {seconds:7.2f} s  {peak / MIB:7.1f} MiB (file + {(peak - size) / MIB:.1f})"
                if before:
                    line += f"  x{grown / max(before[0], 1e-3):.2f} time  x{more / max(before[1], 1):.2f} memory"
                print(line, flush=True)
                before = grown, more


if __name__ == "__main__":
    sys.exit(main())
