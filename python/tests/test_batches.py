"""Batches of columns go through a model as rows do one call at a time, and a process loads a model once."""

import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
import recorded

import sconce
from sconce import BatchPredictor, batches

X = np.arange(12, dtype=np.float32).reshape(4, 3)
IDS = np.arange(4)
#: As Ray has columns of lists.
ROWS, RAGGED = (np.empty(4, object) for _ in range(2))
for i, row in enumerate(X):
    ROWS[i], RAGGED[i] = row, row[: 2 + i % 2]

#: Functions that a table of cases below calls; `f` is what a predictor calls.
TENSOR = "def f(x, by: float = 1.0): return x + by"
TUPLE = "def f(x): return x, x.sum(1)"
NAMED = """
class Scores(NamedTuple):
    low: Tensor
    high: Tensor

def f(x): return Scores(x.amin(1), x.amax(1))
"""


@pytest.fixture(autouse=True)
def nothing_loaded(monkeypatch):
    monkeypatch.setattr(batches, "_MODELS", {})


@pytest.fixture
def loads(monkeypatch):
    """What was loaded, in order."""
    known, load = [], sconce.load

    def counted(source, **options):
        known.append(source)
        return load(source, **options)

    counted.__signature__ = batches.inspect.signature(load)
    monkeypatch.setattr(sconce, "load", counted)
    return known


def assert_same(got, expected):
    assert list(got) == list(expected)
    for name, value in expected.items():
        np.testing.assert_array_equal(list(got[name]), list(value), err_msg=name)


@pytest.mark.parametrize(
    ("source", "given", "expected"),
    [
        (TENSOR, {}, {"output": X + 1}),
        (TENSOR, {"inputs": "x", "outputs": "y", "constants": {"by": 3}}, {"y": X + 3}),
        (TENSOR, {"inputs": {"x": "z"}}, {"output": X * 2 + 1}),
        (TENSOR, {"inputs": ["z"], "keep": "id", "outputs": ["y"]}, {"id": IDS, "y": X * 2 + 1}),
        (TENSOR, {"inputs": {"x": ["id", "id"]}, "keep": True}, {"x": X, "z": X * 2, "id": IDS, "rows": ROWS, "output": np.stack([IDS, IDS], 1) + 1.0}),
        ("def f(x, z): return z - x", {"outputs": "x"}, {"x": X}),
        (TUPLE, {}, {"output_0": X, "output_1": X.sum(1)}),
        (TUPLE, {"outputs": ["a", "b"]}, {"a": X, "b": X.sum(1)}),
        (NAMED, {}, {"low": X[:, 0], "high": X[:, 2]}),
        (NAMED, {"outputs": "high"}, {"high": X[:, 2]}),
        ('def f(x): return {"a": x, "b": -x}', {"outputs": ["b", "a"]}, {"b": -X, "a": X}),
        ("def f(x): return [x, -x]", {}, {"output_0": X, "output_1": -X}),
        ("def f(id: List[int]): return [n * 2 for n in id]", {}, {"output": IDS * 2}),
        ("def f(id: List[int]): return [str(n) for n in id]", {}, {"output": ["0", "1", "2", "3"]}),
        ("def f(all: List[Tensor]): return torch.cat(all, 1)", {"inputs": {"all": ["x", "z"]}}, {"output": np.concatenate([X, X * 2], 1)}),
        ("def f(all: Dict[str, Tensor]): return all['z'] - all['x']", {"inputs": {"all": ["x", "z"]}}, {"output": X}),
        ("def f(x: Optional[Tensor] = None): return x", {}, {"output": X}),
        (TENSOR, {"inputs": "rows", "keep": "rows"}, {"rows": ROWS, "output": X + 1}),
        # Without a column of the batch in the result it need not have as many rows.
        ("def f(x): return x.reshape(-1)", {}, {"output": X.reshape(-1)}),
    ],
)
def test_columns_are_arguments_and_results_are_columns(predictor, source, given, expected):
    assert_same(predictor(source, **given)({"x": X, "z": X * 2, "id": IDS, "rows": ROWS}), expected)


