"""Operators of a shared library, as a C compiler makes it."""

import pathlib
import shutil
import subprocess

import pytest

import sconce

ROOT = pathlib.Path(__file__).parents[2]
SOURCE = "import torch\ndef tripled(x): return torch.ops.mine.scale(x, by=3.0)"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    built = tmp_path_factory.mktemp("operators") / "libmine.so"
    source = ROOT / "examples/custom_operator/mine.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-I", ROOT / "tools/c/include", source, "-o", built], check=True)
    return built


def test_an_operator_is_known_once_its_library_is_loaded(library, tmp_path):
    with pytest.raises(sconce.SourceError, match="Unknown builtin op: mine::scale"):
        sconce.compile(SOURCE)
    assert sconce.load_library(library) == ["mine::scale", "mine::clip_", "mine::counts"]
    assert sconce.load_library(str(library)) == ["mine::scale", "mine::clip_", "mine::counts"]
    model = sconce.compile(SOURCE)
    ones = sconce.compile("import torch\ndef ones(): return torch.ones(2)")()
    assert model(ones).tolist() == [3.0, 3.0]
    model.save(tmp_path / "tripled.sconce")
    again = sconce.load(tmp_path / "tripled.sconce", libraries=[library])
    assert again(ones).tolist() == [3.0, 3.0]


def test_what_is_no_library_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        sconce.load_library(tmp_path / "nothing.so")
    text = tmp_path / "text.so"
    text.write_text("no library, but some text that is long enough for a head of an ELF file")
    with pytest.raises(sconce.LoadError, match="cannot be loaded as a library"):
        sconce.load(b"", libraries=[text])
