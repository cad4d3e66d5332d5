import torch as t
from ..a.b import (c, d as e,)
@t.jit.script
def f(a,  # type: int
      *b, c=1, **d):
    # type: (...) -> int
    """Text."""
    x: int = a if b else ~c ** -d
    x //= 2; y, (z, *w) = f"{a!r:>{b}}{c=}" "d{{" rb'\x41'
    s = [i for i in range(3) if i] + {**k, "a": 1}[1:2, ..., ::-1]
    try:
        with open(x) as q, z: pass
    except (A, B) as e:
        raise E from e
    else:
        del x[0], (y, z)
    finally:
        global g
    while not x in y or (n := 10) > 5:
        if x: break
        elif y: continue
        else: assert x, "m"
    else:
        return lambda u, /, v=1, *, w: (yield u)
    match x:
        case 1: pass
