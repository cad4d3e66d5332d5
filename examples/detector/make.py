#!/usr/bin/env python3
"""Makes this example: draws pictures of shapes, teaches a small Faster R-CNN of torchvision to find them, and saves it with torch.jit.save.

    python make.py

Needs PyTorch 2.15, torchvision 0.29 and Pillow; takes some minutes on one core. Writes picture.npy, model.pt and expected.npz (PyTorch's boxes,
labels and scores).
"""
import os
import tempfile
from typing import List, Tuple

import numpy as np
import torch
from PIL import Image, ImageDraw
from torch import nn
from torchvision.models.detection import FasterRCNN
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection.faster_rcnn import FastRCNNPredictor, TwoMLPHead
from torchvision.models.detection.rpn import RPNHead
from torchvision.ops import MultiScaleRoIAlign

STEPS = 450
HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ["nothing", "circle", "square", "triangle"]
HEIGHT, WIDTH = 96, 128


def draw(random: np.random.Generator, count: int):
    """A picture of some shapes that hardly touch, with their boxes and labels."""
    ground = random.integers(0, 90, 3)
    picture = Image.new("RGB", (WIDTH, HEIGHT), tuple(int(c) for c in ground))
    pen = ImageDraw.Draw(picture)
    boxes: List[List[float]] = []
    labels: List[int] = []
    for _ in range(20 * count):
        if len(boxes) == count:
            break
        size = int(random.integers(16, 40))
        x, y = int(random.integers(1, WIDTH - size - 1)), int(random.integers(1, HEIGHT - size - 1))
        if any(x < r and l < x + size and y < b and t < y + size for l, t, r, b in boxes):
            continue
        color = tuple(int(c) for c in random.integers(110, 256, 3))
        label = int(random.integers(1, 4))
        if label == 1:
            pen.ellipse([x, y, x + size, y + size], fill=color)
        elif label == 2:
            pen.rectangle([x, y, x + size, y + size], fill=color)
        else:
            pen.polygon([(x, y + size), (x + size, y + size), (x + size // 2, y)], fill=color)
        boxes.append([x, y, x + size, y + size])
        labels.append(label)
    noise = random.normal(0, 6, (HEIGHT, WIDTH, 3))
    pixels = np.clip(np.asarray(picture) + noise, 0, 255).astype(np.uint8)
    return pixels, torch.tensor(boxes, dtype=torch.float32), torch.tensor(labels)


def layer(channels: int, out: int, stride: int):
    return nn.Sequential(nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU())


class Backbone(nn.Module):
    """Features of an eighth of the picture's size."""

    def __init__(self):
        super().__init__()
        self.out_channels = 48
        self.body = nn.Sequential(layer(3, 16, 2), layer(16, 32, 2), layer(32, 48, 2), layer(48, 48, 1), layer(48, 48, 1))

    def forward(self, x):
        return self.body(x)


class Detector(nn.Module):
    """Boxes of the shapes in a picture of bytes."""

    def __init__(self, model: FasterRCNN, names: List[str]):
        super().__init__()
        self.model = model
        self.names = names

    def forward(self, picture: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        found = self.model([picture.permute(2, 0, 1).float() / 255])[1][0]
        return found["boxes"], found["labels"], found["scores"]

    @torch.jit.export
    def describe(self, picture: torch.Tensor) -> None:
        boxes, labels, scores = self.forward(picture)
        for i in range(len(scores)):
            edges: List[int] = boxes[i].round().to(torch.int64).tolist()
            name = self.names[int(labels[i])]
            percent = int(round(100 * float(scores[i])))
            print("%s %d%% at (%d, %d) to (%d, %d)" % (name, percent, edges[0], edges[1], edges[2], edges[3]))


def model():
    anchors = AnchorGenerator(sizes=((16, 28, 40),), aspect_ratios=((1.0,),))
    backbone = Backbone()
    return FasterRCNN(
        backbone,
        min_size=HEIGHT,
        max_size=WIDTH,
        rpn_anchor_generator=anchors,
        rpn_head=RPNHead(backbone.out_channels, 3),
        rpn_pre_nms_top_n_train=300,
        rpn_pre_nms_top_n_test=300,
        rpn_post_nms_top_n_train=80,
        rpn_post_nms_top_n_test=80,
        rpn_batch_size_per_image=64,
        box_batch_size_per_image=48,
        box_roi_pool=MultiScaleRoIAlign(featmap_names=["0"], output_size=5, sampling_ratio=2),
        box_head=TwoMLPHead(backbone.out_channels * 25, 96),
        box_predictor=FastRCNNPredictor(96, len(NAMES)),
        box_score_thresh=0.5,
        box_nms_thresh=0.3,
    )


def teach(net: nn.Module, steps: int, batch: int):
    random = np.random.default_rng(1)
    optimizer = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3, steps)
    net.train()
    for step in range(steps):
        drawn = [draw(random, int(random.integers(1, 6))) for _ in range(batch)]
        pictures = [torch.from_numpy(p).permute(2, 0, 1).float() / 255 for p, _, _ in drawn]
        losses = net(pictures, [{"boxes": b, "labels": l} for _, b, l in drawn])
        loss = sum(losses.values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 50 == 0:
            print(step, float(loss), flush=True)
    net.eval()


def save(detector: torch.jit.ScriptModule, path: str):
    """Saves without debug records: they quote the source of libraries."""
    with tempfile.TemporaryDirectory() as folder:
        whole = os.path.join(folder, "whole.pt")
        detector.save(whole)
        reader = torch._C.PyTorchFileReader(whole)
        writer = torch._C.PyTorchFileWriter(path)
        written = ("version", "byteorder", ".data/serialization_id")
        for name in reader.get_all_records():
            if not name.endswith(".debug_pkl") and name not in written:
                record = reader.get_record(name)
                writer.write_record(name, record, len(record))
        writer.write_end_of_file()


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    net = model()
    teach(net, STEPS, 8)
    picture, boxes, labels = draw(np.random.default_rng(20), 5)
    detector = torch.jit.script(Detector(net, NAMES).eval())
    with torch.no_grad():
        found = detector(torch.from_numpy(picture))
        detector.describe(torch.from_numpy(picture))
    print("drawn:", [(NAMES[l], b.int().tolist()) for b, l in zip(boxes, labels)])
    np.save(os.path.join(HERE, "picture.npy"), picture)
    save(detector, os.path.join(HERE, "model.pt"))
    np.savez(os.path.join(HERE, "expected.npz"), **{str(i): t.numpy() for i, t in enumerate(found)})


main()
