"""Process start to loaded module and to first result, and peak memory, against PyTorch, ONNX Runtime and OpenVINO: ratios of minima and medians, in turns.

    python benches/load.py --sconce target/release/sconce MODEL.pt[:MODEL.onnx] MODEL.pt2 ... [--rounds 9] [--python PYTHON]

Loading: `sconce show MODEL --schemas` (loads the archive, compiles all of its code, prints the methods), Python with `torch.jit.load` (`torch.export.load` of a .pt2), and,
where g++ and PyTorch's headers are there, a C++ program of five lines over libtorch. Of Python there is also the call alone, the second in a process whose libraries are
there and warm. Where the same model is given as ONNX too, first results: its inputs say what to call with, and
`sconce run` interpreting, `sconce run` with compiled code from a warm cache, `sconce-rt` where it lies beside `sconce`, and Python with each of the peers that
it can import answer one call. Before the timings each answer is compared with PyTorch's.

Each but that call is a whole process. Ratios are the contender's figure divided by the first row's: above 1 Sconce is faster or smaller. Peak memory is the process's maximum
resident set (GNU time's %M), of Sconce also what it is above the archive's size.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

MIB = 1 << 20

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


# What a contender says itself: the seconds of its second call.
CALL_ALONE = """
import sys, time, torch
load = torch.export.load if sys.argv[1].endswith(".pt2") else torch.jit.load
load(sys.argv[1])
start = time.perf_counter()
load(sys.argv[1])
print(time.perf_counter() - start)
"""


def once(command):
    """Seconds of wall time of one process, or those that it says."""
    start = time.perf_counter()
    child = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    seconds = time.perf_counter() - start
    if CALL_ALONE in command and child.returncode == 0:
        seconds = float(child.stdout)
    if child.returncode != 0:
        raise SystemExit(f"{command[0]} failed: {child.stderr.decode(errors='replace').strip()}")
    return seconds


def peak(command):
    """Bytes of peak memory of one process. A child of this one would begin with what Python takes, so that GNU time, which is small, is between."""
    if not os.path.exists("/usr/bin/time"):
        return None
    with tempfile.NamedTemporaryFile("r") as figure:
        once(["/usr/bin/time", "-q", "-f", "%M", "-o", figure.name, *command])
        return int(figure.read().split()[-1]) * 1024


PEERS = {
    "torch": """
import torch
arrays = {name: torch.from_numpy(array) for name, array in arrays.items()}
with torch.no_grad():
    result = torch.jit.load(archive)(*arrays.values())
while isinstance(result, (tuple, list)):
    result = result[0]
result = result.numpy()
""",
    "onnxruntime": """
import onnxruntime
result = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"]).run(None, arrays)[0]
""",
    "openvino": """
