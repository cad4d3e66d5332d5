"""The compiled LSTM cell against PyTorch and ONNX Runtime, interleaved in one run: ratios, minimum and median.

    python benches/lstm_cell.py --sconce target/release/sconce [--models FOLDER] [--threads 1] [--rounds 15] [--slice 0.1]

Needs torch (eager, script and frozen are timed) and, with --models and onnxruntime, the ONNX files <FOLDER>/lstm_cell/<case>.onnx. Every round gives each
contender a slice of time, so that noise from outside falls on all alike. Ratios are the contender's time divided by Sconce's: above 1 Sconce is faster.
Every answer is compared with PyTorch's before it is timed. The inputs are drawn from a fixed seed.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch
from safetensors.numpy import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "..", "examples", "lstm_cell", "lstm_cell.txt")
NAMES = ["x", "hx", "cx", "w_ih", "w_hh", "b_ih", "b_hh"]


def cell(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    gates = x.mm(w_ih.t()) + hx.mm(w_hh.t()) + b_ih + b_hh
    i, f, g, o = gates.chunk(4, 1)
    cy = torch.sigmoid(f) * cx + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cy), cy


class Cell(torch.nn.Module):
    """The weights are the module's, as a frozen program has them."""

    def __init__(self, weights):
        super().__init__()
        self.w_ih, self.w_hh, self.b_ih, self.b_hh = (torch.nn.Parameter(w, requires_grad=False) for w in weights)

    def forward(self, x, hx, cx):
        gates = x.mm(self.w_ih.t()) + hx.mm(self.w_hh.t()) + self.b_ih + self.b_hh
        i, f, g, o = gates.chunk(4, 1)
        cy = torch.sigmoid(f) * cx + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(cy), cy


class Sconce:
    """`sconce bench --worker` times slices on request."""

    def __init__(self, program, sconce, inputs, expected, threads):
        command = [sconce, "bench", program, "--inputs", inputs, "--expect", expected, "--threads", str(threads), "--worker"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ready = self.process.stdout.readline()
        if not ready.startswith("ready"):
            raise SystemExit(f"sconce: {ready or 'ended early'}")

    def slice(self, seconds):
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["seconds"]


class Function:
    def __init__(self, call):
        self.call = call
        for _ in range(5):
            call()

    def slice(self, seconds):
        times, end = [], time.perf_counter() + seconds
        while time.perf_counter() < end:
            start = time.perf_counter()
            self.call()
            times.append(time.perf_counter() - start)
        return times


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--sconce", default=os.path.join(HERE, "..", "target", "release", "sconce"))
    p.add_argument("--models")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--rounds", type=int, default=15)
    p.add_argument("--slice", type=float, default=0.1)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.set_grad_enabled(False)
    for case, batch in (("b1", 1), ("b64", 64)):
        rng = np.random.default_rng(7)
        shapes = [(batch, 512)] * 3 + [(2048, 512)] * 2 + [(2048,)] * 2
        scales = [1, 0.5, 0.5, 0.04, 0.04, 0.04, 0.04]
        arrays = [(rng.standard_normal(s) * k).astype(np.float32) for s, k in zip(shapes, scales)]
        tensors = [torch.from_numpy(x) for x in arrays]
        want = cell(*tensors)
        contenders = {}
        with tempfile.TemporaryDirectory() as folder:
            inputs, expected = os.path.join(folder, "inputs.safetensors"), os.path.join(folder, "expected.safetensors")
            save_file(dict(zip(NAMES, arrays)), inputs)
            save_file({"0": want[0].numpy(), "1": want[1].numpy()}, expected)
            contenders["sconce"] = Sconce(PROGRAM, a.sconce, inputs, expected, a.threads)
            script = torch.jit.script(cell)
            module = torch.jit.freeze(torch.jit.script(Cell(tensors[3:]).eval()))
            for _ in range(5):
                script(*tensors)
                module(*tensors[:3])
            contenders["torch eager"] = Function(lambda: cell(*tensors))
            contenders["torch script"] = Function(lambda: script(*tensors))
            contenders["torch frozen"] = Function(lambda: module(*tensors[:3]))
            if a.models:
                import onnxruntime
                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = a.threads
                onnx = os.path.join(a.models, "lstm_cell", f"{case}.onnx")
                session = onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
                feed = {i.name: x for i, x in zip(session.get_inputs(), arrays)}
                contenders["onnxruntime"] = Function(lambda: session.run(None, feed))
            times = {name: [] for name in contenders}
            medians = {name: [] for name in contenders}
            for _ in range(a.rounds):
                for name, c in contenders.items():
                    t = c.slice(a.slice)
                    times[name] += t
                    medians[name].append(statistics.median(t))
            contenders["sconce"].process.stdin.close()
        flops = 2 * batch * 2048 * 1024
        base_min, base_median = min(times["sconce"]), statistics.median(medians["sconce"])
        print(f"{case}, {a.threads} thread(s), {a.rounds} rounds of {a.slice} s")
        for name in contenders:
            low, mid = min(times[name]), statistics.median(medians[name])
            print(f"  {name:14} min {low * 1e6:8.1f} us  median {mid * 1e6:8.1f} us  {flops / low / 1e9:6.1f} GFLOP/s  "
                  f"ratio to sconce: min {low / base_min:.2f}  median {mid / base_median:.2f}")


if __name__ == "__main__":
    sys.exit(main())
