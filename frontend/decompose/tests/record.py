"""Records what PyTorch makes of programs in Core ATen: python record.py FOLDER writes NAME/{program.pt2, graph.txt, core.txt} for each program below.

What is written is compared by `cargo run -p sconce-decompose --example core_aten -- FOLDER`.
"""

import os
import sys

import torch
from torch import nn
from torch.export import Dim, export, save
from torch.nn import functional as F

torch.manual_seed(0)
T = torch.randn
B, S = Dim("b", min=2, max=64), Dim("s", min=2, max=64)


class Of(nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


class Block(nn.Module):
    def __init__(self, c, stride=1):
        super().__init__()
        self.a = nn.Sequential(nn.Conv2d(c, 2 * c, 3, stride, 1, bias=False), nn.BatchNorm2d(2 * c), nn.ReLU(inplace=True))
        self.b = nn.Sequential(nn.Conv2d(2 * c, 2 * c, 3, padding=1, bias=False), nn.BatchNorm2d(2 * c))
        self.down = nn.Sequential(nn.Conv2d(c, 2 * c, 1, stride, bias=False), nn.BatchNorm2d(2 * c))

    def forward(self, x):
        return F.relu(self.b(self.a(x)) + self.down(x))


def residual():
    return nn.Sequential(
        nn.Conv2d(3, 4, 7, 2, 3, bias=False), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1),
        Block(4), Block(8, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 5),
    )  # fmt: skip


class Excite(nn.Module):
    """What mobile nets have: a depthwise convolution, and channels weighed by their means."""

    def __init__(self, c):
        super().__init__()
        self.expand = nn.Sequential(nn.Conv2d(c, 4 * c, 1, bias=False), nn.BatchNorm2d(4 * c), nn.Hardswish(inplace=True))
        self.deep = nn.Sequential(nn.Conv2d(4 * c, 4 * c, 5, padding=2, groups=4 * c, bias=False), nn.BatchNorm2d(4 * c), nn.SiLU())
        self.weigh = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(4 * c, c, 1), nn.ReLU6(), nn.Conv2d(c, 4 * c, 1), nn.Hardsigmoid())
        self.shrink = nn.Sequential(nn.Conv2d(4 * c, c, 1, bias=False), nn.BatchNorm2d(c))

    def forward(self, x):
        y = self.deep(self.expand(x))
        return x + self.shrink(y * self.weigh(y))


class Dense(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Sequential(nn.BatchNorm2d(4 + 2 * i), nn.ReLU(), nn.Conv2d(4 + 2 * i, 2, 3, padding=1)) for i in range(3)])

    def forward(self, x):
        found = [x]
        for layer in self.layers:
            found.append(layer(torch.cat(found, 1)))
        return F.avg_pool2d(torch.cat(found, 1), 2)


class Shuffle(nn.Module):
    def __init__(self):
        super().__init__()
        self.branch = nn.Sequential(nn.Conv2d(4, 4, 1), nn.BatchNorm2d(4), nn.ReLU())

    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        y = torch.cat((a, self.branch(b)), dim=1)
        n, c, h, w = y.size()
        return y.view(n, 2, c // 2, h, w).transpose(1, 2).contiguous().view(n, c, h, w)


class Unet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(3, 4, 3, padding=1)
        self.deep = nn.Conv2d(4, 8, 3, padding=1)
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.last = nn.Conv2d(8, 2, 1)
        self.norm = nn.GroupNorm(2, 4)

    def forward(self, x):
        a = F.leaky_relu(self.norm(self.down(x)), 0.1)
        b = self.up(F.elu(self.deep(F.max_pool2d(a, 2))))
        return self.last(torch.cat([a, b], 1)).softmax(1)


class Attend(nn.Module):
    def __init__(self, causal):
        super().__init__()
        self.causal = causal
        self.qkv, self.out = nn.Linear(8, 24), nn.Linear(8, 8)

    def forward(self, x):
        b, s, c = x.shape
        q, k, v = self.qkv(x).reshape(b, s, 3, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.out(y.transpose(1, 2).reshape(b, s, c))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(11, 8), nn.Embedding(7, 8)
        self.n1, self.n2, self.n3 = nn.LayerNorm(8), nn.LayerNorm(8), nn.LayerNorm(8)
        self.attend = Attend(True)
        self.mlp = nn.Sequential(nn.Linear(8, 32), nn.GELU(approximate="tanh"), nn.Linear(32, 8))

    def forward(self, ids):
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1]))
        x = x + self.attend(self.n1(x))
        x = x + self.mlp(self.n2(x))
        return self.n3(x) @ self.tokens.weight.t()


