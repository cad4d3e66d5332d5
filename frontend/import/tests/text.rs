//! How nodes become operations, what is refused with its place, and what export makes of modules that no text was behind.

use sconce_import::text::{Imported, export, import_text};
use sconce_ir::prelude::*;
use sconce_syntax::graph_text::Spelling;

fn context() -> Context {
    sconce_torch::context(false).expect("the op table is well-formed")
}

fn mlir(text: &str) -> String {
    let context = context();
    let Imported { module, .. } = import_text(&context, "t", text, "f").expect("importable");
    print(module.as_operation(), &PrintOptions::default())
}

fn error(text: &str) -> String {
    let context = context();
    import_text(&context, "t", text, "f").err().expect("not importable").to_string()
}

#[test]
fn nodes_become_what_their_operands_mean() {
    let text = "\
graph(%x : Tensor,
      %n : int,
      %o : Tensor?):
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::add(%x, %x, %1)
  %3 : Tensor = aten::add(%2, %n, %1)
  %4 : int = aten::add(%n, %1)
  %5 : Tensor = my::op[a=1, b=\"x\", t=[int]](%3)
  %6 : float = prim::Constant[value=10000000000]()
  %7 : Float(2, strides=[1]) = prim::Constant[value= 1  2 [ CPUFloatType{2} ]]()
  %8 : Dict(str, int) = prim::DictConstruct()
  %9 : number = prim::ImplicitTensorToNum(%x)
  %10 : Tensor = aten::mul(%x, %9)
  return (%5, %4)
";
    let mlir = mlir(text);
    for line in [
        "torch.aten.add.Tensor %arg0, %arg0, %int1 : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor",
        "torch.aten.add.Scalar",
        "torch.aten.add.int %arg1, %int1 : !torch.int, !torch.int -> !torch.int",
        "torch.operator \"my.op\"(%1) {torch.attributes = [[\"a\", 1], [\"b\", \"x\"], [\"t\", [{literal = \"int\"}]]]}",
        "torch.constant.float 1.000000e+10",
        "torch.tensor.literal(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>)",
        "torch.aten.mul.Scalar %arg0, %6 : !torch.tensor, !torch.number -> !torch.tensor",
        "torch.prim.DictConstruct keys() values() -> !torch.dict<str, int>",
    ] {
        assert!(mlir.contains(line), "{line}\n{mlir}");
    }
}

#[test]
fn values_are_cast_where_blocks_pass_them_on() {
    let text = "\
graph(%c : bool,
      %x : Float(2),
      %n : int):
  %1 : NoneType = prim::Constant()
  %2 : int?, %3 : Tensor = prim::If(%c)
    block0():
      -> (%n, %x)
    block1():
      -> (%1, %x)
  return (%2, %3)
";
    let mlir = mlir(text);
    assert!(mlir.contains("torch.derefine %none : !torch.none to !torch.optional<int>"), "{mlir}");
    assert!(mlir.contains("torch.tensor_static_info_cast %arg1 : !torch.tensor<[2],f32> to !torch.tensor"), "{mlir}");
}

#[test]
fn mistakes_have_their_places() {
    let branch = "graph(%c : bool, %s : str):\n  %1 : int = prim::If(%c)\n    block0():\n      -> (%s)\n    block1():\n      -> (%s)\n  return (%1)\n";
    assert_eq!(error(branch), "t:4:11: a value of type str is passed on as int");
    let condition =
        "graph(%n : int, %c : bool):\n   = prim::Loop(%n, %c)\n    block0(%i : int):\n      -> (%i)\n  return ()\n";
    assert_eq!(error(condition), "t:4:11: a loop goes on by a bool, this is of type int");
    let circle = "graph():\n   = a::G_0()\n  return ()\nwith a::G_0 = graph():\n   = a::G_0()\n  return ()\n";
    assert!(error(circle).starts_with("t:1:1: the `with` graphs refer to each other in a circle"));
    assert!(error("graph(%x : int):\n  return (%y)\n").starts_with("t:2:11: "));
}

/// Blocks as deep as the reader takes them do not exhaust the stack of a test's thread.
#[test]
fn deep_blocks_come_back() {
    let depth = sconce_syntax::limits::MAX_BLOCKS - 1;
    let mut text = "graph(%c : bool):\n".to_owned();
    for i in 0..depth {
        let pad = "    ".repeat(i);
        text.push_str(&format!("{pad}   = prim::If(%c)\n{pad}    block0():\n"));
    }
    for i in (0..depth).rev() {
        let pad = "    ".repeat(i);
        text.push_str(&format!("{pad}      -> ()\n{pad}    block1():\n{pad}      -> ()\n"));
    }
    text.push_str("  return (%c)\n");
    let context = context();
    let imported = import_text(&context, "t", &text, "f").expect("importable");
    let back = through_text(&context, &imported.module).expect("what was printed");
    assert_eq!(export(&back, Spelling::Colons).expect("exportable"), text);
}

