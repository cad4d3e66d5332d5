"""Records what PyTorch prints: `record.py > cases.jsonl`.

One JSON object a line. A tensor: `dtype`, `sizes`, `values` (repeated until it is full; complex numbers as two), `strides` where it is no plain one; `repr` is Python's,
`stream` what `str` gives in a script (only where it is short). A program: `source`, whose `f()` prints; `printed` is what it prints, `repr` its result's.
"""

import contextlib, io, json, math, os, re, sys, tempfile, importlib.util, warnings
import torch

warnings.simplefilter("ignore")
DTYPES = {
    "u8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
    "u16": torch.uint16, "u32": torch.uint32, "u64": torch.uint64,
    "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
    "c64": torch.complex64, "c128": torch.complex128, "bool": torch.bool,
}
NAN, INF = math.nan, math.inf


@torch.jit.script
def stream(x: torch.Tensor) -> str:
    return str(x)


def tensor(dtype, sizes, values):
    count = math.prod(sizes)
    full = (values * (count // len(values) + 1))[:count]
    if dtype[0] == "c":
        full = [complex(*v) for v in full]
    return torch.tensor(full, dtype=DTYPES[dtype]).reshape(sizes)


def emit(case):
    text = json.dumps(case).replace("-Infinity", '"-inf"').replace("Infinity", '"inf"').replace("NaN", '"nan"')
    print(text)


def case(dtype, sizes, values, grad=False):
    t = tensor(dtype, sizes, values)
    out = {"dtype": dtype, "sizes": sizes, "values": values}
    if grad:
        t.requires_grad_()
        out["grad"] = True
    out["repr"] = repr(t)
    if math.prod(sizes) <= 150 and dtype not in ("u16", "u32", "u64") or math.prod(sizes) <= 4:
        out["stream"] = stream(t)
    emit(out)


RANGES = {
    "halves": [0.5, -1.25, 3.0, 0.0, 2.75],
    "whole": [1.0, -2.0, 3.0, 0.0],
    "thousand": [1.0, 1000.0],
    "beyond thousand": [1.0, 1001.0, 256.0],
    "256": [0.1, 256.0],
    "hundreds": [128.5, 256.25, 999.0],
    "small": [1e-4, 2e-4, 5.5e-4],
    "smaller": [0.9e-4, 2e-4],
    "tiny": [1e-7, -3e-7],
    "wide": [1e-3, 1.5, 2e3],
    "large": [12345.678, -23456.5],
    "million": [1e6, 2e6, 3.0],
    "big whole": [1e8, 3e8],
    "bigger whole": [1e9, -1.5e9, 1e8],
    "big": [123456789.5, 5e8],
    "whole wide": [1.0, 65504.0],
    "nan": [NAN],
    "nan and one": [NAN, 1.0],
    "infinite": [INF, -INF, 1.5, NAN, 0.0],
    "infinite whole": [INF, -INF, 100.0],
    "negative zero": [-0.0, 0.0],
    "negative zero and halves": [-0.0, 0.5],
    "zero": [0.0],
    "third": [1 / 3, 2 / 3],
    "negative": [-1 / 3, -12.5],
    "hundred thousand": [1e5, 123456.0],
    "e10": [1e10], "e-5": [1e-5], "e16": [1e16], "max": [3e38, 1.0], "e15": [123456789012345.0],
    "seventh": [1234567.0, 0.5], "rounds": [0.99999, 9.99996], "ten": [9.99999, 10.0, 0.25],
    "e20": [1e20, 2e20], "under": [1e-30, 3e-30], "1e100": [1e100, 2.5e-100],
}
INTS = {
    "digits": [0, 1, 2, 3], "signs": [-1, 10, 100], "wide": [1, 127], "zero": [0], "seven": [7],
}

for dtype in ["f32", "f64", "f16", "bf16"]:
    for name, values in RANGES.items():
        for sizes in [[], [len(values)], [2, 3]] if dtype in ("f32", "f64") else [[len(values)], [2, 2]]:
            case(dtype, sizes, values)
for dtype in ["u8", "i8", "i16", "i32", "i64", "u16", "u32", "u64"]:
    for name, values in INTS.items():
        if dtype[0] == "u" and min(values) < 0:
            continue
        for sizes in [[], [len(values)], [2, 3]]:
            case(dtype, sizes, values)
for values in [[2**62, -(2**62)], [2**53 + 1], [10**9, 1], [999999999, 1], [10**6, 1], [-(2**63)], [123456, -7], [2**60 + 1, 3]]:
    for sizes in [[], [len(values)], [2, 2]]:
        case("i64", sizes, values)
case("u64", [2], [2**64 - 1, 0])
for sizes in [[], [1], [4], [2, 3], [2, 2, 2], [30]]:
    case("bool", sizes, [True, False, False])
COMPLEX = [
    [[1.0, 2.0]], [[0.5, -1.5], [3.0, 0.0]], [[1.0, -2.0], [100.0, 2000.0]], [[NAN, 1.0], [INF, -INF]], [[1e-6, 1.0], [2.0, 1e9]],
    [[0.0, 0.0]], [[-0.0, -0.0]], [[0.1, 256.0], [1e-5, 3.0]], [[1.5, 2.0], [3.25, -4.0]], [[1.0, 2.5], [3.0, -4.0]],
]
for dtype in ["c64", "c128"]:
    for values in COMPLEX:
        for sizes in [[], [len(values)], [2, 2]]:
            case(dtype, sizes, values)
# Ranks, and lines that are full.
MIXED = [0.5, -1.25, 3.0, 0.125, 12.0, -7.5, 2.0]
for sizes in [[1, 1], [3, 1], [1, 3], [2, 2, 2], [2, 1, 3], [3, 2, 1, 2], [1, 1, 1, 1], [2, 2, 2, 2], [2, 2, 1, 1, 2], [9], [10], [11], [40], [2, 12], [12, 2],
              [2, 30], [1, 2, 26], [5, 20], [100], [7, 9], [2, 2, 2, 9]]:
    for dtype in ["f32", "f64", "i64", "i32", "bool", "c64"]:
        values = [[v, v / 2] for v in MIXED] if dtype == "c64" else MIXED if dtype[0] == "f" else [int(v * 8) for v in MIXED]
        case(dtype, sizes, values)
for name in ["small", "tiny", "large", "big", "wide", "seventh", "third"]:
    for sizes in [[2, 2, 2], [2, 1, 1], [2, 2, 20], [2, 20], [1, 1, 2, 20]]:
        case("f32", sizes, RANGES[name])
for dtype in ["f32", "f64", "i64", "bool", "c64", "u8", "bf16"]:
    for sizes in [[0], [0, 3], [3, 0], [2, 0, 4], [0, 0]]:
        case(dtype, sizes, [[0.0, 0.0]] if dtype == "c64" else [0])
# Summarised.
for dtype in ["f32", "f64", "i64", "bool", "c64", "f16", "i32"]:
    for sizes in [[1000], [1001], [1200], [7, 150], [40, 40], [6, 200], [200, 6], [1001, 1], [1, 1001], [7, 7, 30], [11, 10, 10], [3, 20, 20], [5, 6, 7, 8], [2, 2, 2, 200], [1500, 0]]:
        values = [[v, -v] for v in MIXED] if dtype == "c64" else MIXED if dtype in ("f32", "f64", "f16") else [int(v * 8) for v in MIXED]
        case(dtype, sizes, values)
# What is not shown has no say in the format.
case("f32", [1007], [1.0] * 500 + [1e9] + [2.0] * 506)
case("f32", [1007], [1.0] * 500 + [0.5] + [2.0] * 506)
case("i64", [1007], [1] * 500 + [10**12] + [2] * 506)
for sizes, values in [([2], [1.0, 2.0]), ([], [0.5]), ([2, 2], [0.5]), ([0], [0.0]), ([8], [1.25])]:
    case("f32", sizes, values, grad=True)
    case("f64", sizes, values, grad=True)

HEADER = """import torch
from torch import Tensor
from typing import List, Dict, Tuple, Optional, NamedTuple
from enum import Enum
class E(Enum):
    R = "r"
    G = "g"
class N(Enum):
    A = 1
    B = 2
class P(NamedTuple):
    a: int
    b: Tensor
class C:
    def __init__(self, x: int):
        self.x = x
"""
PROGRAMS = [
    ("int", "1"), ("int", "-5"), ("float", "1.0"), ("float", "0.1"), ("float", "1e20"), ("float", "1e16"), ("float", "1e-7"), ("float", "-0.0"),
    ("float", "float('inf')"), ("float", "float('nan')"), ("float", "1e15"), ("float", "123456.789"), ("float", "1e-4"), ("float", "1e-5"), ("float", "1e22"),
    ("complex", "1 + 2j"), ("complex", "0.5 - 1.5j"), ("complex", "complex(1e20, 3.0)"), ("complex", "2j"), ("bool", "True"), ("Optional[int]", "None"), ("str", "'a'"), ("str", '"it\'s"'), ("str", "'say \"x\"'"),
    ("str", "'tab\\t line\\n back\\\\ é \\x01'"), ("str", "'both \\' and \"'"), ("str", "''"), ("E", "E.R"), ("N", "N.B"), ("List[E]", "[E.R, E.G]"), ("Dict[str, E]", "{'k': E.G}"),
    ("P", "P(1, torch.ones([2]))"), ("List[P]", "[P(1, torch.ones([2]))]"), ("Tuple[int]", "(1,)"), ("Tuple[int, str, float]", "(1, 'x', 2.5)"),
    ("List[int]", "[1, 2, 3]"), ("List[float]", "[1.0, 2.5, 1e20]"), ("List[bool]", "[True, False]"), ("List[str]", "['a', \"b'c\"]"), ("List[Optional[int]]", "[1, None]"),
    ("List[List[int]]", "[[1], [2, 3]]"), ("List[Tensor]", "[torch.ones([2]), torch.zeros([2, 2])]"), ("Tuple[Tensor, Tensor]", "(torch.ones([2]), torch.zeros([2, 2]))"),
    ("Dict[str, int]", "{'a': 1, 'b': 2}"), ("Dict[int, float]", "{1: 2.0, -3: 0.5}"), ("Dict[str, Tensor]", "{'a': torch.ones([2, 2]), 'b': torch.ones([1])}"),
    ("Dict[str, List[int]]", "{'a': [1, 2]}"), ("Tuple[int, Tuple[int, List[str]]]", "(1, (2, ['x']))"), ("List[Tuple[int, Tensor]]", "[(1, torch.ones([2, 2]))]"),
    ("torch.device", "torch.device('cpu')"), ("torch.device", "torch.device('cuda:1')"), ("List[int]", "torch.jit.annotate(List[int], [])"),
    ("Tensor", "torch.ones([3]) > 0"), ("Tensor", "torch.ones([2, 2]).to(torch.half)"), ("Dict[str, int]", "torch.jit.annotate(Dict[str, int], {})"), ("List[complex]", "[1j, 1.5 - 2j]"),
]


def program(number, ty, value, folder):
    source = HEADER + f"def f() -> {ty}:\n    v: {ty} = {value}\n    print(v)\n    print('{{}}|'.format(v), v, str(v))\n    return v\n"
    if ty == "P":
        source = source.replace("    print('{}|'.format(v), v, str(v))\n", "    print(v, v)\n")
    path = os.path.join(folder, f"p{number}.py")
    with open(path, "w") as file:
        file.write(source)
    spec = importlib.util.spec_from_file_location(f"p{number}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[f"p{number}"] = module
    spec.loader.exec_module(module)
    try:
        f = torch.jit.script(module.f)
    except Exception as error:
        print(f"{value}: {str(error)[:200]}", file=sys.stderr)
        return
    # Scripted `print` writes to the process's standard output, past Python's.
    sys.stdout.flush()
    kept = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        result = f()
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        file.seek(0)
        printed = file.read().decode()
    emit({"source": source, "printed": printed.replace(f"p{number}", "p"), "repr": repr(result)})


with tempfile.TemporaryDirectory() as folder:
    for number, (ty, value) in enumerate(PROGRAMS):
        program(number, ty, value, folder)