@pytest.mark.parametrize(
    ("source", "given", "message"),
    [
        (TENSOR, {"inputs": "u"}, r"f\(\): no column `u` for argument x: the batch has `x`, `id`, `words`, `ragged`, `three`, `number`"),
        ("def f(u): return u", {}, "no column `u` for argument u"),
        (TENSOR, {"inputs": {"u": "x"}}, r"f\(\) has no parameter `u`: it has `x`, `by`"),
        (TENSOR, {"inputs": ["x", "id", "three"]}, r"3 inputs \(`x`, `id`, `three`\) for the parameters `x`, `by`"),
        (TENSOR, {"inputs": ["x", "id"]}, r"argument by is a float: columns \(`id`\) are tensors or lists; give it by `constants`"),
        (TENSOR, {"inputs": "words"}, "column `words` has elements of <U1: a tensor has numbers"),
        (TENSOR, {"inputs": "ragged"}, r"column `ragged` has rows of the sizes \[2\] to \[3\]: a tensor needs one"),
        (TENSOR, {"inputs": "number"}, "column `number` is a float32: an array of rows is expected"),
        (TENSOR, {"keep": ["number"]}, "column `number` is a float32: an array of rows is expected"),
        (TENSOR, {"inputs": {"x": ["x", "id"]}}, r"columns of one tensor have one type and one shape; got `x` float32 \[4, 3\], `id` int64 \[4\]"),
        ("def f(x, three): return x", {}, "columns `x` and `three` have 4 and 3 rows"),
        (TENSOR, {"keep": "three"}, "column `three` has 3 rows, and the arguments 4"),
        (TENSOR, {"keep": "u"}, "no column `u` to be kept"),
        (TENSOR, {"keep": "id", "outputs": "id"}, "output `id`: a column of this name is kept"),
        ("def f(id: List[int]): return id", {"inputs": {"id": ["id", "three"]}}, r"a List\[int\]: one column is expected|have 4 and 3 rows"),
        ("def f(by: int = 1): return by", {}, "no column of the batch .* is an argument"),
        (TUPLE, {"outputs": "a"}, r"1 outputs \(`a`\) are named: the result has 2"),
        (NAMED, {"outputs": ["low", "middle"]}, "no output `middle`: the result has `low`, `high`"),
        ("def f(x): return x.sum()", {}, "output `output` is a tensor without dimensions"),
        ("def f(x): return x, 3", {}, "output `output_1` is a int: a tensor, or a list of numbers or strings, is expected"),
        ("def f(x): return x[:3]", {"keep": "id"}, r"output `output` has the sizes \[3, 3\]: 4 rows are expected"),
        ("def f(x): return x, x[:3]", {}, r"output `output_1` has the sizes \[3, 3\]: 4 rows are expected"),
    ],
)
def test_what_fits_nothing_is_named(predictor, source, given, message):
    batch = {"x": X, "id": IDS, "words": np.array(list("abcd")), "ragged": RAGGED, "three": np.arange(3), "number": np.float32(1)}
    with pytest.raises(sconce.ArgumentError, match=message):
        predictor(source, **given)(batch)


def test_what_is_no_model_and_no_batch(saved):
    with pytest.raises(TypeError, match="a Model is no path and no bytes"):
        BatchPredictor(sconce.load(saved))
    with pytest.raises(TypeError, match="compil"):
        BatchPredictor(saved, compil="now")
    with pytest.raises(sconce.ArgumentError, match="a ndarray is no batch: a dictionary of NumPy arrays, a pyarrow.Table"):
        BatchPredictor(saved)(X)
    with pytest.raises(sconce.ArgumentError, match="got 2 arguments"):
        BatchPredictor(saved)({"x": X}, X)
    with pytest.raises(FileNotFoundError):
        BatchPredictor(saved.parent / "nothing.pt")({"x": X})
    with pytest.raises(sconce.NoAttributeError):
        BatchPredictor(saved, method="nothing")({"x": X})


def test_exported_programs_take_columns():
    data, call = next((data, calls[0]) for name, data, calls in recorded.calls("export", "program.pt2") if name == "mlp_dynamic")
    x = recorded.python(call["args"][0])
    got = pickle.loads(pickle.dumps(BatchPredictor(data, inputs="features", outputs="y")))({"features": x})["y"]
    recorded.assert_same(got, recorded.python(call["out"]))
    with pytest.raises(sconce.ArgumentError, match="x.size"):
        BatchPredictor(data, inputs="features")({"features": x[:, :1]})


