"""Single operators against PyTorch eager: ratios of minima and medians, in turns in one run.

    cargo build --profile perf -p sconce-kernels --example time_operator
    python benches/operators.py [--only SUBSTRING] [--threads 1] [--rounds 5] [--case '["aten::mm", [[512,512],[512,512]]]']

A ratio is PyTorch's time divided by Sconce's: above 1 Sconce is faster. PyTorch is called through `torch.ops.aten` in inference mode, so its times include about a microsecond
of Python; Sconce's include making the call's arguments. Cases are `[operator, arguments]`: a list of integers in place of a tensor's sizes, everything else literal, with
`["int64", sizes]` for integers and `["ints", values]` for a list of numbers.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import torch

N = None
CASES = [
    # Elementwise, with the tensors small, in cache and out of cache.
    *[["aten::add.Tensor", [s, s]] for s in ([16], [1024], [64, 1024], [1024, 1024])],
    ["aten::add.Tensor", [[16], 1.0]],
    ["aten::mul.Tensor", [[1024, 1024], [1024]]],
    ["aten::add.Tensor", [[1024, 1024], {"sizes": [1024, 1024], "strides": [1, 1024]}]],
    *[[f"aten::{f}", [s]] for f in ("relu", "sigmoid", "tanh", "exp", "gelu", "silu", "erf", "sqrt", "sin") for s in ([1024], [1024, 1024])],
    ["aten::where.self", [["bool", [1024, 1024]], [1024, 1024], [1024, 1024]]],
    ["aten::clone", [{"sizes": [1024, 1024], "strides": [1, 1024]}]],
    ["aten::_to_copy", [["int64", [1024, 1024]], ["int", 6]]],
    # Rows.
    ["aten::sum.dim_IntList", [[1024, 1024], ["ints", [1]]]], ["aten::sum.dim_IntList", [[1024, 1024], ["ints", [0]]]], ["aten::mean", [[1024, 1024]]],
    ["aten::max.dim", [[1024, 1024], 0]], ["aten::argmax", [[1024, 1024], 1]], ["aten::cumsum", [[1024, 1024], 1]], ["aten::amax", [[1024, 1024], ["ints", [1]]]],
    ["aten::softmax.int", [[1024, 1000], 1]], ["aten::softmax.int", [[12, 512, 512], 2]], ["aten::log_softmax.int", [[64, 10000], 1]],
    ["aten::layer_norm", [[1024, 768], ["ints", [768]], [768], [768]]], ["aten::batch_norm", [[1, 64, 112, 112], [64], [64], [64], ["positive", [64]], False, 0.1, 1e-5, False]],
    ["aten::group_norm", [[1, 64, 56, 56], 8, [64], [64]]], ["aten::sort", [[64, 1024], 1]], ["aten::topk", [[64, 1024], 10]],
    ["aten::cat", [["list", [[64, 512], [64, 512]]], 1]], ["aten::index_select", [[1000, 512], 0, ["int64", [256]]]], ["aten::embedding", [[1000, 512], ["int64", [8, 128]]]],
    ["aten::gather", [[256, 256], 1, ["int64", [256, 10]]]], ["aten::constant_pad_nd", [[1, 64, 56, 56], ["ints", [1, 1, 1, 1]]]],
    *[["aten::softmax.int", [s, d]] for s, d in (([4, 16], 1), ([1, 21, 128, 128], 1))], ["aten::layer_norm", [[4, 64], ["ints", [64]], [64], [64]]],
    *[["aten::sum.dim_IntList", [s, ["ints", d]]] for s, d in (([16], [0]), ([64, 128, 128], [0, 2]), ([100000, 4], [1]))],
    ["aten::argmax", [[4, 16], 1]], ["aten::amax", [[1024, 1024], ["ints", [0]]]], ["aten::prod.dim_int", [[1024, 1024], 1]],
    ["aten::var.correction", [[1024, 1024], ["ints", [1]]]], ["aten::var.correction", [[1024, 1024], ["ints", [0]]]], ["aten::std", [[1024, 1024]]],
    ["aten::linalg_vector_norm", [[1024, 1024], 2, ["ints", [1]]]], ["aten::logsumexp", [[1024, 1000], ["ints", [1]]]], ["aten::any", [["bool", [1024, 1024]]]],
    ["aten::rms_norm", [[1024, 768], ["ints", [768]], [768]]], ["aten::instance_norm", [[4, 64, 56, 56], [64], [64], N, N, True, 0.1, 1e-5, False]],
    ["aten::batch_norm", [[16, 64, 28, 28], [64], [64], [64], ["positive", [64]], True, 0.1, 1e-5, False]],
    ["aten::mse_loss", [[1024, 1024], [1024, 1024]]], ["aten::cross_entropy_loss", [[1024, 1000], ["int64", [1024]]]], ["aten::nll_loss_nd", [[1024, 1000], ["int64", [1024]]]],
    ["aten::sort", [[16], 0]], ["aten::sort", [[100000], 0]], ["aten::argsort", [[64, 1024], 1]], ["aten::sort", [["int64", [64, 1024]], 1]],
    ["aten::cat", [["list", [[4, 16], [4, 16]]], 0]], ["aten::cat", [["list", [[256, 1024], [256, 1024]]], 0]], ["aten::stack", [["list", [[64, 512], [64, 512]]], 1]],
    ["aten::roll", [[64, 4096], ["ints", [7]], ["ints", [1]]]], ["aten::flip", [[64, 4096], ["ints", [0]]]], ["aten::flip", [[64, 4096], ["ints", [1]]]],
    ["aten::repeat", [[64, 256], ["ints", [4, 4]]]], ["aten::masked_select", [[1024, 1024], ["bool", [1024, 1024]]]], ["aten::nonzero", [["bool", [1024, 1024]]]],
    ["aten::scatter_add", [[256, 256], 1, ["int64", [256, 10]], [256, 10]]], ["aten::index_select", [[16, 16], 0, ["int64", [4]]]],
    # Products.
    *[["aten::mm", [[n, n], [n, n]]] for n in (4, 16, 64, 256, 512, 1024)], ["aten::mm", [[1, 1024], [1024, 1024]]], ["aten::mv", [[1024, 1024], [1024]]],
    ["aten::mm", [[1, 1024], {"sizes": [1024, 1024], "strides": [1, 1024]}]], ["aten::mm", [[64, 512], {"sizes": [512, 2048], "strides": [1, 512]}]],
    ["aten::mm", [{"sizes": [64, 512], "strides": [1, 64]}, [512, 2048]]], ["aten::mm", [[8, 1024], [1024, 1024]]], ["aten::mm", [[4096, 64], [64, 16]]],
    ["aten::mm", [["int64", [128, 128]], ["int64", [128, 128]]]], ["aten::bmm", [[12, 128, 64], [12, 64, 128]]], ["aten::bmm", [[256, 8, 8], [256, 8, 8]]],
    ["aten::addmm", [[64], [64, 64], [64, 64]]], *[["aten::linear", [[n, 512], [512, 512], [512]]] for n in (1, 8, 32)],
    ["aten::linear", [[128, 768], [3072, 768], [3072]]], ["aten::dot", [[65536], [65536]]],
    *[["aten::scaled_dot_product_attention", [[b, h, s, 64]] * 3] for b, h, s in ((1, 8, 128), (8, 8, 128), (1, 12, 512))],
    ["aten::scaled_dot_product_attention", [*[[1, 12, 512, 64]] * 3, N, 0.0, True]],
    # Recurrent layers.
    *[["aten::lstm.input", [[t, b, 256], ["list", [[1, b, 256]] * 2], ["list", [[1024, 256], [1024, 256], [1024], [1024]]], True, 1, 0.0, False, False, False]]
      for t, b in ((1, 1), (100, 1), (100, 8))],
    ["aten::gru.input", [[100, 1, 256], [1, 1, 256], ["list", [[768, 256], [768, 256], [768], [768]]], True, 1, 0.0, False, False, False]],
    *[["aten::lstm_cell", [[b, 256], ["list", [[b, 256]] * 2], [1024, 256], [1024, 256], [1024], [1024]]] for b in (1, 64)],
    # Convolutions and windows.
    *[["aten::conv2d", [x, w, N, ["ints", [s, s]], ["ints", [p, p]], ["ints", [d, d]], g]] for x, w, s, p, d, g in (
        ([1, 64, 56, 56], [64, 64, 3, 3], 1, 1, 1, 1), ([1, 128, 28, 28], [128, 128, 3, 3], 1, 1, 1, 1), ([1, 64, 56, 56], [128, 64, 3, 3], 2, 1, 1, 1),
        ([1, 64, 56, 56], [256, 64, 1, 1], 1, 0, 1, 1), ([1, 128, 28, 28], [256, 128, 1, 1], 2, 0, 1, 1), ([1, 3, 224, 224], [64, 3, 7, 7], 2, 3, 1, 1),
        ([1, 144, 56, 56], [144, 1, 3, 3], 1, 1, 1, 144), ([1, 96, 112, 112], [96, 1, 3, 3], 2, 1, 1, 96), ([1, 240, 14, 14], [240, 1, 5, 5], 1, 2, 1, 240),
        ([1, 64, 56, 56], [64, 64, 3, 3], 1, 2, 2, 1), ([1, 128, 56, 56], [128, 4, 3, 3], 1, 1, 1, 32), ([1, 256, 28, 28], [64, 256, 1, 1], 1, 0, 1, 1),
        ([1, 3, 224, 224], [32, 3, 3, 3], 2, 1, 1, 1), ([1, 16, 28, 28], [32, 16, 5, 5], 1, 2, 1, 1), ([1, 512, 7, 7], [512, 512, 3, 3], 1, 1, 1, 1),
        ([1, 128, 28, 28], [128, 32, 3, 3], 1, 1, 1, 4), ([16, 64, 14, 14], [64, 64, 3, 3], 1, 1, 1, 1))],
    ["aten::conv1d", [[4, 64, 1000], [64, 64, 5], N, ["ints", [1]], ["ints", [2]]]], ["aten::conv3d", [[1, 16, 16, 28, 28], [32, 16, 3, 3, 3], N, ["ints", [1] * 3], ["ints", [1] * 3]]],
    ["aten::conv_transpose2d.input", [[1, 128, 28, 28], [128, 64, 2, 2], N, ["ints", [2, 2]]]], ["aten::conv_transpose2d.input", [[1, 64, 28, 28], [64, 32, 4, 4], N, ["ints", [2, 2]], ["ints", [1, 1]]]],
    ["aten::max_pool2d_with_indices", [[1, 64, 112, 112], ["ints", [3, 3]], ["ints", [2, 2]], ["ints", [1, 1]]]], ["aten::avg_pool2d", [[1, 64, 56, 56], ["ints", [3, 3]], ["ints", [1, 1]], ["ints", [1, 1]]]],
    ["aten::upsample_nearest2d", [[1, 32, 64, 64], ["ints", [128, 128]]]], ["aten::upsample_bicubic2d", [[1, 32, 64, 64], ["ints", [128, 128]], False]],
    ["aten::max_pool2d", [[1, 64, 112, 112], ["ints", [3, 3]], ["ints", [2, 2]], ["ints", [1, 1]]]], ["aten::avg_pool2d", [[1, 64, 56, 56], ["ints", [2, 2]]]],
    ["aten::adaptive_avg_pool2d", [[1, 512, 7, 7], ["ints", [1, 1]]]], ["aten::upsample_bilinear2d", [[1, 32, 64, 64], ["ints", [128, 128]], False]],
    # Views.
    ["aten::view", [[4, 4], ["ints", [16]]]], ["aten::narrow", [[16], 0, 0, 4]], ["aten::transpose.int", [[4, 4], 0, 1]],
]
DTYPES = {"int64": ("Long", torch.int64), "bool": ("Bool", torch.bool), "positive": ("Float", torch.float32)}


def tensor(sizes, dtype="Float", kind=torch.float32, strides=None):
    described = {"sizes": sizes, "dtype": dtype}
    if strides:
        described["strides"] = strides
        made = torch.rand(max(1, sum((n - 1) * s for n, s in zip(sizes, strides)) + 1)).as_strided(sizes, strides)
    else:
        made = torch.rand(sizes) * 2 - 1 if kind == torch.float32 else torch.randint(0, 2 if kind == torch.bool else 10, sizes).to(kind)
    return described, made


def argument(a):
    """One argument for Sconce and for PyTorch."""
    if isinstance(a, dict):
        return tensor(a["sizes"], strides=a["strides"])
    if not isinstance(a, list):
        return a, a
    if a and a[0] == "ints" or a and a[0] == "int":
        return a[1], torch.float32 if a[0] == "int" else a[1]
    if a and a[0] == "list":
        pairs = [argument(x) for x in a[1]]
        return [p[0] for p in pairs], [p[1] for p in pairs]
    if a and isinstance(a[0], str):
        described, made = tensor(a[1], *DTYPES[a[0]])
        return described, made.abs() + 0.5 if a[0] == "positive" else made
    return tensor(a)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--worker", default="target/perf/examples/time_operator")
    p.add_argument("--only", default="")
    p.add_argument("--case", action="append", help="a case of your own, as JSON, in place of the list")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--slice", type=float, default=0.05)
    options = p.parse_args()
    torch.set_num_threads(options.threads)
    worker = subprocess.Popen([options.worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    cases = [json.loads(c) for c in options.case] if options.case else [c for c in CASES if options.only in c[0]]
    print(f"{'operator':34} {'Sconce min us':>13} {'ratio min':>9} {'median':>7}   arguments")
    for name, given in cases:
        pairs = [argument(a) for a in given]
        packet, _, overload = name.removeprefix("aten::").partition(".")
        function = getattr(getattr(torch.ops.aten, packet), overload or "default")
        keywords = {"dtype": pairs.pop()[1]} if name == "aten::_to_copy" else {}
        theirs = [q[1] for q in pairs]
        request = {"op": name, "args": [argument(a)[0] for a in given], "seconds": options.slice, "threads": options.threads}
        ours, peer = [], []
        with torch.inference_mode():
            for _ in range(3):
                function(*theirs, **keywords)
            for _ in range(options.rounds):
                worker.stdin.write(json.dumps(request) + "\n")
                worker.stdin.flush()
                reply = json.loads(worker.stdout.readline())
                if "error" in reply:
                    print(f"{name:34} {reply['error']}")
                    break
                ours += reply["seconds"]
                end = time.perf_counter() + options.slice
                while time.perf_counter() < end:
                    start = time.perf_counter()
                    function(*theirs, **keywords)
                    peer.append(time.perf_counter() - start)
        if ours and peer:
            ratio = (min(peer) / min(ours), statistics.median(peer) / statistics.median(ours))
            print(f"{name:34} {min(ours) * 1e6:13.2f} {ratio[0]:9.2f} {ratio[1]:7.2f}   {json.dumps(given)}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
