"""Rows a second that a model takes in Ray Data, by 1 and by 2 workers, beside a plain loop; and the memory that each worker has.

    python benches/ray_batches.py [--rows 10000] [--batch 250] [--workers 1 2] [--model FILE --columns x=512] [--mmap] [--rounds 3]

Run it with an interpreter that has the package from a release build (`cargo xtask python --wheel` makes the wheel) and `ray[data]`. Without --model it is a
multilayer perceptron with 21 MB of weights. Each operator has one thread, in the loop too. Every result is compared with the loop's, bit for bit. The loop and
the workers take turns; the best round counts. "rows/s" is from the first batch's begin to the last one's end; "with start" is what a caller waits for the
first time, processes and loading included.
"""
import argparse
import logging
import os
import pathlib
import tempfile
import time

import numpy as np
import pyarrow as pa
import ray

import sconce

SOURCE = """
import torch
from torch import nn

class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(512, 2048), nn.GELU(), nn.Linear(2048, 2048), nn.GELU(), nn.Linear(2048, 16))

    def forward(self, x):
        return torch.softmax(self.layers(x), 1)
"""


def resident():
    """MB of this process's memory, and of these its own, which no file backs and nobody shares; of Linux alone."""
    try:
        status = pathlib.Path("/proc/self/status").read_text()
    except FileNotFoundError:
        return 0.0, 0.0
    return tuple(int(status.split(name)[1].split()[0]) / 1000 for name in ("VmRSS:", "RssAnon:"))


class Measured(sconce.BatchPredictor):
    """Gives beside the results when each row's batch began and ended, in which process, and its memory."""

    def __call__(self, batch):
        begin, (result, rows) = time.time(), (super().__call__(batch), len(batch["id"]))
        all_, own = resident()
        measured = {"begin": begin, "end": time.time(), "process": os.getpid(), "resident": all_, "own": own}
        return {**result, **{name: np.full(rows, value) for name, value in measured.items()}}


def plain_loop(path, options, x, batch):
    """The results, and the same figures as of workers, of this process."""
    whole = time.perf_counter()
    model = sconce.load(path, **options)
    begin, parts, memory = time.perf_counter(), [], []
    for at in range(0, len(x), batch):
        parts.append(np.asarray(model(x[at : at + batch])))
        memory.append(resident())
    end = time.perf_counter()
    all_, own = zip(*memory)
    return np.concatenate(parts), (len(x) / (end - begin), len(x) / (end - whole), [(max(all_), own[0], max(own))])


def by_workers(path, options, table, args, workers, expected):
    """Rows a second, the same with starting, and MB of each worker: all at most, and its own behind the first batch and at most."""
    blocks = [table.slice(at, args.batch) for at in range(0, len(table), args.batch)]
    dataset = ray.data.from_arrow(blocks).map_batches(
        Measured,
        fn_constructor_args=(str(path),),
        fn_constructor_kwargs={"inputs": args.columns.split("=")[0], "outputs": "y", "keep": "id", "num_threads": 1, **options},
        batch_size=args.batch,
        compute=ray.data.ActorPoolStrategy(size=workers),
    )
    start = time.perf_counter()
    rows = dataset.materialize().to_pandas().sort_values("id")
    whole = time.perf_counter() - start
    assert rows["id"].tolist() == list(range(len(table)))
    np.testing.assert_array_equal(np.stack(rows["y"].to_list()), expected)
    processes = rows.sort_values("begin").groupby("process")
    memory = [(one["resident"].max(), one["own"].iloc[0], one["own"].max()) for _, one in processes]
    return len(rows) / (rows["end"].max() - rows["begin"].min()), len(rows) / whole, memory


def measured(path, args):
    column, width = args.columns.split("=")
    options = {"mmap": args.mmap}
    x = np.random.default_rng(0).random((args.rows, int(width)), np.float32)
    lists = pa.FixedSizeListArray.from_arrays(pa.array(x.reshape(-1)), int(width))
    table = pa.table({"id": range(args.rows), column: lists})
    sconce.set_num_threads(1)
    kinds = ["a plain loop", *args.workers]
    best = {kind: (0.0, 0.0, []) for kind in kinds}
    for _ in range(args.rounds):
        expected, figures = plain_loop(path, options, x, args.batch)
        best[kinds[0]] = max(best[kinds[0]], figures)
        for workers in args.workers:
            best[workers] = max(best[workers], by_workers(path, options, table, args, workers, expected))
    print(f"{args.rows} rows, {args.batch} a batch, {path.stat().st_size / 1e6:.1f} MB of model, {len(os.sched_getaffinity(0))} cores")
    print(f"{'':14} {'rows/s':>9} {'with start':>11}  resident MB of each process (its own: behind the first batch, at most)")
    for kind, (rate, whole, memory) in best.items():
        shown = "; ".join(f"{all_:.0f} ({first:.0f}, {most:.0f})" for all_, first, most in memory)
        print(f"{kind if isinstance(kind, str) else f'workers: {kind}':14} {rate:9.0f} {whole:11.0f}  {shown}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--batch", type=int, default=250)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--model", type=pathlib.Path)
    parser.add_argument("--columns", default="x=512", help="the model's parameter and how many floats a row of it has")
    parser.add_argument("--mmap", action="store_true", help="the workers of a machine share the file's memory")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    ray.init(include_dashboard=False, log_to_driver=False, logging_level="error")
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        path = args.model
        if path is None:
            path = pathlib.Path(folder) / "perceptron.pt"
            sconce.manual_seed(0)
            sconce.compile(SOURCE, entry="Perceptron()").save(path)
        measured(path.resolve(), args)
    ray.shutdown()


if __name__ == "__main__":
    main()