import openvino
# On processors with matrix units for bf16 it would compute in that.
result = openvino.Core().compile_model(graph, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(arrays)[0]
""",
}

PEER = """
import sys
import numpy
archive, graph, inputs, output = sys.argv[1:5]
arrays = dict(numpy.load(inputs))
{body}
if output:
    numpy.savez(output, result)
"""


def inputs_of(graph, folder):
    """A file with one array for each input of an ONNX model, in their order: patterned numbers, ones for integers. Gives the names, too."""
    import numpy
    import onnx
    arrays = {}
    for value in onnx.load(graph, load_external_data=False).graph.input:
        tensor = value.type.tensor_type
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        shape = [d.dim_value for d in tensor.shape.dim]
        count = int(numpy.prod(shape))
        numbers = numpy.sin(numpy.arange(count) * 0.7) if numpy.issubdtype(dtype, numpy.floating) else numpy.ones(count)
        arrays[value.name] = numbers.astype(dtype).reshape(shape)
    path = os.path.join(folder, "inputs.npz")
    numpy.savez(path, **arrays)
    return path, list(arrays)


def importable(python, name):
    return subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode == 0


def first_results(options, archive, graph, folder):
    """The commands that answer one call, by name, each after its answer was found to be PyTorch's."""
    import numpy
    inputs, names = inputs_of(graph, folder)
    given = [part for name in names for part in ("-i", f"{inputs}:{name}")]
    cache = os.path.join(folder, "cache")
    os.makedirs(cache, mode=0o700, exist_ok=True)
    commands = {"sconce, interpreted": [options.sconce, "run", archive, "--compile", "off", *given],
                "sconce, warm cache": [options.sconce, "run", archive, "--compile", "now", "--cache", cache, *given]}
    runtime = os.path.join(os.path.dirname(options.sconce), "sconce-rt")
    if os.path.exists(runtime):
        commands["sconce-rt"] = [runtime, archive, *given]
    commands = {name: (command, ["-o"]) for name, command in commands.items()}
    for peer, body in PEERS.items():
        if importable(options.python, peer):
            commands[peer] = ([options.python, "-c", PEER.replace("{body}", body), archive, graph, inputs], [])
        else:
            print(f"{peer}: not in {options.python}")
    answers = {}
    for name, (command, flag) in commands.items():
        output = os.path.join(folder, "answer.npz")
        once(command + flag + [output])
        arrays = numpy.load(output)
        answers[name] = arrays[arrays.files[0]]
    for name, answer in answers.items():
        difference = numpy.abs(answer - answers["torch"]).max()
        scale = numpy.abs(answers["torch"]).max()
        if not difference <= 1e-3 * scale:
            raise SystemExit(f"{archive}: the answer of {name} differs from PyTorch's by {difference}, of {scale}")
    output = os.path.join(folder, "result.npz")
    return {name: command + (flag + [output] if flag else [""]) for name, (command, flag) in commands.items()}


def race(title, contenders, rounds, size):
    """Runs the contenders in turns and prints a row for each; the first is what the others are compared with."""
    figures = {name: [] for name in contenders}
    for command in contenders.values():
        once(command)  # the page cache is warm for all alike
    for _ in range(rounds):
        for name, command in contenders.items():
            figures[name].append(once(command))
    peaks = {name: peak(command) for name, command in contenders.items()}
    print(f"{title}: {size / MIB:.1f} MiB")
    (first, own), *_ = figures.items()
    for name, times in figures.items():
        line = f"  {name:19} min {min(times) * 1e3:8.1f} ms  median {statistics.median(times) * 1e3:8.1f} ms"
        if peaks[name]:
            line += f"  peak {peaks[name] / MIB:7.1f} MiB"
            if name.startswith("sconce"):
                line += f" (archive + {(peaks[name] - size) / MIB:.1f})"
        if name != first:
            line += f"  ratio {min(times) / min(own):5.1f} / {statistics.median(times) / statistics.median(own):5.1f}"
            if peaks[name]:
                line += f"  memory {peaks[name] / peaks[first]:4.1f}"
        print(line, flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("models", nargs="+", metavar="MODEL.pt[:MODEL.onnx]|MODEL.pt2")
    arguments.add_argument("--sconce", default=os.path.join("target", "release", "sconce"))
    arguments.add_argument("--python", default=sys.executable)
    arguments.add_argument("--rounds", type=int, default=9)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        loader = libtorch(options.python, folder)
        race("sconce --version", {"sconce": [options.sconce, "--version"]}, options.rounds, 0)
        for model in options.models:
            archive, _, graph = model.partition(":")
            size = os.path.getsize(archive)
            library = "export" if archive.endswith(".pt2") else "jit"
            contenders = {"sconce": [options.sconce, "show", archive, "--schemas"],
                          "torch (Python)": [options.python, "-c", f"import sys, torch; torch.{library}.load(sys.argv[1])", archive],
                          "torch, call alone": [options.python, "-c", CALL_ALONE, archive]}
            if loader and library == "jit":
                contenders["libtorch (C++)"] = loader + [archive]
            race(f"{archive}, loaded", contenders, options.rounds, size)
            if graph:
                race(f"{archive}, first result", first_results(options, archive, graph, folder), options.rounds, size)


if __name__ == "__main__":
    main()
