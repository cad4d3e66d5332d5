"""What PyTorch's alias analysis answers about graphs: a file of JSON lines for `lowering/passes/tests/alias_answers.rs`.

    python record_aliases.py FOLDER [before.*.txt ...]

Writes FOLDER/aliases/graphs.jsonl. Graphs are those of the functions below and of the listings that are given, as their text reads. Of each: the pairs of values
of which `may_contain_alias` holds, the values that have writers, what `to_graphviz_str` says that values point to and contain, and whether nodes of the
outermost block move before and after others. A move that succeeds changes the graph, so each is tried on a graph of its own.
"""
import json
import os
import re
import sys
import warnings
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch

MOVES = 160


class Pair(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


class Box:
    def __init__(self, value: torch.Tensor):
        self.value = value

    def bump(self):
        self.value.add_(1.0)


def views(x):
    a = x.neg()
    b = a.t()
    c = b[0]
    d = c.view(-1)
    d.add_(1.0)
    return a, b, c


def disjoint(x):
    a = x.neg()
    b = a[0]
    c = a[1]
    b.add_(1.0)
    return b, c


def fresh_and_outside(x, y):
    a = x + y
    b = a.exp()
    x.add_(1.0)
    b.mul_(2.0)
    return a, b


def maybe(x, y):
    a = x.neg()
    r = a.contiguous()
    s = a.reshape(-1)
    t = a.to(torch.float32)
    r.add_(1.0)
    return s, t, y


def branches(x, c: bool):
    a = x.neg()
    b = x.abs()
    if c:
        r = a
    else:
        r = b
    r.add_(1.0)
    return a, b, r


def one_branch(x, c: bool):
    a = x.neg()
    if c:
        a = a.exp()
        a.add_(1.0)
    return a


def loops(x, n: int):
    a = x.neg()
    b = a
    for i in range(n):
        b.add_(1.0)
        b = b * 2.0
    return a, b


def carried(x, n: int):
    a = x.neg()
    b = x.abs()
    for i in range(n):
        a, b = b, a
    a.add_(1.0)
    return b


def nested(x, n: int, c: bool):
    a = x.neg()
    for i in range(n):
        if c:
            v = a[i]
            v.mul_(2.0)
        else:
            a = a + 1.0
    return a


def while_loop(x, n: int):
    a = x.neg()
    while bool(a.sum() < 3.0):
        a.add_(1.0)
        n = n + 1
    return a, n


def lists(x, y):
    a = x.neg()
    b = y.neg()
    l = [a, b]
    c = l[0]
    c.add_(1.0)
    return a, b, l


def append(x, y):
    l = [x.neg()]
    a = y.neg()
    l.append(a)
    a.add_(1.0)
    return l, a


def list_values(n: int):
    l = [n, 2]
    m = l
    m.append(3)
    k = [4]
    return l, m, k


def list_functions(x):
    l = [x.neg(), x.abs()]
    m = l[0:1]
    k = l + m
    k.append(x)
    l.reverse()
    return m, k, len(l)


def list_of_lists(x):
    inner = [x.neg()]
    outer = [inner]
    outer[0].append(x.abs())
    return inner, outer


def grow(l: List[torch.Tensor], x):
    l.append(x)
    a = l[0]
    a.add_(1.0)
    return a


def dictionaries(x, y):
    a = x.neg()
    d = {"a": a, "b": y}
    b = d["b"]
    b.add_(1.0)
    d["c"] = a.exp()
    return d, a


def dict_functions(x):
    d: Dict[str, torch.Tensor] = {}
    d["a"] = x.neg()
    v = list(d.values())
    k = list(d.keys())
    v[0].add_(1.0)
    return d, v, k


def dict_argument(d: Dict[str, List[torch.Tensor]], x):
    l = d["a"]
    l.append(x)
    return l


def tuples(x, y):
    a = x.neg()
    t = (a, y)
    b, c = t
    b.add_(1.0)
    return t, c


def nested_tuples(x, y):
    a = x.neg()
    t = ((a, y), [a])
    l = t[1]
    l.append(y)
    return t, l


def named_tuples(x, y):
    p = Pair(x.neg(), y)
    p.first.add_(1.0)
    return p


def optionals(x, y: Optional[torch.Tensor]):
    a = x.neg()
    if y is not None:
        y.add_(1.0)
        a = y
    return a


def optional_value(x, c: bool):
    s: Optional[torch.Tensor] = None
    if c:
        s = x.neg()
    if s is not None:
        s.add_(1.0)
    return s


def chunks(x):
    a = x.neg()
    b, c = a.chunk(2)
    b.add_(1.0)
    return c


def unbound(x):
    a = x.neg()
    l = a.unbind()
    l[0].add_(1.0)
    return a, l


def splits(x):
    l = x.neg().split(2)
    a = torch.cat(l)
    a.add_(1.0)
    return l, a


def out_argument(x, y):
    a = x.neg()
    b = torch.zeros_like(a)
    torch.add(x, y, out=b)
    return a, b


def copies(x, y):
    a = x.clone()
    b = y.detach()
    a.copy_(b)
    return a, b


def setitem(x, y):
    a = x.neg()
    a[0] = 1.0
    a[1:] = y
    return a


def printed(x, y):
    a = x.neg()
    print("before")
    b = y.exp()
    print("after")
    a.add_(1.0)
    return a, b


def raised(x, n: int):
    a = x.neg()
    if n > 1:
        raise ValueError("no")
    a.add_(1.0)
    return a


def drawn(x):
    a = torch.rand_like(x)
    b = torch.rand_like(x)
    c = x.neg()
    return a, b, c


def inplace_chain(x):
    a = x.neg()
    b = a.add_(1.0)
    c = b.mul_(2.0)
    d = c.relu_()
    e = d.exp()
    return a, e


def independent(x, y):
    a = x.neg()
    b = y.neg()
    c = a.exp()
    d = b.exp()
    c.add_(1.0)
    d.add_(1.0)
    return c + d


def batch_norm(x, m, v):
    return torch.batch_norm(x, None, None, m, v, True, 0.1, 1e-5, False), m


def batch_norm_eval(x, m, v):
    return torch.batch_norm(x, None, None, m, v, False, 0.1, 1e-5, False), m


def dropout(x):
    a = x.neg()
    b = torch.dropout(a, 0.5, False)
    b.add_(1.0)
    return a, b


def boxes(x):
    b = Box(x)
    b.bump()
    return b.value


def helper(v):
    v.add_(1.0)
    return v


def calls(x):
    a = x.neg()
    b = helper(a)
    return a, b


def forks(x, y):
    a = x.neg()
    f = torch.jit.fork(helper, a)
    b = y.exp()
    r = torch.jit.wait(f)
    return r, b


def numbers(n: int, k: float):
    a = n + 1
    b = k * 2.0
    return a * b


def strings(s: str):
    l = s.split(" ")
    l.append("end")
    return l


def shapes(x, y):
    n = x.size(0)
    l = x.size()
    a = y.view(n, -1)
    a.add_(1.0)
    return l, a


def casts(x):
    a = x.neg()
    b = a.float()
    c = b.type_as(x)
    d = c.expand_as(x)
    b.add_(1.0)
    return c, d


def conditional_write(x, c: bool):
    a = x.neg()
    b = a.exp()
    if c:
        a.add_(1.0)
    d = a.exp()
    return b, d


def dead_write(x):
    a = x.neg()
    a.add_(1.0)
    return x.exp()


def many(x, y):
    a = x.neg()
    b = y.abs()
    v = a.t()
    v.relu_()
    m = a.exp()
    n = b.cos()
    y.add_(1.0)
    k = y.sin()
    return m, n, k


def list_of_arguments(x, y):
    l = [x, y]
    a = torch.stack(l)
    a.add_(1.0)
    x.add_(1.0)
    return a


def in_place_list(x):
    l = [x.neg()]
    l += [x.abs()]
    m = l
    m.append(x)
    return l


def two_lists(x):
    l = [x.neg()]
    m = [x.abs()]
    l.append(x.exp())
    m.append(x.sin())
    return l, m


def identity(x):
    return x


def functions():
    here = sys.modules[__name__]
    known = {"functions", "scripted", "record", "listed", "main", "edges", "values_of", "moves", "short", "mutable"}
    names = [n for n, f in vars(here).items() if callable(f) and getattr(f, "__module__", "") == __name__ and n not in known and not isinstance(f, type)]
    for name in names:
        graph = torch.jit.script(getattr(here, name)).graph
        yield name, graph
        inlined = graph.copy()
        torch._C._jit_pass_inline(inlined)
        if inlined.str(False) != graph.str(False):
            yield name + "_inlined", inlined


def listed(path):
    for part in open(path).read().split("\n## ")[0:]:
        name, text = part.removeprefix("## ").split("\n", 1)
        try:
            yield f"{os.path.basename(path)[len('before.'):-len('.txt')]}_{name}", torch._C.parse_ir(text.rstrip() + "\n")
        except RuntimeError:
            pass  # Text does not say all of it.


def short(value):
    return "%" + value.debugName()


def values_of(block):
    out = list(block.inputs()) if hasattr(block, "inputs") else []
    for node in block.nodes():
        out += list(node.outputs())
        for inner in node.blocks():
            out += values_of(inner)
    return out


def edges(dot):
    points, contains = {}, {}
    for line in dot.splitlines():
        found = re.match(r'\s*"(.*?)" -> "(.*?)"( \[style=dashed.*)?$', line)
        if found:
            into = contains if found[3] else points
            into.setdefault(found[1].replace("\\%", "%"), []).append(found[2].replace("\\%", "%"))
    return points, contains


def moves(origin, count):
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b]
    step = max(1, -(-len(pairs) // MOVES))
    out = []
    for a, b in pairs[::step]:
        verdicts = []
        for side in ("before", "after"):
            graph = origin.copy()
            nodes, db = list(graph.nodes()), graph.alias_db()
            verdicts.append(getattr(db, f"move_{side}_topologically_valid")(nodes[a], nodes[b]))
        out.append([a, b, *verdicts])
    return out


def record(name, graph):
    text = graph.str(False)
    db, values = graph.alias_db(), values_of(graph)
    pairs = []
    for i, a in enumerate(values):
        for b in values[:i]:
            one, other = db.may_contain_alias(a, b), db.may_contain_alias(b, a)
            assert one == other, (name, short(a), short(b))
            if one:
                pairs.append([short(b), short(a)])
    points, contains = edges(db.to_graphviz_str())
    return {"name": name, "text": text, "values": [short(v) for v in values], "alias": pairs,
            "writers": [short(v) for v in values if db.has_writers(v)], "points": points, "contains": contains,
            "moves": moves(graph, len(list(graph.nodes())))}


def main():
    warnings.filterwarnings("ignore")
    folder = os.path.join(sys.argv[1], "aliases")
    os.makedirs(folder, exist_ok=True)
    out, seen = [], set()
    sources = list(functions())
    for path in sys.argv[2:]:
        sources += listed(path)
    for name, graph in sources:
        made = record(name, graph)
        # Long ones say nothing new, and the same text was there.
        if len(made["values"]) > 60 or made["text"] in seen:
            continue
        seen.add(made["text"])
        out.append(made)
    with open(os.path.join(folder, "graphs.jsonl"), "w") as f:
        for made in out:
            f.write(json.dumps(made, separators=(",", ":")) + "\n")
    print(len(out), "graphs;", sum(len(m["moves"]) for m in out), "pairs of nodes")


if __name__ == "__main__":
    main()
