"""What the compiler gives, where there is one (`SCONCE_COMPILER`)."""

import numpy as np
import pytest

import sconce
from sconce import _compiler

pytestmark = pytest.mark.skipif(_compiler.find(None) is None, reason="there is no sconce-compiler")

SOURCE = "import torch\ndef f(x, y):\n    return torch.tanh(x @ y) + 1\n"
X = np.ones((4, 4), np.float32)


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("SCONCE_CACHE", "off")


def test_stages():
    model = sconce.compile(SOURCE)
    assert "torch.aten.matmul" in model.mlir() and "!torch.tensor" in model.mlir("torch")
    for stage, word in (("fused", "sconce.region"), ("linalg", "linalg.matmul"), ("llvm", "define"), ("asm", ".text")):
        assert word in model.mlir(stage, X, X), stage
    with pytest.raises(sconce.ArgumentError):
        model.mlir("llvm", X, "text")


def test_pipelines():
    model = sconce.compile("def g(x):\n    y = x * 3\n    return x + 1\n\ndef f(x):\n    return g(x) * 2\n", entry="f")
    after = model.run_pipeline("torch-inline,dce")
    assert after(X).tolist() == model(X).tolist() and "aten::mul" in after.graph
    assert "prim::CallFunction" not in after.graph and "value=3" not in after.graph
    with pytest.raises(sconce.Error, match="nothing-such"):
        model.run_pipeline("nothing-such")


@pytest.mark.parametrize("when", ["now", "background"])
def test_compiled_is_interpreted(when):
    compiled, plain = sconce.compile(SOURCE, compile=when), sconce.compile(SOURCE)
    for _ in range(3):
        np.testing.assert_allclose(np.asarray(compiled(X, X)), np.asarray(plain(X, X)), 1e-5)


def test_a_compiler_that_is_not_there():
    model = sconce.compile(SOURCE, compiler="/nowhere/sconce-compiler", compile="now")
    assert model(X, X).shape == (4, 4)
    with pytest.raises(sconce.Error, match="/nowhere/sconce-compiler"):
        model.mlir()
