"""Programs of TorchScript and torch.export, without PyTorch.

>>> import sconce
>>> model = sconce.compile("def forward(x: int) -> int: return x + 1")
>>> model(41)
42
"""

import os
from typing import Any, Iterable, Optional, Union

from . import _compiler
from ._sconce import (
    Method,
    Model,
    Tensor,
    Value,
    asarray,
    compile_source,
    from_dlpack,
    get_num_threads,
    load_bytes,
    load_library,
    load_path,
    manual_seed,
    set_num_threads,
)
from .batches import BatchPredictor
from .errors import ArgumentError, Error, LoadError, NoAttributeError, NoCompilerError, RunError, SourceError

__all__ = [
    "ArgumentError",
    "BatchPredictor",
    "Error",
    "LoadError",
    "Method",
    "Model",
    "NoAttributeError",
    "NoCompilerError",
    "RunError",
    "SourceError",
    "Tensor",
    "Value",
    "asarray",
    "compile",
    "from_dlpack",
    "get_num_threads",
    "load",
    "load_library",
    "manual_seed",
    "set_num_threads",
]

_Path = Union[str, "os.PathLike[str]"]


def load(
    source: Any,
    *,
    compile: str = "off",
    compiler: Optional[_Path] = None,
    mmap: bool = False,
    libraries: Iterable[_Path] = (),
) -> Model:
    """Loads a program (``torch.jit.load``, ``torch.export.load``).

    ``source`` is a path, bytes, or a file that is open for reading bytes: a TorchScript archive, an exported program, a compiled ``.sconce``; of paths also
    source (``.py``), graph text and, with a compiler, ``.mlir``.

    ``compile`` says when functions are compiled: ``off``, ``now`` (in the call that needs it) or ``background``. ``compiler`` is the program that does it;
    without it ``SCONCE_COMPILER``, then the package's own, then ``PATH`` are looked at. ``mmap`` maps the file in place of reading it: who changes it
    meanwhile changes the program, and who cuts it short ends the process. ``libraries`` are loaded first, each by :func:`load_library`.

    Raises:
        OSError: the file cannot be read.
        LoadError: it holds no program, or a library no operators.
        NoCompilerError: something is to be compiled, and there is no compiler.
    """
    for library in libraries:
        load_library(library)
    found = _compiler.find(compiler)
    if hasattr(source, "read"):
        source = source.read()
    if isinstance(source, (bytes, bytearray, memoryview)):
        return load_bytes("<bytes>", bytes(source), compile, found)
    return load_path(os.fspath(source), compile, found, mmap)


def compile(
    source: str,
    *,
    entry: Optional[str] = None,
    name: str = "<string>.py",
    compile: str = "off",
    compiler: Optional[_Path] = None,
) -> Model:
    """Compiles TorchScript source (``torch.jit.script``), and the Python around it.

    ``entry`` is what of it: a function's name, or an expression that makes a module, such as ``M(3)``; without it every function. ``name`` is the file that
    messages name. The others are as of :func:`load`.

    Raises:
        SourceError: it does not compile; the text underlines the place.
    """
    return compile_source(name, source, entry, compile, _compiler.find(compiler))


def _rebuild(name: str, data: bytes, compile: str) -> Model:
    """A model that was pickled as a file's bytes."""
    return load_bytes(name, data, compile, _compiler.find(None))


def _rebuild_source(name: str, text: str, entry: Optional[str], compile: str) -> Model:
    """A model that was pickled as its source."""
    return compile_source(name, text, entry, compile, _compiler.find(None))