def test_pickles_have_no_weights(saved):
    expected = sconce.load(saved)(X).tolist()
    by_path, by_bytes = BatchPredictor(saved, outputs="y"), BatchPredictor(saved.read_bytes(), outputs="y")
    for predict in (by_path, by_bytes):
        before = pickle.dumps(predict)
        assert predict({"x": X})["y"].tolist() == expected
        assert pickle.dumps(predict) == before
        assert pickle.loads(before)({"x": X})["y"].tolist() == expected
    assert len(pickle.dumps(by_path)) < 1000
    assert len(pickle.dumps(by_bytes)) < saved.stat().st_size + 1000
    assert repr(by_bytes).startswith(f"sconce.BatchPredictor(<{saved.stat().st_size} bytes>, method=None")


def test_a_process_loads_a_model_once(saved, loads):
    def weights(predict):
        return predict.model.state_dict()["fc.weight"].__array_interface__["data"]

    predict = BatchPredictor(saved, outputs="y")
    assert loads == []
    threads = [threading.Thread(target=lambda: pickle.loads(pickle.dumps(predict))({"x": X})) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Threads that count at once may count one call for two, as they would in a module of PyTorch's.
    where, counted = weights(predict), predict.model.calls.item()
    assert 1 <= counted <= 8
    for other in (predict, pickle.loads(pickle.dumps(predict)), BatchPredictor(saved, method="shifted", constants={"by": 1.0})):
        for _ in range(3):
            other({"x": X})
        assert weights(other) == where
    assert loads == [str(saved)] and predict.model.calls.item() == counted + 6
    data = saved.read_bytes()
    for _ in range(2):
        BatchPredictor(data)({"x": X})
    assert loads == [str(saved), data]


def test_a_file_that_was_written_again_is_loaded_again(saved, loads):
    BatchPredictor(saved)({"x": X})
    model = sconce.load(saved)
    model.layers.get_submodule("0").weight.numpy()[...] = 0
    model.layers.get_submodule("0").bias.numpy()[...] = 1
    model.save(saved)
    os.utime(saved, ns=(1, 1))
    assert BatchPredictor(saved)({"x": X})["output"].tolist() == [[2.0] * 3] * 4
    assert len(batches._MODELS) == 1 and len(loads) == 3


def test_threads_of_operators(saved):
    before = sconce.get_num_threads()
    BatchPredictor(saved, num_threads=1)({"x": X})
    assert sconce.get_num_threads() == 1
    sconce.set_num_threads(before)


def rows_and_process(predict, batch):
    """What a process of the pool does."""
    return os.getpid(), len(batches._MODELS), predict(batch)["y"].tolist()


# Elsewhere than on Linux systems themselves forbid what a forked process would do.
@pytest.mark.parametrize("how", ["spawn", "fork"] if sys.platform == "linux" else ["spawn"])
def test_a_pool_of_processes(saved, how):
    # Of a size that this process's own threads share, which a forked one has not.
    batch = [np.random.default_rng(i).random((4096, 3), np.float32) for i in range(8)]
    predict, model = BatchPredictor(saved, outputs="y"), sconce.load(saved)
    expected = [model(x).tolist() for x in batch]
    with multiprocessing.get_context(how).Pool(2) as pool:
        got = pool.starmap(rows_and_process, [(predict, {"x": x}) for x in batch], chunksize=1)
    assert [rows for _, _, rows in got] == expected
    assert os.getpid() not in {process for process, _, _ in got} and {known for _, known, _ in got} <= {0, 1}


MEMORY = """
import pathlib, pickle, sys
import numpy as np
import sconce

source = '''
import torch
from torch import nn

class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Parameter(torch.ones(4096, 4096))

    def forward(self, ids):
        return self.rows[ids].sum(1)
'''

def most():
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])

sconce.compile(source, entry="Table()").save(sys.argv[1])
predict = sconce.BatchPredictor(sys.argv[1], outputs="y")
predict({"ids": np.arange(32)})
# What loading took for a while is forgotten.
pathlib.Path("/proc/self/clear_refs").write_text("5")
before = most()
for i in range(20):
    assert pickle.loads(pickle.dumps(predict))({"ids": np.arange(32)})["y"].tolist() == [4096.0] * 32
print(most() - before)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="Linux says how much memory there was at most")
def test_batches_copy_no_weights(tmp_path):
    # Weights of 64 MiB.
    ran = subprocess.run([sys.executable, "-c", MEMORY, str(tmp_path / "table.pt")], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) < 8 * 1024
