"""A model is an object: its methods, state and texts, copies and files."""

import copy
import io
import pathlib
import pickle
import signal
import subprocess
import sys

import numpy as np
import pytest
import recorded

import sconce


def test_methods_and_submodules(net):
    x = np.ones((2, 3), np.float32)
    assert net.methods == ["forward", "shifted"]
    assert net.shifted(x).tolist() == [[2.0] * 3] * 2 and net.shifted(x, by=0.5).tolist()[0][0] == 1.5
    assert net.shifted.parameters == [("x", "Tensor"), ("by", "float")] and net.shifted.defaults == {"by": 1.0}
    first = net.layers.get_method("forward")(net.fc(x)).tolist()
    assert np.allclose(np.array(first) * 2, net(x).tolist())
    assert net.get_method("fc.forward")(x).tolist() == net.fc(x).tolist() == net.get_submodule("fc")(x).tolist()
    assert {"forward", "fc", "scale", "state_dict"} <= set(dir(net)) and "weight" in dir(net.fc)
    for missing in ("nothing", "__wrapped__"):
        with pytest.raises(AttributeError):
            getattr(net, missing)
    with pytest.raises(sconce.NoAttributeError):
        net.get_submodule("scale")
    assert not hasattr(net, "nothing")


def test_state(net):
    names = ["fc.weight", "fc.bias", "layers.0.weight", "layers.0.bias"]
    assert list(net.named_parameters()) == names and list(net.named_buffers()) == ["calls"]
    assert sorted(net.state_dict()) == sorted([*names, "calls"])
    assert list(net.fc.state_dict()) == ["weight", "bias"]
    # Tensors of the state are the module's own.
    net.fc.weight.numpy()[...] = 0
    net.state_dict()["fc.bias"].numpy()[...] = 0
    x = np.ones((1, 3), np.float32)
    assert net.fc(x).tolist() == [[0, 0, 0]]
    net(x)
    assert net.calls.item() == 1
    net.load_state_dict({name: np.ones(t.shape, t.dtype) for name, t in net.state_dict().items()})
    assert net(x).tolist() == [[26.0] * 3]
    with pytest.raises(sconce.ArgumentError, match="missing"):
        net.load_state_dict({})
    with pytest.raises(sconce.ArgumentError):
        net.load_state_dict({name: 1 for name in net.state_dict()})


def test_attributes_are_set(net):
    assert net.scale == 2.0
    net.scale = 3
    assert net.scale == 3.0 and net.training is True
    setattr(net.fc, "bias", np.zeros(3, np.float32))
    assert net.fc.bias.tolist() == [0, 0, 0]
    assert net.eval() is net and net.training is False and net.fc.training is False
    with pytest.raises(sconce.ArgumentError):
        net.scale = "three"
    with pytest.raises(AttributeError):
        net.nothing = 1


def test_texts(net):
    assert "aten::linear" in net.inlined_graph and net.graph.startswith("== ")
    assert "def forward(self" in net.code and "shifted" in net.schemas
    assert "aten::add" in net.shifted.graph
    assert repr(net).startswith("<sconce.Model of __torch__.") and "shifted(x: Tensor, by: float)" in repr(net.shifted)


def test_source_that_is_wrong():
    with pytest.raises(sconce.SourceError, match="undefined value y") as raised:
        sconce.compile("def f(x: int): return x * y", name="mine.py")
    assert 'File "mine.py", line 1' in str(raised.value) and "~" in str(raised.value)
    with pytest.raises(sconce.SourceError):
        sconce.compile("x = 1")


def test_errors_have_a_traceback_and_pythons_class(function):
    source = """
def inner(n: int) -> int:
    if n > 2:
        raise ValueError("too many")
    return n

def f(n: int) -> int:
    return inner(n)
"""
    f = function(source).f
    with pytest.raises(ValueError, match="too many") as raised:
        f(3)
    error = raised.value
    assert isinstance(error, sconce.RunError) and isinstance(error, RuntimeError)
    assert (error.class_name.rsplit(".", 1)[-1], error.message) == ("ValueError", "too many")
    assert [frame.function for frame in error.traceback] == ["f", "inner"]
    assert error.traceback[1].line == 6 and "<--- HERE" in str(error)
    with pytest.raises(sconce.RunError, match="RuntimeError") as raised:
        function("def f(x): return x + torch.ones(5)")(np.ones(3, np.float32))
    assert type(raised.value) is sconce.RunError
    with pytest.raises(KeyError) as raised:
        function('def f():\n    raise KeyError("b")')()
    assert "KeyError: b" in str(raised.value)


def test_errors_reach_other_processes(function):
    with pytest.raises(ValueError) as raised:
        function('def f(n: int):\n    if n > 2:\n        raise ValueError("too many")')(3)
    again = pickle.loads(pickle.dumps(raised.value))
    assert type(again) is type(raised.value) and str(again) == str(raised.value)
    assert (again.class_name, again.message, again.traceback) == ("builtins.ValueError", "too many", raised.value.traceback)
    for error in (sconce.LoadError("no"), sconce.ArgumentError("no"), sconce.NoCompilerError("no")):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and str(again) == str(error)


def test_files_that_hold_no_program(tmp_path):
    with pytest.raises(FileNotFoundError):
        sconce.load(tmp_path / "nothing.pt")
    for bad in (b"", b"PK\x03\x04", b"\x80\x02}q\x00.", b"nonsense"):
        with pytest.raises(sconce.Error):
            sconce.load(bad)
    with pytest.raises(sconce.LoadError):
        sconce.load(b"nonsense")
    with pytest.raises(ValueError, match="compile"):
        sconce.load(b"", compile="sometimes")


