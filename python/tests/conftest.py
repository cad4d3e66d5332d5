"""Programs that several tests use."""

import pytest

import sconce

NET = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.layers = nn.Sequential(nn.Linear(n, n), nn.ReLU())
        self.register_buffer("calls", torch.zeros(1, dtype=torch.int64))
        self.scale = 2.0

    def forward(self, x):
        self.calls.add_(1)
        return self.layers(self.fc(x)) * self.scale

    @torch.jit.export
    def shifted(self, x, by: float = 1.0):
        return x + by
"""


@pytest.fixture
def net():
    """A module with parameters, a buffer, submodules and two methods."""
    sconce.manual_seed(0)
    return sconce.compile(NET, entry="Net(3)")


@pytest.fixture
def function():
    """Compiles the one function of a source."""
    return lambda source: sconce.compile("import torch\nfrom typing import *\n" + source)


@pytest.fixture
def saved(net, tmp_path):
    """The file of that module."""
    net.save(tmp_path / "net.pt")
    return tmp_path / "net.pt"


@pytest.fixture
def predictor(tmp_path):
    """A predictor of the function `f` of a source."""

    def made(source, **given):
        path = tmp_path / "program.py"
        path.write_text("import torch\nfrom torch import Tensor\nfrom typing import *\n" + source)
        return sconce.BatchPredictor(path, method="f", **given)

    return made
