"""How a loss is reduced: the numbers of the names, and the two older switches in place of a name."""
import warnings
from typing import Optional


def get_enum(reduction: str) -> int:
    known = ["none", "mean", "sum"]
    if reduction not in known:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return known.index(reduction)


def legacy_get_string(size_average: Optional[bool], reduce: Optional[bool]) -> str:
    name = "mean"
    if reduce is not None and not reduce:
        name = "none"
    elif size_average is not None and not size_average:
        name = "sum"
    warnings.warn(f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.")
    return name


def legacy_get_enum(size_average: Optional[bool], reduce: Optional[bool]) -> int:
    return get_enum(legacy_get_string(size_average, reduce))
