"""Batches of columns are read as NumPy's arrays and given back as the kind that came: dictionaries of arrays, tables and record batches of Arrow's.

Nothing is copied where the layout allows: numbers without nulls, and lists of one length of them, are arrays over Arrow's memory.
"""

import sys
from typing import Any, Dict, List, Mapping, Sequence

from .errors import ArgumentError


def _arrow() -> Any:
    """The module pyarrow, if anything of it can have come here: who has no object of its classes need not have it."""
    return sys.modules.get("pyarrow")


def is_arrow_array(value: Any) -> bool:
    """Whether it is one column of Arrow's."""
    pa = _arrow()
    return pa is not None and isinstance(value, (pa.Array, pa.ChunkedArray))


class Columns:
    """A dictionary of arrays, which is also what the other kinds are here."""

    def __init__(self, batch: Any) -> None:
        self.batch = batch

    def names(self) -> List[str]:
        """The names of the columns."""
        return list(self.batch)

    def rows(self, name: str) -> int:
        """How many rows a column has."""
        try:
            return len(self.batch[name])
        except TypeError:
            raise ArgumentError(f"column `{name}` is a {type(self.batch[name]).__name__}: an array of rows is expected") from None

    def array(self, name: str) -> Any:
        """A column's NumPy array."""
        import numpy

        return numpy.asarray(self.batch[name])

    def with_results(self, kept: Sequence[str], results: Dict[str, Any]) -> Any:
        """The batch of these columns of this one and of the results."""
        return {**{name: self.batch[name] for name in kept}, **results}


class ArrowColumns(Columns):
    """A table or a record batch."""

    def names(self) -> List[str]:
        return list(self.batch.schema.names)

    def rows(self, name: str) -> int:
        return int(self.batch.num_rows)

    def array(self, name: str) -> Any:
        return array_of_arrow(self._column(name), name)

    def with_results(self, kept: Sequence[str], results: Dict[str, Any]) -> Any:
        pa, schema = _arrow(), self.batch.schema
        columns = [self._column(name) for name in kept]
        fields = [schema.field(name) for name in kept]
        for name, array in results.items():
            columns.append(arrow_of_array(array, name))
            fields.append(pa.field(name, columns[-1].type))
        return type(self.batch).from_arrays(columns, schema=pa.schema(fields, schema.metadata))

    def _column(self, name: str) -> Any:
        if self.names().count(name) > 1:
            raise ArgumentError(f"column `{name}`: the batch has several of this name")
        return self.batch.column(name)


def columns(batch: Any) -> Columns:
    """The columns of a batch.

    Raises:
        ArgumentError: it is no batch of a known kind.
    """
    if isinstance(batch, Mapping):
        return Columns(batch)
    pa = _arrow()
    if pa is not None and isinstance(batch, (pa.Table, pa.RecordBatch)):
        return ArrowColumns(batch)
    raise ArgumentError(
        f"a {type(batch).__name__} is no batch: a dictionary of NumPy arrays, a pyarrow.Table or a pyarrow.RecordBatch is expected"
    )


def array_of_arrow(column: Any, name: str) -> Any:
    """The NumPy array of a column of Arrow's: lists of one length are further dimensions.

    Raises:
        ArgumentError: it has nulls, or lists of several lengths.
    """
    pa = _arrow()
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    shape = [len(column)]
    while True:
        if column.null_count:
            raise ArgumentError(f"column `{name}` has {column.null_count} nulls: a tensor has none")
        if isinstance(column, pa.ExtensionArray):
            array = _of_extension(column, name)
            return array.reshape(*shape, *array.shape[1:])
        if pa.types.is_fixed_size_list(column.type):
            size = column.type.list_size
        elif pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
            size = _one_length(column, name)
        else:
            return column.to_numpy(zero_copy_only=False).reshape(shape)
        shape.append(size)
        column = column.flatten()


def _of_extension(column: Any, name: str) -> Any:
    """Tensors as Arrow's and Ray's extension types have them. Only the first leaves it to the caller to see that no element is null."""
    convert = getattr(column, "to_numpy_ndarray", None)
    if convert is None:
        return column.to_numpy(zero_copy_only=False)
    nulls = column.storage.flatten().null_count
    if nulls:
        raise ArgumentError(f"column `{name}` has {nulls} nulls: a tensor has none")
    return convert()


def _one_length(column: Any, name: str) -> int:
    """The length that all lists of a column have; 0 where there are no lists."""
    import numpy

    lengths = numpy.diff(column.offsets.to_numpy())
    if len(lengths) == 0:
        return 0
    least, most = int(lengths.min()), int(lengths.max())
    if least != most:
        raise ArgumentError(f"column `{name}` has lists of {least} to {most} elements: a tensor needs one length")
    return most


def arrow_of_array(array: Any, name: str) -> Any:
    """The column of Arrow's of a NumPy array; further dimensions are lists of a fixed size.

    Raises:
        ArgumentError: Arrow has no such element type.
    """
    pa = _arrow()
    try:
        column = pa.array(array.reshape(-1))
    except (pa.ArrowException, TypeError) as e:
        raise ArgumentError(f"output `{name}`: Arrow has no column of {array.dtype} ({e})") from e
    for at in range(array.ndim - 1, 0, -1):
        kind, rows = pa.list_(column.type, array.shape[at]), 1
        for size in array.shape[:at]:
            rows *= size
        # The length is said, since of lists of no elements it cannot be seen.
        column = pa.Array.from_buffers(kind, rows, [None], children=[column])
    return column


def arrow_of_arrays(arrays: Mapping[str, Any]) -> Any:
    """The column of Arrow's of one array; of several, a column of structs."""
    made = [arrow_of_array(array, name) for name, array in arrays.items()]
    return made[0] if len(made) == 1 else _arrow().StructArray.from_arrays(made, names=list(arrays))
