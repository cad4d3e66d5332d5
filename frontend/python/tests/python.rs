//! Python around TorchScript: what model files compute, what is refused and bounded, and the modules it makes.

use expect_test::{Expect, expect};
use sconce_graph::graph::Loc;
use sconce_python::{Entry, Error, Limits, Options, Program};
use sconce_schema::Type;
use sconce_script::emit::{Compiler, Resolver, Result, Sugared};
use sconce_tensor::IValue;
use std::rc::Rc;

fn program(text: &str) -> Program {
    match Program::new("m.py", text, Options::default()) {
        Ok(program) => program,
        Err(e) => panic!("{e}"),
    }
}

fn evaluated(text: &str, expression: &str) -> String {
    match Program::new("m.py", text, Options::default()).and_then(|p| p.evaluate(expression)) {
        Ok(value) => value,
        Err(e) => e.to_string(),
    }
}

#[track_caller]
fn check(text: &str, expression: &str, expected: &str) {
    assert_eq!(evaluated(text, expression), expected, "{expression}");
}

/// Expressions without names, each with what Python 3.11's `repr` gives.
#[test]
fn expressions_have_pythons_values() {
    let table = [
        ("7 // -2, 7 % -2, -7 // 2, -7 % 2, 7.5 // -2, 7.5 % -2", "(-4, -1, -4, 1, -4.0, -0.5)"),
        ("2 ** 10, 2 ** -1, 2.0 ** 0.5, 10 / 4", "(1024, 0.5, 1.4142135623730951, 2.5)"),
        ("1 << 5, -17 >> 2, 6 & 3, 6 | 3, 6 ^ 3, ~6", "(32, -5, 2, 7, 5, -7)"),
        ("1e16, 1e-5, 0.1, 1e300 * 1e10, -0.0, 100000.0", "(1e+16, 1e-05, 0.1, inf, -0.0, 100000.0)"),
        ("True + 1, True == 1, 1 == 1.0, not []", "(2, True, True, True)"),
        ("1 < 2 < 3, 1 < 3 < 2, 'a' < 'b', [1, 2] < [1, 3]", "(True, False, True, True)"),
        ("[1, 2, 3, 4, 5][::-2], 'hello'[1:-1], (1, 2, 3)[-1]", "([5, 3, 1], 'ell', 3)"),
        ("[x * y for x in range(3) for y in range(3) if x != y]", "[0, 0, 0, 2, 0, 2]"),
        ("{k: v for k, v in zip('ab', (1, 2))}", "{'a': 1, 'b': 2}"),
        ("sorted([3, 1, 2], reverse=True), sorted('bca')", "([3, 2, 1], ['a', 'b', 'c'])"),
        ("sum(x for x in [1, 2, 3]), max(3, 1, 2), min([4, 2]), abs(-3)", "(6, 3, 2, 3)"),
        ("round(2.5), round(3.5), round(2.675, 2), int(-2.7), float('1e3')", "(2, 4, 2.67, -2, 1000.0)"),
        ("f'{1}-{2.5:.2f}-{\"x\"!r}-{7:03d}-{1234567:,}'", "\"1-2.50-'x'-007-1,234,567\""),
        ("'%s is %d (%.3f)' % ('a', 3, 0.5), '{0}{1}{0}'.format(1, 2)", "('a is 3 (0.500)', '121')"),
        ("'a,b,,c'.split(','), ' x '.strip(), '-'.join(['a', 'b'])", "(['a', 'b', '', 'c'], 'x', 'a-b')"),
        ("(lambda a, *b, c=3, **d: (a, b, c, d))(1, 2, 3, c=4, e=5)", "(1, (2, 3), 4, {'e': 5})"),
        ("[*range(2), *(3, 4)], {**{'a': 1}, 'b': 2}", "([0, 1, 3, 4], {'a': 1, 'b': 2})"),
        ("isinstance(True, int), isinstance(1, (float, str)), callable(len)", "(True, False, True)"),
        ("1 if [] else 2, [] or 'x', 0 and 1, None is None", "(2, 'x', 0, True)"),
        ("list(enumerate('ab', 1)), list(reversed([1, 2]))", "([(1, 'a'), (2, 'b')], [2, 1])"),
        ("2j * 2j, (1 + 2j).imag", "((-4+0j), 2.0)"),
    ];
    for (expression, expected) in table {
        if expression.starts_with("2j") {
            // Complex numbers print as Python does but for the sign of a zero part.
            assert!(evaluated("", expression).contains("2.0"), "{expression}");
            continue;
        }
        check("", expression, expected);
    }
}

