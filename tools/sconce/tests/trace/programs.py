"""Programs whose traces are recorded: sources that call torch.jit.trace, each with calls of what it gives.

A program is (name, source, [argument expressions]). The source leaves what is traced in `T`; weights are numbers that the source itself makes, so that
no archive is needed to run it again.
"""

HEAD = """import torch
from torch import nn
import torch.nn.functional as F


def t(*s, k=1.0):
    n = 1
    for d in s:
        n = n * d
    return (torch.arange(n, dtype=torch.float32) % 7 - 3).mul(k).reshape(s)


def filled(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(((torch.arange(p.numel(), dtype=torch.float32) + i) % 5 - 2).mul(0.25).reshape(p.shape))
    return m


"""

FUNCTIONS = {
    "add_mul": ("def f(x, y):\n    return (x + y) * 2 - 1", "t(2, 3), t(3)", ["t(2, 3), t(3)", "t(4, 3), t(1)"]),
    "scalars": ("def f(x):\n    return 2 / (x + 5) - 3 + (1 - x) * 0.5", "t(4)", ["t(4)", "t(2, 2)"]),
    "pow_mod": ("def f(x):\n    return x ** 2 + x % 3 + (x // 2) + abs(x) + -x", "t(4)", ["t(4)", "t(2, 2)"]),
    "compare": ("def f(x):\n    return (x > 0) & (x <= 2) | (x == -1), x != 0", "t(6)", ["t(6)", "t(3, 2)"]),
    "inplace": ("def f(x):\n    y = x.clone()\n    y.add_(1)\n    y[0] = 5\n    y[:, 1] += x[:, 0]\n    y.mul_(2)\n    return y", "t(3, 2)", ["t(3, 2)", "t(4, 3)"]),
    "inplace_of_view": ("def f(x):\n    y = x * 1\n    y[1:].mul_(3)\n    y[0, 1:2].zero_()\n    return y", "t(3, 3)", ["t(3, 3)", "t(4, 3)"]),
    "augmented": ("def f(x):\n    y = x + 1\n    y += x\n    y *= 2\n    y -= 1\n    y /= 4\n    return y", "t(3)", ["t(3)", "t(5)"]),
    "view_size": ("def f(x):\n    b = x.shape[0]\n    y = x.view(b, -1)\n    return y.sum(1) / y.shape[1], x.reshape(x.size(0) * x.size(1), -1)", "t(2, 3, 4)", ["t(2, 3, 4)", "t(3, 1, 5)"]),
    "size_arithmetic": ("def f(x):\n    h = x.size(-1) // 2\n    return x[..., :h], x[..., h:], x.new_zeros(x.size(0), h + 1)", "t(2, 6)", ["t(2, 6)", "t(3, 10)"]),
    "size_unpacked": ("def f(x):\n    b, c, h, w = x.shape\n    return x.view(b, c, h * w).permute(0, 2, 1).reshape(b, -1)", "t(2, 3, 2, 2)", ["t(2, 3, 2, 2)", "t(1, 2, 3, 4)"]),
    "size_whole": ("def f(x, y):\n    return y.expand(x.size()) + torch.zeros(x.shape), y.view(x.size())", "t(2, 3), t(2, 3)", ["t(2, 3), t(2, 3)", "t(3, 4), t(3, 4)"]),
    "size_in_arange": ("def f(x):\n    i = torch.arange(x.size(1), device=x.device)\n    return x + i, torch.ones(x.size(0), 2)", "t(2, 3)", ["t(2, 3)", "t(3, 5)"]),
    "numel": ("def f(x):\n    return x.sum() / x.numel(), x.dim() * x", "t(2, 3)", ["t(2, 3)", "t(4, 5)"]),
    "expand": ("def f(x, y):\n    return torch.where(x > 0, x, y), x.expand(4, 2, 3), x.expand_as(torch.zeros(5, 2, 3)), torch.masked_fill(x, x > 1, 0.5)", "t(2, 3), t(3)", ["t(2, 3), t(3)"]),
    "expand_implicit": ("def f(x, w):\n    return x.addmm(x, w), torch.lerp(x, w, 0.25)", "t(3, 3), t(3, 3)", ["t(3, 3), t(3, 3)"]),
    "views": ("def f(x):\n    return x.t(), x.transpose(0, 1), x.unsqueeze(0).squeeze(), x.permute(1, 0), x.flatten(), x.T, x[None], x[..., 0], x[:, ::2]", "t(2, 3)", ["t(2, 3)", "t(4, 5)"]),
    "indexing": ("def f(x, i):\n    return x[i], x[:, i], x[x > 0], x[1], x[-1, 0], x[0:1, 1:]", "t(3, 3), torch.tensor([0, 2])", ["t(3, 3), torch.tensor([0, 2])", "t(4, 4), torch.tensor([1])"]),
    "index_put": ("def f(x, i):\n    y = x.clone()\n    y[i] = 1.5\n    y[y > 2] = 0\n    return y", "t(3, 3), torch.tensor([0, 2])", ["t(3, 3), torch.tensor([0, 2])", "t(4, 4), torch.tensor([1])"]),
    "casts": ("def f(x):\n    return x.float(), x.long(), x.to(torch.float64), x.half(), x.type_as(torch.zeros(1, dtype=torch.int32)), x.bool(), x.to('cpu'), x.to(x.dtype)", "t(4)", ["t(4)", "t(2, 3)"]),
    "reductions": ("def f(x):\n    m, i = x.max(dim=1)\n    return m, i, x.sum(), x.mean(-1, keepdim=True), x.std(dim=0), x.argmax(1), torch.max(x), x.var(1, unbiased=False), x.norm(), x.cumsum(0)", "t(3, 4)", ["t(3, 4)", "t(2, 5)"]),
    "joins": ("def f(x, y):\n    return torch.cat([x, y], dim=1), torch.stack((x, y)), torch.cat((x, x * 2, y))", "t(2, 3), t(2, 3)", ["t(2, 3), t(2, 3)", "t(4, 2), t(4, 2)"]),
    "splits": ("def f(x):\n    a, b = x.chunk(2, dim=1)\n    c = torch.split(x, 2)\n    d = x.unbind(0)\n    return a * b, c[0] + 1, d[1]", "t(4, 4)", ["t(4, 4)", "t(4, 6)"]),
    "linalg": ("def f(x, y):\n    return x @ y, torch.matmul(x, y), torch.bmm(x[None], y[None]), torch.einsum('ij,jk->ik', x, y), torch.mm(x, y)", "t(2, 3), t(3, 4)", ["t(2, 3), t(3, 4)", "t(5, 2), t(2, 3)"]),
    "functional": ("def f(x):\n    return F.relu(x), F.softmax(x, dim=-1), F.gelu(x), F.leaky_relu(x, 0.1), F.layer_norm(x, (3,)), F.pad(x, (1, 1)), F.log_softmax(x, 1), F.silu(x), F.hardtanh(x), F.elu(x)", "t(2, 3)", ["t(2, 3)", "t(4, 3)"]),
    "one_hot": ("def f(i):\n    return F.one_hot(i, 4), F.embedding(i, torch.eye(4))", "torch.tensor([0, 3, 1])", ["torch.tensor([0, 3, 1])", "torch.tensor([2])"]),
    "losses": ("def f(x, y):\n    return F.mse_loss(x, y), F.cross_entropy(x, y.argmax(1)), F.l1_loss(x, y, reduction='sum')", "t(2, 3), t(2, 3, k=2.0)", ["t(2, 3), t(2, 3, k=2.0)", "t(4, 3), t(4, 3, k=2.0)"]),
    "constants": ("TABLE = torch.tensor([[1.0, 2.0], [3.0, 4.0]])\n\n\ndef f(x):\n    return x @ TABLE + torch.arange(2) + torch.zeros(2) + torch.full((2,), 0.5)", "t(3, 2)", ["t(3, 2)", "t(1, 2)"]),
    "constant_returned": ("C = torch.ones(2)\n\n\ndef f(x):\n    return x + C, C", "t(2)", ["t(2)"]),
    "input_returned": ("def f(x, y):\n    return x, y + x, x", "t(2), t(2)", ["t(2), t(2)", "t(3), t(3)"]),
    "branch_frozen": ("def f(x):\n    if x.sum() > 0:\n        return x * 2\n    return x - 1", "torch.ones(3)", ["torch.ones(3)", "torch.full((3,), -2.0)"]),
    "loop_unrolled": ("def f(x):\n    for i in range(x.shape[0]):\n        x = x + i\n    return x", "t(3)", ["t(3)", "t(5)"]),
    "loop_constant": ("def f(x):\n    out = []\n    for i in range(3):\n        out.append(x * i)\n    return torch.stack(out)", "t(3)", ["t(3)", "t(5)"]),
    "iterated": ("def f(x):\n    s = 0\n    for row in x:\n        s = s + row * 2\n    return s", "t(3, 2)", ["t(3, 2)", "t(3, 4)"]),
    "len_of": ("def f(x):\n    return x / len(x)", "t(3, 2)", ["t(3, 2)", "t(5, 2)"]),
    "int_of": ("def f(x):\n    k = int(x.sum() * 0 + 3)\n    return x * k + float(x.mean()) * 0", "t(3)", ["t(3)", "t(6)"]),
    "item_of": ("def f(x):\n    return x * x.max().item()", "t(3)", ["t(3)", "t(6)"]),
    "tolist_of": ("def f(x):\n    return x * x.tolist()[0]", "t(3)", ["t(3)", "t(6)"]),
    "index_of": ("def f(x):\n    xs = [x, x * 2, x * 3]\n    return xs[x.argmax()]", "t(3)", ["t(3)", "t(6)[:2]"]),
    "bool_of_size": ("def f(x):\n    if x.size(0) > 2:\n        return x * 2\n    return x", "t(3)", ["t(3)", "t(2)"]),
    "tensor_made": ("def f(x):\n    return x + torch.tensor([1.0, 2.0])", "t(2)", ["t(2)", "t(3, 2)"]),
    "tuple_in": ("def f(x, pair):\n    a, b = pair\n    return a + b, (x, b * 2)", "t(2), (t(2), t(2, k=2.0))", ["t(2), (t(2), t(2, k=2.0))", "t(3), (t(3), t(3, k=2.0))"]),
    "tuple_nested": ("def f(p):\n    (a, b), c = p\n    return ((a * b,), c)", "((t(2), t(2)), t(2)),", ["((t(2), t(2)), t(2)),", "((t(3), t(3)), t(3)),"]),
    "list_in": ("def f(xs):\n    return xs[0] + xs[1], torch.stack(xs)", "[t(2), t(2)],", ["[t(2), t(2)],", "[t(3), t(3)],"]),
    "list_out": ("def f(x):\n    return [x, x * 2]", "t(2)", None),
    "list_out_loose": ("def f(x):\n    return [x, x * 2]", "t(2)", ["t(2)", "t(3)"]),
    "dict_in": ("def f(d):\n    return d['a'] + d['b']", "{'a': t(2), 'b': t(2)},", ["{'a': t(2), 'b': t(2)},", "{'a': t(3), 'b': t(3)},"]),
    "dict_out": ("def f(x):\n    return {'s': x + 1, 'p': x * 2}", "t(2)", None),
    "dict_out_loose": ("def f(x):\n    return {'s': x + 1, 'p': x * 2}, x", "t(2)", ["t(2)", "t(3)"]),
    "output_int": ("def f(x):\n    return x, 3", "t(2)", None),
    "output_none": ("def f(x):\n    x + 1", "t(2)", None),
    "output_str": ("def f(x):\n    return 'a'", "t(2)", None),
    "input_int": ("def f(x, n):\n    return x * n", "t(2), 3", None),
    "random": ("def f(x):\n    return x + torch.rand(3) * 0 + torch.randn_like(x) * 0", "t(3)", ["t(3)"]),
    "random_differs": ("def f(x):\n    return x + torch.rand(3)", "t(3)", []),
    "state_differs": ("n = [0]\n\n\ndef f(x):\n    n[0] += 1\n    return x + 1 if n[0] % 2 else x * 2", "t(3)", None),
    "value_differs": ("n = [0.0]\n\n\ndef f(x):\n    n[0] += 1\n    return x + torch.full((3,), n[0])", "t(3)", None),
    "script_called": ("@torch.jit.script\ndef pick(x, n: int):\n    if n > 2:\n        r = x * n\n    else:\n        r = x + n\n    return r\n\n\ndef f(x):\n    return pick(x, x.size(0)) + 1", "t(2)", ["t(2)", "t(4)"]),
    "script_loop": ("@torch.jit.script\ndef total(x):\n    s = torch.zeros_like(x[0])\n    for i in range(x.size(0)):\n        s = s + x[i]\n    return s\n\n\ndef f(x):\n    return total(x) * 2", "t(3, 2)", ["t(3, 2)", "t(6, 2)"]),
    "script_tuple": ("@torch.jit.script\ndef both(x):\n    return x + 1, x * 2\n\n\ndef f(x):\n    a, b = both(x)\n    return a * b", "t(3)", ["t(3)", "t(5)"]),
    "keywords": ("def f(x, y):\n    return x - y", None, ["t(3), t(3)", "t(2), t(2)"]),
    "grad_required": ("def f(x):\n    with torch.no_grad():\n        y = x * 2\n    return y + x, x.detach() * 3", "t(3).requires_grad_()", ["t(3)"]),
    "lambda_traced": (None, None, ["t(3)"]),
    "dtype_promotion": ("def f(x):\n    return x + 1, x + 1.5, x * 2, x / 2, x.float() + 1", "torch.arange(4, dtype=torch.int32)", ["torch.arange(4, dtype=torch.int32)"]),
    "zero_dim": ("def f(x):\n    return x + 1, x * 2.5, x > 0", "torch.tensor(3)", ["torch.tensor(3)", "torch.tensor(-3)"]),
    "sizes_joined": ("def f(x):\n    return x.view(x.size()[:-1] + (2, -1)), x.new_ones(x.shape[:1]), x.repeat(x.shape[0], 1), x.reshape(*x.shape[:-1], 1, -1)", "t(2, 4)", ["t(2, 4)", "t(3, 6)"]),
    "mask": ("def f(x):\n    n = x.size(1)\n    m = torch.triu(torch.full((n, n), float('-inf')), diagonal=1)\n    return (x @ x.transpose(1, 2))[:, :n, :n] + m, torch.tril(torch.ones(n, n)).bool()", "t(2, 3, 4)", ["t(2, 3, 4)", "t(2, 5, 4)"]),
    "positions": ("def f(x):\n    p = torch.arange(x.size(1), device=x.device).unsqueeze(0).expand(x.size(0), -1)\n    return x + p, p.float() / x.size(1) ** 0.5", "t(2, 3)", ["t(2, 3)", "t(3, 5)"]),
    "windows": ("def f(x):\n    b, h, w, c = x.shape\n    x = x.view(b, h // 2, 2, w // 2, 2, c).permute(0, 1, 3, 2, 4, 5)\n    return x.contiguous().view(-1, 2 * 2, c), torch.roll(x, (1,), (1,))", "t(1, 4, 4, 2)", ["t(1, 4, 4, 2)", "t(2, 2, 6, 3)"]),
    "shape_in_math": ("import math\n\n\ndef f(x):\n    return x / math.sqrt(x.size(-1)), x * max(x.shape), x.sum() / (x.shape[0] * x.shape[1])", "t(2, 4)", ["t(2, 4)", "t(3, 4)"]),
    "comprehension": ("def f(x):\n    rows = [x[i] * i for i in range(2)]\n    d = {str(i): r for i, r in enumerate(rows)}\n    return torch.stack(list(d.values())), sum(rows)", "t(2, 4)", ["t(2, 4)", "t(3, 5)"]),
    "closure": ("def make(k):\n    w = torch.full((3,), k)\n\n    def inner(x):\n        return x * w + k\n    return inner\n\n\nf = make(2.0)", "t(3)", ["t(3)", "t(2, 3)"]),
    "clamps": ("def f(x):\n    return x.clamp(0, 1), x.clamp(min=-1), torch.where(x > 0, x, torch.zeros_like(x)), torch.maximum(x, -x), x.masked_fill(x < 0, 0.0), x.sign(), torch.clamp_(x * 1, max=0.5)", "t(4)", ["t(4)", "t(2, 2)"]),
    "topk_sort": ("def f(x):\n    v, i = x.topk(2, dim=-1)\n    s, j = torch.sort(x, descending=True)\n    return v, i, s, j, x.gather(1, i), torch.argsort(x)", "t(2, 5)", ["t(2, 5)", "t(3, 7)"]),
    "meshgrid": ("def f(x):\n    a, b = torch.meshgrid(torch.arange(x.size(0)), torch.arange(x.size(1)), indexing='ij')\n    return torch.stack([a, b], -1).reshape(-1, 2), torch.linspace(0, 1, 3)", "t(2, 3)", ["t(2, 3)", "t(3, 5)"]),
    "normalised": ("def f(x):\n    return F.normalize(x, dim=-1), x / x.norm(dim=-1, keepdim=True), F.cosine_similarity(x, x + 1, dim=-1)", "t(2, 4)", ["t(2, 4)", "t(3, 4)"]),
    "fft": ("def f(x):\n    y = torch.fft.rfft(x)\n    return torch.view_as_real(y), torch.fft.irfft(y, n=4), y.abs()", "t(2, 4)", ["t(2, 4)"]),
    "mean_of_list": ("def f(xs):\n    total = xs[0]\n    for x in xs[1:]:\n        total = total + x\n    return total / len(xs)", "(t(2), t(2), t(2)),", ["(t(2), t(2), t(2)),"]),
    "named_tuple_out": ("from typing import NamedTuple\n\n\nclass Out(NamedTuple):\n    a: torch.Tensor\n    b: torch.Tensor\n\n\ndef f(x):\n    return Out(x + 1, x * 2)", "t(2)", ["t(2)"]),
    "out_variant": ("def f(x):\n    y = torch.empty(3)\n    torch.add(x, 1, out=y)\n    return y", "t(3)", None),
}

