//! What aliases answer, and moves by it: operations that may pass each other do, those that may not say why.

use expect_test::expect;
use sconce_analysis::Aliases;
use sconce_analysis::alias::movement::Side;
use sconce_analysis::operators::schema_name;
use sconce_ir::prelude::*;
use std::fmt::Write;

/// Moves each operator before and after each other one of a graph, and says what became of it.
fn moves(text: &str) -> String {
    let mut out = String::new();
    let context = sconce_torch::context(false).expect("a context");
    let count = {
        let module = sconce_import::text::import_text(&context, "moves.txt", text, "forward").expect("a graph").module;
        operators(&module).len()
    };
    for (from, to) in (0..count).flat_map(|from| (0..count).map(move |to| (from, to))).filter(|(a, b)| a != b) {
        // Each is tried on the graph as it was written.
        let module = sconce_import::text::import_text(&context, "moves.txt", text, "forward").expect("a graph").module;
        let function = SymbolTable::of(module.as_operation()).get("forward").expect("a function");
        let (ops, aliases) = (operators(&module), Aliases::of(function));
        let side = if from < to { Side::After } else { Side::Before };
        let name = |op: OperationRef<'_, '_>| schema_name(op).unwrap_or_default();
        let _ = write!(
            out,
            "{from} {} {} {to} {}: ",
            name(ops[from]),
            if from < to { "after" } else { "before" },
            name(ops[to])
        );
        let _ = match aliases.move_beside(ops[from], side, ops[to]) {
            Ok(1) => writeln!(out, "moved"),
            Ok(n) => writeln!(out, "moved with {} others", n - 1),
            Err(refusal) => writeln!(out, "no: {refusal}"),
        };
        assert!(verify(module.as_operation()).is_ok(), "{from} {to}");
    }
    out
}

/// The operators of a graph that compute, in order.
fn operators<'c: 'a, 'a>(module: &'a Module<'c>) -> Vec<OperationRef<'c, 'a>> {
    let function = SymbolTable::of(module.as_operation()).get("forward").expect("a function");
    let block = function.body(0).expect("a body");
    block
        .ops()
        .into_iter()
        .filter(|op| sconce_torch::entry(*op).is_some() && !op.op_name().contains("constant"))
        .collect()
}

#[test]
fn values_may_be_one_or_hold_one() {
    let text = "graph(%x : Tensor,
      %y : Tensor,
      %c : bool):
  %zero : int = prim::Constant[value=0]()
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::abs(%x)
  %v : Tensor = aten::t(%a)
  %l : Tensor[] = prim::ListConstruct(%b, %b)
  %r : Tensor = prim::If(%c)
    block0():
      -> (%a)
    block1():
      -> (%b)
  return (%v, %l, %r)
