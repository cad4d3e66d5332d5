"""Writes sympy.txt: expressions of PyTorch's shapes in sympy's long and short form, a tab between them.

    /opt/torch/bin/python record_sympy.py > sympy.txt
"""
import random
import sympy
from sympy import And, Eq, Float, Ne, Not, Or, Rational, Symbol, srepr
import torch.utils._sympy.functions as F
from torch.utils._sympy.numbers import int_oo

random.seed(22)
symbols = [Symbol(f"s{n}", positive=True, integer=True) for n in (0, 17, 27, 77)] + [Symbol(f"u{n}", integer=True) for n in (0, 1, 12)]
z = Symbol("zuf0", real=True)


def size(depth):
    if depth == 0 or random.random() < 0.15:
        return random.choice(symbols + [sympy.Integer(random.choice([-7, -1, 1, 2, 3, 4, 12, 64]))])
    a, b = size(depth - 1), size(depth - 1)
    kind = random.randrange(13)
    try:
        if kind < 3: return a + b
        if kind < 5: return a * b
        if kind == 5: return a - b
        if kind == 6: return F.FloorDiv(a, abs(b) if b.is_number and b else random.choice(symbols))
        if kind == 7: return F.PythonMod(a, random.choice(symbols))
        if kind == 8: return F.Mod(symbols[0] * symbols[1] + 3, symbols[2])
        if kind == 9: return F.Max(a, b)
        if kind == 10: return F.Min(a, b)
        if kind == 11: return a ** random.choice([2, 3])
        return F.ModularIndexing(a, random.choice(symbols), 3)
    except Exception:
        return a


def condition(depth):
    a, b = size(2), size(1)
    kind = random.randrange(8 if depth else 6)
    if kind == 0: return Eq(a, b)
    if kind == 1: return Ne(a, b)
    if kind < 6: return [a < b, a <= b, a > b, a >= b][kind - 2]
    x, y = condition(depth - 1), condition(depth - 1)
    return And(x, y) if kind == 6 else Or(x, y)


s, u = symbols[0], symbols[4]
chosen = [
    F.IntTrueDiv(u, s), F.FloatTrueDiv(z, 2.0), F.ToFloat(s), F.CeilToInt(F.IntTrueDiv(s, 2)), F.FloorToInt(z), F.TruncToInt(z),
    F.TruncToFloat(z), F.RoundToInt(z), F.RoundDecimal(z, 2), F.Where(u < 2, u, s), F.PowByNatural(u, symbols[5]), F.FloatPow(z, 2.0),
    F.LShift(s, symbols[1]), F.RShift(s, symbols[1]), F.BitwiseFn_bitwise_and(s, 3), F.OpaqueUnaryFn_sqrt(s), F.Identity(s + 1), F.CleanDiv(u, s),
    F.IsNonOverlappingAndDenseIndicator(u, s), Not(Or(Eq(u, 1), Symbol("b"))), sympy.true, sympy.false, Float(2.5), Float(1e-5), Float(1e-4), Float(1e15),
    Float(1e14), Float(-0.1), Float(3e300), z * 2.5 + 1.0, z * -2.5, Rational(1, 2) * u, Rational(-2, 3) * u, u / 3, sympy.sqrt(s), 1 / s, s / symbols[1], 1 / (u * s),
    u ** -2, (u + 1) / (2 * s), 1 / sympy.sqrt(u), u ** Rational(1, 3), u ** (s + 1), 2 ** u, (-2) ** u, (-u) ** s, 2 ** (-u), int_oo, -int_oo, sympy.oo, sympy.nan,
    sympy.Abs(u), sympy.floor(u / 2), sympy.Piecewise((u, u < 3), (s, True)), sympy.Integer(-3), u * (-s - 1), u - (s + 1) * symbols[5],
    F.IntTrueDiv(u, s) * 2.5, F.Mod(s + 1, symbols[1]) * 3, 3 * F.Where(u < 2, u, s), F.FloatPow(z, 2.0) * 3, F.PowByNatural(u, s) * 3, F.BitwiseFn_bitwise_xor(u, s) + 1,
    F.BitwiseFn_bitwise_or(u, s) > 1, sympy.Xor(u < 1, s < 2),
]
seen = dict.fromkeys(chosen)
while len(seen) < 500:
    seen[size(3) if random.random() < 0.7 else condition(2)] = None
for e in seen:
    print(srepr(e), e, sep="\t")
