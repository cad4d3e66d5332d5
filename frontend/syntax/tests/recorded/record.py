"""Records how Python and PyTorch read source text: testdata/python.tar.zst, which tests compare with.

Usage: record.py PROGRAMS OUTPUT.tar.zst, where PROGRAMS holds AREA/NAME/source.py. Needs PyTorch 2.15 and the command zstd.

expressions.txt     random expressions, a tab, and the tree of Python's ast with every operator in brackets; `!` for what is no expression
layouts/N           random nesting, continued lines, comments and blank lines
tokens/AREA/NAME    the tokens of tokenize, one a line; also tokens/layouts/N
trees/AREA/NAME     every function as PyTorch's frontend prints it, headed `== class.function line`
"""

import ast
import glob
import inspect
import io
import keyword
import os
import random
import subprocess
import sys
import tarfile
import textwrap
import tokenize
import warnings

import torch
from torch import _sources
from torch.jit import frontend

BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}
UNARY = {ast.Not: "not ", ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
COMPARE = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}


def shape(e):
    """The tree with every operator in brackets."""
    many = lambda items: ",".join(map(shape, items))
    match e:
        case ast.Name(): return e.id
        case ast.Constant(): return "..." if e.value is ... else str(e.value)
        case ast.BinOp(): return f"({shape(e.left)}{BINARY[type(e.op)]}{shape(e.right)})"
        case ast.UnaryOp(): return f"({UNARY[type(e.op)]}{shape(e.operand)})"
        case ast.BoolOp():
            word = "and" if isinstance(e.op, ast.And) else "or"
            out = shape(e.values[0])
            for value in e.values[1:]:
                out = f"({out} {word} {shape(value)})"
            return out
        case ast.Compare():
            return f"({shape(e.left)}{''.join(f' {COMPARE[type(o)]} {shape(v)}' for o, v in zip(e.ops, e.comparators))})"
        case ast.IfExp(): return f"({shape(e.body)} if {shape(e.test)} else {shape(e.orelse)})"
        case ast.Lambda(): return f"(lambda {','.join(a.arg for a in e.args.args)}:{shape(e.body)})"
        case ast.NamedExpr(): return f"({e.target.id}:={shape(e.value)})"
        case ast.Attribute(): return f"{shape(e.value)}.{e.attr}"
        case ast.Call():
            keywords = [f"{k.arg}={shape(k.value)}" if k.arg else f"**{shape(k.value)}" for k in e.keywords]
            return f"{shape(e.func)}({','.join([*map(shape, e.args), *keywords])})"
        case ast.Subscript():
            items = e.slice.elts if isinstance(e.slice, ast.Tuple) and e.slice.elts else [e.slice]
            return f"{shape(e.value)}[{many(items)}]"
        case ast.Slice():
            bound = lambda b: shape(b) if b else ""
            return f"{bound(e.lower)}:{bound(e.upper)}:{bound(e.step)}"
        case ast.Starred(): return f"*{shape(e.value)}"
        case ast.List(): return f"[{many(e.elts)}]"
        case ast.Tuple(): return f"({many(e.elts)},)"
        case ast.Set(): return "{" + many(e.elts) + "}"
        case ast.Dict():
            item = lambda k, v: f"{shape(k)}:{shape(v)}" if k else f"**{shape(v)}"
            return "{" + ",".join(map(item, e.keys, e.values)) + "}"
        case ast.ListComp(): return f"[{shape(e.elt)}{clauses(e)}]"
        case ast.SetComp(): return "{" + shape(e.elt) + clauses(e) + "}"
        case ast.GeneratorExp(): return f"({shape(e.elt)}{clauses(e)})"
        case ast.DictComp(): return "{" + f"{shape(e.key)}:{shape(e.value)}{clauses(e)}" + "}"
    raise TypeError(e)


def clauses(e):
    return "".join(
        f" for {shape(g.target)} in {shape(g.iter)}" + "".join(f" if {shape(c)}" for c in g.ifs) for g in e.generators
    )


def expression(depth):
    """A random text, brackets or not: Python decides what it means."""
    name = lambda: random.choice("abcxyz")
    sub = lambda: expression(depth - 1)
    if depth <= 0:
        return random.choice([name(), name(), name(), str(random.randint(0, 9)), "None", "True", "..."])
    kind = random.random()
    if kind < 0.45:
        sign = random.choice([*BINARY.values(), *COMPARE.values(), *COMPARE.values(), "and", "or"])
        return f"{sub()} {sign} {sub()}"
    if kind < 0.57:
        return random.choice(["-", "+", "~", "not "]) + sub()
    if kind < 0.64:
        return f"{sub()} if {sub()} else {sub()}"
    if kind < 0.72:
        return f"({sub()})"
    if kind < 0.76:
        return f"{sub()}.{name()}"
    if kind < 0.80:
        return f"{sub()}[{random.choice([sub(), ':', f'{sub()}:', f':{sub()}, {sub()}', f'::{sub()}'])}]"
    if kind < 0.86:
        return f"{name()}({random.choice([sub(), f'{sub()}, {name()}={sub()}', f'*{sub()}', f'**{sub()}'])})"
    if kind < 0.89:
        return random.choice([f"lambda: {sub()}", f"lambda {name()}: {sub()}"])
    if kind < 0.93:
        return random.choice([f"[{sub()}, {sub()}]", f"({sub()},)", f"{{{sub()}: {sub()}}}", f"{{{sub()}}}", "()", "[]"])
    if kind < 0.95:
        return f"({name()} := {sub()})"
    clause = f"for {random.choice([name(), f'{name()}, {name()}'])} in {sub()}{random.choice(['', f' if {sub()}'])}"
    return random.choice([f"[{sub()} {clause}]", f"({sub()} {clause})", f"{{{sub()}: {sub()} {clause}}}"])


