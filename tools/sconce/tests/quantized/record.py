"""Small quantised programs, dynamic, static and FX flows and operators, recorded by PyTorch 2.15: what testdata/quantized holds.

    python record.py FOLDER [name ...]

Writes FOLDER/<name>/{model.pt,calls.json}; `cargo xtask testdata --only quantized --shared PARENT` packs PARENT/quantized.
"""

import copy
import json
import os
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../conformance"))
from typing import List, Optional, Tuple

import torch
import torch.ao.nn.quantized as nnq
import torch.ao.quantization as Q
from recording import encode, fill, refusal
from recording import pattern as T
from torch import Tensor, nn
from torch.ao.quantization import quantize_fx

F = nn.functional
torch.manual_seed(1)
PROGRAMS = {}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


def script_calls(m, calls):
    return (torch.jit.script(m) if not isinstance(m, (torch.jit.ScriptModule, torch.jit.ScriptFunction)) else m), calls


class Mlp(nn.Module):
    def __init__(s):
        super().__init__()
        s.a = nn.Linear(12, 20)
        s.b = nn.Linear(20, 6)

    def forward(s, x):
        return s.b(torch.relu(s.a(x)))


XS = [T(4, 12), T(3, 12, off=3) * 3, T(1, 12, off=9) - 1]


@program
def dynamic_mlp():
    return script_calls(Q.quantize_dynamic(fill(Mlp()), {nn.Linear}), XS + [T(2, 3, 12)])


@program
def dynamic_mlp_per_channel():
    return script_calls(Q.quantize_dynamic(fill(Mlp()), {nn.Linear: Q.per_channel_dynamic_qconfig}), XS)


@program
def dynamic_mlp_half():
    return script_calls(Q.quantize_dynamic(fill(Mlp()), {nn.Linear}, dtype=torch.float16), XS)


@program
def dynamic_mlp_trace():
    return torch.jit.trace(Q.quantize_dynamic(fill(Mlp()), {nn.Linear}), XS[0]), XS


class Rnn(nn.Module):
    def __init__(s, cell, **k):
        super().__init__()
        s.r = cell(8, 10, **k)

    def forward(s, x: Tensor):
        return s.r(x)


def rnn(cell, dtype=torch.qint8, **k):
    m = Q.quantize_dynamic(fill(Rnn(cell, **k)), {cell}, dtype=dtype)
    return script_calls(m, [T(5, 3, 8), T(2, 3, 8, off=4) * 2])


@program
def dynamic_lstm():
    return rnn(nn.LSTM)


@program
def dynamic_lstm_two_bidirectional():
    return rnn(nn.LSTM, num_layers=2, bidirectional=True, batch_first=True)


@program
def dynamic_lstm_half():
    return rnn(nn.LSTM, torch.float16)


@program
def dynamic_gru():
    return rnn(nn.GRU, num_layers=2)


@program
def dynamic_gru_bidirectional():
    return rnn(nn.GRU, bidirectional=True)


class Packed(nn.Module):
    def __init__(s):
        super().__init__()
        s.r = nn.LSTM(8, 6)

    def forward(s, x: Tensor, lengths: Tensor):
        p = nn.utils.rnn.pack_padded_sequence(x, lengths)
        y, (h, c) = s.r(p)
        z, n = nn.utils.rnn.pad_packed_sequence(y)
        return z, h, c


@program
def dynamic_lstm_packed():
    m = Q.quantize_dynamic(fill(Packed()), {nn.LSTM})
    return script_calls(m, [(T(5, 3, 8), torch.tensor([5, 3, 2]))])


class Cells(nn.Module):
    def __init__(s):
        super().__init__()
        s.l = nn.LSTMCell(6, 5)
        s.g = nn.GRUCell(6, 5)
        s.r = nn.RNNCell(6, 5)

    def forward(s, x: Tensor, h: Tensor):
        return s.l(x, (h, h)), s.g(x, h), s.r(x, h)


