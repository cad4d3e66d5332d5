"""Recordings of PyTorch, from the repository's packed sets: their values as Python's, and whether a result is the recorded one."""

import collections
import io
import json
import pathlib
import tarfile

import ml_dtypes
import numpy as np
import zstandard

import sconce

TESTDATA = pathlib.Path(__file__).resolve().parents[2] / "testdata"
DTYPES = {
    "u8": np.uint8, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f16": np.float16, "f32": np.float32,
    "f64": np.float64, "c64": np.complex64, "c128": np.complex128, "bool": np.bool_, "bf16": ml_dtypes.bfloat16,
}
#: Relative and absolute differences that a result may have, by the bytes of its real numbers.
CLOSE = {2: (2e-2, 2e-2), 4: (1e-4, 1e-5), 8: (1e-7, 1e-8)}


class Unknown(Exception):
    """A value that these tests cannot make: a view of another argument, an object."""


def unpacked(name):
    """The files of a set, by path."""
    with open(TESTDATA / f"{name}.tar.zst", "rb") as packed:
        raw = zstandard.ZstdDecompressor().stream_reader(packed).read()
    with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar if m.isfile()}


def calls(name, program):
    """The recorded calls of a set: the path of each program, its bytes, and its calls."""
    files = unpacked(name)
    for path in sorted(files):
        if path.endswith("/" + program):
            folder = path[: -len(program)]
            if folder + "calls.json" in files:
                yield folder.rstrip("/"), files[path], json.loads(files[folder + "calls.json"])


def number(n):
    return complex(*map(number, n)) if isinstance(n, list) else float(n) if isinstance(n, str) else n


def array(value):
    # `of` and `o` say whose view it is, which its elements do not depend on.
    if not set(value) <= {"T", "s", "st", "d", "g", "fill", "of", "o"} or value["T"] not in DTYPES:
        raise Unknown(value)
    sizes, dtype = value["s"], DTYPES[value["T"]]
    if "fill" in value:
        return np.full(sizes, number(value["fill"]), dtype)
    data = np.array([number(n) for n in value["d"]])
    if value["T"].startswith("c") and data.dtype.kind != "c":
        data = data[0::2] + 1j * data[1::2]
    data = data.astype(dtype).reshape(sizes)
    if "st" not in value or 0 in sizes or not sizes:
        return data
    room = np.zeros(sum((n - 1) * s for n, s in zip(sizes, value["st"])) + 1, dtype)
    view = np.lib.stride_tricks.as_strided(room, sizes, [s * room.itemsize for s in value["st"]])
    view[...] = data
    return view


def python(value):
    """What a recorded value is in Python."""
    if isinstance(value, list):
        return [python(v) for v in value]
    if not isinstance(value, dict):
        return value
    if "T" in value:
        return array(value)
    if "t" in value:
        return tuple(python(v) for v in value["t"])
    if "dict" in value:
        return {python(k): python(v) for k, v in value["dict"]}
    if "f" in value:
        return float(value["f"])
    if "c" in value:
        return complex(*map(number, value["c"]))
    if "nt" in value:
        fields = [name for name, _ in value["nt"]]
        return collections.namedtuple("Recorded", fields)(*(python(v) for _, v in value["nt"]))
    if "dev" in value:
        return value["dev"]
    raise Unknown(value)


def assert_same(got, expected, path="result"):
    """The value is the recorded one, numbers within what another order of sums changes."""
    if isinstance(expected, np.ndarray):
        assert isinstance(got, (sconce.Tensor, np.ndarray)), (path, type(got))
        got = np.asarray(got)
        assert got.shape == expected.shape and got.dtype == expected.dtype, (path, got.dtype, got.shape)
        if expected.dtype.kind in "biu":
            np.testing.assert_array_equal(got, expected, err_msg=path)
        else:
            rtol, atol = CLOSE[expected.real.dtype.itemsize]
            wide = np.complex128 if expected.dtype.kind == "c" else np.float64
            np.testing.assert_allclose(got.astype(wide), expected.astype(wide), rtol, atol, err_msg=path)
    elif isinstance(expected, (list, tuple)):
        assert isinstance(got, (list, tuple)) and len(got) == len(expected), (path, got)
        assert isinstance(got, list) == isinstance(expected, list), (path, got)
        assert getattr(got, "_fields", None) == getattr(expected, "_fields", None), (path, got)
        for i, (g, e) in enumerate(zip(got, expected)):
            assert_same(g, e, f"{path}[{i}]")
    elif isinstance(expected, dict):
        assert set(got) == set(expected), (path, got)
        for k in expected:
            assert_same(got[k], expected[k], f"{path}[{k!r}]")
    elif isinstance(expected, (float, complex)):
        assert type(got) is type(expected)
        np.testing.assert_allclose(got, expected, 1e-6, 1e-7, err_msg=path)
    else:
        assert type(got) is type(expected) and got == expected, (path, got, expected)