def same(a, b, x):
    return a(x).tolist() == b(x).tolist()


@pytest.mark.parametrize("form", ["txt", "py"])
def test_texts_have_their_tensors_beside_them(net, form, tmp_path):
    path = tmp_path / f"net.{form}"
    net.save(path)
    assert (tmp_path / f"net.{form}.safetensors").exists()
    assert same(sconce.load(path), net, np.ones((2, 3), np.float32))
    with pytest.raises(ValueError, match="beside"):
        net.to_bytes(form)


@pytest.mark.parametrize("form", ["pt", "sconce"])
def test_files(net, form, tmp_path):
    x = np.ones((2, 3), np.float32)
    path = tmp_path / f"net.{form}"
    net.save(path)
    assert same(sconce.load(net.to_bytes(form)), net, x)
    with open(path, "rb") as file:
        for source in (path, str(path), path.read_bytes(), memoryview(path.read_bytes()), io.BytesIO(path.read_bytes()), file):
            assert same(sconce.load(source), net, x)
    assert same(sconce.load(path, mmap=True), net, x)
    with pytest.raises(ValueError):
        net.save(tmp_path / "net.xyz")
    with pytest.raises(OSError):
        net.save(tmp_path / "nowhere" / "net.pt")


def test_pickles_and_copies(net, function):
    x = np.ones((2, 3), np.float32)
    net(x)
    for copied in (lambda model: pickle.loads(pickle.dumps(model)), copy.deepcopy):
        other = copied(net)
        assert other.calls.item() == net.calls.item() and other.code == net.code
        assert same(other, net, x)
        other.fc.bias.numpy()[...] += 1
        assert not same(other.fc, net.fc, x) and same(other.layers, net.layers, x)
    with pytest.raises(sconce.Error, match="whole"):
        pickle.dumps(net.fc)
    f = function("def f(x: int): return x + 1\n\ndef g(x: int): return x - 1")
    again = pickle.loads(pickle.dumps(f))
    assert again.g(1) == 0 and again.code == f.code


def test_pickles_of_exported_programs(tmp_path):
    (data, calls) = next((data, calls) for name, data, calls in recorded.calls("export", "program.pt2") if name == "kwargs")
    path = tmp_path / "program.pt2"
    path.write_bytes(data)
    given = [recorded.python(v) for v in calls[0]["args"]]
    named = {k: recorded.python(v) for k, v in calls[0]["kwargs"].items()}
    for model in (sconce.load(data), sconce.load(path)):
        recorded.assert_same(pickle.loads(pickle.dumps(model))(*given, **named), recorded.python(calls[0]["out"]))
    with pytest.raises(sconce.ArgumentError):
        model()
    path.write_bytes(data + b"\0")
    with pytest.raises(sconce.Error, match="changed"):
        pickle.dumps(model)


def test_without_a_compiler(net, monkeypatch):
    monkeypatch.delenv("SCONCE_COMPILER", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(sconce.NoCompilerError, match="SCONCE_COMPILER"):
        sconce.compile("def f(): pass", compile="now")
    plain = sconce.compile("def f(): pass")
    for ask in (plain.mlir, lambda: plain.mlir("llvm"), lambda: plain.run_pipeline("canonicalize")):
        with pytest.raises(sconce.NoCompilerError, match="sconce-compiler"):
            ask()
    with pytest.raises(ValueError, match="linalg"):
        plain.mlir("llvmir")


def test_threads_and_seeds(function):
    before = sconce.get_num_threads()
    sconce.set_num_threads(1)
    assert sconce.get_num_threads() == 1
    sconce.set_num_threads(before)
    with pytest.raises(ValueError):
        sconce.set_num_threads(0)
    draw = function("def f(): return torch.rand(3)")
    sconce.manual_seed(7)
    first = draw().tolist()
    sconce.manual_seed(7)
    assert draw().tolist() == first != draw().tolist()


def command(*arguments):
    return subprocess.run([sys.executable, "-m", "sconce", *arguments], capture_output=True, text=True)


def test_the_command():
    ran = command("run", "-e", "def f(x: int) -> int: return x + 1", "-i", "41", "--compile", "off")
    assert (ran.returncode, ran.stdout) == (0, "42\n"), ran.stderr
    assert command("run", "nothing.pt").returncode == 1
    wrong = command("run", "--nothing")
    assert wrong.returncode == 2 and "Usage: sconce run" in wrong.stderr
    assert command("--version").stdout.startswith("sconce ")


def test_the_command_can_be_interrupted():
    program = "def f():\n    print('begun')\n    while True:\n        pass"
    line = [sys.executable, "-m", "sconce", "run", "-e", program, "--compile", "off", "--fuel", str(10**15)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout.readline() == "begun\n"
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=60) == -signal.SIGINT


def test_the_readme_runs():
    readme = (pathlib.Path(__file__).resolve().parents[2] / "README.md").read_text()
    block = readme.split("```python\n", 1)[1].split("```", 1)[0]
    ran = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, cwd=recorded.TESTDATA.parent)
    assert ran.returncode == 0, ran.stderr
    shown = [line.split("# ", 1)[1] for line in block.splitlines() if line.startswith("print(")]
    assert ran.stdout.splitlines() == shown
