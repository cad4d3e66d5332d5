"""Whether attention layers may run as one operator."""


def get_fastpath_enabled() -> bool:
    return True
