"""Times compiling a source that uses 30 layers of torch.nn, in turns: compile.py SCONCE [OTHER_SCONCE …]

Each binary evaluates, compiles and writes the same file as an archive; all get a turn in each round. Printed are minimum and median, and the ratio of
each to the first.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

LAYERS = """nn.Linear(8, 8) nn.ReLU() nn.Dropout(0.1) nn.LayerNorm(8) nn.GELU() nn.Conv2d(3, 8, 3) nn.BatchNorm2d(8) nn.MaxPool2d(2) nn.AvgPool2d(2)
nn.AdaptiveAvgPool2d(1) nn.Flatten() nn.Conv1d(3, 8, 3) nn.ConvTranspose2d(8, 3, 2) nn.GroupNorm(2, 8) nn.InstanceNorm2d(8) nn.Embedding(10, 8) nn.LSTM(8, 8)
nn.GRU(8, 8) nn.MultiheadAttention(8,2) nn.TransformerEncoderLayer(8,2,16) nn.Sigmoid() nn.Tanh() nn.Softmax(-1) nn.SiLU() nn.Hardswish() nn.Upsample(scale_factor=2)
nn.ZeroPad2d(1) nn.PixelShuffle(2) nn.CrossEntropyLoss() nn.MSELoss()""".replace(", ", ",").split()
ROUNDS = 15


def source():
    fields = "".join("        self.l%d = %s\n" % (i, layer) for i, layer in enumerate(LAYERS))
    return (
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n" + fields
        + "\n    def forward(self, x: torch.Tensor) -> torch.Tensor:\n        return self.l1(self.l0(x))\n"
    )


def main(binaries):
    with tempfile.TemporaryDirectory() as folder:
        file, out = os.path.join(folder, "net.py"), os.path.join(folder, "net.pt")
        with open(file, "w") as f:
            f.write(source())
        times = {b: [] for b in binaries}
        for _ in range(ROUNDS):
            for binary in binaries:
                start = time.perf_counter()
                subprocess.run([binary, "save", file, "--entry", "Net()", "-o", out], check=True, stdout=subprocess.DEVNULL)
                times[binary].append(time.perf_counter() - start)
    first = times[binaries[0]]
    for binary in binaries:
        t = times[binary]
        print("%s: %d layers, minimum %.1f ms (ratio %.2f), median %.1f ms (ratio %.2f)" % (
            binary, len(LAYERS), min(t) * 1e3, min(t) / min(first), statistics.median(t) * 1e3,
            statistics.median(t) / statistics.median(first)))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