@program
def dynamic_cells():
    m = Q.quantize_dynamic(fill(Cells()), {nn.LSTMCell, nn.GRUCell, nn.RNNCell})
    return script_calls(m, [(T(3, 6), T(3, 5, off=2))])


class Cnn(nn.Module):
    def __init__(s, groups=1):
        super().__init__()
        s.q = Q.QuantStub()
        s.d = Q.DeQuantStub()
        s.c = nn.Conv2d(3, 8, 3, padding=1)
        s.b = nn.BatchNorm2d(8)
        s.r = nn.ReLU()
        s.c2 = nn.Conv2d(8, 8, 3, padding=1, groups=groups)
        s.l = nn.Linear(8, 10)
        s.f = torch.ao.nn.quantized.FloatFunctional()

    def forward(s, x):
        x = s.r(s.b(s.c(s.q(x))))
        x = s.f.add_relu(x, s.c2(x))
        x = F.max_pool2d(x, 2)
        x = F.adaptive_avg_pool2d(x, 1)
        return s.d(s.l(torch.flatten(x, 1)))


# What qnnpack's flow asks for, weights of one scale, in the range in which fbgemm, which the programs are run with, cannot saturate.
PER_TENSOR = Q.QConfig(Q.HistogramObserver.with_args(reduce_range=True), Q.default_weight_observer)


def static(m, xs, engine, fuse=(["c", "b", "r"],)):
    torch.backends.quantized.engine = engine
    m = fill(m)
    m = Q.fuse_modules(m, [list(f) for f in fuse]) if fuse else m
    m.qconfig = PER_TENSOR if engine == "qnnpack" else Q.get_default_qconfig(engine)
    Q.prepare(m, inplace=True)
    for x in xs:
        m(x)
    Q.convert(m, inplace=True)
    return m


IMAGES = [T(2, 3, 8, 8), T(1, 3, 9, 7, off=5)]


@program
def static_cnn_fbgemm():
    return script_calls(static(Cnn(), IMAGES, "fbgemm"), IMAGES)


@program
def static_cnn_qnnpack():
    return script_calls(static(Cnn(), IMAGES, "qnnpack"), IMAGES)


@program
def static_cnn_depthwise_trace():
    m = static(Cnn(8), IMAGES, "fbgemm")
    return torch.jit.trace(m, IMAGES[0]), [IMAGES[0]]


class Many(nn.Module):
    def __init__(s):
        super().__init__()
        s.q = Q.QuantStub()
        s.d = Q.DeQuantStub()
        s.f = nnq.FloatFunctional()
        s.g = nnq.FloatFunctional()
        s.m = nnq.FloatFunctional()
        s.k = nnq.FloatFunctional()
        s.c = nn.Conv2d(4, 6, (3, 2), stride=(2, 1), padding=(1, 0), dilation=(1, 2), groups=2)
        s.h = nn.Hardswish()
        s.e = nn.ELU()
        s.y = nn.LeakyReLU(0.1)
        s.ln = nn.LayerNorm(5)
        s.gn = nn.GroupNorm(3, 6)
        s.inn = nn.InstanceNorm2d(6)
        s.sg = nn.Sigmoid()
        s.t = nn.Tanh()
        s.r6 = nn.ReLU6()
        s.u = nn.ConvTranspose2d(6, 4, 2, stride=2)

    def forward(s, x):
        x = s.c(s.q(x))
        a = s.h(x)
        b = s.e(x)
        c = s.y(x)
        x = s.f.cat([a, b, c], 0)
        y = s.ln(x)
        z = s.gn(x)
        w = s.inn(x)
        x = s.g.add(s.m.mul(y, z), w)
        x = s.k.cat([s.sg(x), s.t(x), s.r6(x)], 1)
        x = F.interpolate(x, scale_factor=2.0)
        x = F.avg_pool2d(x, 2)
        x = torch.mean(x, [2, 3], True)
        v = s.u(w)
        return s.d(x), s.d(s.k.mul_scalar(v, 2.0)), s.d(s.k.add_scalar(v, 0.5))


