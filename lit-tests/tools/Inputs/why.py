import torch


def forward(x, y):
    a = torch.relu(x) + y
    x.add_(1.0)
    s, i = torch.sort(a)
    b = x.view(-1)
    return s * 2.0 + 1.0, b
