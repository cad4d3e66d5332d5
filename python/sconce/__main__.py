"""``python -m sconce ARGUMENTS`` is the command ``sconce``."""

import os
import signal
import sys

from . import _compiler
from ._sconce import run_command


def main() -> int:
    """Runs the command with this process's arguments, and gives its exit status."""
    # Python would see Ctrl-C when the command is over.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    found = _compiler.find(None)
    if found is not None:
        os.environ.setdefault(_compiler.VARIABLE, found)
    return run_command(["sconce", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