";
    let context = sconce_torch::context(false).expect("a context");
    let module = sconce_import::text::import_text(&context, "queries.txt", text, "forward").expect("a graph").module;
    let function = SymbolTable::of(module.as_operation()).get("forward").expect("a function");
    let body = function.body(0).expect("a body");
    let (aliases, arguments) = (Aliases::of(function), body.args());
    let made = body.ops().into_iter().flat_map(OpExt::result_values).skip(1);
    let values: Vec<_> = arguments[..2].iter().copied().chain(made).collect();
    let names = ["x", "y", "a", "b", "v", "l", "r"];
    assert_eq!(values.len(), names.len());
    let mut out = String::new();
    for (i, j) in (0..values.len()).flat_map(|i| (0..i).map(move |j| (j, i))) {
        let one = aliases.may_alias(values[i], values[j]);
        assert_eq!(one, aliases.may_alias(values[j], values[i]));
        let holds = aliases.may_contain_alias(values[i], values[j]);
        assert!(holds || !one);
        if holds {
            let _ = writeln!(out, "{} {}: {}", names[i], names[j], if one { "may be one" } else { "may hold one" });
        }
    }
    expect![[r#"
        x y: may be one
        a v: may be one
        b l: may hold one
        a r: may be one
        b r: may be one
        v r: may be one
        l r: may hold one
    "#]]
    .assert_eq(&out);
}

#[test]
fn writes_keep_their_order() {
    let text = "graph(%x.1 : Tensor):
  %1 : int = prim::Constant[value=1]()
  %a.1 : Tensor = aten::neg(%x.1)
  %b.1 : Tensor = aten::abs(%x.1)
  %v.1 : Tensor = aten::t(%a.1)
  %w.1 : Tensor = aten::relu_(%v.1)
  %m.1 : Tensor = aten::exp(%a.1)
  %n.1 : Tensor = aten::cos(%b.1)
  return (%m.1, %n.1)
";
    expect![[r#"
        0 aten::neg after 1 aten::abs: moved
        0 aten::neg after 2 aten::t: no: aten::t uses what is made by aten::neg
        0 aten::neg after 3 aten::relu_: no: aten::relu_ writes to what is read or made by aten::neg
        0 aten::neg after 4 aten::exp: no: aten::exp uses what is made by aten::neg
        0 aten::neg after 5 aten::cos: moved with 3 others
        1 aten::abs before 0 aten::neg: moved
        1 aten::abs after 2 aten::t: moved
        1 aten::abs after 3 aten::relu_: moved
        1 aten::abs after 4 aten::exp: moved
        1 aten::abs after 5 aten::cos: no: aten::cos uses what is made by aten::abs
        2 aten::t before 0 aten::neg: no: aten::t uses what is made by aten::neg
        2 aten::t before 1 aten::abs: moved
        2 aten::t after 3 aten::relu_: no: aten::relu_ uses what is made by aten::t
        2 aten::t after 4 aten::exp: no: aten::exp reads what is written by aten::relu_
        2 aten::t after 5 aten::cos: moved with 2 others
        3 aten::relu_ before 0 aten::neg: no: aten::relu_ writes to what is read or made by aten::neg
        3 aten::relu_ before 1 aten::abs: moved with 1 others
        3 aten::relu_ before 2 aten::t: no: aten::relu_ uses what is made by aten::t
        3 aten::relu_ after 4 aten::exp: no: aten::exp reads what is written by aten::relu_
        3 aten::relu_ after 5 aten::cos: moved with 1 others
        4 aten::exp before 0 aten::neg: no: aten::exp uses what is made by aten::neg
        4 aten::exp before 1 aten::abs: moved with 2 others
        4 aten::exp before 2 aten::t: no: aten::relu_ uses what is made by aten::t
        4 aten::exp before 3 aten::relu_: no: aten::exp reads what is written by aten::relu_
        4 aten::exp after 5 aten::cos: moved
        5 aten::cos before 0 aten::neg: moved with 1 others
        5 aten::cos before 1 aten::abs: no: aten::cos uses what is made by aten::abs
        5 aten::cos before 2 aten::t: moved
        5 aten::cos before 3 aten::relu_: moved
        5 aten::cos before 4 aten::exp: moved
    "#]]
    .assert_eq(&moves(text));
}

#[test]
fn effects_and_arguments_keep_their_order() {
    let text = "graph(%x.1 : Tensor,
      %y.1 : Tensor):
  %1 : int = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %a.1 : Tensor = aten::add_(%x.1, %1, %1)
  %b.1 : Tensor = aten::exp(%y.1)
  %r.1 : Tensor = aten::rand_like(%b.1, %none, %none, %none, %none, %none)
  %s.1 : Tensor = aten::rand_like(%b.1, %none, %none, %none, %none, %none)
  return (%r.1, %s.1)
";
    expect![[r#"
        0 aten::add_.Scalar after 1 aten::exp: no: aten::exp reads what is written by aten::add_.Scalar
        0 aten::add_.Scalar after 2 aten::rand_like: no: aten::rand_like uses what is made by aten::exp
        0 aten::add_.Scalar after 3 aten::rand_like: no: aten::rand_like uses what is made by aten::exp
        1 aten::exp before 0 aten::add_.Scalar: no: aten::exp reads what is written by aten::add_.Scalar
        1 aten::exp after 2 aten::rand_like: no: aten::rand_like uses what is made by aten::exp
        1 aten::exp after 3 aten::rand_like: no: aten::rand_like uses what is made by aten::exp
        2 aten::rand_like before 0 aten::add_.Scalar: no: aten::exp reads what is written by aten::add_.Scalar
        2 aten::rand_like before 1 aten::exp: no: aten::rand_like uses what is made by aten::exp
        2 aten::rand_like after 3 aten::rand_like: no: aten::rand_like has effects that are seen behind those of aten::rand_like
        3 aten::rand_like before 0 aten::add_.Scalar: no: aten::exp reads what is written by aten::add_.Scalar
        3 aten::rand_like before 1 aten::exp: no: aten::rand_like uses what is made by aten::exp
        3 aten::rand_like before 2 aten::rand_like: no: aten::rand_like has effects that are seen behind those of aten::rand_like
    "#]].assert_eq(&moves(text));
}

#[test]
fn slices_of_one_tensor_pass_each_other() {
    let text = "graph(%x.1 : Tensor):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %a.1 : Tensor = aten::neg(%x.1)
  %b.1 : Tensor = aten::select(%a.1, %0, %0)
  %c.1 : Tensor = aten::select(%a.1, %0, %1)
  %v.1 : Tensor = aten::relu_(%b.1)
  %w.1 : Tensor = aten::exp(%c.1)
  %u.1 : Tensor = aten::neg_(%c.1)
  return (%w.1)
";
    expect![[r#"
        0 aten::neg after 1 aten::select.int: no: aten::select.int uses what is made by aten::neg
        0 aten::neg after 2 aten::select.int: no: aten::select.int uses what is made by aten::neg
        0 aten::neg after 3 aten::relu_: no: aten::relu_ writes to what is read or made by aten::neg
        0 aten::neg after 4 aten::exp: no: aten::exp uses what is made by aten::select.int
        0 aten::neg after 5 aten::neg_: no: aten::neg_ writes to what is read or made by aten::neg
        1 aten::select.int before 0 aten::neg: no: aten::select.int uses what is made by aten::neg
        1 aten::select.int after 2 aten::select.int: moved
        1 aten::select.int after 3 aten::relu_: no: aten::relu_ uses what is made by aten::select.int
        1 aten::select.int after 4 aten::exp: moved with 1 others
        1 aten::select.int after 5 aten::neg_: no: aten::neg_ writes to what is read or made by aten::select.int
        2 aten::select.int before 0 aten::neg: no: aten::select.int uses what is made by aten::neg
        2 aten::select.int before 1 aten::select.int: moved
        2 aten::select.int after 3 aten::relu_: no: aten::relu_ writes to what is read or made by aten::select.int
        2 aten::select.int after 4 aten::exp: no: aten::exp uses what is made by aten::select.int
        2 aten::select.int after 5 aten::neg_: no: aten::neg_ uses what is made by aten::select.int
        3 aten::relu_ before 0 aten::neg: no: aten::relu_ writes to what is read or made by aten::neg
        3 aten::relu_ before 1 aten::select.int: no: aten::relu_ uses what is made by aten::select.int
        3 aten::relu_ before 2 aten::select.int: no: aten::relu_ writes to what is read or made by aten::select.int
        3 aten::relu_ after 4 aten::exp: moved
        3 aten::relu_ after 5 aten::neg_: moved
        4 aten::exp before 0 aten::neg: no: aten::select.int uses what is made by aten::neg
        4 aten::exp before 1 aten::select.int: moved with 1 others
        4 aten::exp before 2 aten::select.int: no: aten::exp uses what is made by aten::select.int
        4 aten::exp before 3 aten::relu_: moved
        4 aten::exp after 5 aten::neg_: no: aten::neg_ writes to what is read or made by aten::exp
        5 aten::neg_ before 0 aten::neg: no: aten::neg_ writes to what is read or made by aten::neg
        5 aten::neg_ before 1 aten::select.int: no: aten::neg_ writes to what is read or made by aten::select.int
        5 aten::neg_ before 2 aten::select.int: no: aten::neg_ uses what is made by aten::select.int
        5 aten::neg_ before 3 aten::relu_: moved with 1 others
        5 aten::neg_ before 4 aten::exp: no: aten::neg_ writes to what is read or made by aten::exp
    "#]]
    .assert_eq(&moves(text));
}

/// The one operation of this kind.
fn only<'c: 'a, 'a>(block: BlockRef<'c, 'a>, kind: &str) -> OperationRef<'c, 'a> {
    let mut ops = block.ops().into_iter().filter(|op| sconce_analysis::operators::kind(*op) == kind);
    ops.next().expect("there is one")
}

#[test]
fn nothing_passes_the_end_or_writes_past_a_raise() {
    let text = "graph(%x.1 : Tensor,
      %l.1 : Tensor[]):
  %m : str = prim::Constant[value=\"no\"]()
  %n : NoneType = prim::Constant()
  %w.1 : Tensor = aten::relu_(%x.1)
  %e.1 : Tensor = aten::exp(%x.1)
   = prim::RaiseException(%m, %n)
  %a.1 : Tensor = aten::neg(%w.1)
  %k.1 : Tensor[] = aten::append(%l.1, %a.1)
  return (%x.1)
";
    let context = sconce_torch::context(false).expect("a context");
    let module = sconce_import::text::import_text(&context, "moves.txt", text, "forward").expect("a graph").module;
    let function = SymbolTable::of(module.as_operation()).get("forward").expect("a function");
    let (block, aliases) = (function.body(0).expect("a body"), Aliases::of(function));
    let said = |op: &str, side, target: OperationRef<'_, '_>| match aliases.movement(only(block, op), side, target) {
        Ok(_) => "moved".to_owned(),
        Err(refusal) => refusal.to_string(),
    };
    let (raise, end) = (only(block, "prim.RaiseException"), block.terminator_op().expect("an end"));
    let mut out = String::new();
    for (op, side, target) in [
        ("aten.relu_", Side::After, raise),
        ("aten.exp", Side::After, raise),
        ("aten.append", Side::Before, raise),
        // What appends it would stand behind the end.
        ("aten.neg", Side::Before, end),
        ("aten.append", Side::Before, end),
    ] {
        let _ = writeln!(out, "{op}: {}", said(op, side, target));
    }
    expect![[r#"
        aten.relu_: prim::RaiseException reads what is written by aten::relu_
        aten.exp: moved
        aten.append: aten::append.t writes to what is read or made by prim::RaiseException
        aten.neg: the operations are not in one block
        aten.append: moved
    "#]]
    .assert_eq(&out);
}

/// A view is refused in front of what is printed behind it; of a tensor that lies row by row none is refused.
#[test]
fn what_may_be_refused_stays_in_front_of_prints() {
    let text = "graph(%x.1 : Tensor):
  %one : int = prim::Constant[value=-1]()
  %l : int[] = prim::ListConstruct(%one)
  %v : Tensor = aten::view(%x.1, %l)
  %m : Tensor = aten::mm(%x.1, %x.1)
  %w : Tensor = aten::view(%m, %l)
   = prim::Print(%one)
  return (%v, %w)
";
    expect![[r#"
        0 aten::view after 1 aten::mm: moved
        0 aten::view after 2 aten::view: moved
        0 aten::view after 3 prim::Print: no: prim::Print has effects that are seen behind those of aten::view
        1 aten::mm before 0 aten::view: moved
        1 aten::mm after 2 aten::view: no: aten::view uses what is made by aten::mm
        1 aten::mm after 3 prim::Print: moved with 1 others
        2 aten::view before 0 aten::view: moved with 1 others
        2 aten::view before 1 aten::mm: no: aten::view uses what is made by aten::mm
        2 aten::view after 3 prim::Print: moved
        3 prim::Print before 0 aten::view: no: prim::Print has effects that are seen behind those of aten::view
        3 prim::Print before 1 aten::mm: moved
        3 prim::Print before 2 aten::view: moved
    "#]]
    .assert_eq(&moves(text));
}