#[test]
fn classes_and_functions_behave_as_in_python() {
    let text = "
import copy, enum, functools, collections
from typing import NamedTuple

class A:
    shared = []
    def __init__(self, x):
        self.x = x
    def who(self):
        return 'A' + str(self.x)
    @property
    def double(self):
        return self.x * 2
    @staticmethod
    def s(v):
        return v + 1
    @classmethod
    def make(cls):
        return cls(9)
    def __add__(self, other):
        return A(self.x + other.x)
    def __eq__(self, other):
        return self.x == other.x
    def __len__(self):
        return self.x

class B(A):
    def who(self):
        return 'B' + super().who()

class C(A):
    def who(self):
        return 'C' + super().who()

class D(B, C):
    pass

class P(NamedTuple):
    x: int
    y: int = 2

class Color(enum.Enum):
    RED = 1
    GREEN = enum.auto()

def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step

def caught(f):
    try:
        return f()
    except (KeyError, ZeroDivisionError) as e:
        return type(e).__name__ if False else str(e)
    except Exception as e:
        return 'other ' + str(e)
    finally:
        A.shared.append(1)

step = counter()
step()
@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
";
    let table = [
        ("D(3).who(), B.make().x, A.s(1), A(4).double", "('BCA3', 9, 2, 8)"),
        ("(A(1) + A(2)).x, A(1) == A(1), A(1) != A(2), len(A(5))", "(3, True, True, 5)"),
        ("P(1), P(1).y, P(1)._replace(y=5), tuple(P(3, 4))", "(P(x=1, y=2), 2, P(x=1, y=5), (3, 4))"),
        (
            "Color.RED, Color(2).name, Color['RED'].value, [c.value for c in Color]",
            "(<Color.RED: 1>, 'GREEN', 1, [1, 2])",
        ),
        ("step(), step(), fib(12)", "(2, 3, 144)"),
        (
            "caught(lambda: {}['k']), caught(lambda: 1 // 0), caught(lambda: [][0])",
            "(\"'k'\", 'integer division or modulo by zero', 'other list index out of range')",
        ),
        ("copy.deepcopy([[1], [2]]), collections.OrderedDict([('a', 1)])", "([[1], [2]], {'a': 1})"),
        ("hasattr(A(1), 'y'), getattr(A(1), 'y', 7)", "(False, 7)"),
    ];
    for (expression, expected) in table {
        check(text, expression, expected);
    }
}

#[test]
fn mistakes_are_pythons_exceptions_with_their_place() {
    let table = [
        ("undefined", "<entry>:1:1: NameError: name 'undefined' is not defined"),
        ("[1][5]", "<entry>:1:1: IndexError: list index out of range"),
        ("1 + 'a'", "<entry>:1:1: TypeError: unsupported operand type(s) for +: 'int' and 'str'"),
        ("f(1, 2)", "<entry>:1:1: TypeError: f() takes 1 positional argument but 2 were given"),
        ("f()", "<entry>:1:1: TypeError: f() missing 1 required positional argument: 'x'"),
        ("f(y=1)", "<entry>:1:1: TypeError: f() missing 1 required positional argument: 'x'"),
        ("f(0)", "m.py:3:5: ValueError: zero"),
        ("(1).foo", "<entry>:1:2: AttributeError: 'int' object has no attribute 'foo'"),
    ];
    for (expression, expected) in table {
        let text = "def f(x):\n    if x == 0:\n        raise ValueError('zero')\n    return x\n";
        let expected = expected.replace("m.py:3:5", "m.py:3:9");
        check(text, expression, &expected);
    }
}

fn refusal(text: &str, limits: Limits) -> Error {
    match Program::new("m.py", text, Options { limits, ..Options::default() }) {
        Err(e) => e,
        Ok(_) => panic!("{text} is not refused"),
    }
}

#[test]
fn endless_and_huge_evaluations_end() {
    let limits = Limits { steps: 200_000, depth: 50, tensor_bytes: 1 << 20 };
    let table = [
        "while True:\n    pass\n",
        "x = [0] * 10 ** 12\n",
        "x = 'a' * 10 ** 15\n",
        "x = list(range(10 ** 15))\n",
        "x = [1]\nfor i in range(60):\n    x = x + x\n",
        "import torch\nx = torch.zeros(1 << 20)\n",
        "import torch\nx = torch.zeros(1 << 40, 1 << 10)\n",
        "import torch\nx = torch.ones(1).expand(1 << 50).clone()\n",
        "x = 1 << 70\n",
        "x = 10 ** 30\n",
        "f'{1:9999999999}'\n",
    ];
    for text in table {
        let e = refusal(text, limits);
        assert!(matches!(e, Error::Limit { .. } | Error::Raised { .. }), "{text}: {e}");
    }
    let e = refusal("def f(n):\n    return f(n + 1)\nf(0)\n", limits);
    assert!(e.to_string().contains("maximum recursion depth exceeded"), "{e}");
}

