"""What a program may ask about the compiler that runs it."""


def is_compiling() -> bool:
    return False


def is_exporting() -> bool:
    return False


def is_dynamo_compiling() -> bool:
    return False
