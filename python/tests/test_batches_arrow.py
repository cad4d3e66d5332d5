"""Columns of Arrow's go through a model as NumPy's do, without a copy where they lie as tensors do; PyArrow and DataFusion call it."""

import pickle

import numpy as np
import pytest

import sconce
from sconce import BatchPredictor
from sconce._columns import array_of_arrow, arrow_of_array

pa = pytest.importorskip("pyarrow")

X = np.arange(12, dtype=np.float32).reshape(4, 3)
LISTS = pa.FixedSizeListArray.from_arrays(pa.array(X.reshape(-1)), 3)


def address(array):
    return array.__array_interface__["data"][0]


def memory(column):
    """Where a column's numbers begin."""
    while not isinstance(column, pa.NumericArray):
        column = column.storage if isinstance(column, pa.ExtensionArray) else column.flatten()
    return column.buffers()[1].address + column.offset * np.dtype(column.type.to_pandas_dtype()).itemsize


TENSORS = pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(pa.float32(), [3, 1]), LISTS)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([1, 2, 3]), np.array([1, 2, 3])),
        (pa.array([1.5, 2.5, 3.5], pa.float32())[1:], np.array([2.5, 3.5], np.float32)),
        (LISTS, X),
        (LISTS[1:3], X[1:3]),
        (LISTS[:0], X[:0]),
        (pa.FixedSizeListArray.from_arrays(LISTS, 2)[1:], X.reshape(2, 2, 3)[1:]),
        (pa.array(X.tolist(), pa.list_(pa.float32()))[1:], X[1:]),
        (pa.array(X.tolist(), pa.large_list(pa.float32())), X),
        (TENSORS, X.reshape(4, 3, 1)),
        (pa.chunked_array([LISTS[2:]]), X[2:]),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_numbers_without_nulls_are_not_copied(column, expected):
    array = array_of_arrow(column, "x")
    np.testing.assert_array_equal(array, expected)
    assert array.dtype == expected.dtype
    only = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
    assert len(array) == 0 or address(array) == memory(only)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.chunked_array([LISTS[2:], LISTS[:1]]), X[[2, 3, 0]]),
        (pa.chunked_array([], LISTS.type), X[:0]),
        (pa.array([True, False]), np.array([True, False])),
        (pa.array([], pa.list_(pa.float32())), np.zeros((0, 0), np.float32)),
        (pa.array(["a", "b"]).dictionary_encode(), np.array(["a", "b"], object)),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_other_columns_are_copied(column, expected):
    array = array_of_arrow(column, "x")
    np.testing.assert_array_equal(array, expected)
    assert array.dtype == expected.dtype and array.shape == expected.shape


@pytest.mark.parametrize("shape", [(4,), (4, 3), (2, 3, 2), (0, 3), (4, 0), (4, 2, 0), (4, 0, 2)])
def test_arrays_become_columns_without_a_copy(shape):
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    column = arrow_of_array(array, "y")
    column.validate(full=True)
    assert len(column) == shape[0] and column.to_pylist() == array.tolist()
    assert array.size == 0 or memory(column) == address(array)
    back = array_of_arrow(column, "y")
    assert back.shape == shape and back.tolist() == array.tolist()


@pytest.mark.parametrize("kind", [pa.table, pa.RecordBatch.from_pydict])
def test_tables_and_record_batches(predictor, kind):
    schema = pa.schema([pa.field("id", pa.int16(), nullable=False, metadata={"of": "rows"}), ("x", LISTS.type)], {"of": "all"})
    batch = kind({"id": pa.array(range(4), pa.int16()), "x": LISTS}, schema=schema)
    predict = predictor("def f(x): return x + 1, x.sum(1) > 12", outputs=["y", "is_large"], keep="id")
    got = predict(batch)
    assert type(got) is type(batch)
    assert got.schema.field("id").equals(schema.field("id"), check_metadata=True) and got.schema.metadata == schema.metadata
    assert got.to_pydict() == {"id": [0, 1, 2, 3], "y": (X + 1).tolist(), "is_large": [False, False, True, True]}
    # Nothing that a program writes to a column is seen in it: memory of Arrow's does not change.
    predictor("def f(x): return x.add_(1)")(batch)
    assert batch.column("x").to_pylist() == X.tolist()
    words = predictor("def f(words: List[str]): return [w + '!' for w in words]", keep=True)(kind({"words": pa.array(["a", "b"])}))
    assert words.to_pydict() == {"words": ["a", "b"], "output": ["a!", "b!"]}


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([1, None]), "column `x` has 1 nulls: a tensor has none"),
        (pa.array([[1, 2], None], pa.list_(pa.int64(), 2)), "column `x` has 1 nulls"),
        (pa.array([[1, None], [3, 4]], pa.list_(pa.int64(), 2)), "column `x` has 1 nulls"),
        (pa.ExtensionArray.from_storage(TENSORS.type, pa.array([[1, None, 2]], LISTS.type)), "column `x` has 1 nulls"),
        (pa.array([[1, 2], [3]]), "column `x` has lists of 1 to 2 elements: a tensor needs one length"),
        (pa.array(["a", "b"]), "column `x` has elements of object: a tensor has numbers"),
        (pa.array([0, 1], pa.timestamp("s")), r"column `x` has elements of datetime64\[s\]"),
    ],
)
def test_columns_that_are_no_tensors(predictor, column, message):
    predict = predictor("def f(x): return x")
    with pytest.raises(sconce.ArgumentError, match=message):
        predict(pa.table({"x": column}))
    with pytest.raises(sconce.ArgumentError, match=message):
        predict(column)


