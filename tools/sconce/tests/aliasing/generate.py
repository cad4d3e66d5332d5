"""Random programs about who shares what, with what Python answers: cases in the form of `testdata/programs` for `sconce check`.

    python generate.py SEED COUNT FOLDER [--archives]

Writes FOLDER/p<N>/{source.py,calls.json}. Python itself, run eagerly by PyTorch, says what is right: TorchScript's compilers must not change it.
A program that raises in Python, or that PyTorch's own compiler refuses, is thrown away and another one made. Then

    sconce check FOLDER --from source          and with --static, --what code, --through pt; the archives without --from source

finds the programs that are computed otherwise. What is shared, among results and with arguments, is compared too.
"""
import argparse
import collections
import importlib.util
import json
import os
import random
import signal
import sys
import tempfile
import warnings

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../conformance"))
from recording import encode_group, outcome

HEAD = '''import torch
from typing import Dict, List, NamedTuple, Optional, Tuple


class Pair(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


class Box:
    def __init__(self, value: torch.Tensor):
        self.value = value
        self.items = [value]
        self.names: Dict[str, torch.Tensor] = {"v": value}

    def bump(self):
        self.value.add_(1.0)

    def keep(self, value: torch.Tensor):
        self.items.append(value)
        self.value = value
        return self.items


def touch(v):
    v.add_(1.0)
    return v


def both(v, w) -> List[torch.Tensor]:
    return [v, w]


def nested(v, w):
    inner = [v]
    return {"p": inner, "q": [w, v]}


def grow(items: List[torch.Tensor], v):
    items.append(v)
    return items[-1]


def pick(items: List[torch.Tensor], i: int):
    return items[i]


def choose(v, w, n: int):
    if n > 1:
        return v
    return w


'''
SETUP = '''    a = x + 1
    b = y * 2
    c = a
    l = [a, b]
    m = [n]
    d = {"k": b}
    t = (a, c)
    ll = [l]
    mm = [m]
    dl = {"p": [a], "q": l}
    dd = {"d": d}
    p = Pair(a, b)
    o = Box(b)
    s: Optional[torch.Tensor] = None
'''
TENSORS = ["a", "b", "c", "x", "y", "l[0]", "l[1]", "l[-1]", 'd["k"]', "t[0]", "t[1]", "ll[0][0]", "ll[-1][1]", 'dl["p"][0]', 'dl["q"][-1]',
           'dd["d"]["k"]', "p.first", "p.second", "o.value", "o.items[-1]", 'o.names["v"]']
LISTS = ["l", "ll[0]", 'dl["p"]', 'dl["q"]', "o.items", "[a, b]", "both(a, c)", "nested(a, b)['q']", "l[0:1]", "l[1:]", "list(l)", "[v for v in l]", "l + [c]"]
VIEWS = [".view(-1)", ".t()", "[0:1]", "[0:2][0:1]", ".reshape(-1)", ".contiguous()", ".detach()", ".to(torch.float32)", ".type_as(y)", ".flatten()",
         ".chunk(2)[0]", ".unbind()[0].unsqueeze(0)", ".expand_as(x)", ".unsqueeze(0)[0]", ".squeeze()", ".split(2)[0]", "[1:].view_as(y[1:])", ".narrow(0, 0, 2)"]
RESULTS = ["a", "l", "(a, b, l)", 'd["k"]', "t", '(l[0], d["k"])', "(a, c, d)", "ll", "(ll, l)", "dl", "(x, y, a)", "p", "(p, l)", "m", "(mm, m)", "o.items", "(o.value, b)",
           "(dd, d)", "(s, a)", "(l, ll, dl)", "(x, a, b, c)", "(o.names, o.items)"]


