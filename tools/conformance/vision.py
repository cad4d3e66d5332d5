#!/usr/bin/env python3
"""Records what torchvision's operators return and refuse, as operator vectors: value/torchvision.jsonl and error/torchvision.jsonl.

    python vision.py FOLDER

Needs PyTorch 2.15 with torchvision 0.29 and numpy. `cargo xtask testdata --only vision --shared PARENT` packs PARENT/vision, FOLDER, into
testdata/vision.tar.zst; tests/vision.rs replays it. The form is that of the other vectors (a case is a line of JSON): floats as big-endian bits,
`sv` the whole storage of what does not lie contiguously, `tol` the class of tolerance.
"""
import json, os, re, sys
import numpy as np
import torch
import torchvision  # noqa: F401: registers the operators

torch.set_num_threads(1)
OPS = torch.ops.torchvision
NAMES = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32", torch.float64: "f64", torch.int32: "i32", torch.int64: "i64",
         torch.uint8: "u8", torch.bool: "bool", torch.complex64: "c64"}
# Relative and absolute difference that class `t` allows.
CLOSE = {torch.float64: (1e-12, 1e-13), torch.float32: (4e-6, 1e-6), torch.float16: (2e-3, 1e-3)}
FLOATS = [torch.float32, torch.float64, torch.float16]
random = np.random.default_rng(7)


class Zeros:
    """In place of `random` where a call is refused whatever the numbers are."""
    standard_normal = staticmethod(np.zeros)

    @staticmethod
    def random(size, dtype):
        return np.zeros(size, dtype)


def numbers(*size, scale=1.0):
    """Numbers that bfloat16 holds, so that they pack small."""
    return torch.from_numpy(np.asarray(random.standard_normal(size) * scale, dtype=np.float32)).bfloat16().float()


def uniform(*size):
    return torch.from_numpy(random.random(size, dtype=np.float32)).bfloat16().float()


def data(t):
    if t.dtype == torch.bool:
        return "".join("1" if b else "0" for b in t.tolist())
    if not (t.is_floating_point() or t.is_complex()):
        return t.tolist()
    if t.is_complex():
        t = torch.view_as_real(t).reshape(-1)
    if t.dtype == torch.bfloat16:
        bits = t.view(torch.int16).numpy().view(np.uint16)
    else:
        bits = t.numpy().copy()
        bits[np.isnan(bits)] = np.nan
        bits = bits.view({2: np.uint16, 4: np.uint32, 8: np.uint64}[bits.itemsize])
    return "".join(format(int(b), "0%dx" % (2 * bits.itemsize)) for b in bits)