def test_tables_and_results_that_do_not_fit(predictor):
    twice = pa.Table.from_arrays([LISTS, LISTS], names=["x", "x"])
    with pytest.raises(sconce.ArgumentError, match="column `x`: the batch has several of this name"):
        predictor("def f(x): return x")(twice)
    halves = predictor("def f(x): return x.to(torch.complex64)", outputs="y")
    with pytest.raises(sconce.ArgumentError, match="output `y`: Arrow has no column of complex64"):
        halves(pa.table({"x": LISTS}))


def test_columns_alone_are_bound_by_position(predictor):
    a, b = pa.array([1.0, 2.0]), pa.array([10.0, 20.0])
    assert predictor("def f(a, b): return b - a")(a, pa.chunked_array([b])).to_pylist() == [9, 18]
    assert predictor("def f(a, b): return b - a", inputs={"b": "u", "a": "v"})(a, b).to_pylist() == [-9, -18]
    assert predictor("def f(a, b): return b - a", inputs={"b": "u", "a": "u"})(a).to_pylist() == [0, 0]
    assert predictor("def f(x): return x", inputs={"x": ["a", "b"]})(a, b).to_pylist() == [[1, 10], [2, 20]]
    both = predictor("def f(a): return {'c': a, 'd': -a}")(a)
    assert both.to_pylist() == [{"c": 1, "d": -1}, {"c": 2, "d": -2}]
    with pytest.raises(sconce.ArgumentError, match="1 columns: 2 are expected"):
        predictor("def f(a, b): return b - a")(a)
    with pytest.raises(sconce.ArgumentError, match="2 rows are expected"):
        predictor("def f(a): return a[:1]")(a)


def test_datasets_of_files(saved, tmp_path):
    dataset = pytest.importorskip("pyarrow.dataset")
    x = np.random.default_rng(0).random((1000, 3), np.float32)
    table = pa.table({"id": range(1000), "x": arrow_of_array(x, "x")})
    dataset.write_dataset(table, tmp_path / "rows", format="feather")
    predict = BatchPredictor(saved, outputs="y", keep="id")
    batches = dataset.dataset(tmp_path / "rows", format="feather").to_batches(batch_size=64)
    got = pa.Table.from_batches([predict(batch) for batch in batches]).sort_by("id")
    assert got["id"].to_pylist() == list(range(1000))
    np.testing.assert_array_equal(array_of_arrow(got["y"], "y"), sconce.load(saved)(x).numpy())


def test_functions_of_sql(saved):
    datafusion = pytest.importorskip("datafusion")
    x = np.random.default_rng(0).random((10_000, 3), np.float32)
    table = pa.table({"id": range(10_000), "x": arrow_of_array(x, "x")})
    predict = BatchPredictor(saved, inputs="x")
    kind = table.schema.field("x").type
    context = datafusion.SessionContext()
    context.register_record_batches("rows", [table.to_batches(max_chunksize=1000)])
    context.register_udf(datafusion.udf(pickle.loads(pickle.dumps(predict)), [kind], kind, "stable", "predict"))
    got = context.sql("SELECT id, predict(x) AS y FROM rows WHERE id % 2 = 0 ORDER BY id").to_arrow_table()
    assert got["id"].to_pylist() == list(range(0, 10_000, 2))
    np.testing.assert_array_equal(array_of_arrow(got["y"], "y"), sconce.load(saved)(x[::2]).numpy())