@program
def static_many():
    torch.backends.quantized.engine = "fbgemm"
    m = fill(Many())
    m.qconfig = Q.get_default_qconfig("fbgemm")
    m.u.qconfig = Q.QConfig(Q.default_observer, Q.default_weight_observer)
    Q.prepare(m, inplace=True)
    x = T(2, 4, 9, 7)
    m(x)
    Q.convert(m, inplace=True)
    return script_calls(m, [x])


class Sizes(nn.Module):
    def __init__(s):
        super().__init__()
        s.q = Q.QuantStub()
        s.d = Q.DeQuantStub()
        s.a = nn.Conv1d(3, 4, 3, padding=1)
        s.b = nn.Conv3d(2, 3, (1, 2, 2))

    def forward(s, x, y):
        return s.d(s.a(s.q(x))), s.d(s.b(s.q(y)))


@program
def static_conv_1_3():
    torch.backends.quantized.engine = "fbgemm"
    m = fill(Sizes())
    m.qconfig = Q.get_default_qconfig("fbgemm")
    Q.prepare(m, inplace=True)
    a = (T(2, 3, 9), T(1, 2, 3, 5, 4))
    m(*a)
    Q.convert(m, inplace=True)
    return script_calls(m, [a])


class Residual(nn.Module):
    def __init__(s):
        super().__init__()
        s.c = nn.Conv2d(3, 6, 3)
        s.b = nn.BatchNorm2d(6)
        s.c2 = nn.Conv2d(6, 6, 1)
        s.l = nn.Linear(6, 4)
        s.e = nn.Hardswish()

    def forward(s, x):
        x = torch.relu(s.b(s.c(x)))
        x = torch.relu(x + s.c2(x))
        x = s.e(x) * x
        x = torch.cat([x, x], 1)[:, 3:9]
        x = F.adaptive_avg_pool2d(x, (1, 1)).flatten(1)
        return s.l(x).clamp(-2, 2)


def fx(m, xs, mapping):
    m = quantize_fx.prepare_fx(fill(m), mapping, (xs[0],))
    for x in xs:
        m(x)
    return quantize_fx.convert_fx(m)


@program
def fx_residual():
    return script_calls(fx(Residual(), IMAGES, Q.get_default_qconfig_mapping("fbgemm")), IMAGES)


@program
def fx_residual_qnnpack():
    torch.backends.quantized.engine = "qnnpack"
    return script_calls(fx(Residual(), IMAGES, Q.QConfigMapping().set_global(PER_TENSOR)), IMAGES)


@program
def fx_dynamic_mlp():
    from torch.ao.quantization import QConfigMapping

    m = quantize_fx.prepare_fx(fill(Mlp()), QConfigMapping().set_global(Q.default_dynamic_qconfig), (XS[0],))
    return script_calls(quantize_fx.convert_fx(m), XS)


@program
def fx_mlp_frozen():
    m = torch.jit.script(fx(Mlp(), XS, Q.get_default_qconfig_mapping("fbgemm")))
    return torch.jit.freeze(m.eval()), XS


class Bags(nn.Module):
    def __init__(s):
        super().__init__()
        s.b = nn.EmbeddingBag(10, 12, mode="sum", include_last_offset=True)
        s.e = nn.Embedding(8, 4)

    def forward(s, i: Tensor, o: Tensor, j: Tensor):
        return s.b(i, o), s.e(j)


@program
def embeddings():
    m = fill(Bags())
    m.b.qconfig = Q.float_qparams_weight_only_qconfig
    m.e.qconfig = Q.float_qparams_weight_only_qconfig
    Q.prepare(m, inplace=True)
    Q.convert(m, inplace=True)
    return script_calls(m, [(torch.tensor([1, 9, 4, 4, 0]), torch.tensor([0, 2, 2, 5]), torch.tensor([[0, 7], [3, 3]]))])