class Writer:
    """Writes the statements of one program."""

    def __init__(self, rng):
        self.rng = rng

    def tensor(self):
        return self.rng.choice(TENSORS)

    def fresh(self):
        return self.rng.choice(["{} + {}", "{} * 2.0 - {}", "torch.relu({}) + 0 * {}", "torch.cat([{}, {}])[0:3]", "torch.stack([{}, {}])[0]"]).format(self.tensor(), self.tensor())

    def write(self, target):
        return self.rng.choice([f"{target}.add_({self.rng.choice(['1.0', '2.0', 'x.detach()'])})", f"{target}.mul_(2.0)", f"{target}[0] = 9.0", f"{target}.copy_(y)",
                                f"torch.add({self.tensor()}, 1.0, out={target})", f"{target}.zero_()", f"torch.neg_({target})", f"touch({target})", f"{target}.clamp_(max=3.0)"])

    def block(self, indent, depth):
        return [line for _ in range(self.rng.randint(1, 2)) for line in self.statement(indent, depth)]

    def statement(self, indent, depth):
        pad, pick, name = "    " * indent, self.rng.choice, self.rng.choice("abc")
        tensor = self.tensor
        kind = self.rng.randrange(34)
        if kind in (0, 1) and depth < 2:
            lines = [f"{pad}if {pick(['n > 1', 'n < 1', 'bool(a.sum() > 3)', 'len(l) > 2', 'len(m) > 1'])}:"] + self.block(indent + 1, depth + 1)
            return lines + ([f"{pad}else:"] + self.block(indent + 1, depth + 1) if self.rng.random() < .5 else [])
        if kind == 2 and depth < 2:
            return [f"{pad}for i in range(n):"] + self.block(indent + 1, depth + 1)
        if kind == 3 and depth < 2:
            return [f"{pad}for v{depth} in {pick(LISTS)}:", f"{pad}    {self.write('v' + str(depth))}"]
        if kind == 4:
            return [f"{pad}for k{depth}, v{depth} in {pick(['d', 'o.names'])}.items():", f"{pad}    {self.write('v' + str(depth))}"]
        if kind == 5 and depth < 2:
            return [f"{pad}w{depth} = 0", f"{pad}while w{depth} < n:", f"{pad}    w{depth} += 1"] + self.block(indent + 1, depth + 1)
        if kind == 6:
            return [f"{pad}{name} = {tensor()}{pick(VIEWS)}", pad + self.write(name), f"{pad}{name} = {self.fresh()}"]
        if kind == 7:
            return [f"{pad}l2 = {pick(LISTS)}", f"{pad}l2[0] = {tensor()}", pad + self.write("l2[0]")]
        if kind == 8:
            return [f"{pad}s = {pick([tensor(), 'None'])}", f"{pad}if s is not None:", f"{pad}    {self.write('s')}"]
        if kind == 9:
            return [f"{pad}if s is not None:", f"{pad}    {name} = s"]
        if kind == 10:
            return [f"{pad}{pick('ab')}, {pick('c')} = {tensor()}, {tensor()}"]
        if kind == 11 and depth < 2:
            return [f"{pad}for i in range({pick(['n', '3'])}):", f"{pad}    {self.write(pick(['a', 'b', 'x', 'l[0]', 't[0]']) + pick(['[i:i + 1]', '[i % 2:]', '[0:i + 1][-1:]']))}"]
        if kind == 12:
            return [f"{pad}v9 = {tensor()}{pick(VIEWS)}", f"{pad}w9 = v9{pick(VIEWS)}", pad + self.write(pick(["w9", "v9"]))]
        if kind == 13:
            return [f"{pad}{name} = torch.jit.wait(torch.jit.fork(touch, {tensor()}))"]
        if kind == 14:
            return [pad + pick(["m += [n]", "m.append(3)", "mm.append(m)", "mm[0].append(4)", "mm[-1] += [5]", "m = mm[0]", "m = m + [6]", "m[0] = 7", "mm = mm + [[8]]", "m.extend(mm[0])"])]
        if kind == 15:
            return [pad + pick([f"ll.append({pick(LISTS)})", "ll[0] = l + [a]", f"ll[-1].append({tensor()})", "ll = [l, l]", "l = ll[0]", "l = ll[-1][:]"])]
        if kind == 16:
            return [pad + pick([f'dl["r"] = {pick(LISTS)}', f'dl["p"].append({tensor()})', 'dl = {"p": l, "q": [b]}', "l = dl['q']", f'dd["d"]["j"] = {tensor()}', 'dd["e"] = d', "d = dd['d']"])]
        if kind == 17:
            return [f"{pad}p = Pair({tensor()}, {tensor()})"]
        if kind == 18:
            return [pad + pick(["o.bump()", f"o.keep({tensor()})", f"o.value = {tensor()}", f"l = o.keep({tensor()})", f"o = Box({tensor()})", f'o.names["w"] = {tensor()}', "o.items = l"])]
        if kind == 19:
            return [pad + pick([f"{name} = touch({tensor()})", f"l = both({tensor()}, {tensor()})", f"{name} = grow(l, {tensor()})", f"{name} = pick({pick(LISTS)}, 0)",
                                f"{name} = choose({tensor()}, {tensor()}, n)", f"dl = nested({tensor()}, {tensor()})"])]
        if kind == 20:
            return [f"{pad}{name} = torch.dropout({tensor()}, 0.5, False)", pad + self.write(name)]
        if kind == 21:
            return [f"{pad}{name} = {pick(['d.get', 'o.names.get'])}('{pick('kj')}', {tensor()})", pad + self.write(name)]
        if kind == 22:
            return [f"{pad}d.update({{'{pick('jk')}': {tensor()}}})"]
        if kind == 23:
            return [f"{pad}l.{pick(['extend(ll[0])', 'insert(0, c)', 'reverse()', 'pop()', 'extend([a, x])', 'append(b)'])}"]
        if kind == 24:
            return [f"{pad}u = ({tensor()}, ({tensor()}, {pick(LISTS)}))", f"{pad}{self.write('u[1][0]')}", f"{pad}l = u[1][1]"]
        if kind == 25:
            return [f"{pad}{self.write(tensor())}", f"{pad}{name} = torch.stack(l).sum(0)"]
        if kind == 26:
            return [f"{pad}{name} = torch.cat({pick(LISTS)})[0:3]", pad + self.write(tensor()), f"{pad}{name} = {name} + torch.cat({pick(LISTS)})[0:3]"]
        if kind == 27:
            return [f"{pad}l = list({pick(['torch.broadcast_tensors({}, {})', 'torch.meshgrid({}, {})', 'torch.atleast_1d([{}, {}])']).format(tensor(), tensor())})"
                    if pick([0, 1]) else f"{pad}l = list(torch.split({tensor()}, 1))"]
        if kind == 28:
            return [f"{pad}{name} = {tensor()} if {pick(['n > 1', 'len(l) > 2'])} else {tensor()}", pad + self.write(name)]
        simple = {29: f"{name} = {self.fresh()}", 30: f"{name} = {tensor()}", 31: f"{name} += {pick(['1.0', '3.0', tensor()])}", 32: f"l[{pick('01')}] = {tensor()}"}
        return [pad + simple.get(kind, self.write(tensor()))]

    def program(self):
        lines = [line for _ in range(self.rng.randint(4, 9)) for line in self.statement(1, 0)]
        return HEAD + "def f(x, y, n: int):\n" + SETUP + "\n".join(lines) + "\n    return " + self.rng.choice(RESULTS) + "\n"


