//! Programs of any number of operations, by what they are made of: each shape is what some pass might be slow at.

use std::fmt::Write;

/// A kind of program.
pub struct Shape {
    pub name: &'static str,
    /// What a file of it ends in.
    pub suffix: &'static str,
    /// The text of a program of about so many operations.
    pub text: fn(usize) -> String,
}

/// What is measured.
pub static SHAPES: &[Shape] = &[
    graph("pointwise", pointwise),
    graph("products", products),
    graph("constants", constants),
    graph("common", common),
    graph("dead", dead),
    graph("wide", wide),
    graph("views", views),
    graph("sizes", sizes),
    graph("lists", lists),
    graph("one-list", one_list),
    graph("tuples", tuples),
    graph("dicts", dicts),
    graph("writes", writes),
    graph("one-tensor", one_tensor),
    graph("branches", branches),
    graph("loops", loops),
    graph("while", whiles),
    graph("nest", nest),
    graph("one-branch", one_branch),
    Shape { name: "calls", suffix: "py", text: calls },
];

const fn graph(name: &'static str, text: fn(usize) -> String) -> Shape {
    Shape { name, suffix: "txt", text }
}

/// A graph of a tensor: its lines, and the value that it gives.
struct Lines(String);

impl Lines {
    fn new() -> Lines {
        let mut lines = Lines(String::from("graph(%x : Tensor, %n : int, %b : bool):\n"));
        for (name, ty, value) in [
            ("zero", "int", "0"),
            ("one", "int", "1"),
            ("two", "int", "2"),
            ("true", "bool", "1"),
            ("half", "float", "0.5"),
            ("none", "NoneType", ""),
        ] {
            let value = if value.is_empty() { String::new() } else { format!("[value={value}]") };
            lines.put(&format!("%{name} : {ty} = prim::Constant{value}()"));
        }
        lines
    }

    fn put(&mut self, line: &str) {
        let _ = writeln!(self.0, "  {line}");
    }

    fn end(mut self, result: &str) -> String {
        self.put(&format!("return ({result})"));
        self.0
    }
}

/// `step` is put so often, each time with a number and the tensor of the step before, and says the name of its own.
fn chain(n: usize, per_step: usize, mut step: impl FnMut(&mut Lines, usize, &str) -> String) -> String {
    let mut lines = Lines::new();
    let mut last = "%x".to_owned();
    for i in 0..(n / per_step).max(1) {
        last = step(&mut lines, i, &last);
    }
    lines.end(&last)
}

fn pointwise(n: usize) -> String {
    chain(n, 4, |lines, i, last| {
        lines.put(&format!("%a{i} : Tensor = aten::add({last}, %x, %one)"));
        lines.put(&format!("%r{i} : Tensor = aten::relu(%a{i})"));
        lines.put(&format!("%m{i} : Tensor = aten::mul(%r{i}, %half)"));
        lines.put(&format!("%t{i} : Tensor = aten::tanh(%m{i})"));
        format!("%t{i}")
    })
}

fn products(n: usize) -> String {
    chain(n, 4, |lines, i, last| {
        lines.put(&format!("%t{i} : Tensor = aten::t(%x)"));
        lines.put(&format!("%p{i} : Tensor = aten::matmul({last}, %t{i})"));
        lines.put(&format!("%l{i} : Tensor = aten::linear(%p{i}, %x, %none)"));
        lines.put(&format!("%a{i} : Tensor = aten::add(%l{i}, {last}, %one)"));
        format!("%a{i}")
    })
}

/// Some numbers are met again and others are not, and some are computed of constants alone.
fn constants(n: usize) -> String {
    chain(n, 6, |lines, i, last| {
        lines.put(&format!("%c{i} : int = prim::Constant[value={}]()", i % 1000));
        lines.put(&format!("%d{i} : int = prim::Constant[value={i}]()"));
        lines.put(&format!("%f{i} : float = prim::Constant[value={i}.5]()"));
        lines.put(&format!("%s{i} : int = aten::add(%c{i}, %d{i})"));
        lines.put(&format!("%a{i} : Tensor = aten::add({last}, %f{i}, %s{i})"));
        lines.put(&format!("%b{i} : Tensor = aten::mul(%a{i}, %d{i})"));
        format!("%b{i}")
    })
}

