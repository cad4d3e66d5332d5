"""Ray Data calls a model in processes of its own: what comes is what a plain loop gives, also when one of them is killed."""

import json
import os
import pathlib

import numpy as np
import pytest

import sconce
from sconce import BatchPredictor
from sconce._columns import array_of_arrow, arrow_of_array

pa = pytest.importorskip("pyarrow")
ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")

ROWS, BATCH = 10_000, 250
X = np.random.default_rng(0).random((ROWS, 3), np.float32)


class Noted(BatchPredictor):
    """Writes down which process took which rows and how many models were loaded in it; with `dies` the first process that gets row 5000 ends."""

    def __init__(self, model, notes, dies=False, **given):
        super().__init__(model, **given)
        self.notes, self.dies = pathlib.Path(notes), dies

    def __call__(self, batch):
        rows = array_of_arrow(batch["id"], "id") if isinstance(batch, pa.Table) else batch["id"]
        dead = self.notes / "dead"
        if self.dies and 5000 in rows and not dead.exists():
            dead.write_text(str(os.getpid()))
            os._exit(1)
        before = len(sconce.batches._MODELS)
        result = super().__call__(batch)
        note = {"process": os.getpid(), "loaded": len(sconce.batches._MODELS) - before, "rows": len(rows)}
        with open(self.notes / f"{os.getpid()}.jsonl", "a") as file:
            print(json.dumps(note), file=file)
        return result


@pytest.fixture(scope="module", autouse=True)
def cluster():
    here = {"env_vars": {"PYTHONPATH": str(pathlib.Path(__file__).parent)}}
    with pytest.MonkeyPatch.context() as patch:
        # Nothing is reported to anybody.
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=128 << 20, runtime_env=here)
        yield
        ray.shutdown()


@pytest.fixture(scope="module")
def rows():
    """The rows, in ten blocks."""
    table = pa.table({"id": range(ROWS), "x": arrow_of_array(X, "x")})
    return ray.data.from_arrow([table.slice(at, ROWS // 10) for at in range(0, ROWS, ROWS // 10)])


def assert_is_a_plain_loop(dataset, saved):
    model, expected = sconce.load(saved), []
    for at in range(0, ROWS, BATCH):
        expected.append(model(X[at : at + BATCH]).numpy())
    got = pa.concat_tables(ray.get(dataset.to_arrow_refs())).sort_by("id")
    assert got["id"].to_pylist() == list(range(ROWS))
    np.testing.assert_array_equal(array_of_arrow(got["y"], "y"), np.concatenate(expected))


def notes(folder):
    return {path.stem: [json.loads(line) for line in path.read_text().splitlines()] for path in folder.glob("*.jsonl")}


@pytest.mark.parametrize("form", ["numpy", "pyarrow"])
@pytest.mark.parametrize("dies", [False, True], ids=["", "killed"])
def test_actors(rows, saved, tmp_path, form, dies):
    folder = tmp_path / "notes"
    folder.mkdir()
    scored = rows.map_batches(
        Noted,
        fn_constructor_kwargs={"model": str(saved), "notes": str(folder), "dies": dies, "outputs": "y", "keep": "id", "num_threads": 1},
        batch_size=BATCH,
        batch_format=form,
        compute=ray.data.ActorPoolStrategy(size=2),
    )
    assert_is_a_plain_loop(scored, saved)
    noted = notes(folder)
    assert (folder / "dead").exists() == dies
    assert noted and str(os.getpid()) not in noted
    for process, taken in noted.items():
        assert [note["loaded"] for note in taken] == [1] + [0] * (len(taken) - 1), process
    total = sum(note["rows"] for taken in noted.values() for note in taken)
    # What a killed process had done of its task is done again.
    assert total >= ROWS if dies else total == ROWS


def test_bytes_and_tasks(rows, saved):
    predict = BatchPredictor(saved.read_bytes(), outputs="y", keep="id")
    assert_is_a_plain_loop(rows.map_batches(predict, batch_size=BATCH), saved)
    actors = rows.map_batches(
        BatchPredictor,
        fn_constructor_args=(saved.read_bytes(),),
        fn_constructor_kwargs={"outputs": "y", "keep": "id"},
        batch_size=BATCH,
        compute=ray.data.ActorPoolStrategy(size=1),
    )
    assert_is_a_plain_loop(actors, saved)


@pytest.mark.parametrize("form", ["numpy", "pyarrow"])
def test_columns_of_tensors(saved, form):
    images = X[:64].reshape(16, 4, 3)
    predict = BatchPredictor(saved, inputs="data", outputs="y")
    got = ray.data.from_numpy(images).map_batches(predict, batch_size=None, batch_format=form).take_all()
    np.testing.assert_array_equal(np.array([[list(row) for row in of_one["y"]] for of_one in got]), sconce.load(saved)(images).numpy())


def test_errors_say_what_failed(rows, saved):
    with pytest.raises(Exception, match="no column `features` for argument x: the batch has `id`, `x`"):
        rows.map_batches(BatchPredictor(saved, inputs="features"), batch_size=BATCH).materialize()
