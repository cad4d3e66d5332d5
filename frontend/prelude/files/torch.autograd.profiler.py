"""A context that gives a part of a program a name. Nothing measures here, so entering and leaving it does nothing."""
from typing import Any, Optional


class record_function:
    name: str
    args: Optional[str]

    def __init__(self, name: str, args: Optional[str] = None) -> None:
        self.name = name
        self.args = args

    def __enter__(self):
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        return None