def encoded(v):
    if isinstance(v, tuple):
        return {"tup": [encoded(x) for x in v]}
    if isinstance(v, float):
        return {"f": np.float64(v).tobytes()[::-1].hex()}
    if not isinstance(v, torch.Tensor):
        return v
    out = {"d": NAMES[v.dtype], "s": list(v.shape)}
    if v.is_contiguous():
        return out | {"v": data(v.reshape(-1))}
    whole = v.as_strided([v.untyped_storage().nbytes() // v.element_size()], [1], 0)
    offset = {"o": v.storage_offset()} if v.storage_offset() else {}
    return out | {"st": list(v.stride())} | offset | {"sv": data(whole)}


def doubled(v):
    return v.double() if isinstance(v, torch.Tensor) and v.is_floating_point() else v


def tolerance(op, args, result):
    """None where every bit is meant; else `t`, or `l` where PyTorch itself is further from the same call in f64."""
    first = result[0] if isinstance(result, tuple) else result
    if op in ("nms", "roi_pool"):
        return None
    if first.dtype in CLOSE and first.dtype != torch.float64:
        exact = getattr(OPS, op)(*map(doubled, args))
        exact = exact[0] if isinstance(exact, tuple) else exact
        relative, absolute = CLOSE[first.dtype]
        beyond = (first.double() - exact).abs() > (absolute + relative * exact.abs()) / 2
        if beyond.any():
            return "l"
    return "t"


class Recorder:
    def __init__(self, folder):
        self.folder, self.lines = folder, {"value": [], "error": []}

    def call(self, op, *args):
        case = {"op": "torchvision::" + op, "a": [encoded(a) for a in args]}
        try:
            result = getattr(OPS, op)(*args)
        except Exception as e:
            # torchvision puts its own place in front and its caller's behind.
            text = re.sub(r"^\S+, /\S+:\d+, ", "", str(e).split("\n")[0])
            text = re.sub(r" \(originally from .*| at /.*", "", text)
            text = text.replace("torch::headeronly::ScalarType::", "")
            case["err"] = {"type": type(e).__name__, "msg": text}
            return self.lines["error"].append(case)
        tol = tolerance(op, args, result)
        if tol:
            case["tol"] = tol
        case["r"] = encoded(result)
        self.lines["value"].append(case)

    def write(self):
        for kind, cases in self.lines.items():
            os.makedirs(os.path.join(self.folder, kind), exist_ok=True)
            with open(os.path.join(self.folder, kind, "torchvision.jsonl"), "w") as f:
                f.writelines(json.dumps(c, separators=(",", ":")) + "\n" for c in cases)
            print(kind, len(cases))


def boxes(n, size=16.0):
    corner = uniform(n, 2) * size
    return torch.cat([corner, corner + uniform(n, 2) * size / 2], 1).bfloat16().float()


def rois(n, pictures, size):
    which = torch.arange(n).remainder(pictures).float()[:, None]
    return torch.cat([which, boxes(n, size)], 1)


def suppression(r):
    nan, inf = float("nan"), float("inf")
    third = torch.tensor([[0, 0, 3, 1], [0, 0, 1.0, 1]])
    for dtype in FLOATS[:2]:
        for n in (0, 1, 2, 7, 40):
            for threshold in (0.0, 0.3, 0.5, 0.7, 1.0, -1.0, nan):
                if n == 7 or threshold in (0.3, 0.7):
                    r.call("nms", boxes(n).to(dtype), uniform(n).to(dtype), threshold)
        r.call("nms", boxes(30).to(dtype), torch.ones(30, dtype=dtype), 0.4)
        r.call("nms", boxes(30).to(dtype), (uniform(30) * 4).floor().to(dtype), 0.2)
        for t in (1 / 3, float(np.float32(1 / 3)), float(np.nextafter(np.float32(1 / 3), np.float32(0)))):
            r.call("nms", third.to(dtype), torch.tensor([0.9, 0.8], dtype=dtype), t)
        odd = boxes(6)
        odd[1, 2], odd[3, 0], odd[4] = nan, -inf, torch.tensor([9, 9, 3.0, 3])
        r.call("nms", odd.to(dtype), uniform(6).to(dtype), 0.1)
        scores = uniform(6)
        scores[2], scores[4] = nan, nan
        r.call("nms", boxes(6, 8.0).to(dtype), scores.to(dtype), 0.1)
        r.call("nms", torch.zeros(3, 4, dtype=dtype), torch.zeros(3, dtype=dtype), 0.0)
        wide = boxes(9, 8.0).to(dtype)
        r.call("nms", wide.t().contiguous().t(), uniform(18).to(dtype)[::2], 0.2)
        r.call("nms", torch.cat([wide, wide], 1)[:, 2:6], uniform(9).to(dtype), 0.2)
    b, s = torch.zeros(4, 4), torch.zeros(4)
    for dtype in (torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.bool, torch.complex64):
        r.call("nms", b.to(dtype), s.to(dtype), 0.5)
    for x, y in ((b, s.double()), (b.double(), s), (b[:, :3], s), (b[0], s), (b[None], s), (b, s[:, None]), (b, s[0]), (b, s[:3]),
                 (torch.zeros(0), s[:0]), (torch.zeros(0, 3), s[:0]), (b.long(), s), (b, s.long()), (b[:0].long(), s[:0].long())):
        r.call("nms", x, y, 0.5)


def regions(r):
    for dtype in FLOATS:
        for scale in (1.0, 0.3) if dtype == torch.float64 else (1.0, 0.25, 0.3):
            x, k = numbers(2, 2, 7, 9).to(dtype), rois(4, 2, 8.0 / scale).to(dtype)
            for ratio in (-1, 1, 2, 3):
                for aligned in (False, True):
                    r.call("roi_align", x, k, scale, 2, 3, ratio, aligned)
            r.call("roi_pool", x, k, scale, 2, 3)
            x, k = numbers(2, 6, 6, 5).to(dtype), rois(4, 2, 6.0 / scale).to(dtype)
            for ratio in (0, 2):
                r.call("ps_roi_align", x, k, scale, 2, 3, ratio)
            r.call("ps_roi_pool", x, k, scale, 2, 3)
        x = numbers(1, 4, 6, 5).to(dtype)
        # Regions that reach out, that are empty, turned, one element, far away, and ones with halves.
        odd = torch.tensor([[0, -4, -3, 3, 2], [0, 3, 2, 9, 11], [0, 2, 2, 2, 2], [0, 4, 5, 1, 1], [0, -1, -1, 5, 6], [0, 40, 40, 44, 44], [0.75, 0.5, 1.5, 2.5, 3.5],
                            [0, 4, 5, 4, 5], [0, 0, 0, 60, 50], [0, -0.5, -0.5, 4.5, 5.5], [0, 1.5, 2.5, 3.5, 4.5]]).to(dtype)
        for ratio in (0, 2):
            for aligned in (False, True):
                r.call("roi_align", x, odd, 1.0, 2, 2, ratio, aligned)
        r.call("roi_pool", x, odd, 1.0, 2, 2)
        r.call("roi_pool", x, odd, 1.0, 3, 1)
        r.call("ps_roi_align", x, odd, 1.0, 2, 2, 2)
        # Regions with elements: of others the mean over no points is not a number.
        r.call("ps_roi_align", x, odd[[0, 1, 4, 8, 9, 10]], 1.0, 2, 2, 0)
        r.call("ps_roi_align", x, odd[[2, 3]], 1.0, 2, 2, 0)
        r.call("ps_roi_pool", x, odd, 1.0, 2, 2)
        r.call("ps_roi_pool", x, odd, 1.0, 4, 1)
        for scale in (0.0, -1.0):
            r.call("roi_align", x, odd[:3], scale, 2, 2, 2, True)
            r.call("roi_pool", x, odd[:3], scale, 2, 2)
        low = torch.full((1, 1, 4, 4), -float("inf")).to(dtype)
        low[0, 0, 2, 2], low[0, 0, 3, 3] = float("nan"), 1
        r.call("roi_pool", low, torch.tensor([[0, 0, 0, 1, 1], [0, 2, 2, 3, 3], [0, 0, 0, 3, 3.0]]).to(dtype), 1.0, 1, 1)
        if dtype == torch.float64:
            r.call("roi_pool", torch.full((1, 1, 2, 2), -1e300, dtype=dtype), odd[:1], 1.0, 1, 1)
        last = numbers(2, 4, 5, 6).to(dtype).to(memory_format=torch.channels_last)
        k = rois(3, 2, 5.0).to(dtype)
        strided = torch.cat([k, k], 1)[:, :5]
        r.call("roi_align", last, strided, 1.0, 2, 2, 2, True)
        r.call("roi_align", last.transpose(2, 3)[:, 1:, ::2], k.t().contiguous().t(), 1.0, 2, 2, 0, False)
        r.call("roi_pool", last, strided, 1.0, 2, 2)
        r.call("ps_roi_align", last, strided, 1.0, 2, 2, 2)
        r.call("ps_roi_pool", last[:, :, 1:], strided, 1.0, 2, 2)
        for x, k in ((last, k[:0]), (last[:0], k[:0]), (last[:, :0], k), (last[:, :, :0], k[:0])):
            r.call("roi_align", x, k, 1.0, 2, 2, 2, True)
            r.call("roi_pool", x, k, 1.0, 2, 2)
            r.call("ps_roi_align", x, k, 1.0, 2, 2, 2)
            r.call("ps_roi_pool", x, k, 1.0, 2, 2)
        r.call("roi_align", last, k, 1.0, 0, 2, 2, True)
        r.call("roi_pool", last, k, 1.0, 2, 0)
    far = torch.tensor([[0, 0, 0, 1e30, 3.0], [0, 0, float("nan"), 3, 3], [0, -float("inf"), 0, 3, 3], [0, 0, 0, 3, float("inf")]])
    r.call("roi_pool", numbers(1, 1, 4, 4), far, 1.0, 2, 2)
    r.call("ps_roi_pool", numbers(1, 4, 4, 4), far, 1.0, 2, 2)
    r.call("roi_align", numbers(1, 2, 4, 4), torch.tensor([[0, 0, 0, 900.0, 700.0]]), 1.0, 2, 3, -1, True)
    x, k = torch.zeros(2, 8, 5, 7), torch.tensor([[0, 0, 0, 4, 4], [1, 1, 1, 6, 5.0]])
    wrong_picture = [k.clone() for _ in range(4)]
    for w, picture in zip(wrong_picture, (-1, 2, -0.5, float("nan"))):
        w[0, 0] = picture
    pairs = [(x, k.double()), (x.double(), k), (x.half(), k), (x, k[:, :4]), (x, torch.zeros(2, 6)), (x, k[0]), (x, k[None]), (x, k[0, 0]), (x[0], k),
             (x[0, 0], k), (x[0, 0, 0], k), (x[0, 0, 0, 0], k), (x, torch.zeros(0, 4)), (x[:, :7, 0], k.double()), (x[:, :7], k.double()[:, :4])]
    pairs += [(x.to(d), k.to(d)) for d in (torch.bfloat16, torch.int64, torch.uint8, torch.bool, torch.complex64)]
    pairs += [(x, w) for w in wrong_picture]
    for op, rest in (("roi_align", (2, False)), ("roi_pool", ()), ("ps_roi_align", (2,)), ("ps_roi_pool", ())):
        for a, b in pairs:
            r.call(op, a, b, 0.5, 2, 2, *rest)
        r.call(op, x, k, 0.5, -1, 2, *rest)
        r.call(op, x, k, 0.5, -4, -1, *rest)
        r.call(op, x[:, :7], k, 0.5, 2, 2, *rest) if op.startswith("ps") else None
    r.call("roi_align", x, k, 0.5, 2, 2, 50000, True)


def rotated(r):
    for dtype in FLOATS[:2]:
        a = torch.cat([numbers(6, 2, scale=2.0), uniform(6, 2) * 5, numbers(6, 1, scale=200.0)], 1).to(dtype)
        r.call("box_iou_rotated", a, a[1:4])
        r.call("box_iou_rotated", a[:, [1, 0, 2, 3, 4]], torch.cat([a, a], 1)[::2, 2:7])
        odd = torch.tensor([[5, 5, 0, 2, 0], [5, 5, -4, 2, 0], [5, 5, -4, -2, 0], [float("nan"), 5, 4, 2, 0], [5, 5, float("inf"), 2, 0], [5, 5, 1e-8, 1e-8, 0], [9, 5, 4, 2, 0],
                            [5, 5, 4, 2, 90], [5, 5, 4, 2, 45]]).to(dtype)
        r.call("box_iou_rotated", odd, torch.tensor([[5, 5, 4, 2, 0.0]]).to(dtype))
        r.call("box_iou_rotated", a[:0], a)
        r.call("box_iou_rotated", a, a[:0])
    a = torch.zeros(2, 5)
    for x, y in ((a, a.double()), (a[:, :4], a), (a, a[:, :4]), (a[0], a), (a, a[0]), (a[None], a), (torch.zeros(0, 4), a), (a.half(), a.half()), (a.bfloat16(), a.bfloat16()),
                 (a.long(), a.long()), (a.bool(), a.bool())):
        r.call("box_iou_rotated", x, y)


def deformed(r):
    def call(batch=2, channels=4, image=(6, 7), rows=6, kernel=(3, 2), stride=(1, 1), pad=(1, 0), dilation=(1, 1), groups=2, offset_groups=2,
             use_mask=True, dtype=torch.float32, spread=1.0, **other):
        out = [(image[d] + 2 * pad[d] - dilation[d] * (kernel[d] - 1) - 1) // max(stride[d], 1) + 1 for d in (0, 1)]
        places = max(offset_groups, 0) * kernel[0] * kernel[1]
        args = dict(input=numbers(batch, channels, *image), weight=numbers(rows, channels // max(groups, 1), *kernel),
                    offset=numbers(batch, places * 2, *out, scale=spread), mask=uniform(batch, places, *out) if use_mask else torch.zeros(batch, 1),
                    bias=numbers(rows))
        args = {k: v.to(dtype) for k, v in args.items()} | other
        r.call("deform_conv2d", *args.values(), *stride, *pad, *dilation, groups, offset_groups, use_mask)

    for dtype in FLOATS:
        call(dtype=dtype)
        call(dtype=dtype, use_mask=False, stride=(2, 1), groups=1)
        call(dtype=dtype, dilation=(2, 3), pad=(2, 3), offset_groups=4, spread=4.0, batch=1)
        call(dtype=dtype, offset_groups=1, groups=4, rows=8, kernel=(1, 1), pad=(0, 0), batch=1)
        call(dtype=dtype, batch=0)
        call(dtype=dtype, rows=0, groups=1)
        call(dtype=dtype, channels=0, groups=1, offset_groups=1)
    call(batch=3, kernel=(2, 2), image=(3, 3), pad=(0, 0), groups=1, offset_groups=1)
    x = numbers(2, 4, 6, 7)
    call(input=x.to(memory_format=torch.channels_last), weight=numbers(6, 3, 2, 2).transpose(1, 3), offset=numbers(24, 2, 6, 6).transpose(0, 1))
    whole = torch.zeros(2, 24, 6, 6)
    whole[:, ::2] = -2.0
    whole[:, 1::3] = 5.0
    whole[0, 0] = 1e30
    whole[0, 1] = -float("inf")
    call(offset=whole)
    # Whole numbers: the sum is exact, whatever dtype the bias makes of it.
    whole = dict(input=numbers(2, 4, 6, 7).round(), weight=numbers(6, 2, 3, 2).round(), offset=numbers(2, 24, 6, 6).round(), mask=torch.ones(2, 12, 6, 6))
    for bias in (torch.zeros(6).double(), torch.zeros(6).half(), torch.arange(6), numbers(6, 1), numbers(1, 6)):
        call(**whole, bias=bias)
    call(**{k: v.half() for k, v in whole.items()}, bias=numbers(6))
    call(mask=numbers(2, 5, 1), use_mask=False)
    call(image=(0, 7), pad=(2, 0), batch=1)
    global random
    random = Zeros
    for wrong in (dict(dtype=torch.bfloat16), dict(dtype=torch.int64), dict(dtype=torch.complex64), dict(input=x.double()), dict(weight=numbers(6, 2, 3, 2).double()),
                  dict(offset=numbers(2, 24, 6, 6).half()), dict(mask=uniform(2, 12, 6, 6).double()), dict(input=x[0]), dict(input=x[None]),
                  dict(weight=numbers(6, 2, 3)), dict(offset=numbers(24, 6, 6)), dict(mask=uniform(12, 6, 6)), dict(weight=numbers(6, 2, 0, 2)),
                  dict(input=x[0], offset=numbers(3)), dict(weight=numbers(3), mask=numbers(3)), dict(groups=0), dict(groups=3), dict(groups=-1), dict(rows=5), dict(offset_groups=3),
                  dict(offset=numbers(2, 10, 6, 6)), dict(offset=numbers(1, 24, 6, 6)), dict(offset=numbers(2, 24, 5, 6)), dict(mask=uniform(2, 10, 6, 6)),
                  dict(mask=uniform(1, 12, 6, 6)), dict(mask=uniform(2, 12, 5, 6)), dict(mask=torch.zeros(0), use_mask=False), dict(mask=torch.tensor(1.0), use_mask=False),
                  dict(mask=torch.zeros(2, 1).double(), use_mask=False), dict(bias=numbers(5)), dict(bias=numbers(1)), dict(bias=torch.tensor(1.0)), dict(input=numbers(2, 5, 6, 7)),
                  dict(input=numbers(2, 4, 0, 7), pad=(1, 0), offset=numbers(2, 24, 0, 6), mask=uniform(2, 12, 0, 6)), dict(pad=(2, 0), offset=numbers(2, 24, 6, 6))):
        call(**wrong)
    fixed = dict(offset=numbers(2, 24, 6, 6), mask=uniform(2, 12, 6, 6))
    for wrong in (dict(stride=(1, -1)), dict(pad=(-1, 0)), dict(dilation=(0, 1)), dict(dilation=(1, -1)), dict(offset_groups=0), dict(offset_groups=-1), dict(dilation=(9, 1))):
        args = [numbers(2, 4, 6, 7), numbers(6, 2, 3, 2), fixed["offset"], fixed["mask"], numbers(6)]
        at = dict(stride=(1, 1), pad=(1, 0), dilation=(1, 1), offset_groups=2) | wrong
        r.call("deform_conv2d", *args, *at["stride"], *at["pad"], *at["dilation"], 2, at["offset_groups"], True)


def main():
    recorder = Recorder(sys.argv[1])
    suppression(recorder)
    regions(recorder)
    rotated(recorder)
    deformed(recorder)
    recorder.write()


main()