# ---- operators alone: the integers and parameters of their results
@program
def quantize_edges():
    @torch.jit.script
    def f(x: Tensor, scale: float, zero: int):
        a = torch.quantize_per_tensor(x, scale, zero, torch.quint8)
        z = zero if zero < 128 else 127
        b = torch.quantize_per_tensor(x, scale, z, torch.qint8)
        c = torch.quantize_per_tensor(x, scale, zero, torch.qint32)
        d = torch.quantize_per_tensor(x, torch.tensor(scale), torch.tensor(zero), torch.quint8)
        return (
            a.int_repr(),
            b.int_repr(),
            c.int_repr(),
            d.dequantize(),
            a.q_scale(),
            a.q_zero_point(),
            a.is_quantized,
            a.dtype,
            str(a.dequantize()),
        )

    x = torch.cat([torch.arange(-9, 9) / 2.0, torch.tensor([1e4, -1e4, 127.5, 128.5, -128.5, -129.5, 0.0, -0.0])])
    return f, [(x, 1.0, 0), (x, 1.0, 1), (x, 0.25, 255), (x * 0.0317, 0.0317, 77), (torch.tensor(2.5), 0.1, 3)]


@program
def quantize_channels():
    @torch.jit.script
    def f(x: Tensor, s: Tensor, z: Tensor, axis: int):
        q = torch.quantize_per_channel(x, s, z, axis, torch.qint8)
        p = torch.quantize_per_channel(x, s, z + 5, axis, torch.quint8)
        return (
            q.int_repr(),
            q.dequantize(),
            q.q_per_channel_scales(),
            q.q_per_channel_zero_points(),
            q.q_per_channel_axis(),
            p.int_repr(),
            q[:, :1].dequantize(),
            q.clone().int_repr(),
            q.unsqueeze(0).q_per_channel_axis(),
            q.contiguous().dequantize(),
            q.detach().int_repr(),
        )

    return f, [
        (T(3, 4), torch.tensor([0.1, 0.02, 0.3]), torch.tensor([0, 3, -7]), 0),
        (T(3, 4), torch.tensor([0.1, 0.02, 0.3, 0.5]), torch.tensor([0, 3, -7, 1]), 1),
    ]


@program
def quantize_dynamically():
    @torch.jit.script
    def f(x: Tensor):
        a = torch.quantize_per_tensor_dynamic(x, torch.quint8, False)
        b = torch.quantize_per_tensor_dynamic(x, torch.qint8, True)
        return a.int_repr(), a.q_scale(), a.q_zero_point(), b.int_repr(), b.q_scale(), b.q_zero_point()

    return f, [T(40), T(9) + 3, T(9) - 5, T(3) * 0, T(5) * 1e-9, T(7, off=3) * 1e6]


@program
def refused():
    @torch.jit.script
    def f(x: Tensor, which: int):
        q = torch.quantize_per_tensor(x, 0.1, 5, torch.quint8)
        if which == 0:
            return torch.exp(q)
        if which == 1:
            return torch.abs(q)
        if which == 2:
            return x.int_repr()
        if which == 3:
            return torch.quantize_per_tensor(x, 0.1, 300, torch.quint8)
        if which == 4:
            return torch.quantize_per_tensor(x.double(), 0.1, 3, torch.quint8)
        if which == 5:
            return q.q_per_channel_scales()
        if which == 6:
            return torch.quantize_per_channel(x, torch.ones(3), torch.zeros(3).long(), 0, torch.quint8)
        if which == 7:
            return torch.quantize_per_channel(x, torch.ones(2), torch.zeros(2).long(), 5, torch.quint8)
        if which == 8:
            return torch.quantize_per_channel(x, torch.ones(2), torch.zeros(2).long(), 0, torch.quint8).t()
        return x

    return f, [(T(2, 3), k) for k in (3, 4, 6, 7, 8)]


