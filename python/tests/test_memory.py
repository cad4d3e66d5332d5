"""Arrays and tensors share memory where that is safe, and copies stand in where it is not."""

import ctypes
import gc
import pickle
import random
import threading
import weakref

import ml_dtypes
import numpy as np
import pytest

import sconce

DTYPES = ["uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128", "bool"]


@pytest.fixture
def double(function):
    """Doubles its argument in place."""
    return function("def f(x): return x.mul_(2)")


@pytest.mark.parametrize("dtype", DTYPES + [ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn])
def test_every_dtype_goes_both_ways_without_a_copy(dtype):
    array = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype)
    tensor = sconce.asarray(array)
    assert tensor.dtype == array.dtype.name and tensor.shape == (2, 3) and tensor.size == 6 and len(tensor) == 2
    back = tensor.numpy()
    assert back.dtype == array.dtype and np.shares_memory(back, array)
    np.testing.assert_array_equal(np.asarray(tensor), array)


def test_programs_write_to_arrays(double):
    x = np.arange(4.0)
    y = double(x)
    assert x.tolist() == [0, 2, 4, 6] and np.shares_memory(y.numpy(), x)


def test_views_are_borrowed_as_they_lie(double):
    x = np.arange(12.0).reshape(3, 4)
    double(x.T[1:3])
    assert x.tolist() == [[0, 2, 4, 3], [4, 10, 12, 7], [8, 18, 20, 11]]
    one = np.broadcast_to(np.array(3.0), (2, 2))
    assert sconce.asarray(one).tolist() == [[3, 3], [3, 3]]


def unaligned():
    return np.frombuffer(bytearray(33), np.uint8)[1:].view(np.float64)


@pytest.mark.parametrize(
    "array",
    [np.frombuffer(np.arange(4.0).tobytes()), np.arange(4.0)[::-1], np.arange(4.0).astype(">f8"), unaligned(), np.zeros(4, "f8,f4")["f0"]],
    ids=["read-only", "backwards", "other byte order", "unaligned", "between elements"],
)
def test_what_cannot_be_borrowed_is_copied(double, array):
    before = array.copy()
    np.testing.assert_array_equal(np.asarray(double(array)), before * 2)
    np.testing.assert_array_equal(array, before)


def layouts(count, seed=1):
    """Arrays whose elements lie in any steps and order, in a buffer that is theirs."""
    rng = random.Random(seed)
    for _ in range(count):
        dtype = np.dtype(rng.choice(["u1", "<i2", ">i2", "<i4", ">i8", "<u8", ">f2", "<f4", ">f8", "<f8", "<c8", ">c16", "<c16", "?"]))
        size = dtype.itemsize
        shape = [rng.randrange(0, 4) for _ in range(rng.randrange(0, 4))]
        strides = [rng.choice([size, -size, 0, 2 * size, rng.randrange(-20, 21)]) for _ in shape]
        ends = [(n - 1) * s for n, s in zip(shape, strides) if n > 1]
        start = rng.randrange(0, 9) - sum(e for e in ends if e < 0)
        data = [rng.randrange(0, 2 if dtype.kind == "b" else 100) for _ in range(start + sum(e for e in ends if e > 0) + size)]
        array = np.ndarray(shape, dtype, bytearray(data), start, strides)
        array.flags.writeable = rng.random() < 0.7
        yield array


def is_alone(array):
    """Whether no two elements share a byte."""
    places = sorted(sum(i * s for i, s in zip(index, array.strides)) for index in np.ndindex(*array.shape))
    return all(b - a >= array.itemsize for a, b in zip(places, places[1:]))


def test_arrays_of_any_layout(function):
    copy = function("def f(a, b): return a.copy_(b)")
    for array in layouts(3000):
        expected = array.copy()
        tensor = sconce.asarray(array)
        np.testing.assert_array_equal(np.asarray(tensor), expected)
        np.testing.assert_array_equal(tensor.tolist(), expected.tolist())
        if array.ndim and array.flags.writeable and is_alone(array):
            # Both are views of the same memory.
            turned = array[::-1]
            expected = turned.copy()
            np.testing.assert_array_equal(np.asarray(copy(array, turned)), expected)


def test_swapped_complex_numbers_keep_their_parts():
    array = np.array([1 + 2j, 3 - 4j]).astype(">c16")
    assert sconce.asarray(array).tolist() == [1 + 2j, 3 - 4j]


def test_empty_and_scalar_arrays():
    assert sconce.asarray(np.zeros((0, 3))).shape == (0, 3)
    assert sconce.asarray(np.float32(1.5)).item() == 1.5
    assert np.asarray(sconce.asarray(np.zeros((2, 0), np.int32))).shape == (2, 0)


def test_arguments_that_overlap_have_one_storage(function):
    f = function("def f(a, b):\n    a.copy_(b)\n    return b")
    x = np.arange(6.0)
    f(x[1:], x[:-1])
    assert x.tolist() == [0, 0, 1, 2, 3, 4]
    f(x[:4], x[2:])
    assert x.tolist() == [1, 2, 3, 4, 3, 4]
    inside = np.arange(4.0)
    assert function("def f(a, b):\n    a.add_(1)\n    return b")(inside, inside[1:]).tolist() == [2, 3, 4]


