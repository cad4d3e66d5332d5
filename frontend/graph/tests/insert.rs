//! Calls that are put by schema, operands asked for by name, and graphs written as expressions.

use expect_test::{Expect, expect};
use sconce_graph::build::Build;
use sconce_graph::graph::Graph;
use sconce_graph::insert::Error;
use sconce_graph::lint::lint;
use sconce_graph::listing::{from_listing, to_listing};
use sconce_schema::Type;
use sconce_tensor::IValue;

fn check(g: &Graph, expected: Expect) {
    lint(g).expect("the graph is sound");
    expected.assert_eq(&to_listing(g).to_string());
}

#[test]
fn plain_values_become_constants_and_defaults_are_filled_in() {
    let mut g = Graph::new();
    let x = g.add_input(g.root(), Some("x"), Type::tensor());
    let y = g.insert("aten::mul", &[x.into(), 3.into()], &[]).expect("a number and a tensor");
    let z = g.insert("aten::add", &[y.into(), x.into()], &[("alpha", 2.into())]).expect("two tensors");
    let w = g.insert("aten::add", &[z.into(), x.into()], &[]).expect("two tensors");
    let v = g.insert("aten::view", &[w.into(), 2.into(), (-1).into()], &[]).expect("sizes that follow each other");
    g.set_block_outputs(g.root(), &[v]);
    check(
        &g,
        expect![[r#"
            graph(%x.1 : Tensor):
              %0 : int = prim::Constant[value=3]()
              %1 : Tensor = aten::mul(%x.1, %0)
              %2 : int = prim::Constant[value=2]()
              %3 : Tensor = aten::add(%1, %x.1, %2)
              %4 : int = prim::Constant[value=1]()
              %5 : Tensor = aten::add(%3, %x.1, %4)
              %6 : int = prim::Constant[value=2]()
              %7 : int = prim::Constant[value=-1]()
              %8 : int[] = prim::ListConstruct(%6, %7)
              %9 : Tensor = aten::view(%5, %8)
              return (%9)
        "#]],
    );
}

#[test]
fn arguments_are_converted_as_in_source() {
    let mut g = Graph::new();
    let (x, n) = (g.add_input(g.root(), Some("x"), Type::tensor()), g.add_input(g.root(), Some("n"), Type::tensor()));
    let y = g.insert("aten::softmax", &[x.into(), n.into()], &[]).expect("a tensor that holds a number");
    g.set_block_outputs(g.root(), &[y]);
    check(
        &g,
        expect![[r#"
            graph(%x.1 : Tensor,
                  %n.1 : Tensor):
              %0 : int = aten::IntImplicit(%n.1)
              %1 : NoneType = prim::Constant()
              %2 : Tensor = aten::softmax(%x.1, %0, %1)
              return (%2)
        "#]],
    );
}

#[test]
fn a_wrong_argument_is_refused_with_the_schema() {
    let mut g = Graph::new();
    let x = g.add_input(g.root(), Some("x"), Type::tensor());
    let error = g.insert("aten::relu", &["x".into()], &[]).expect_err("a text");
    let said = error.to_string();
    assert!(said.contains("aten::relu(Tensor self) -> Tensor:"), "{said}");
    assert!(
        said.contains("Expected a value of type 'Tensor' for argument 'self' but instead found type 'str'."),
        "{said}"
    );
    let error = g.insert("aten::relu", &[x.into()], &[("inplace", true.into())]).expect_err("no such argument");
    assert!(error.to_string().contains("Keyword argument inplace unknown."), "{error}");
    let error = g.insert("my::op", &[x.into()], &[]).expect_err("nobody knows it");
    assert_eq!(error.to_string(), "unknown operator my::op");
    let error = g.insert("aten::max", &[x.into(), 1.into()], &[]).expect_err("two results");
    assert_eq!(error, Error::Results { kind: "aten::max".to_owned(), count: 2 });
}

#[test]
fn operands_are_found_by_their_names() {
    let mut g = Graph::new();
    let x = g.add_input(g.root(), Some("x"), Type::tensor());
    let y = g.insert("aten::add", &[x.into(), x.into()], &[("alpha", 2.into())]).expect("two tensors");
    let node = g.defining(y).expect("it was put");
    assert_eq!(g.overload(node).map(|e| e.name), Some("aten::add.Tensor"));
    assert_eq!(g.named_input(node, "other"), Some(x));
    assert!(matches!(g.get(node, "alpha"), Some(IValue::Int(2))));
    assert!(g.is_constant(node, "alpha") && !g.is_constant(node, "self") && g.get(node, "beta").is_none());
    // Another kind is another operator.
    g.set_kind(node, "aten::sub");
    assert_eq!(g.overload(node).map(|e| e.name), Some("aten::sub.Tensor"));
    g.set_kind(node, "my::op");
    assert!(g.overload(node).is_none() && g.named_input(node, "alpha").is_none());
}

/// The cell of the documents that began this: written in a few lines, it is the graph that they print.
#[test]
fn an_lstm_cell_is_written_as_its_formula() {
    let b = Build::new();
    let [x, hx, cx, w_ih, w_hh, b_ih, b_hh] = ["x", "hx", "cx", "w_ih", "w_hh", "b_ih", "b_hh"].map(|n| b.tensor(n));
    let (_four, _one) = (b.constant(4), b.constant(1));
    let gates = (x.mm(w_ih.t()) + hx.mm(w_hh.t()) + b_ih + b_hh).named("gates");
    let [i, f, c, o] = gates.chunk(1);
    let names = [(i, "ingate"), (f, "forgetgate"), (c, "cellgate"), (o, "outgate")];
    let [i, f, c, o] = names.map(|(gate, name)| gate.named(name));
    let (i, f) = (i.sigmoid().named("ingate"), f.sigmoid().named("forgetgate"));
    let (c, o) = (c.tanh().named("cellgate"), o.sigmoid().named("outgate"));
    let cy = (f * cx + i * c).named("cy");
    let hy = (o * cy.tanh()).named("hy");
    let graph = b.finish(&[b.tuple(&[hy, cy])]).expect("every call has an overload");
    lint(&graph).expect("the graph is sound");
    let listing = sconce_syntax::graph_text::read("lstm_cell.txt", include_str!("lstm_cell.txt")).expect("graph text");
    let printed = from_listing(&listing).expect("a graph");
    // Documents of that time number values otherwise: both are printed as graphs are today.
    assert_eq!(to_listing(&graph).to_string(), to_listing(&printed).to_string());
}

#[test]
fn an_expression_that_means_nothing_is_an_error_at_the_end() {
    let b = Build::new();
    let x = b.tensor("x");
    let y = (x + "three").relu() * 2.0;
    let error = b.finish(&[y]).expect_err("a text is added");
    assert!(error.to_string().contains("aten::add.Tensor(Tensor self, Tensor other"), "{error}");
}