/// Many computations of the same.
fn common(n: usize) -> String {
    chain(n, 3, |lines, i, last| {
        lines.put(&format!("%a{i} : Tensor = aten::relu(%x)"));
        lines.put(&format!("%b{i} : Tensor = aten::neg(%a{i})"));
        lines.put(&format!("%c{i} : Tensor = aten::add({last}, %b{i}, %one)"));
        format!("%c{i}")
    })
}

fn dead(n: usize) -> String {
    chain(n, 4, |lines, i, last| {
        lines.put(&format!("%a{i} : Tensor = aten::relu({last})"));
        lines.put(&format!("%b{i} : Tensor = aten::neg(%a{i})"));
        lines.put(&format!("%c{i} : Tensor[] = prim::ListConstruct(%b{i})"));
        lines.put(&format!("%d{i} : Tensor[] = aten::append(%c{i}, %a{i})"));
        format!("%a{i}")
    })
}

/// One value that is used by half of the operations, and one operation that uses the other half.
fn wide(n: usize) -> String {
    let mut lines = Lines::new();
    let count = n.max(2) - 1;
    for i in 0..count {
        lines.put(&format!("%a{i} : Tensor = aten::add(%x, %x, %n)"));
    }
    let all: Vec<String> = (0..count).map(|i| format!("%a{i}")).collect();
    lines.put(&format!("%l : Tensor[] = prim::ListConstruct({})", all.join(", ")));
    lines.put("%r : Tensor = aten::cat(%l, %zero)");
    lines.end("%r")
}

fn views(n: usize) -> String {
    chain(n, 4, |lines, i, last| {
        lines.put(&format!("%a{i} : Tensor = aten::transpose({last}, %zero, %one)"));
        lines.put(&format!("%b{i} : Tensor = aten::unsqueeze(%a{i}, %zero)"));
        lines.put(&format!("%c{i} : Tensor = aten::select(%b{i}, %zero, %zero)"));
        lines.put(&format!("%d{i} : Tensor = aten::neg(%c{i})"));
        format!("%d{i}")
    })
}

/// Sizes of tensors, and what is computed of them.
fn sizes(n: usize) -> String {
    chain(n, 5, |lines, i, last| {
        lines.put(&format!("%s{i} : int = aten::size({last}, %zero)"));
        lines.put(&format!("%m{i} : int = aten::mul(%s{i}, %one)"));
        lines.put(&format!("%l{i} : int[] = prim::ListConstruct(%m{i}, %s{i})"));
        lines.put(&format!("%v{i} : Tensor = aten::view({last}, %l{i})"));
        lines.put(&format!("%a{i} : Tensor = aten::relu(%v{i})"));
        format!("%a{i}")
    })
}

fn lists(n: usize) -> String {
    chain(n, 6, |lines, i, last| {
        lines.put(&format!("%l{i} : Tensor[] = prim::ListConstruct({last}, %x)"));
        lines.put(&format!("%g{i} : Tensor = aten::relu({last})"));
        lines.put(&format!("%p{i} : Tensor[] = aten::append(%l{i}, %g{i})"));
        lines.put(&format!("%c{i} : Tensor = aten::stack(%l{i}, %zero)"));
        lines.put(&format!("%u{i} : Tensor = aten::select(%c{i}, %zero, %one)"));
        lines.put(&format!("%e{i} : Tensor = aten::add(%u{i}, %x, %one)"));
        format!("%e{i}")
    })
}

/// One list that everything goes into.
fn one_list(n: usize) -> String {
    let mut lines = Lines::new();
    lines.put("%l : Tensor[] = prim::ListConstruct()");
    let mut last = "%x".to_owned();
    for i in 0..(n / 2).max(1) {
        lines.put(&format!("%a{i} : Tensor = aten::relu({last})"));
        lines.put(&format!("%p{i} : Tensor[] = aten::append(%l, %a{i})"));
        last = format!("%a{i}");
    }
    lines.put("%r : Tensor = aten::cat(%l, %zero)");
    lines.end("%r")
}

