"""Many sizes by one compiled artefact, against ONNX Runtime with dynamic axes on the same: ratios of least and median times, shape by shape.

    python benches/shapes.py [--sconce target/release/sconce] [--torch PYTHON] [--shapes 50] [--slice 0.1] [--rounds 2] [--threads 1]

Makes three networks (a transformer's encoder layer, a perceptron with softmax, a convolutional net) by PyTorch as TorchScript and as ONNX with dynamic axes, and
draws sizes, the same in every run. Sconce compiles each network with `--dynamic`, into a cache of its own, whose files are counted: for sizes of 1, which broadcast, it makes code of their
own. Results are compared with ONNX Runtime's before they are timed. Needs ONNX Runtime here, PyTorch and onnx in `--torch`. A ratio below 1: Sconce is faster.
"""
import argparse
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import onnxruntime

NETWORKS = '''
import sys, torch, warnings
from torch import Tensor, nn

warnings.filterwarnings("ignore")


class Encoder(nn.Module):
    def __init__(self, dim: int = 256, heads: int = 4):
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.q, self.k, self.v, self.o = [nn.Linear(dim, dim) for _ in range(4)]
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def split(self, x: Tensor) -> Tensor:
        return x.reshape(x.size(0), x.size(1), self.heads, 64).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        h = self.first(x)
        scores = torch.softmax(self.split(self.q(h)) @ self.split(self.k(h)).transpose(2, 3) * 0.125, -1)
        h = (scores @ self.split(self.v(h))).transpose(1, 2).reshape(x.size(0), x.size(1), 256)
        x = x + self.o(h)
        return x + self.down(nn.functional.gelu(self.up(self.second(x))))


def perceptron():
    return nn.Sequential(nn.Linear(512, 1024), nn.GELU(), nn.Linear(1024, 512), nn.LayerNorm(512), nn.ReLU(), nn.Linear(512, 1000), nn.Softmax(-1))


def convolutions():
    layers, channels = [], 3
    for out, stride in [(32, 2), (32, 1), (64, 2), (64, 1), (128, 2), (128, 1)]:
        layers += [nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.SiLU()]
        channels = out
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 100))


torch.manual_seed(0)
for name, module, sizes, axes in [
    ("encoder", Encoder(), (2, 7, 256), {0: "b", 1: "n"}),
    ("perceptron", perceptron(), (3, 512), {0: "b"}),
    ("convolutions", convolutions(), (1, 3, 64, 64), {0: "b", 2: "h", 3: "w"}),
]:
    scripted = torch.jit.script(module.eval())
    scripted.save(f"{sys.argv[1]}/{name}.pt")
    x = torch.randn(sizes)
    torch.onnx.export(scripted, (x,), f"{sys.argv[1]}/{name}.onnx", dynamo=False, opset_version=17, input_names=["x"], output_names=["y"], dynamic_axes={"x": axes})
'''


def sizes_of(name, draw):
    """The next sizes of a network's input."""
    if name == "encoder":
        return [draw.randint(1, 4), draw.randint(3, 300), 256]
    if name == "perceptron":
        return [draw.choice([draw.randint(1, 8), draw.randint(9, 200)]), 512]
    return [draw.randint(1, 2), 3, draw.randint(32, 224), draw.randint(32, 224)]


def shown(sizes):
    return "x".join(map(str, sizes))


def times_of(call, seconds):
    """The least and the median time of calls."""
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times), statistics.median(times)


class Sconce:
    """Calls of a network for any sizes, by code that the first of them made."""

    def __init__(self, args, folder, name):
        self.args, self.model, self.cache, self.folder = args, folder / f"{name}.pt", folder / f"{name}.cache", folder
        self.made = 0

    def times(self, x, want):
        numpy.savez(self.folder / "x.npz", x)
        numpy.savez(self.folder / "want.npz", out=want)
        command = [self.args.sconce, "bench", self.model, "--inputs", self.folder / "x.npz", "--expect", self.folder / "want.npz", "--compile", "now", "--dynamic"]
        command += ["--cache", self.cache, "--threads", str(self.args.threads), "--seconds", str(self.args.slice), "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{self.model.stem} of {x.shape}: {done.stderr}")
        self.made = len([p for p in self.cache.rglob("*") if p.is_file()])
        times = next(t for t in json.loads(done.stdout)["times"] if t["name"] == "compiled")
        return times["min_seconds"], times["median_seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sconce", default="target/release/sconce")
    parser.add_argument("--torch", default=sys.executable, help="a Python with PyTorch and onnx")
    parser.add_argument("--shapes", type=int, default=50)
    parser.add_argument("--slice", type=float, default=0.1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "networks.py").write_text(NETWORKS)
        subprocess.run([args.torch, folder / "networks.py", folder], check=True)
        for name in ("encoder", "perceptron", "convolutions"):
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = args.threads
            session = onnxruntime.InferenceSession(folder / f"{name}.onnx", options, providers=["CPUExecutionProvider"])
            sconce, draw, ratios = Sconce(args, folder, name), random.Random(1), []
            for _ in range(args.shapes):
                sizes = sizes_of(name, draw)
                x = numpy.random.default_rng(1).standard_normal(sizes, dtype=numpy.float32)
                want = session.run(None, {"x": x})[0]
                ours, theirs = [], []
                for _ in range(args.rounds):
                    ours.append(sconce.times(x, want))
                    theirs.append(times_of(lambda: session.run(None, {"x": x}), args.slice))
                least = [min(t[0] for t in times) for times in (ours, theirs)]
                median = [statistics.median(t[1] for t in times) for times in (ours, theirs)]
                ratios.append((least[0] / least[1], median[0] / median[1], sizes))
                print(f"{name:14} {shown(sizes):>16} {least[0] * 1e6:9.1f} us {least[1] * 1e6:9.1f} us  {ratios[-1][0]:.2f} / {ratios[-1][1]:.2f}", flush=True)
            least, median = (statistics.geometric_mean(r[i] for r in ratios) for i in (0, 1))
            slower = [r for r in ratios if r[0] > 1]
            worst = max(ratios)
            print(f"{name}: {sconce.made} artefacts; geometric mean {least:.2f} by minimum, {median:.2f} by median; slower for {len(slower)} of {len(ratios)} shapes, at worst {worst[0]:.2f} ({shown(worst[2])})")


if __name__ == "__main__":
    main()
