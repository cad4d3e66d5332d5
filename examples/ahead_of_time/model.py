"""A classifier of images of 3 x 16 x 16."""
import torch
from torch import nn, Tensor


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2))
        self.classes = nn.Linear(8 * 8 * 8, 4)

    def forward(self, image: Tensor) -> Tensor:
        return torch.softmax(self.classes(self.features(image).flatten(1)), 1)