@program
def views():
    @torch.jit.script
    def f(x: Tensor):
        q = torch.quantize_per_tensor(x, 0.03, 100, torch.quint8)
        l = [
            q.t(),
            q[0],
            q[:, 1:],
            q.permute(1, 0).contiguous(),
            q.view(-1),
            q.reshape(3, -1),
            q.flatten(),
            q.unsqueeze(1),
            q.expand(2, 4, 6),
            q.clone(),
            q.transpose(0, 1)[1:3],
            q.repeat(2, 1),
            torch.stack([q, q]),
            torch.cat([q, q], 1),
            q.index_select(1, torch.tensor([3, 0])),
            q.flip(0),
            q.squeeze(),
            torch.chunk(q, 2)[1],
            q.split(3, 1)[1],
            q.detach(),
            q.select(1, 2),
            q.narrow(0, 1, 2),
            q.masked_fill(x > 0.5, 0.25),
        ]
        n = torch.jit.annotate(List[Tensor], [])
        s = torch.jit.annotate(List[float], [])
        for t in l:
            n.append(t.int_repr())
            s.append(t.q_scale())
        n.append(torch.dequantize(l)[3])
        return n, s, q[0, 0].item(), q.size(), q.numel(), q.is_contiguous(), torch.equal(q, q.clone())

    return f, [T(4, 6)]


@program
def unary():
    @torch.jit.script
    def f(x: Tensor, scale: float, zero: int):
        o = torch.jit.annotate(List[Tensor], [])
        p = torch.jit.annotate(List[Tuple[float, int]], [])
        for d in [torch.quint8, torch.qint8]:
            q = torch.quantize_per_tensor(x, scale, zero, d)
            for t in [
                torch.relu(q),
                torch.sigmoid(q),
                torch.tanh(q),
                F.hardsigmoid(q),
                F.relu6(q),
                torch.clamp(q, -1.0, 1.01),
                F.hardtanh(q, -0.5, 0.7),
                F.leaky_relu(q, 0.1),
                F.gelu(q),
                F.threshold(q, 0.5, 0.2),
                torch.ops.quantized.hardswish(q, 0.05, 9),
                torch.ops.quantized.elu(q, 0.04, 30, 1.0, 1.0, 1.0),
                torch.ops.quantized.celu(q, 0.04, 30, 1.3),
                torch.ops.quantized.leaky_relu(q, 0.2, False, 0.1, 5),
                torch.ops.quantized.sigmoid(q, 0.004, 0),
                torch.ops.quantized.add_scalar(q, 1.5),
                torch.ops.quantized.add_scalar(q, -50.0),
                torch.ops.quantized.add_scalar_relu(q, -1.5),
                torch.ops.quantized.mul_scalar(q, -2.0),
                torch.ops.quantized.mul_scalar_relu(q, 3.0),
                torch.ops.quantized.mul_scalar(q, 0.0),
                torch.ops.quantized.softmax(q, 0, 1 / 256, 0),
                torch.ops.quantized.relu6(q),
                torch.ops.quantized.clamp(q, -1, 1),
                q.mean(),
                torch.sort(q)[0],
                torch.max(q),
                torch.topk(q, 3)[0],
            ]:
                o.append(t.int_repr())
                p.append((t.q_scale(), t.q_zero_point()))
            o.append(q > 0.3)
            o.append(q == q[0])
        return o, p

    return f, [(torch.linspace(-3, 3, 41), 0.037, 60), (torch.linspace(-3, 3, 17), 0.02, 100)]


@program
def binary():
    @torch.jit.script
    def f(x: Tensor, y: Tensor):
        a = torch.quantize_per_tensor(x, 0.03, 100, torch.quint8)
        b = torch.quantize_per_tensor(y, 0.05, 60, torch.quint8)
        c = torch.quantize_per_tensor(x, 0.03, 10, torch.qint8)
        d = torch.quantize_per_tensor(y, 0.05, -60, torch.qint8)
        o = torch.jit.annotate(List[Tensor], [])
        for t in [
            torch.ops.quantized.add(a, b, 0.07, 90),
            torch.ops.quantized.add_relu(a, b, 0.07, 90),
            torch.ops.quantized.mul(a, b, 0.08, 120),
            torch.ops.quantized.mul_relu(a, b, 0.08, 20),
            torch.ops.quantized.add(c, d, 0.07, 3),
            torch.ops.quantized.mul(c, d, 0.1, -20),
            torch.ops.quantized.cat([a, b], 0, 0.04, 80),
            torch.ops.quantized.cat([a, b], 1, None, None),
            torch.ops.quantized.cat_relu([a, b], 0, 0.04, 80),
            torch.cat([a, b]),
            torch.ops.quantized.matmul(a, b.t(), 0.3, 128),
            torch.ops.quantized.prelu(a, torch.quantize_per_tensor(torch.tensor([0.2]), 0.01, 0, torch.quint8), 0.04, 70),
        ]:
            o.append(t.int_repr())
        return o

    return f, [(T(6, 8) * 2, T(6, 8, off=3) * 2)]