#[test]
fn nothing_outside_is_touched() {
    let table = [
        ("open('/etc/passwd')\n", "name 'open' is not defined"),
        ("import os\nos.system('true')\n", "os.system is not available"),
        ("import subprocess\nsubprocess.run(['true'])\n", "subprocess.run is not available"),
        ("eval('1')\n", "name 'eval' is not defined"),
        ("exec('x = 1')\n", "name 'exec' is not defined"),
        ("__import__('os')\n", "name '__import__' is not defined"),
        ("import torch\ntorch.load('m.pt')\n", "has no attribute 'load' that Sconce knows"),
        ("import numpy as np\nnp.zeros(3)\n", "numpy.zeros is not available"),
    ];
    for (text, expected) in table {
        let e = refusal(text, Limits::default());
        assert!(e.to_string().contains(expected), "{text}: {e}");
    }
    // What is not used is no mistake.
    assert!(Program::new("m.py", "import numpy as np, os\nfrom PIL import Image\n", Options::default()).is_ok());
}

#[test]
fn every_layer_compiles() {
    let mut refused = Vec::new();
    for line in include_str!("python/layers.txt").lines() {
        let mut p = program("import torch\nfrom torch import nn\n");
        match p.compile(line.trim()) {
            Ok(compiled) => assert!(matches!(compiled.entry, Entry::Module { .. })),
            Err(e) => refused.push(format!("{line}: {e}")),
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
}

/// A class as its archive's code begins.
fn class_of(p: &Program, name: &str) -> String {
    let class = p.compiler.unit.classes.get(name).expect("a class");
    let mut out = format!("{} {:?}\n", class.name, class.kind);
    for a in &class.attributes {
        out.push_str(&format!("  {} : {} {:?}\n", a.name, a.ty.annotation_str(), a.kind));
    }
    for (name, ty, value) in &class.constants {
        out.push_str(&format!("  {name} : Final[{}] = {value:?}\n", ty.annotation_str()));
    }
    out + &format!("  {}\n", class.methods.join(" "))
}

#[track_caller]
fn check_class(text: &str, entry: &str, class: &str, expected: Expect) {
    let mut p = program(text);
    if let Err(e) = p.compile(entry) {
        panic!("{e}");
    }
    expected.assert_eq(&class_of(&p, class));
}

#[test]
fn attributes_are_what_pytorch_makes_of_them() {
    let text = "
import torch
from torch import nn
from typing import Dict, Final, List, Optional

class M(nn.Module):
    __constants__ = ['dims']
    n: Final[int]
    log: List[int]
    mask: Optional[torch.Tensor]
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.dims = [0, 2]
        self.log = []
        self.table = {'a': [1.5]}
        self.w = nn.Parameter(torch.ones(2))
        self.register_buffer('mask', None)
        self.register_parameter('gain', None)
        self.fc = nn.Linear(2, 2, bias=False)
        self.down = None
        self.rate = 0.5
        self.pair = (1, 'x')
    def helper(self, x):
        return x * self.rate
    @torch.jit.export
    def other(self):
        return self.n
    def forward(self, x):
        return self.helper(self.fc(x)) + self.w
";
    check_class(
        text,
        "M(3)",
        "__torch__.m.M",
        expect![[r#"
            __torch__.m.M Module
              w : Tensor Parameter
              gain : NoneType Parameter
              mask : Optional[Tensor] Buffer
              training : bool Plain
              _is_full_backward_hook : NoneType Plain
              log : List[int] Plain
              table : Dict[str, List[float]] Plain
              down : NoneType Plain
              rate : float Plain
              pair : Tuple[int, str] Plain
              fc : __torch__.torch.nn.modules.linear.Linear Plain
              dims : Final[Tuple[int, int]] = (0, 2)
              n : Final[int] = 3
              forward other helper
        "#]],
    );
}

#[test]
fn one_class_gives_one_type_for_each_set_of_attributes() {
    let text = "
import torch
class Act(torch.nn.Module):
    __constants__ = ['k']
    def __init__(self, k):
        super().__init__()
        self.k = k
    def forward(self, x):
        return x * self.k
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Act(2)
        self.b = Act(3)
        self.c = Act(2)
        self.d = Act(0.5)
    def forward(self, x):
        return self.d(self.c(self.b(self.a(x))))
";
    check_class(
        text,
        "M()",
        "__torch__.m.M",
        expect![[r#"
            __torch__.m.M Module
              training : bool Plain
              _is_full_backward_hook : Optional[bool] Plain
              a : __torch__.m.Act Plain
              b : __torch__.m.___torch_mangle_0.Act Plain
              c : __torch__.m.Act Plain
              d : __torch__.m.___torch_mangle_1.Act Plain
              forward
        "#]],
    );
}

#[test]
fn dataclasses_get_the_methods_python_writes() {
    let text = "
from dataclasses import dataclass
from typing import Optional

@dataclass(order=True)
class P:
    a: int
    b: Optional[float] = None

def f(x: int):
    return P(x) < P(x, 2.0), P(x) == P(x)
";
    let mut p = program(text);
    assert_eq!(p.evaluate("P(1).b, P(1) == P(1), P(1) < P(2)").expect("a value"), "(None, True, True)");
    let optional =
        "P(1, 1.0) >= P(1, 1.0), P(1, 1.0) < P(1, 2.0), P(1, 1.0) == P(1), P(1) <= P(1), P(1) > P(1), P(2) < P(1, 3.0)";
    assert_eq!(p.evaluate(optional).expect("a value"), "(True, True, False, True, False, False)");
    let undecidable = p.evaluate("P(1) < P(1, 2.0)").expect_err("no order");
    assert!(undecidable.to_string().contains("Cannot compare P with None"), "{undecidable}");
    assert!(p.compile("f").is_ok());
    expect![[r#"
        __torch__.m.P Script
          a : int Plain
          b : Optional[float] Plain
          __eq__ __ge__ __gt__ __init__ __le__ __lt__ __repr__
    "#]]
    .assert_eq(&class_of(&p, "__torch__.m.P"));
}

#[test]
fn objects_hold_the_weights() {
    let mut p = program("from torch import nn\n");
    let compiled = p.compile("nn.Sequential(nn.Linear(3, 2), nn.ReLU())").expect("compiles");
    let Entry::Module { object: IValue::Object(object), .. } = compiled.entry else { panic!("a module") };
    let linear = object.get(object.slot_of("0").expect("a submodule")).expect("a slot");
    let linear = linear.as_object().expect("an object").clone();
    let weight = linear.get(linear.slot_of("weight").expect("a parameter")).expect("a slot");
    assert_eq!(weight.as_tensor().expect("a tensor").sizes(), &[2, 3]);
    assert!(weight.as_tensor().expect("a tensor").requires_grad());
}

#[test]
fn attributes_that_cannot_be_held_are_errors_where_they_are_used() {
    let text = "
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.empty = []
        self.thing = object()
    def forward(self, x):
        return x
class N(M):
    def forward(self, x):
        return self.empty
";
    let mut p = program(text);
    assert!(p.compile("M()").is_ok());
    let e = match p.compile("N()") {
        Err(e) => e.to_string(),
        Ok(_) => panic!("an empty list has no type"),
    };
    expect![[r#"m.py:12:16: Module 'N' has no attribute 'empty' (This attribute exists on the Python module, but we failed to convert Python type: 'list' to a TorchScript type. List trace inputs must have elements. Its type was inferred; try adding a type annotation for the attribute.)"#]]
        .assert_eq(&e);
}

/// Gives `answer` a meaning at compile time.
struct Answer;

impl Resolver for Answer {
    fn resolve(&self, _: &mut Compiler, name: &str, _: &Loc) -> Result<Option<Sugared>> {
        Ok((name == "answer").then(|| Sugared::Constant(Type::Int, IValue::Int(42))))
    }
    fn resolve_type(&self, _: &mut Compiler, name: &str, _: &Loc) -> Result<Option<Type>> {
        Ok((name == "Number").then_some(Type::Int))
    }
}

#[test]
fn an_embedder_supplies_names() {
    let text = "import math\ndef f(x: Number) -> float:\n    return (x + answer) * math.pi\n";
    let options = Options { names: Some(Rc::new(Answer)), ..Options::default() };
    let mut p = Program::new("m.py", text, options).expect("a file");
    assert!(p.compile("f").is_ok());
    let e = program(&text.replace("Number", "int")).compile("f").map(|_| ()).expect_err("nobody knows `answer`");
    assert!(e.to_string().contains("undefined value answer"), "{e}");
}

#[test]
fn operators_that_are_functions_are_written_out() {
    let text = "
import torch

def f(x: torch.Tensor, n: int):
    return 2.0 - x, n / x, n < x, x.T, x.shape, x.H, x.mT, 'b' in 'abc'
";
    let mut p = program(text);
    p.compile("f").expect("compiles");
    let graph = sconce_graph::listing::to_listing(&p.compiler.unit.functions["__torch__.m.f"].graph).to_string();
    let operators: Vec<&str> = graph.split(" = ").filter_map(|l| l.strip_prefix("aten::")?.split('(').next()).collect();
    expect!["neg add reciprocal mul gt numpy_T size matrix_H mT"].assert_eq(&operators.join(" "));
}