def expressions(count):
    random.seed(9)
    lines = set()
    while len(lines) < count:
        text = expression(random.randint(1, 4))
        if len(text) > 70:
            continue
        try:
            lines.add(f"{text}\t{shape(ast.parse(text, mode='eval').body)}")
        except SyntaxError:
            lines.add(f"{text}\t!")
    return sorted(lines)


def layout(indent=0, depth=0):
    """Random lines of a block, in every shape that lines can have."""
    for _ in range(random.randint(1, 4)):
        pad = " " * indent
        noise = random.choice(["", "", "\n", f"{' ' * random.randint(0, 9)}# note\n", "   \n"])
        end = random.choice(["\n", "\n", "  # note\n", " \n"])
        brackets = random.choice(["(a,\n  b)", "[\n\na ,# note\n b]", "{'x' :\n1}", "f(a\n)", "(\n(\na))", '"""a\n  b"""'])
        shape = random.random()
        if depth < 4 and shape < 0.4:
            head = random.choice(["if a:", "while a:", "for i in a:", "def f(x, y=1):", "class C:", "with a as b:", "if (a or\n b):"])
            yield noise + pad + head + end
            yield from layout(indent + random.choice([1, 2, 4, 8]), depth + 1)
        elif shape < 0.55:
            yield noise + pad + f"x = a \\\n{' ' * random.randint(0, 9)}+ b" + end
        elif shape < 0.75:
            yield noise + pad + f"x = {brackets}" + end
        elif shape < 0.85:
            yield noise + pad + "a; b;c = 1" + random.choice([";", ""]) + end
        else:
            yield noise + pad + random.choice(["pass", "x += 0x1f", "del a[0], b", "return -1.5e-3", "y = 2j ** .5", "x: int = 1_000"]) + end


def tokens(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        place = f"{token.start[0]}:{token.start[1] + 1}"
        shown = token.string.replace("\n", "\\n")
        match token.type:
            case tokenize.NAME: yield f"{place} {'keyword' if keyword.iskeyword(shown) else 'name'} {shown}"
            case tokenize.NUMBER: yield f"{place} {type(ast.literal_eval(shown)).__name__} {shown}"
            case tokenize.STRING: yield f"{place} string {shown}"
            case tokenize.OP: yield f"{place} sign {shown}"
            case tokenize.NEWLINE: yield "NEWLINE"
            case tokenize.INDENT: yield "INDENT"
            case tokenize.DEDENT: yield "DEDENT"
            case tokenize.ENDMARKER: yield "END"


def trees(text):
    lines = text.splitlines(True)

    def visit(body, owner):
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from visit(node.body, node.name)
            elif isinstance(node, ast.FunctionDef):
                start = min([node.lineno] + [d.lineno for d in node.decorator_list])
                source = "".join(_sources.normalize_source_lines(inspect.getblock(lines[start - 1 :])))
                parsed = ast.parse(textwrap.dedent(source))
                indent = len(source) - len(source.lstrip())
                context = _sources.make_source_context(source, "source.py", start, indent, True, node.name)
                try:
                    types = torch.jit.annotations.get_type_line(source)
                    tree = frontend.build_def(context, parsed.body[0], types, node.name, self_name=owner)
                except Exception:
                    continue
                yield f"== {owner or ''}.{node.name} {start}\n{tree}"

    return visit(ast.parse(text).body, None)


def main(programs, output):
    warnings.simplefilter("ignore")
    files = {"expressions.txt": "\n".join(expressions(12000)) + "\n"}
    for number in range(200):
        text = "".join(layout())
        files[f"layouts/{number:03}"] = text = random.choice([text, text.rstrip("\n"), text + "\n\n"])
        files[f"tokens/layouts/{number:03}"] = "\n".join(tokens(text)) + "\n"
    for path in sorted(glob.glob(f"{programs}/*/*/source.py")):
        name = os.path.relpath(os.path.dirname(path), programs)
        text = open(path).read()
        files[f"tokens/{name}"] = "\n".join(tokens(text)) + "\n"
        files[f"trees/{name}"] = "".join(trees(text))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, text in sorted(files.items()):
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    with open(output, "wb") as file:
        subprocess.run(["zstd", "-19", "-q"], input=packed.getvalue(), stdout=file, check=True)
    print(output, len(files), "files", os.path.getsize(output), "bytes")


main(*sys.argv[1:])