@program
def images():
    @torch.jit.script
    def f(x: Tensor):
        o = torch.jit.annotate(List[Tensor], [])
        s = torch.jit.annotate(List[List[int]], [])
        q = torch.quantize_per_tensor(x, 0.03, 100, torch.quint8)
        w = torch.tensor([1.0, 0.5, -2.0, 0.7])
        for r in [q, q.contiguous(memory_format=torch.channels_last)]:
            for t in [
                F.max_pool2d(r, 2),
                F.max_pool2d(r, 3, 2, 1, 1, True),
                F.avg_pool2d(r, 2),
                F.avg_pool2d(r, 3, 2, 1),
                F.adaptive_avg_pool2d(r, (1, 1)),
                F.adaptive_avg_pool2d(r, (2, 3)),
                F.interpolate(r, scale_factor=2.0),
                F.interpolate(r, size=[3, 5]),
                F.interpolate(r, scale_factor=2.0, mode="bilinear"),
                r.mean([2, 3]),
                r.mean([2, 3], True),
                torch.ops.quantized.batch_norm2d(r, w, w, w, w.abs(), 1e-5, 0.05, 80),
                torch.ops.quantized.batch_norm(r, w, w, w, w.abs(), 1e-5, 0.05, 80),
                torch.ops.quantized.layer_norm(r, [5], None, None, 1e-5, 0.03, 128),
                torch.ops.quantized.group_norm(r, 2, w, w, 1e-5, 0.03, 128),
                torch.ops.quantized.instance_norm(r, w, w, 1e-5, 0.03, 128),
                F.pad(r, (1, 2)),
                torch.relu(r),
            ]:
                o.append(t.int_repr())
                s.append(t.stride())
        return o, s

    return f, [T(2, 4, 6, 5) * 2]


@program
def packed_state():
    class M(nn.Module):
        def __init__(s, w, v):
            super().__init__()
            s.w = w
            s.v = v

        def forward(s, x: Tensor, b: Tensor):
            p = torch.ops.quantized.linear_prepack(s.w, b)
            q = torch.quantize_per_tensor(x, 0.03, 100, torch.quint8)
            w, c = torch.ops.quantized.linear_unpack(p)
            k = torch.ops.quantized.conv2d_prepack(s.v, b, [1, 2], [0, 1], [1, 1], 1)
            y = torch.ops.quantized.conv2d(torch.quantize_per_tensor(x.view(1, 2, 2, -1), 0.03, 100, torch.quint8), k, 0.1, 50)
            return (
                torch.ops.quantized.linear(q, p, 0.1, 50).int_repr(),
                torch.ops.quantized.linear_relu(q, p, 0.1, 50).int_repr(),
                w.int_repr(),
                c,
                y.int_repr(),
                y.stride(),
                torch.ops.quantized.conv2d_stride(k),
                torch.ops.quantized.conv2d_padding(k),
                torch.ops.quantized.conv2d_groups(k),
            )

    w = torch.quantize_per_channel(T(4, 12), torch.tensor([0.02, 0.03, 0.01, 0.04]), torch.tensor([0, 0, 0, 0]), 0, torch.qint8)
    v = torch.quantize_per_tensor(T(4, 2, 2, 3), 0.03, 0, torch.qint8)
    return script_calls(M(w, v).eval(), [(T(3, 12)[:2].contiguous().view(2, 12), T(4, off=3)), (T(2, 12, off=6) * 3, T(4, off=3))])