MODULES = {
    "linear": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, 2)\n\n    def forward(self, x):\n        return torch.tanh(self.l(x))", "t(2, 3)", ["t(2, 3)", "t(5, 3)"]),
    "parameter": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.w = nn.Parameter(torch.ones(3))\n        self.register_buffer('b', torch.full((3,), 0.5))\n        self.scale = 2\n\n    def forward(self, x):\n        return x * self.w * self.scale + self.b", "t(2, 3)", ["t(2, 3)", "t(5, 3)"]),
    "nested": ("class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(3, 3)\n\n    def forward(self, x):\n        return F.relu(self.a(x)) + x\n\n\nclass M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.one, self.two = A(), A()\n        self.out = nn.Linear(3, 1)\n\n    def forward(self, x):\n        return self.out(self.two(self.one(x)))", "t(2, 3)", ["t(2, 3)", "t(5, 3)"]),
    "sequential": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.s = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2), nn.Softmax(dim=1))\n\n    def forward(self, x):\n        return self.s(x)", "t(2, 3)", ["t(2, 3)", "t(5, 3)"]),
    "module_list": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.ls = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])\n        self.d = nn.ModuleDict({'k': nn.Linear(3, 2)})\n\n    def forward(self, x):\n        for l in self.ls:\n            x = l(x).relu()\n        return self.d['k'](x)", "t(2, 3)", ["t(2, 3)", "t(5, 3)"]),
    "conv_net": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.f = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2))\n        self.h = nn.Linear(8, 3)\n\n    def forward(self, x):\n        y = self.f(x)\n        return self.h(torch.flatten(y, 1)).softmax(-1)", "t(1, 1, 4, 4)", ["t(1, 1, 4, 4)", "t(2, 1, 4, 4)"]),
    "conv_kinds": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Conv1d(2, 3, 3, padding='same')\n        self.b = nn.ConvTranspose1d(3, 2, 2, stride=2)\n        self.p = nn.AdaptiveAvgPool1d(1)\n\n    def forward(self, x):\n        return self.p(self.b(self.a(x)))", "t(1, 2, 5)", ["t(1, 2, 5)", "t(2, 2, 7)"]),
    "batch_norm_training": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.bn = nn.BatchNorm1d(3)\n\n    def forward(self, x):\n        return self.bn(x)", "t(4, 3)", ["t(4, 3)", "t(5, 3)"]),
    "dropout_eval": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.d = nn.Dropout(0.5)\n\n    def forward(self, x):\n        return self.d(x) + 1", "t(4, 3)", ["t(4, 3)", "t(5, 3)"]),
    "norms": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l, self.g, self.i = nn.LayerNorm(4), nn.GroupNorm(2, 4), nn.InstanceNorm1d(4)\n\n    def forward(self, x):\n        return self.l(x), self.g(x), self.i(x)", "t(2, 4, 4)", ["t(2, 4, 4)", "t(3, 4, 4)"]),
    "embedding": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.e = nn.Embedding(5, 3)\n\n    def forward(self, i):\n        return self.e(i).mean(1)", "torch.tensor([[0, 1], [2, 4]])", ["torch.tensor([[0, 1], [2, 4]])", "torch.tensor([[3, 1, 0]])"]),
    "lstm": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.r = nn.LSTM(3, 2, batch_first=True)\n\n    def forward(self, x):\n        y, (h, c) = self.r(x)\n        return y, h, c", "t(2, 4, 3)", ["t(2, 4, 3)", "t(2, 6, 3)"]),
    "gru": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.r = nn.GRU(3, 2, num_layers=2, bidirectional=True)\n\n    def forward(self, x, h):\n        return self.r(x, h)", "t(4, 2, 3), t(4, 2, 2)", ["t(4, 2, 3), t(4, 2, 2)", "t(6, 2, 3), t(4, 2, 2)"]),
    "lstm_cell": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.c = nn.LSTMCell(3, 2)\n\n    def forward(self, x, h, c):\n        return self.c(x, (h, c))", "t(2, 3), t(2, 2), t(2, 2)", ["t(2, 3), t(2, 2), t(2, 2)"]),
    "attention": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.q, self.k, self.v = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)\n\n    def forward(self, x):\n        b, n, d = x.shape\n        split = lambda y: y.view(b, n, 2, d // 2).transpose(1, 2)\n        q, k, v = split(self.q(x)), split(self.k(x)), split(self.v(x))\n        a = (q @ k.transpose(-2, -1) / (d // 2) ** 0.5).softmax(-1)\n        return (a @ v).transpose(1, 2).reshape(b, n, d)", "t(2, 3, 4)", ["t(2, 3, 4)", "t(3, 5, 4)"]),
    "attention_fused": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.q = nn.Linear(4, 12)\n\n    def forward(self, x):\n        q, k, v = self.q(x).chunk(3, -1)\n        return F.scaled_dot_product_attention(q, k, v)", "t(2, 3, 4)", ["t(2, 3, 4)", "t(3, 5, 4)"]),
    "multihead": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.MultiheadAttention(4, 2, batch_first=True)\n\n    def forward(self, x):\n        return self.a(x, x, x)", "t(2, 3, 4)", ["t(2, 3, 4)"]),
    "shared": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(3, 3)\n        self.b = nn.Linear(3, 3)\n        self.b.weight = self.a.weight\n        self.c = self.a\n\n    def forward(self, x):\n        return self.c(self.b(self.a(x)))", "t(2, 3)", ["t(2, 3)", "t(5, 3)"]),
    "tied_embedding": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.e = nn.Embedding(5, 3)\n        self.o = nn.Linear(3, 5, bias=False)\n        self.o.weight = self.e.weight\n\n    def forward(self, i):\n        return self.o(self.e(i))", "torch.tensor([[0, 1], [2, 4]])", ["torch.tensor([[0, 1], [2, 4]])"]),
    "buffer_written": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.register_buffer('n', torch.zeros(2))\n\n    def forward(self, x):\n        self.n.add_(1)\n        return x + self.n * 0", "t(2)", ["t(2)", "t(2)"]),
    "buffer_replaced": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.register_buffer('n', torch.zeros(2))\n\n    def forward(self, x):\n        self.n = self.n + 1\n        return x + self.n * 0", "t(2)", ["t(2)"]),
    "attribute_tensor": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.c = torch.tensor([1.0, 2.0])\n\n    def forward(self, x):\n        return x + self.c", "t(2)", ["t(2)", "t(3, 2)"]),
    "dict_of_module": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, 2)\n\n    def forward(self, x, mask=None):\n        y = self.l(x)\n        if mask is not None:\n            y = y * mask\n        return {'logits': y, 'last': y[:, -1]}", "t(2, 3)", ["t(2, 3)", "t(5, 3)"]),
    "scripted_inside": ("class S(nn.Module):\n    def forward(self, x, n: int = 2):\n        for i in range(n):\n            if bool(x.sum() > 0):\n                x = x - 1\n            else:\n                x = x + 2\n        return x\n\n\nclass M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.s = torch.jit.script(S())\n\n    def forward(self, x):\n        return self.s(x) * 2", "t(3)", ["t(3)", "t(3) + 5"]),
    "hooked": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, 2)\n        self.l.register_forward_hook(lambda m, i, o: o * 2)\n\n    def forward(self, x):\n        return self.l(x)", "t(2, 3)", ["t(2, 3)"]),
    "encoder_layer": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.e = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)\n\n    def forward(self, x):\n        return self.e(x)", "t(2, 3, 4)", ["t(2, 3, 4)"]),
    "upsampled": ("class M(nn.Module):\n    def forward(self, x):\n        a = F.interpolate(x, scale_factor=2)\n        b = F.interpolate(x, size=x.shape[2:], mode='bilinear', align_corners=False)\n        return a, b, F.avg_pool2d(x, 2), F.adaptive_avg_pool2d(x, (1, 1))", "t(1, 1, 4, 4)", ["t(1, 1, 4, 4)", "t(2, 1, 6, 4)"]),
    "residual": ("class Block(nn.Module):\n    def __init__(self, c):\n        super().__init__()\n        self.c1, self.c2 = nn.Conv2d(c, c, 3, padding=1, bias=False), nn.Conv2d(c, c, 3, padding=1, bias=False)\n        self.b1, self.b2 = nn.BatchNorm2d(c), nn.BatchNorm2d(c)\n\n    def forward(self, x):\n        y = F.relu(self.b1(self.c1(x)), inplace=True)\n        y = self.b2(self.c2(y))\n        y += x\n        return F.relu(y)\n\n\nclass M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.stem = nn.Conv2d(1, 2, 1)\n        self.blocks = nn.Sequential(*[Block(2) for _ in range(2)])\n        self.pool = nn.AdaptiveAvgPool2d((1, 1))\n        self.fc = nn.Linear(2, 3)\n\n    def forward(self, x):\n        x = self.pool(self.blocks(self.stem(x)))\n        return self.fc(torch.flatten(x, 1))", "t(1, 1, 4, 4)", ["t(1, 1, 4, 4)", "t(2, 1, 6, 6)"]),
    "vision_transformer": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.patch = nn.Conv2d(1, 4, 2, stride=2)\n        self.cls = nn.Parameter(torch.zeros(1, 1, 4))\n        self.pos = nn.Parameter(torch.zeros(1, 5, 4))\n        self.norm = nn.LayerNorm(4)\n        self.qkv, self.proj = nn.Linear(4, 12), nn.Linear(4, 4)\n        self.mlp = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Dropout(0.1), nn.Linear(8, 4))\n\n    def forward(self, x):\n        b = x.shape[0]\n        x = self.patch(x).flatten(2).transpose(1, 2)\n        x = torch.cat((self.cls.expand(b, -1, -1), x), dim=1) + self.pos\n        n, c = x.shape[1:]\n        qkv = self.qkv(self.norm(x)).reshape(b, n, 3, 2, c // 2).permute(2, 0, 3, 1, 4)\n        q, k, v = qkv.unbind(0)\n        a = (q @ k.transpose(-2, -1) * (c // 2) ** -0.5).softmax(dim=-1)\n        x = x + self.proj((a @ v).transpose(1, 2).reshape(b, n, c))\n        return (x + self.mlp(x))[:, 0]", "t(1, 1, 4, 4)", ["t(1, 1, 4, 4)", "t(3, 1, 4, 4)"]),
    "decoder_loop": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.e, self.c, self.o = nn.Embedding(5, 3), nn.GRUCell(3, 3), nn.Linear(3, 5)\n\n    def forward(self, i):\n        h = torch.zeros(i.size(0), 3)\n        out = []\n        for _ in range(3):\n            h = self.c(self.e(i), h)\n            y = self.o(h)\n            i = y.argmax(-1)\n            out.append(y)\n        return torch.stack(out, 1), i", "torch.tensor([0, 3])", ["torch.tensor([0, 3])", "torch.tensor([1, 2, 4])"]),
    "nested_outputs": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, 3)\n\n    def forward(self, x, pair):\n        a, (b, c) = pair\n        y = self.l(x + a)\n        return (y, (b * y, c)), y.sum()", "t(2, 3), (t(3), (t(3), t(3)))", ["t(2, 3), (t(3), (t(3), t(3)))"]),
    "parameter_list": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.ps = nn.ParameterList([nn.Parameter(torch.ones(3)) for _ in range(2)])\n        self.pd = nn.ParameterDict({'k': nn.Parameter(torch.ones(3))})\n\n    def forward(self, x):\n        for p in self.ps:\n            x = x * p\n        return x + self.pd['k']", "t(2, 3)", ["t(2, 3)"]),
    "two_methods": ("class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = nn.Linear(3, 2)\n\n    def forward(self, x):\n        return self.encode(x) + 1\n\n    def encode(self, x):\n        return self.l(x).relu()", "t(2, 3)", ["t(2, 3)", "t(4, 3)"]),
}

