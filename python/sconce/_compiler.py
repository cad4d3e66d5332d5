"""Where the program is that compiles. The package works without it."""

import os
import pathlib
import shutil
from typing import Optional, Union

#: What the program is called.
PROGRAM = "sconce-compiler"
#: The variable that says where it is, also to the command.
VARIABLE = "SCONCE_COMPILER"


def find(given: Optional[Union[str, "os.PathLike[str]"]]) -> Optional[str]:
    """The compiler: the one that is given, the variable's, the one that was packed with the package, or the first on PATH."""
    if given is not None:
        return os.fspath(given)
    named = os.environ.get(VARIABLE)
    if named:
        return named
    packed = pathlib.Path(__file__).parent / "bin" / PROGRAM
    return str(packed) if packed.is_file() else shutil.which(PROGRAM)
