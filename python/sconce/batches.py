"""A model over batches of columns, in as many processes as there are: what Ray Data, DataFusion, PyArrow and a pool of processes call.

>>> predict = sconce.BatchPredictor("model.pt", inputs="features", outputs="score")
>>> predict({"features": numpy.ones((3, 4), numpy.float32)})
{'score': array([...], dtype=float32)}
"""

import hashlib
import inspect
import os
import threading
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import sconce

from ._columns import Columns, array_of_arrow, arrow_of_arrays, columns, is_arrow_array
from ._sconce import Method, Model, Tensor, set_num_threads
from .errors import ArgumentError

_Names = Union[str, Sequence[str]]

#: What is known of a file without reading it, so that one that was written again is loaded again.
_Seen = Optional[Tuple[int, int]]

#: The models of this process, by what they were loaded from and how: many predictors, also those that were unpickled for one batch each, share one.
_MODELS: Dict[Any, Tuple[_Seen, Model]] = {}
#: Held while a model is loaded: who asks for the same meanwhile waits for it.
_LOADING = threading.Lock()

#: Parameters that a column can be, as TorchScript writes their types. An exported program's may be of any.
_TENSORS = ("Tensor", "Optional[Tensor]", "Any")
_LISTS = ("List[int]", "List[float]", "List[bool]", "List[str]")
#: Parameters that several columns can be.
_GROUPS = ("List[Tensor]", "List[Any]", "Dict[str, Tensor]")


