"""Whether another compiler is at work: none is."""


def is_compiling() -> bool:
    return False


def is_exporting() -> bool:
    return False
