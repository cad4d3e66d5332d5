"""What can go wrong. Every class is an :class:`Error`, and so a ``RuntimeError``, as PyTorch's are."""

import builtins
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Type


class Error(RuntimeError):
    """Every failure of Sconce."""

    def __init__(self, message: str = "") -> None:
        self.args = (message,)

    def __str__(self) -> str:
        # KeyError, which a class below may be as well, would quote it.
        return str(self.args[0]) if self.args else ""


class LoadError(Error):
    """A file or bytes that hold no program, or one that is damaged."""


class SourceError(Error):
    """TorchScript source that does not compile; the text underlines the place."""


class ArgumentError(Error, TypeError):
    """Arguments that do not fit the function: too many, too few, of other types, or not what a program was exported for."""


class NoAttributeError(Error, AttributeError):
    """A method or attribute that the program has not."""


class NoCompilerError(Error):
    """Something that only the compiler can do, and there is none."""

    def __str__(self) -> str:
        return (
            super().__str__() + ". The package interprets; what compiles is the program `sconce-compiler`: "
            "`cargo build --release -p sconce --bin sconce-compiler` makes it. Put it on PATH, or say where it is by "
            "SCONCE_COMPILER or by the argument `compiler`."
        )


class Frame(NamedTuple):
    """A function of the program that was running."""

    function: str
    file: Optional[str]
    line: Optional[int]


class RunError(Error):
    """A call that failed while it ran. Its text is PyTorch's: a traceback of TorchScript, then class and message.

    Of what the program itself raises, ``raise ValueError("no")``, the exception is a ``RunError`` and a ``ValueError``.
    """

    #: What the program named: ``ValueError``, ``__torch__.m.MyError``; of operators ``RuntimeError``.
    class_name: str = "RuntimeError"
    #: The message alone, without the traceback.
    message: str = ""
    #: The functions that were running, the outermost first.
    traceback: List[Frame] = []

    def __reduce__(self) -> Tuple[Any, ...]:
        # The class may be one that no module has, and an error of a worker process is pickled.
        return of_run, (str(self), self.class_name, self.message, self.traceback)


_CLASSES: Dict[str, Type[RunError]] = {"RuntimeError": RunError}


def _class_of(name: str) -> Type[RunError]:
    """The class of a run's error: of Python's exception of that name, too, where there is one."""
    last = name.rsplit(".", 1)[-1]
    if last not in _CLASSES:
        python = getattr(builtins, last, None)
        if not (isinstance(python, type) and issubclass(python, Exception)):
            return RunError
        # An Error stands before Python's class, so that its text is the traceback.
        bases = (RunError,) if issubclass(RunError, python) else (RunError, python)
        _CLASSES[last] = type(last, bases, {"__module__": __name__, "__doc__": f"The program raised {last}."})
    return _CLASSES[last]


def of_run(text: str, class_name: str, message: str, traceback: list) -> RunError:
    """The exception of a call that failed while it ran."""
    error = _class_of(class_name)(text)
    error.class_name, error.message = class_name, message
    error.traceback = [Frame(*frame) for frame in traceback]
    return error