class BatchPredictor:
    """Calls a model's method on batches of columns, and gives batches back: what ``ray.data.Dataset.map_batches`` takes, and ``datafusion.udf``.

    A batch is a dictionary of NumPy arrays, a ``pyarrow.Table`` or a ``pyarrow.RecordBatch``; the result is of the same kind. Columns are bound to
    parameters by name, their rows are the first dimension of the tensors. Columns of Arrow's alone, as functions of SQL get them, are bound by position
    and give a column.

    It is pickled as what it was made of, never with weights that were loaded: each process loads the model in its first call, once, however many predictors
    of it there are. One predictor may be called by several threads.

    Args:
        model: a path, which every process opens for itself, or the bytes of a program (:func:`sconce.load`).
        method: the method's name, which may lead through submodules; without it, what a call of the model calls.
        inputs: which columns are the arguments: names in the order of the parameters, or parameters with the name of their column. Several names for one
            parameter are a tensor of as many columns (their second dimension), or the list or dictionary that the parameter is. Without it each
            parameter is the column of its own name; one that has a default need not have a column.
        outputs: names for the columns of the result: one for a tensor, as many as a tuple has; of a named tuple or a dictionary, the fields that are
            wanted. Without it ``output``, ``output_0``, ``output_1``, …, the fields, the keys.
        constants: arguments that are the same for every row, by parameter.
        keep: columns of the batch that the result has too; ``True`` for all.
        num_threads: the threads that one operator may use in a process that loads the model (:func:`sconce.set_num_threads`).
        options: ``compile``, ``compiler`` and ``mmap`` of :func:`sconce.load`.

    Raises:
        TypeError: an argument of another type, or an option that :func:`sconce.load` has not.
    """

    def __init__(
        self,
        model: Union[str, "os.PathLike[str]", bytes, bytearray, memoryview],
        *,
        method: Optional[str] = None,
        inputs: Union[None, _Names, Mapping[str, _Names]] = None,
        outputs: Optional[_Names] = None,
        constants: Optional[Mapping[str, Any]] = None,
        keep: Union[bool, _Names] = (),
        num_threads: Optional[int] = None,
        **options: Any,
    ) -> None:
        if isinstance(model, (bytes, bytearray, memoryview)):
            self.source: Union[str, bytes] = bytes(model)
        elif isinstance(model, (str, os.PathLike)):
            self.source = os.fspath(model)
        else:
            message = f"a {type(model).__name__} is no path and no bytes: a predictor is pickled for other processes, which load the model themselves"
            raise TypeError(message)
        inspect.signature(sconce.load).bind(model, **options)
        self.method = method
        self.inputs = None if inputs is None else dict(inputs) if isinstance(inputs, Mapping) else _names(inputs)
        self.outputs = None if outputs is None else _names(outputs)
        self.constants = dict(constants or {})
        self.keep = keep if isinstance(keep, bool) else _names(keep)
        self.num_threads = num_threads
        self.options = options
        self._called: Optional[Method] = None

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_called": None}

    def __repr__(self) -> str:
        source = f"<{len(self.source)} bytes>" if isinstance(self.source, bytes) else repr(self.source)
        return f"sconce.BatchPredictor({source}, method={self.method!r}, inputs={self.inputs!r}, outputs={self.outputs!r})"

    @property
    def model(self) -> Model:
        """The model of this process, which is loaded if it is not yet."""
        return _loaded(self.source, self.options)

    def __call__(self, batch: Any, *more: Any) -> Any:
        """The results of a batch; of columns of Arrow's (``pyarrow.Array``), the column of the results, or a column of structs.

        Raises:
            ArgumentError: a column is missing or fits no parameter, or the result is no columns of as many rows; the message names which.
            RunError: the model failed.
        """
        method = self._method()
        if is_arrow_array(batch):
            return self._of_arrays(method, (batch, *more))
        if more:
            raise ArgumentError(f"one batch is expected, or columns of Arrow's; got {1 + len(more)} arguments, the first a {type(batch).__name__}")
        given = columns(batch)
        kept = self._kept(given.names())
        arguments, rows = self._arguments(method, given)
        results = _results(method(**arguments), self.outputs)
        _check_rows(results, rows if kept else None)
        for name in kept:
            if name in results:
                raise ArgumentError(f"output `{name}`: a column of this name is kept; give the output another by `outputs`")
            if given.rows(name) != rows:
                raise ArgumentError(f"column `{name}` has {given.rows(name)} rows, and the arguments {rows}")
        return given.with_results(kept, results)

    def _method(self) -> Method:
        if self._called is None:
            model = self.model
            if self.num_threads is not None:
                set_num_threads(self.num_threads)
            self._called = model.get_method(self.method)
        return self._called

    def _of_arrays(self, method: Method, arrays: Sequence[Any]) -> Any:
        """The column of results of columns that have no names: they are the inputs' in their order."""
        names = list(dict.fromkeys(name for _, names in self._bound(method, None) for name in names))
        if len(names) != len(arrays):
            raise ArgumentError(f"{len(arrays)} columns: {len(names)} are expected ({_listed(names)})")
        given = Columns({name: array_of_arrow(array, name) for name, array in zip(names, arrays)})
        arguments, rows = self._arguments(method, given)
        results = _results(method(**arguments), self.outputs)
        _check_rows(results, rows)
        return arrow_of_arrays(results)

    def _bound(self, method: Method, present: Optional[Sequence[str]]) -> List[Tuple[str, List[str]]]:
        """Parameters with the columns that they are made of. Without names of columns that are there, no default is made use of."""
        free = [name for name, _ in method.parameters if name not in self.constants]
        if isinstance(self.inputs, Mapping):
            return [(parameter, _names(names)) for parameter, names in self.inputs.items()]
        if self.inputs is None:
            defaults = {} if present is None else method.defaults
            return [(name, [name]) for name in free if name not in defaults or name in (present or ())]
        if len(self.inputs) > len(free):
            message = f"{method.__name__}(): {len(self.inputs)} inputs ({_listed(self.inputs)}) for the parameters {_listed(free)}"
            raise ArgumentError(message)
        return [(parameter, [name]) for parameter, name in zip(free, self.inputs)]

    def _arguments(self, method: Method, given: Columns) -> Tuple[Dict[str, Any], int]:
        """The arguments of the call by name, and how many rows there are."""
        present, types = given.names(), dict(method.parameters)
        arguments = dict(self.constants)
        first: Optional[Tuple[str, int]] = None
        for parameter, names in self._bound(method, present):
            if parameter not in types:
                raise ArgumentError(f"{method.__name__}() has no parameter `{parameter}`: it has {_listed(types)}")
            for name in names:
                if name not in present:
                    raise ArgumentError(f"{method.__name__}(): no column `{name}` for argument {parameter}: the batch has {_listed(present)}")
                rows = given.rows(name)
                first = first or (name, rows)
                if rows != first[1]:
                    raise ArgumentError(f"columns `{first[0]}` and `{name}` have {first[1]} and {rows} rows")
            place = f"{method.__name__}(): argument {parameter}"
            arguments[parameter] = _argument(place, types[parameter], [(name, given.array(name)) for name in names])
        if first is None:
            raise ArgumentError(f"{method.__name__}(): no column of the batch ({_listed(present)}) is an argument")
        return arguments, first[1]

    def _kept(self, present: Sequence[str]) -> List[str]:
        if isinstance(self.keep, bool):
            return list(present) if self.keep else []
        for name in self.keep:
            if name not in present:
                raise ArgumentError(f"no column `{name}` to be kept: the batch has {_listed(present)}")
        return list(self.keep)