fn tuples(n: usize) -> String {
    chain(n, 4, |lines, i, last| {
        lines.put(&format!("%a{i} : Tensor = aten::relu({last})"));
        lines.put(&format!("%t{i} : (Tensor, Tensor) = prim::TupleConstruct({last}, %a{i})"));
        lines.put(&format!("%u{i} : Tensor, %v{i} : Tensor = prim::TupleUnpack(%t{i})"));
        lines.put(&format!("%b{i} : Tensor = aten::add(%u{i}, %v{i}, %one)"));
        format!("%b{i}")
    })
}

fn dicts(n: usize) -> String {
    chain(n, 4, |lines, i, last| {
        lines.put(&format!("%d{i} : Dict(int, Tensor) = prim::DictConstruct(%zero, {last})"));
        lines.put(&format!("aten::_set_item(%d{i}, %one, %x)"));
        lines.put(&format!("%g{i} : Tensor = aten::__getitem__(%d{i}, %zero)"));
        lines.put(&format!("%a{i} : Tensor = aten::relu(%g{i})"));
        format!("%a{i}")
    })
}

/// In-place operators on new tensors and through views of them.
fn writes(n: usize) -> String {
    chain(n, 5, |lines, i, last| {
        lines.put(&format!("%a{i} : Tensor = aten::add({last}, %x, %one)"));
        lines.put(&format!("%s{i} : Tensor = aten::select(%a{i}, %zero, %zero)"));
        lines.put(&format!("%f{i} : Tensor = aten::mul_(%s{i}, %half)"));
        lines.put(&format!("%r{i} : Tensor = aten::relu_(%a{i})"));
        lines.put(&format!("%t{i} : Tensor = aten::tanh(%a{i})"));
        format!("%t{i}")
    })
}

/// One tensor that everything writes to, in part and in whole.
fn one_tensor(n: usize) -> String {
    let mut lines = Lines::new();
    lines.put("%y : Tensor = aten::neg(%x)");
    for i in 0..(n / 3).max(1) {
        lines.put(&format!("%s{i} : Tensor = aten::select(%y, %zero, %one)"));
        lines.put(&format!("%f{i} : Tensor = aten::mul_(%s{i}, %half)"));
        lines.put(&format!("%r{i} : Tensor = aten::add_(%y, %x, %one)"));
    }
    lines.end("%y")
}

fn branches(n: usize) -> String {
    chain(n, 4, |lines, i, last| {
        lines.put(&format!("%a{i} : Tensor = aten::neg({last})"));
        lines.put(&format!("%i{i} : Tensor = prim::If(%b)"));
        lines.put("  block0():");
        lines.put(&format!("    %u{i} : Tensor = aten::relu(%a{i})"));
        lines.put(&format!("    -> (%u{i})"));
        lines.put("  block1():");
        lines.put(&format!("    %v{i} : Tensor = aten::tanh(%a{i})"));
        lines.put(&format!("    -> (%v{i})"));
        format!("%i{i}")
    })
}

/// Loops of few turns, which are unrolled.
fn loops(n: usize) -> String {
    chain(n, 4, |lines, i, last| {
        lines.put(&format!("%a{i} : Tensor = aten::neg({last})"));
        lines.put(&format!("%i{i} : Tensor = prim::Loop(%two, %true, %a{i})"));
        lines.put(&format!("  block0(%k{i} : int, %w{i} : Tensor):"));
        lines.put(&format!("    %u{i} : Tensor = aten::add(%w{i}, %x, %k{i})"));
        lines.put(&format!("    %v{i} : Tensor = aten::tanh(%u{i})"));
        lines.put(&format!("    -> (%true, %v{i})"));
        format!("%i{i}")
    })
}