class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.RMSNorm(8)
        self.gate, self.up, self.down = (nn.Linear(8, 16, bias=False), nn.Linear(8, 16, bias=False), nn.Linear(16, 8, bias=False))
        self.register_buffer("cos", T(5, 4))
        self.register_buffer("sin", T(5, 4))

    def forward(self, x):
        x = self.norm(x)
        a, b = x[..., :4], x[..., 4:]
        turned = torch.cat([a * self.cos - b * self.sin, a * self.sin + b * self.cos], -1)
        return self.down(F.silu(self.gate(turned)) * self.up(turned))


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.embed = nn.Embedding(9, 4)
        self.layer = kind(4, 3, num_layers=2, batch_first=True, bidirectional=True)
        self.last = nn.Linear(6, 2)

    def forward(self, ids):
        y, _ = self.layer(self.embed(ids))
        return F.log_softmax(self.last(y[:, -1]), -1)


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(3))
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        self.steps.add_(1)
        self.seen[1:] += x.sum(0)[1:]
        self.seen.mul_(0.5)
        return x - self.seen, self.steps


class Cache(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(1, 6, 4))

    def forward(self, x):
        self.keys[:, 2:5] = x
        self.keys.copy_(self.keys.roll(1, 1))
        return torch.softmax(x @ self.keys.transpose(1, 2), -1) @ self.keys


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.LayerNorm(4)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: F.silu(self.a(x)), lambda x: self.b(x).chunk(2, 0)[0].repeat(2, 1), (x,))


def writes(x):
    y = x.clone()
    y[:, 0] = 1.0
    y[0].add_(2)
    y.view(-1)[3:5].mul_(3)
    y.transpose(0, 1)[1].zero_()
    return F.relu_(y)