#[test]
fn passes_leave_graphs_that_read_back() {
    let context = context();
    let text = "\
graph(%x.1 : Tensor,
      %n.1 : int):
  %2 : int = prim::Constant[value=1]() # f.py:1:2
  %3 : int = prim::Constant[value=1]() # f.py:2:2
  %y.1 : Tensor = aten::add(%x.1, %x.1, %2) # f.py:3:4
  %z.1 : Tensor = aten::mul(%y.1, %n.1), scope: m.g # f.py:4:4
  return (%z.1, %3)
";
    let imported = import_text(&context, "t", text, "f").expect("importable");
    run_on_module(&imported.module, "canonicalize,cse").expect("the passes succeed");
    let out = export(&imported.module, Spelling::Colons).expect("exportable");
    // MLIR drops the places of constants that it moves.
    assert!(out.contains("%y.1 : Tensor = aten::add(%x.1, %x.1, %0) # f.py:3:4"), "{out}");
    assert!(out.contains("%z.1 : Tensor = aten::mul(%y.1, %n.1), scope: m.g # f.py:4:4"), "{out}");
    if let Err(error) = import_text(&context, "again", &out, "f") {
        panic!("{error}\n{out}");
    }
}

#[test]
fn modules_without_names_get_numbers() {
    let context = context();
    let source = "\
func.func private @g(%a: !torch.int) -> !torch.int { return %a : !torch.int }
func.func @f(%a: !torch.int, %b: !torch.vtensor<[2,?],f32>) -> !torch.int {
  %0 = torch.aten.add.int %a, %a : !torch.int, !torch.int -> !torch.int
  %1 = func.call @g(%0) : (!torch.int) -> !torch.int
  return %1 : !torch.int
}";
    let module = parse_module(&context, source.as_bytes(), "m.mlir").expect("well-formed");
    let out = export(&module, Spelling::Colons).expect("exportable");
    let expected = "\
== g
graph(%0 : int):
  return (%0)
== f
graph(%0 : int,
      %1 : Float(2, *)):
  %2 : int = aten::add(%0, %0) # m.mlir:3:8
  %3 : Function = prim::Constant[name=\"g\"]()
  %4 : int = prim::CallFunction(%3, %2) # m.mlir:4:8
  return (%4)
";
    assert_eq!(out, expected);
    let blocks = "func.func @f() { cf.br ^bb1 ^bb1: return }";
    let module = parse_module(&context, blocks.as_bytes(), "m.mlir").expect("well-formed");
    let error = export(&module, Spelling::Colons).expect_err("two blocks").to_string();
    assert_eq!(error, "m.mlir:1:1: a function of several blocks has no graph text");
}

/// Names that are taken get another number, as in PyTorch.
#[test]
fn names_are_unique_in_a_graph() {
    let context = context();
    let text = "graph(%x : int):\n  %x : int = my::op(%x)\n  %x : int = my::op(%x)\n  return (%x)\n";
    let imported = import_text(&context, "t", text, "f").expect("importable");
    assert_eq!(imported.warnings.len(), 2);
    let out = export(&imported.module, Spelling::Colons).expect("exportable");
    assert_eq!(out, "graph(%x : int):\n  %x.1 : int = my::op(%x)\n  %x.2 : int = my::op(%x.1)\n  return (%x.2)\n");
}

/// What graph text cannot say, and `with` graphs that are missing or refer to themselves.
#[test]
fn broken_modules_are_errors() {
    let context = context();
    for source in [
        "func.func @f() { %0 = arith.constant 1 : i32 return }",
        "func.func @f(%a: i32) { return }",
        "func.func @f() { \"torch.operator\"() {name = \"my.op\", torch.subgraph = @missing} : () -> () return }",
        "func.func @f() { torch.operator \"my.op\"() {torch.subgraph = @f} : () -> () return }",
    ] {
        let module = parse_module(&context, source.as_bytes(), "m.mlir").expect("well-formed");
        let error = export(&module, Spelling::Colons).expect_err(source).to_string();
        assert!(!error.is_empty(), "{source}");
    }
}