def _names(given: _Names) -> List[str]:
    return [given] if isinstance(given, str) else list(given)


def _listed(names: Any) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


def _loaded(source: Union[str, bytes], options: Mapping[str, Any]) -> Model:
    """The process's model of a source."""
    seen: _Seen = None
    if isinstance(source, bytes):
        # Not the bytes themselves, which would be kept beside the model.
        place: Any = hashlib.sha256(source).digest()
    else:
        place, found = os.path.abspath(source), os.stat(source)
        seen = (found.st_size, found.st_mtime_ns)
    key = (place, *sorted((name, str(value)) for name, value in options.items()))
    with _LOADING:
        known = _MODELS.get(key)
        if known is None or known[0] != seen:
            known = _MODELS[key] = (seen, sconce.load(source, **options))
        return known[1]


def _argument(place: str, kind: str, arrays: Sequence[Tuple[str, Any]]) -> Any:
    """What a parameter of this type takes of these columns."""
    import numpy

    names = [name for name, _ in arrays]
    if kind in _GROUPS:
        of_tensors = [_tensor(name, array) for name, array in arrays]
        return dict(zip(names, of_tensors)) if kind.startswith("Dict") else of_tensors
    if kind in _TENSORS:
        made = [_tensor(name, array) for name, array in arrays]
        if len(made) == 1:
            return made[0]
        if len({(array.shape, array.dtype) for array in made}) > 1:
            shown = ", ".join(f"`{name}` {array.dtype} {list(array.shape)}" for name, array in arrays)
            raise ArgumentError(f"{place}: columns of one tensor have one type and one shape; got {shown}")
        return numpy.stack(made, axis=1)
    if kind in _LISTS and len(arrays) == 1:
        return arrays[0][1].tolist()
    if kind in _LISTS:
        raise ArgumentError(f"{place} is a {kind}: one column is expected, got {_listed(names)}")
    raise ArgumentError(f"{place} is a {kind}: columns ({_listed(names)}) are tensors or lists; give it by `constants`")


def _tensor(name: str, array: Any) -> Any:
    """The array that a column is. Lists of a column come out of Ray as an array of arrays."""
    import numpy

    if array.dtype == object and len(array) and all(isinstance(row, numpy.ndarray) for row in array):
        if len({row.shape for row in array}) > 1:
            shown = [list(shape) for shape in sorted({row.shape for row in array})]
            raise ArgumentError(f"column `{name}` has rows of the sizes {shown[0]} to {shown[-1]}: a tensor needs one")
        array = numpy.stack(list(array))
    if array.dtype.kind in "OSUMm":
        raise ArgumentError(f"column `{name}` has elements of {array.dtype}: a tensor has numbers")
    return array


def _results(value: Any, wanted: Optional[Sequence[str]]) -> Dict[str, Any]:
    """The columns that a result is, by name."""
    if isinstance(value, dict) or hasattr(value, "_fields"):
        pairs = value.items() if isinstance(value, dict) else zip(value._fields, value)
        fields = {str(name): of_one for name, of_one in pairs}
        for name in wanted or ():
            if name not in fields:
                raise ArgumentError(f"no output `{name}`: the result has {_listed(fields)}")
        return {name: _column(name, fields[name]) for name in (wanted or fields)}
    if isinstance(value, tuple) or (isinstance(value, list) and value and all(isinstance(item, Tensor) for item in value)):
        names = wanted or [f"output_{i}" for i in range(len(value))]
    else:
        names, value = wanted or ["output"], (value,)
    if len(names) != len(value):
        raise ArgumentError(f"{len(names)} outputs ({_listed(names)}) are named: the result has {len(value)}")
    return {name: _column(name, of_one) for name, of_one in zip(names, value)}


def _column(name: str, value: Any) -> Any:
    """The array of one output."""
    import numpy

    if isinstance(value, Tensor):
        array = value.numpy()
    elif isinstance(value, list) and all(isinstance(item, (bool, int, float, complex, str)) for item in value):
        array = numpy.asarray(value)
    else:
        raise ArgumentError(f"output `{name}` is a {type(value).__name__}: a tensor, or a list of numbers or strings, is expected")
    if array.ndim == 0:
        raise ArgumentError(f"output `{name}` is a tensor without dimensions: the first is the rows of a column")
    return array


def _check_rows(results: Dict[str, Any], rows: Optional[int]) -> None:
    """All columns have as many rows as are expected, or as the first has."""
    for name, array in results.items():
        rows = len(array) if rows is None else rows
        if len(array) != rows:
            raise ArgumentError(f"output `{name}` has the sizes {list(array.shape)}: {rows} rows are expected")
