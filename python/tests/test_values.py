"""Values go both ways: what Python gives a program has it as its parameters declare, and what it gives back is Python's."""

import collections
import sys

import numpy as np
import pytest

import sconce


@pytest.mark.parametrize(
    ("ty", "given", "back"),
    [
        ("int", 3, 3),
        ("int", np.int32(3), 3),
        ("int", True, 1),
        ("float", 1, 1.0),
        ("float", np.float32(0.5), 0.5),
        ("float", np.array(2.5), 2.5),
        ("float", 2**70, float(2**70)),
        ("bool", np.bool_(True), True),
        ("complex", 1 - 2j, 1 - 2j),
        ("complex", 2, 2 + 0j),
        ("str", "grüß", "grüß"),
        ("Optional[int]", None, None),
        ("Optional[int]", 4, 4),
        ("List[int]", [1, 2], [1, 2]),
        ("List[int]", (1, 2), [1, 2]),
        ("List[int]", range(3), [0, 1, 2]),
        ("List[int]", [], []),
        ("List[int]", np.arange(3), [0, 1, 2]),
        ("List[float]", [1, 2.5], [1.0, 2.5]),
        ("List[Optional[int]]", [None, 1], [None, 1]),
        ("List[List[str]]", [["a"], []], [["a"], []]),
        ("Dict[str, int]", {"b": 1, "a": 2}, {"b": 1, "a": 2}),
        ("Dict[str, int]", collections.OrderedDict(b=1), {"b": 1}),
        ("Dict[int, List[float]]", {1: [1]}, {1: [1.0]}),
        ("Tuple[int, Optional[str]]", (1, None), (1, None)),
        ("Any", {"x": [1, 2]}, {"x": [1, 2]}),
        ("torch.device", "cuda:1", "cuda:1"),
    ],
)
def test_values_come_back(function, ty, given, back):
    got = function(f"def f(x: {ty}): return x")(given)
    assert got == back and type(got) is type(back)


def test_several_results_and_named_tuples(function):
    source = """
class Point(NamedTuple):
    x: int
    y: torch.Tensor

def f(p: Point, n: int) -> Tuple[Point, int]:
    return Point(p.x + n, p.y * n), n
"""
    f = function(source)
    Mine = collections.namedtuple("Mine", ["x", "y"])
    point, n = f(Mine(1, np.ones(2)), 3)
    assert type(point).__name__ == "Point" and point._fields == ("x", "y") and n == 3
    assert point.x == 4 and point.y.tolist() == [3.0, 3.0]
    # What came out goes in.
    assert f(point, 1)[0].x == 5


def test_objects_and_enums_are_values(function):
    source = """
from enum import Enum

class Color(Enum):
    RED = 1
    BLUE = 2

def f(n: int) -> Color:
    if n == 1:
        return Color.RED
    return Color.BLUE

def g(c: Color) -> int:
    return c.value
"""
    model = function(source)
    red = model.f(1)
    assert isinstance(red, sconce.Value) and (red.name, red.value) == ("RED", 1)
    assert red == model.f(1) and red != model.f(2) and hash(red) == hash(model.f(1))
    assert model.g(model.f(2)) == 2


@pytest.mark.parametrize(
    ("ty", "given", "says"),
    [
        ("int", "3", "type 'int'"),
        ("int", 2**63, "64 bits"),
        ("bool", object(), "bool"),
        ("Tensor", 3, "Tensor"),
        ("Tensor", object(), "a object is no value"),
        ("Tensor", np.array(["a"]), "dtype <U1"),
        ("List[int]", [1, "a"], "int"),
        ("Dict[str, int]", {(1, 2): 1}, "no key"),
    ],
)
def test_what_does_not_fit_is_refused(function, ty, given, says):
    f = function(f"def f(x: {ty.replace('Tensor', 'torch.Tensor')}): return x")
    with pytest.raises(sconce.ArgumentError, match=says):
        f(given)


def test_arguments_are_counted_and_named(function):
    f = function("def f(a: int, b: int = 2): return a - b")
    assert f(1) == -1 and f(5, b=1) == 4 and f(b=1, a=0) == -1
    for given, named in (((), {}), ((1, 2, 3), {}), ((1,), {"c": 1}), ((1,), {"a": 1})):
        with pytest.raises(sconce.ArgumentError):
            f(*given, **named)
    with pytest.raises(TypeError, match="argument a"):
        f(object())


def test_containers_inside_themselves_are_refused(function):
    f = function("def f(x: Any): return x")
    loop = []
    loop.append(loop)
    with pytest.raises(sconce.ArgumentError, match="inside"):
        f(loop)


def test_prints_go_to_sys_stdout(function, capsys, monkeypatch):
    f = function("def f(x: int):\n    print('x is', x)")
    f(3)
    assert capsys.readouterr().out == "x is 3\n"
    monkeypatch.setattr(sys, "stdout", None)
    f(3)
