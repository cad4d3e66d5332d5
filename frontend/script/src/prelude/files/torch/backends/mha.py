"""Whether attention may take its fast path."""


import torch


def get_fastpath_enabled() -> bool:
    if not torch.jit.is_scripting():
        return True
    return True
