import torch


def forward(x, y):
    a = torch.relu(x) + y
    x.add_(1.0)
    s = torch.nonzero(a)
    b = x.view(-1)
    return s * 2.0 + 1.0, b
