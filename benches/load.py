"""Process start to loaded module, and peak memory, against PyTorch: ratios of minima and medians, interleaved in one run.

    python benches/load.py --sconce target/release/sconce MODEL.pt ... [--rounds 9] [--python PYTHON]

The contenders: `sconce show MODEL --schemas` (loads the archive, compiles all of its code, prints the methods), Python with `torch.jit.load`, and, where g++ and
PyTorch's headers are there, a C++ program of five lines over libtorch. Each is a whole process. Ratios are the contender's figure divided by Sconce's: above 1
Sconce is faster or smaller. Peak memory is the process's maximum resident set; beside it stands the archive's size.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

LOADER = r"""
#include <torch/script.h>
int main(int argc, char** argv) { auto m = torch::jit::load(argv[1]); return m.get_methods().empty() && argc < 0; }
"""


def libtorch(python, folder):
    """The C++ loader's command, or None with the reason printed."""
    where = subprocess.run([python, "-c", "import torch, os; print(os.path.dirname(torch.__file__)); print(int(torch._C._GLIBCXX_USE_CXX11_ABI))"],
                           capture_output=True, text=True)
    if where.returncode != 0:
        print("libtorch: no PyTorch in", python)
        return None
    torch, abi = where.stdout.split()
    source, binary = os.path.join(folder, "load.cpp"), os.path.join(folder, "load")
    with open(source, "w") as f:
        f.write(LOADER)
    build = ["g++", "-std=c++20", "-O1", f"-D_GLIBCXX_USE_CXX11_ABI={abi}", f"-I{torch}/include", f"-I{torch}/include/torch/csrc/api/include",
             source, "-o", binary, f"-L{torch}/lib", f"-Wl,-rpath,{torch}/lib", "-ltorch_cpu", "-ltorch", "-lc10"]
    made = subprocess.run(build, capture_output=True, text=True)
    if made.returncode != 0:
        print("libtorch: the loader does not build:", made.stderr.strip().splitlines()[-1] if made.stderr else "g++ failed")
        return None
    return [binary]


def once(command):
    """Seconds of wall time and bytes of peak memory of one process."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"{command[0]} failed: {errors.decode(errors='replace').strip()}")
    return seconds, usage.ru_maxrss * 1024


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("models", nargs="+")
    arguments.add_argument("--sconce", default=os.path.join("target", "release", "sconce"))
    arguments.add_argument("--python", default=sys.executable)
    arguments.add_argument("--rounds", type=int, default=9)
    options = arguments.parse_args()
    mib = 1 << 20
    with tempfile.TemporaryDirectory() as folder:
        loader = libtorch(options.python, folder)
        for model in options.models:
            contenders = {"sconce": [options.sconce, "show", model, "--schemas"],
                          "torch (Python)": [options.python, "-c", "import sys, torch; torch.jit.load(sys.argv[1])", model]}
            if loader:
                contenders["libtorch (C++)"] = loader + [model]
            figures = {name: [] for name in contenders}
            for name, command in contenders.items():
                once(command)  # the page cache is warm for all alike
            for _ in range(options.rounds):
                for name, command in contenders.items():
                    figures[name].append(once(command))
            size = os.path.getsize(model)
            print(f"{model}: {size / mib:.1f} MiB")
            own = figures["sconce"]
            for name, runs in figures.items():
                times, peaks = [t for t, _ in runs], [p for _, p in runs]
                line = f"  {name:15} min {min(times) * 1e3:8.1f} ms  median {statistics.median(times) * 1e3:8.1f} ms  peak {max(peaks) / mib:7.1f} MiB"
                if name != "sconce":
                    line += (f"  ratio {min(times) / min(t for t, _ in own):5.1f} / {statistics.median(times) / statistics.median(t for t, _ in own):5.1f}"
                             f"  memory {max(peaks) / max(p for _, p in own):4.1f}")
                else:
                    line += f"  (archive + {(max(peaks) - size) / mib:.1f} MiB)"
                print(line)


if __name__ == "__main__":
    main()