/// Loops that go on while something holds.
fn whiles(n: usize) -> String {
    chain(n, 5, |lines, i, last| {
        lines.put(&format!("%i{i} : Tensor, %g{i} : bool = prim::Loop(%n, %b, {last}, %b)"));
        lines.put(&format!("  block0(%k{i} : int, %w{i} : Tensor, %h{i} : bool):"));
        lines.put(&format!("    %u{i} : Tensor = aten::add(%w{i}, %x, %k{i})"));
        lines.put(&format!("    %v{i} : Tensor = aten::tanh_(%u{i})"));
        lines.put(&format!("    %c{i} : bool = aten::__and__(%h{i}, %b)"));
        lines.put(&format!("    -> (%c{i}, %u{i}, %c{i})"));
        lines.put(&format!("%e{i} : Tensor = aten::relu(%i{i})"));
        format!("%e{i}")
    })
}

/// Branches in loops in branches, sixteen deep.
fn nest(n: usize) -> String {
    const DEPTH: usize = 16;
    chain(n, 2 * DEPTH, |lines, i, last| {
        let mut inner = last.to_owned();
        for d in 0..DEPTH {
            let pad = "    ".repeat(d);
            let put = |lines: &mut Lines, text: String| lines.put(&format!("{pad}{text}"));
            put(lines, format!("%a{i}x{d} : Tensor = aten::neg({inner})"));
            if d % 2 == 0 {
                put(lines, format!("%o{i}x{d} : Tensor = prim::If(%b)"));
                put(lines, "  block0():".into());
                inner = format!("%a{i}x{d}");
            } else {
                put(lines, format!("%o{i}x{d} : Tensor = prim::Loop(%n, %true, %a{i}x{d})"));
                put(lines, format!("  block0(%k{i}x{d} : int, %w{i}x{d} : Tensor):"));
                inner = format!("%w{i}x{d}");
            }
        }
        for d in (0..DEPTH).rev() {
            let pad = "    ".repeat(d);
            let passed = if d + 1 == DEPTH { inner.clone() } else { format!("%o{i}x{}", d + 1) };
            if d % 2 == 0 {
                lines.put(&format!("{pad}    -> ({passed})"));
                lines.put(&format!("{pad}  block1():"));
                lines.put(&format!("{pad}    -> (%a{i}x{d})"));
            } else {
                lines.put(&format!("{pad}    -> (%true, {passed})"));
            }
        }
        format!("%o{i}x0")
    })
}

/// One branch that holds everything, and passes much of it on.
fn one_branch(n: usize) -> String {
    let count = (n / 4).max(1);
    let mut lines = Lines::new();
    let list = |what: &str| (0..count).map(|i| format!("%{what}{i}")).collect::<Vec<_>>().join(", ");
    let results: Vec<String> = (0..count).map(|i| format!("%o{i} : Tensor")).collect();
    lines.put(&format!("{} = prim::If(%b)", results.join(", ")));
    for (block, operator) in [("u", "relu"), ("v", "tanh")] {
        lines.put(&format!("  block{}():", usize::from(block == "v")));
        for i in 0..count {
            let of = if i == 0 { "%x".to_owned() } else { format!("%{block}{}", i - 1) };
            lines.put(&format!("    %{block}{i} : Tensor = aten::{operator}({of})"));
        }
        lines.put(&format!("    -> ({})", list(block)));
    }
    for i in 0..count {
        let of = if i == 0 { "%x".to_owned() } else { format!("%s{}", i - 1) };
        lines.put(&format!("%s{i} : Tensor = aten::add(%o{i}, {of}, %one)"));
    }
    lines.end(&format!("%s{}", count - 1))
}

/// Functions of ten operations each, all called.
fn calls(n: usize) -> String {
    let functions = (n / 10).max(1);
    let mut text = String::from("import torch\nfrom torch import Tensor\n");
    for i in 0..functions {
        let _ = write!(text, "def g{i}(x: Tensor, y: Tensor) -> Tensor:\n    z = x + y\n    z = torch.relu(z) * {i}\n");
        text.push_str("    z = torch.tanh(z) - y\n    z = torch.sigmoid(z) + x\n    z = -z\n    return z * 0.5\n");
    }
    text.push_str("def forward(x: Tensor, n: int, b: bool) -> Tensor:\n    y = x\n");
    for i in 0..functions {
        let _ = writeln!(text, "    y = g{i}(y, x)");
    }
    text.push_str("    return y\n");
    text
}
