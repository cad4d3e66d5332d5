//! What stands where in a file, as the compiler met it: names, members, calls and the schemas they fitted, also in front of an error.

use expect_test::{Expect, expect};
use sconce_python::{Options, Program};
use sconce_script::emit::Meaning;

/// Each range of the file, with what it stands for.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let options = Options { meanings: true, ..Options::default() };
    let mut program = Program::new("m.py", text, options).unwrap_or_else(|e| panic!("{e}"));
    let mut shown = String::new();
    for entry in program.entries().expressions {
        if let Err(e) = program.compile(&entry) {
            shown += &format!("{entry}: {e}\n");
        }
    }
    let meanings = program.compiler.meanings.as_ref().expect("they were asked for");
    for (range, meanings) in meanings.ranges() {
        let quoted = &text[range.start as usize..range.end as usize];
        let each: Vec<String> = meanings.iter().map(words).collect();
        shown += &format!("{}..{} {quoted}: {}\n", range.start, range.end, each.join(" | "));
    }
    expected.assert_eq(&shown);
}

fn words(meaning: &Meaning) -> String {
    match meaning {
        Meaning::Value(ty) => ty.annotation_str(),
        other => format!("{other:?}"),
    }
}

#[test]
fn variables_have_types_where_they_are_assigned_and_used() {
    let text = "\
from typing import Optional
def f(x, n: int):
    y: Optional[int] = n
    a, b = x.size(0), 2.5
    if y is not None:
        n += y
    return x * n
";
    check(
        text,
        &expect![[r#"
        34..35 x: Tensor
        37..38 n: int
        50..51 y: Optional[int]
        69..70 n: int
        75..76 a: int
        78..79 b: float
        82..83 x: Tensor
        82..88 x.size: Operator("aten::size") | Schema("aten::size.int(Tensor self, int dim) -> int")
        82..90 x.size(0: int
        82..96 x.size(0), 2.5: Tuple[int, float]
        89..90 0: int
        93..96 2.5: float
        104..105 y: Optional[int]
        104..117 y is not None: Schema("aten::__isnot__(t1 self, t2 obj) -> bool")
        113..117 None: NoneType
        127..128 n: int
        127..133 n += y: Schema("aten::add.int(int a, int b) -> int")
        132..133 y: int
        145..146 x: Tensor
        145..150 x * n: Schema("aten::mul.Scalar(Tensor self, Scalar other) -> Tensor") | Tensor
        149..150 n: int
    "#]],
    );
}

#[test]
fn calls_have_the_schema_that_fitted_and_an_error_hides_nothing_before_it() {
    let text = "\
import torch
def g(x):
    return torch.relu(x)
def f(x):
    y = g(x).add_(1)
    return y + unknown
";
    check(
        text,
        &expect![[r#"
        f: m.py:6:16: undefined value unknown
        19..20 x: Tensor
        34..39 torch: Namespace("torch")
        34..44 torch.relu: Operator("aten::relu") | Schema("aten::relu(Tensor self) -> Tensor")
        34..46 torch.relu(x: Tensor
        45..46 x: Tensor
        54..55 x: Tensor
        62..63 y: Tensor
        66..67 g: Functions(["__torch__.m.g"])
        66..69 g(x: Tensor
        66..74 g(x).add: Operator("aten::add_") | Schema("aten::add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)")
        66..77 g(x).add_(1: Tensor
        68..69 x: Tensor
        76..77 1: int
        90..91 y: Tensor
    "#]],
    );
}

#[test]
fn members_of_modules_and_loops_over_them() {
    let text = "\
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.ReLU(), torch.nn.Sigmoid()])
    def helper(self, x):
        return x
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.helper(x)
";
    check(
        text,
        &expect![[r#"
        186..190 self: __torch__.m.M
        192..193 x: Tensor
        211..212 x: Tensor
        229..233 self: __torch__.m.M
        235..236 x: Tensor
        251..256 layer: __torch__.torch.nn.modules.activation.ReLU | __torch__.torch.nn.modules.activation.Sigmoid
        260..264 self: __torch__.m.M
        260..271 self.layers: __torch__.torch.nn.modules.container.ModuleList
        285..286 x: Tensor
        289..294 layer: __torch__.torch.nn.modules.activation.ReLU | __torch__.torch.nn.modules.activation.Sigmoid
        289..296 layer(x: Tensor
        295..296 x: Tensor
        313..317 self: __torch__.m.M
        313..324 self.helper: Methods { class: "__torch__.m.M", names: ["helper"] }
        313..326 self.helper(x: Tensor
        325..326 x: Tensor
    "#]],
    );
}
