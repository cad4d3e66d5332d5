//! What belongs to another graph, was destroyed or is still used is refused, in words that say what.

use sconce_graph::graph::{Graph, Misuse, NodeId, ValueId};
use sconce_graph::insert::Error;
use sconce_graph::lint::lint;
use sconce_schema::Type;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn relu() -> (Graph, ValueId, NodeId, ValueId) {
    let mut g = Graph::new();
    let x = g.add_input(g.root(), Some("x"), Type::tensor());
    let node = g.node("aten::relu", &[x]);
    let y = g.add_output(node, None, Type::tensor());
    g.append(g.root(), node);
    g.set_block_outputs(g.root(), &[y]);
    (g, x, node, y)
}

/// What the graph says when it refuses.
fn refused(change: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(change)).expect_err("it is refused");
    panic.downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn a_value_of_another_graph_is_refused() {
    let (mut a, ..) = relu();
    let (b, foreign, foreign_node, _) = relu();
    assert_eq!(refused(|| _ = a.node("aten::neg", &[foreign])), "value 0 belongs to another graph");
    assert_eq!(refused(|| a.set_block_outputs(a.root(), &[foreign])), "value 0 belongs to another graph");
    assert_eq!(refused(|| a.erase(foreign_node)), "node 0 belongs to another graph");
    assert_eq!(refused(|| a.append(b.root(), foreign_node)), "node 0 belongs to another graph");
    let error = a.insert("aten::neg", &[foreign.into()], &[]).expect_err("it is of another graph");
    assert_eq!(error, Error::Misuse(Misuse::Foreign("value", 0)));
    lint(&b).expect("nothing happened to it");
}

#[test]
fn a_destroyed_value_is_refused() {
    let (mut g, x, node, y) = relu();
    g.set_block_outputs(g.root(), &[x]);
    g.erase(node);
    assert_eq!(refused(|| _ = g.node("aten::neg", &[y])), "value 1 was destroyed and cannot be used");
    assert_eq!(refused(|| g.replace_uses(x, y)), "value 1 was destroyed and cannot be used");
    assert_eq!(g.insert("aten::neg", &[y.into()], &[]), Err(Error::Misuse(Misuse::Destroyed(1))));
    // It was refused before anything was on record.
    lint(&g).expect("the graph is sound");
}

#[test]
fn what_is_used_is_not_destroyed() {
    let (mut g, x, node, y) = relu();
    let used = Misuse::Used { what: "aten::relu".to_owned(), value: y.index(), uses: 1 };
    assert_eq!(g.try_erase(node), Err(used.clone()));
    assert_eq!(used.to_string(), "aten::relu cannot be destroyed: value 1 has 1 uses");
    assert!(g.try_remove_output(node, 0).is_err() && g.try_remove_input(g.root(), 0).is_err());
    lint(&g).expect("nothing was changed");
    g.replace_uses(y, x);
    assert_eq!(g.try_erase(node), Ok(()));
    assert!(g.uses(y).is_empty() && g.uses(x).len() == 1);
    lint(&g).expect("the graph is sound");
}

#[test]
fn a_copy_takes_the_handles_of_its_original() {
    let (mut original, x, node, y) = relu();
    let mut copy = original.clone();
    assert_eq!((copy.inputs(node), copy.outputs(node)), (&[x][..], &[y][..]));
    // What came to be after the copy is of one of both.
    let late = original.add_input(original.root(), None, Type::Int);
    assert_eq!(refused(|| copy.add_operand(node, late)), "value 2 belongs to another graph");
    let own = copy.add_input(copy.root(), None, Type::Int);
    assert_eq!(refused(|| original.add_operand(node, own)), "value 2 belongs to another graph");
    let again = copy.clone();
    assert_eq!((again.ty(x), again.ty(own)), (&Type::tensor(), &Type::Int));
}
