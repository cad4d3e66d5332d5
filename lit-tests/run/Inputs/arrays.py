import torch


def named_v():
    return {"v": torch.ones(2), "a": torch.full([2], 5.0)}


def named_b():
    return {"b": torch.ones(2), "a": torch.full([2], 5.0)}


def numbered():
    return torch.ones(2), torch.full([2], 5.0)


def three():
    return torch.ones(2), torch.ones(2), torch.ones(2)