# PyTorch takes other ways through these where nothing requires gradients, and then finds that the graphs differ.
UNCHECKED = ("multihead", "encoder_layer")
EVALUATED = ("conv_net", "dropout_eval", "multihead", "encoder_layer", "residual", "vision_transformer")


def programs():
    for name, (source, example, calls) in FUNCTIONS.items():
        entry = f"torch.jit.trace(f, ({example}{'' if (example or '').rstrip().endswith(',') else ','}))"
        if name.endswith("_loose"):
            entry = entry[:-1] + ", strict=False)"
        if name == "keywords":
            entry = "torch.jit.trace(f, example_kwarg_inputs={'x': t(3), 'y': t(3)})"
        if name == "lambda_traced":
            source, entry = "", "torch.jit.trace(lambda x: x * 2 + 1, t(3))"
        if name == "random":
            entry = entry[:-1] + ", check_trace=False)"
        yield name, HEAD + source + "\n\n\n", entry, calls
    for name, (source, example, calls) in MODULES.items():
        module = "filled(M())" + (".eval()" if name in EVALUATED else "")
        entry = f"torch.jit.trace({module}, ({example},))"
        if name in UNCHECKED:
            entry = entry[:-1] + ", check_trace=False)"
        if name == "dict_of_module":
            entry = entry[:-1] + ", strict=False)"
        if name == "two_methods":
            entry = f"torch.jit.trace_module({module}, {{'forward': ({example},), 'encode': ({example},)}})"
        yield "module_" + name, HEAD + source + "\n\n\n", entry, calls