def test_memory_lives_as_long_as_somebody_has_it(double):
    class Array(np.ndarray):
        pass

    x = np.arange(1000.0).view(Array)
    seen, tensor = weakref.ref(x), sconce.asarray(x)
    del x
    gc.collect()
    assert seen() is not None and tensor.tolist()[-1] == 999
    array = np.asarray(tensor)
    del tensor
    gc.collect()
    assert seen() is not None and array[-1] == 999
    del array
    gc.collect()
    assert seen() is None


def test_an_exported_storage_does_not_move(function):
    f = function("def f(x): return x.resize_(100000)")
    t = function("def f(): return torch.ones(4)")()
    array = t.numpy()
    with pytest.raises(sconce.RunError):
        f(t)
    assert array.tolist() == [1, 1, 1, 1]


def test_a_tensor_that_becomes_another_view_leaves_arrays_alone(function):
    f = function("def f(x, y): return x.set_(y)")
    t = function("def f(): return torch.ones(4)")()
    array = t.numpy()
    f(t, np.zeros(3, np.float32))
    gc.collect()
    assert t.shape == (3,) and array.tolist() == [1, 1, 1, 1]


def test_array_protocol(function):
    t = sconce.asarray(np.arange(3, dtype=np.int32))
    assert np.array(t, dtype=np.float64).dtype == np.float64
    assert not np.shares_memory(np.array(t, copy=True), t.numpy())
    with pytest.raises(ValueError):
        t.__array__(np.float64, copy=False)
    assert float(sconce.asarray(np.array(2))) == 2.0 and int(sconce.asarray(np.array([2.5]))) == 2
    assert complex(sconce.asarray(np.array(2j))) == 2j and not sconce.asarray(np.array(0))
    for wrong in (len, bool, float):
        with pytest.raises((TypeError, ValueError)):
            wrong(sconce.asarray(np.zeros((2, 2))) if wrong is not len else sconce.asarray(np.array(1)))
    assert repr(t) == "tensor([0, 1, 2], dtype=torch.int32)"


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "complex64"])
def test_dlpack_with_numpy(dtype):
    array = np.array([[1, 0, 1], [0, 1, 1]]).astype(dtype)
    tensor = sconce.from_dlpack(array.T)
    assert tensor.shape == (3, 2) and np.shares_memory(tensor.numpy(), array)
    back = np.from_dlpack(tensor)
    assert np.shares_memory(back, array) and tensor.__dlpack_device__() == (1, 0)
    del tensor, array
    gc.collect()
    assert back.shape == (3, 2) and back.dtype == dtype


def test_dlpack_capsules_are_taken_once():
    class Giver:
        def __init__(self, capsule):
            self.capsule = capsule

        def __dlpack__(self):
            return self.capsule

    for version in (None, (1, 0)):
        tensor = sconce.asarray(np.arange(3.0))
        giver = Giver(tensor.__dlpack__(max_version=version))
        assert sconce.from_dlpack(giver).tolist() == [0, 1, 2]
        with pytest.raises(ValueError):
            sconce.from_dlpack(giver)
        # One that nobody takes goes, too.
        del giver
        tensor.__dlpack__(max_version=version)
    copied = np.from_dlpack(Giver2(tensor))
    assert not np.shares_memory(copied, tensor.numpy())


class Giver2:
    """Gives a copy."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, **how):
        return self.tensor.__dlpack__(**{**how, "copy": True})

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


def test_dlpack_refuses_what_it_cannot_say():
    tensor = sconce.asarray(np.arange(3.0))
    with pytest.raises(BufferError):
        tensor.__dlpack__(stream=1)
    with pytest.raises(BufferError):
        tensor.__dlpack__(dl_device=(2, 0))
    with pytest.raises(sconce.ArgumentError):
        sconce.from_dlpack([1])
    with pytest.raises(sconce.ArgumentError):
        sconce.asarray("text")


def test_tensors_are_pickled():
    for array in (np.arange(6.0).reshape(2, 3).T, np.array(True), np.ones(2, ml_dtypes.bfloat16)):
        back = pickle.loads(pickle.dumps(sconce.asarray(array)))
        np.testing.assert_array_equal(back.numpy(), array)
    with pytest.raises(ValueError):
        sconce._sconce.tensor_of_bytes(b"123", "float32", [1])
    with pytest.raises(ValueError):
        sconce._sconce.tensor_of_bytes(b"", "float32", [2**62, 2**62])


def test_other_threads_run_during_a_call(function):
    f = function("def f(n: int) -> int:\n    s = 0\n    for i in range(n):\n        s += i % 7\n    return s")
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            done.wait(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    f(3_000_000)
    during = len(ticks)
    done.set()
    thread.join()
    assert during > 5


def test_threads_share_a_model(net):
    inputs = [np.full((2, 3), i, np.float32) for i in range(8)]
    expected = [net(x).tolist() for x in inputs]
    failures = []

    def work(i):
        for _ in range(50):
            if net(inputs[i]).tolist() != expected[i]:
                failures.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not failures


def test_addresses_are_the_tensors_own():
    tensor = sconce.asarray(np.arange(4, dtype=np.int32))
    address, read_only = tensor.__array_interface__["data"]
    assert not read_only and list((ctypes.c_int32 * 4).from_address(address)) == [0, 1, 2, 3]
