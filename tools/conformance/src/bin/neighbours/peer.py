"""Calls operators with PyTorch and records what they do: a line of standard input is a case without an outcome, the answering line is the case
with `r` and `mut`, or with `err`, spelled as the recordings of operators spell them.
"""

import json
import os
import resource
import signal
import sys
import warnings

import numpy as np
import torch

warnings.simplefilter("ignore")
torch.set_num_threads(1)
torch.set_grad_enabled(False)
# A call that asks for more is refused, as it is by a small machine; whoever computes longer is ended.
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
SECONDS = 5
# Libraries write to the standard output too.
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

DTYPES = {
    "u8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "u16": torch.uint16,
    "u32": torch.uint32, "u64": torch.uint64, "bool": torch.bool, "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
    "f64": torch.float64, "c32": torch.complex32, "c64": torch.complex64, "c128": torch.complex128,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
# Unsigned numbers of the width of a float, or of a half of a complex number.
PARTS = {"f16": "u2", "bf16": "u2", "f32": "u4", "f64": "u8", "c32": "u2", "c64": "u4", "c128": "u8"}
FORMATS = {"contiguous": "contiguous_format", "preserve": "preserve_format"}


def from_bits(v, name):
    if name == "bool":
        return torch.tensor([c == "1" for c in v], dtype=torch.bool)
    if name not in PARTS:
        return torch.tensor(v, dtype=DTYPES[name])
    bits = np.frombuffer(bytes.fromhex(v), ">" + PARTS[name]).astype(PARTS[name])
    # A buffer of Python's has a fixed size, also an empty one.
    return torch.from_numpy(bits.view("u1")).view(DTYPES[name])


def to_bits(t, name):
    flat = t.reshape(-1).contiguous()
    if name == "bool":
        return "".join("01"[b] for b in flat.tolist())
    if name not in PARTS:
        return flat.tolist()
    if not flat.numel():
        return ""
    part = PARTS[name]
    return flat.view(torch.uint8).numpy().view(part).astype(">" + part).tobytes().hex()


class Decoder:
    def __init__(self):
        self.tensors = []

    def tensor(self, o):
        name, sizes, offset = o["d"], o["s"], o.get("o", 0)
        if "of" in o:
            storage = self.tensors[o["of"]]
        elif "sv" in o:
            storage = from_bits(o["sv"], name)
        else:
            t = from_bits(o["v"], name).reshape(sizes)
            if "st" in o:
                room = 1 + offset + sum((n - 1) * s for n, s in zip(sizes, o["st"])) if t.numel() else 0
                spread = torch.zeros(room, dtype=t.dtype).as_strided(sizes, o["st"], offset)
                t = spread.copy_(t)
            return t
        strides = o.get("st") or torch.empty(sizes, device="meta").stride()
        return storage.as_strided(sizes, strides, offset)

    def value(self, v):
        if isinstance(v, list):
            return [self.value(x) for x in v]
        if not isinstance(v, dict):
            return v
        if "is" in v:
            return self.tensors[v["is"]]
        if "d" in v:
            t = self.tensor(v)
            self.tensors.append(t)
            return t
        if "f" in v:
            return float(np.array([int(v["f"], 16)], "u8").view("f8")[0])
        if "c" in v:
            return complex(*np.array([int(v["c"][:16], 16), int(v["c"][16:], 16)], "u8").view("f8"))
        if "dt" in v:
            return DTYPES[v["dt"]]
        if "layout" in v:
            return getattr(torch, v["layout"])
        if "mf" in v:
            return getattr(torch, FORMATS.get(v["mf"], v["mf"]))
        if "dev" in v:
            return torch.device(v["dev"])
        if "gen" in v:
            return torch.Generator().manual_seed(v["gen"])
        if "tup" in v:
            return tuple(self.value(x) for x in v["tup"])
        raise NotImplementedError(f"a value {v}")

    def encoded(self, v, several=False):
        if isinstance(v, torch.Tensor):
            return self.encoded_tensor(v)
        if isinstance(v, (list, tuple)):
            items = [self.encoded(x) for x in v]
            return {"tup": items} if isinstance(v, tuple) or several else items
        if isinstance(v, bool) or v is None or isinstance(v, (int, str)):
            return v
        if isinstance(v, float):
            return {"f": "%016x" % int(np.array([v]).view("u8")[0])}
        if isinstance(v, complex):
            return {"c": "%016x%016x" % tuple(int(x) for x in np.array([v.real, v.imag]).view("u8"))}
        if isinstance(v, torch.dtype):
            return {"dt": NAMES[v]}
        raise NotImplementedError(f"a result {type(v).__name__}")

    def encoded_tensor(self, t, alias=True):
        for k, of in enumerate(self.tensors):
            if alias and of is t:
                return {"is": k}
        name = NAMES[t.dtype]
        out = {"d": name, "s": list(t.shape)}
        if not t.is_contiguous():
            out["st"] = list(t.stride())
        for k, of in enumerate(self.tensors):
            if alias and of.untyped_storage()._cdata == t.untyped_storage()._cdata:
                out["of"] = k
                if t.storage_offset():
                    out["o"] = t.storage_offset()
                return out
        t = t.resolve_conj().resolve_neg()
        out["v"] = to_bits(t, name)
        return out


def operator(name):
    namespace, _, rest = name.partition("::")
    base, _, overload = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, namespace), base), overload or "default")


def record(case):
    decoder = Decoder()
    op = operator(case["op"])
    declared = op._schema.arguments
    args = [decoder.value(v) for v in case.get("a", [])]
    keywords = {k: decoder.value(v) for k, v in case.get("k", {}).items()}
    if "seed" in case:
        torch.manual_seed(case["seed"])
    try:
        result = op(*args, **keywords)
    except Exception as e:  # whatever it raises is a refusal
        message = str(e).split("\nException raised from")[0].split("\nPosition:")[0]
        return {**case, "err": {"type": type(e).__name__, "msg": message}}
    names = {a.name: v for a, v in zip(declared, args)} | keywords
    written = [a.name for a in declared if a.alias_info is not None and a.alias_info.is_write and a.name in names]
    mut = {n: decoder.encoded_tensor(names[n], alias=False) for n in written if isinstance(names[n], torch.Tensor)}
    several = isinstance(result, tuple) or len(op._schema.returns) > 1
    return {**case, "r": decoder.encoded(result, several), "mut": mut}


def serve():
    for line in sys.stdin:
        signal.alarm(SECONDS)
        try:
            answer = record(json.loads(line))
        except Exception as e:  # neither an outcome nor a refusal: nothing to compare
            answer = {"unknown": f"{type(e).__name__}: {e}"}
        signal.alarm(0)
        print(json.dumps(answer, separators=(",", ":")), file=ANSWERS, flush=True)


# Some calls end the process. A copy of this one, which has torch already, then goes on with the next line: there is never more than one under way.
while True:
    child = os.fork()
    if child == 0:
        serve()
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0:
        break
    print('{"died":true}', file=ANSWERS, flush=True)