@program
def fake():
    @torch.jit.script
    def f(x: Tensor):
        s = torch.tensor([0.1, 0.3, 0.02])
        z = torch.tensor([0, 5, 200], dtype=torch.int32)
        return (
            torch.fake_quantize_per_tensor_affine(x, 0.1, 5, 0, 255),
            torch.fake_quantize_per_tensor_affine(x, torch.tensor(0.07), torch.tensor(3, dtype=torch.int32), -128, 127),
            torch.fake_quantize_per_channel_affine(x, s, z, 1, 0, 255),
        )

    return f, [T(4, 3) * 5, T(2, 3, 2) * 9]


@program
def buffers_and_copies():
    class M(nn.Module):
        def __init__(s):
            super().__init__()
            s.register_buffer("q", torch.quantize_per_tensor(T(3, 4), 0.05, 30, torch.quint8))
            s.register_buffer(
                "c", torch.quantize_per_channel(T(3, 4), torch.tensor([0.1, 0.2, 0.05, 0.1]), torch.tensor([1, 2, 3, 4]), 1, torch.qint8)
            )

        def forward(s, x: Tensor):
            a = torch._empty_affine_quantized([3, 4], scale=0.1, zero_point=7, dtype=torch.quint8)
            a.copy_(x)
            b = a.clone()
            b.copy_(s.q)
            print(s.q)
            s.q.copy_(x)
            return a.int_repr(), b.int_repr(), b.q_scale(), s.c.dequantize(), s.q.dequantize(), torch.relu_(a).int_repr()

    return script_calls(M().eval(), [T(3, 4, off=2), T(3, 4, off=7)])


@program
def embedding_operators():
    @torch.jit.script
    def f(w: Tensor, i: Tensor, o: Tensor, p: Tensor):
        q = torch.quantize_per_channel(w, torch.tensor([0.1, 0.02, 0.3]), torch.tensor([0.5, 3.0, 1.25]), 0, torch.quint8)
        k = torch.ops.quantized.embedding_bag_prepack(q)
        return (
            torch.ops.quantized.embedding_byte(k, i),
            torch.ops.quantized.embedding_bag_byte(k, i, o),
            torch.ops.quantized.embedding_bag_byte(k, i, o, False, 0, False, p),
            torch.ops.quantized.embedding_bag_unpack(k).int_repr(),
        )

    return f, [(T(3, 8), torch.tensor([2, 0, 1, 1]), torch.tensor([0, 1]), T(4))]


class Printed:
    """What the process prints, by C++ as well as by Python, between `with` and its end."""

    def __enter__(self):
        sys.stdout.flush()
        self.terminal, self.file = os.dup(1), tempfile.TemporaryFile()
        os.dup2(self.file.fileno(), 1)
        return self

    def __exit__(self, *error):
        sys.stdout.flush()
        os.dup2(self.terminal, 1)
        self.file.seek(0)
        self.text = self.file.read().decode()


def record(loaded, arguments):
    call = {"method": "forward", "args": encode(list(arguments))}
    with Printed() as printed:
        try:
            call["out"] = encode(loaded(*copy.deepcopy(arguments)))
        except RuntimeError as error:
            call["error"] = refusal(error)
    if printed.text:
        call["stdout"] = printed.text
    return call


def main(folder, names):
    for name, f in PROGRAMS.items():
        if names and name not in names:
            continue
        torch.backends.quantized.engine = "fbgemm"
        module, calls = f()
        own = os.path.join(folder, name)
        os.makedirs(own, exist_ok=True)
        if isinstance(module, nn.Module):
            for parameter in module.parameters():
                parameter.requires_grad_(False)
        torch.jit.save(module, os.path.join(own, "model.pt"))
        torch.backends.quantized.engine = "fbgemm"
        # What was saved is what is recorded; calls may change its state.
        loaded = torch.jit.load(os.path.join(own, "model.pt"))
        rows = [record(loaded, c if isinstance(c, tuple) else (c,)) for c in calls]
        with open(os.path.join(own, "calls.json"), "w") as file:
            json.dump(rows, file, separators=(",", ":"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