PROGRAMS = {
    "residual": (residual(), T(1, 3, 16, 16)),
    "residual_dynamic": (residual(), T(2, 3, 16, 16), {0: B}),
    "mobile": (Excite(4), T(1, 4, 6, 6)),
    "dense": (Dense(), T(1, 4, 6, 6)),
    "shuffle": (Shuffle(), T(1, 8, 4, 4)),
    "unet": (Unet(), T(1, 3, 8, 8)),
    "vit": (nn.Sequential(nn.Conv2d(3, 8, 4, 4), nn.Flatten(2), Of(lambda x: x.transpose(1, 2)), nn.LayerNorm(8), Attend(False)), T(1, 3, 8, 8)),
    "gpt": (Gpt(), torch.tensor([[1, 2, 3, 4, 5]])),
    "gpt_batch": (Gpt(), torch.tensor([[1, 2, 3], [4, 5, 6]])),
    "llama": (Llama(), T(2, 5, 8)),
    "lstm": (Recurrent(nn.LSTM), torch.tensor([[1, 2, 3]])),
    "gru": (Recurrent(nn.GRU), torch.tensor([[1, 2, 3], [4, 5, 6]])),
    "counter": (Counter(), T(2, 3)),
    "cache": (Cache(), T(1, 3, 4)),
    "branches": (Branches(), T(2, 4)),
    "writes": (writes, T(2, 3)),
    "encoder": (nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, norm_first=True), 1, enable_nested_tensor=False), T(2, 3, 8)),
    "decoder": (nn.TransformerDecoderLayer(8, 2, 16), T(3, 1, 8), T(2, 1, 8)),
    "multihead": (nn.MultiheadAttention(8, 2), T(3, 2, 8), T(3, 2, 8), T(3, 2, 8)),
    "einsum_three": (lambda a, b, c: torch.einsum("ij,jk,kl->il", a, b, c), T(2, 3), T(3, 4), T(4, 5)),
    "einsum_dots": (lambda a, b: torch.einsum("b...d,b...d->b...", a, b), T(2, 3, 4), T(2, 3, 4)),
    "norms": (lambda x: (F.normalize(x, dim=-1), x.norm(p=1), torch.linalg.vector_norm(x, dim=1), x.std(0), x.var()), T(3, 4)),
    "losses": (lambda x, y: (F.mse_loss(x, y), F.smooth_l1_loss(x, y), F.l1_loss(x, y, reduction="sum"), F.huber_loss(x, y)), T(3, 4), T(3, 4)),
    "cross_entropy": (lambda x, y: (F.cross_entropy(x, y), F.cross_entropy(x, y, label_smoothing=0.1)), T(3, 4), torch.tensor([0, 1, 2])),
    "resize": (lambda x: (F.interpolate(x, scale_factor=2), F.interpolate(x, size=(3, 5), mode="bilinear"), F.interpolate(x[0], scale_factor=2.0, mode="linear")), T(1, 2, 4, 4)),
    "pads": (lambda x: (F.pad(x, (1, 2)), F.pad(x, (1, 1, 2, 0), mode="reflect"), F.pad(x, (1, 0, 0, 1), mode="replicate"), F.pad(x, (1, 1, 1, 1), mode="circular")), T(1, 2, 4, 4)),
    "windows": (lambda x: F.fold(F.unfold(x, 2, stride=2), (4, 4), 2, stride=2), T(1, 2, 4, 4)),
    "instance": (nn.Sequential(nn.InstanceNorm2d(3, affine=True), nn.PReLU(3), nn.PixelUnshuffle(2), nn.PixelShuffle(2)), T(2, 3, 4, 4)),
    "pieces": (lambda x: (*x.split(2, 1), *x.tensor_split(3, 1), *x.unbind(0), x.unflatten(1, (2, 2)), torch.stack([x, x], -1)), T(2, 4)),
    "places": (lambda x, i: (x[i], x[:, i], x.gather(1, i[None].expand(3, 2)), x.index_select(0, i), x.scatter(1, i[None].expand(3, 2), 2.0)), T(3, 3), torch.tensor([0, 2])),
    "dynamic_linear": (nn.Linear(4, 3), T(2, 5, 4), {0: B, 1: S}),
    "dynamic_attention": (Attend(False), T(2, 5, 8), {0: B, 1: S}),
    "dynamic_reshape": (lambda x: x.transpose(1, 2).reshape(x.shape[0], -1).chunk(2, 1), T(2, 4, 3), {0: B}),
    "dynamic_sizes": (lambda x: (torch.zeros(x.shape[0] + 1), x.new_ones(x.shape[1] * 2), x.sum() * x.shape[0]), T(2, 4), {0: B, 1: S}),
    "data": (lambda x: (x.nonzero(), x[x > 0].sum()), T(3, 4)),
}  # fmt: skip


def main(folder):
    for name, (program, *args) in PROGRAMS.items():
        dynamic = args.pop() if isinstance(args[-1], dict) else None
        module = (program if isinstance(program, nn.Module) else Of(program)).eval()
        shapes = None
        if dynamic is not None:
            shapes = ((dynamic,),) if isinstance(module, Of) else (dynamic,)
        exported = export(module, tuple(args), dynamic_shapes=shapes, strict=False)
        graph, core = str(exported.graph), str(exported.run_decompositions().graph)
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        save(exported, os.path.join(folder, name, "program.pt2"))
        for file, text in (("graph.txt", graph), ("core.txt", core)):
            with open(os.path.join(folder, name, file), "w") as out:
                out.write(text + "\n")


main(sys.argv[1])