def arguments(shared):
    if shared:
        base = torch.tensor([1., 2., 3.])
        return base, base.view(-1), 2
    return torch.tensor([1., 2., 3.]), torch.tensor([.5, -1., 2.]), 2


def record(f, shared, count):
    given = arguments(shared)[:2] + (count,)
    call = {"method": "forward", "args": encode_group(given)}
    return call | outcome(f(*given), given, call["args"])


def too_long(number, frame):
    raise TimeoutError("runs too long")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("seed", type=int)
    ap.add_argument("count", type=int)
    ap.add_argument("folder")
    ap.add_argument("--archives", action="store_true", help="write what PyTorch saves of each as model.pt, too, where it computes what Python does: its compiler deletes writes, and an archive made by it lacks them")
    ap.add_argument("--no-script", action="store_true", help="do not ask PyTorch's compiler: quicker, and programs that it refuses stay")
    a = ap.parse_args()
    if a.archives and a.no_script:
        ap.error("--archives needs PyTorch's compiler")
    warnings.filterwarnings("ignore")
    signal.signal(signal.SIGVTALRM, too_long)
    torch.set_num_threads(1)
    rng, sums, made, torch_wrong = random.Random(a.seed), collections.Counter(), 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        while made < a.count:
            text = Writer(rng).program()
            path = os.path.join(scratch, f"p{made}.py")
            with open(path, "w") as f:
                f.write(text)
            spec = importlib.util.spec_from_file_location(f"p{made}", path)
            # PyTorch looks for the sources of classes in modules that are known.
            module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
            try:
                signal.setitimer(signal.ITIMER_VIRTUAL, 5)
                spec.loader.exec_module(module)
                calls = [record(module.f, False, 2), record(module.f, True, 2), record(module.f, False, 0)]
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            except Exception as e:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                sums["Python: " + type(e).__name__ + " " + str(e).split("\n")[0][:50]] += 1
                continue
            if not a.no_script:
                try:
                    scripted = torch.jit.script(module.f)
                    theirs = [record(scripted, False, 2), record(scripted, True, 2), record(scripted, False, 0)]
                    sums["PyTorch differs"] += theirs != calls
                except Exception as e:
                    sums["refused by PyTorch: " + str(e).strip().split("\n")[0][:60]] += 1
                    continue
            folder = os.path.join(a.folder, f"p{made}")
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "source.py"), "w") as f:
                f.write(text + "\n#@ entry f\n")
            with open(os.path.join(folder, "calls.json"), "w") as f:
                json.dump(calls, f, separators=(",", ":"))
            if a.archives and theirs == calls:
                scripted.save(os.path.join(folder, "model.pt"))
            made += 1
    for what, n in sums.most_common(12):
        print(n, what)
    print(made, "programs")


if __name__ == "__main__":
    main()
