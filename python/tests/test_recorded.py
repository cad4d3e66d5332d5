"""Programs that PyTorch saved give through the package what PyTorch recorded: results, what is written to arguments, prints, errors."""

import json

import numpy as np
import pytest
import recorded

import sconce

ARCHIVES = list(recorded.calls("archives", "model.pt"))
EXPORTED = list(recorded.calls("export", "program.pt2"))


def arguments(call):
    # Views of other arguments, and tensors of which gradients are asked, no array can be.
    if any(word in json.dumps(call["args"]) for word in ('"of"', '"g"')):
        raise recorded.Unknown(call["args"])
    given = [recorded.python(v) for v in call["args"]]
    if "args_after" in call:
        # What a program makes of a tensor's sizes no array shows.
        given = [sconce.asarray(v) if isinstance(v, np.ndarray) else v for v in given]
    return given, recorded.python(call.get("kwargs", {"dict": []}))


def of_archive(call, what):
    """What an archive's call gives where it is another than the source's: archives keep no defaults."""
    return call.get("archive", {}).get(what, call.get(what)) if what != "error" else call.get("archive_error", call.get("error"))


@pytest.mark.parametrize(("name", "data", "calls"), ARCHIVES, ids=[a[0] for a in ARCHIVES])
def test_archive(name, data, calls, capsys):
    model = sconce.load(data)
    for call in calls:
        try:
            given, named = arguments(call)
            error = of_archive(call, "error")
            expected = None if error else recorded.python(of_archive(call, "out"))
        except recorded.Unknown:
            continue
        if "seed" in call:
            sconce.manual_seed(call["seed"])
        method = model.get_method(call["method"])
        capsys.readouterr()
        if error:
            kind, text = error
            with pytest.raises(sconce.Error) as raised:
                method(*given, **named)
            # Of a run the last line names class and message; what does not fit a function is said at once.
            line = -1 if isinstance(raised.value, sconce.RunError) else 0
            if "INTERNAL ASSERT" not in text:
                assert str(raised.value).rstrip().splitlines()[line] == text.rstrip().splitlines()[line]
        else:
            recorded.assert_same(method(*given, **named), expected)
            for i, after in enumerate(call.get("args_after", [])):
                recorded.assert_same(given[i], recorded.python(after), f"argument {i}")
        if "stdout" in call:
            assert capsys.readouterr().out == call["stdout"]


@pytest.mark.parametrize(("name", "data", "calls"), EXPORTED, ids=[e[0] for e in EXPORTED])
def test_exported_program(name, data, calls):
    model = sconce.load(data)
    for call in calls:
        try:
            given = [recorded.python(v) for v in call["args"]]
            named = {k: recorded.python(v) for k, v in call.get("kwargs", {}).items()}
            expected = recorded.python(call["out"])
        except recorded.Unknown:
            continue
        recorded.assert_same(model(*given, **named), expected)
        for i, after in enumerate(call.get("args_after", [])):
            recorded.assert_same(given[i], recorded.python(after), f"argument {i}")


def test_there_are_recordings():
    assert ARCHIVES and EXPORTED and np.asarray(sconce.asarray(np.arange(3))).sum() == 3
