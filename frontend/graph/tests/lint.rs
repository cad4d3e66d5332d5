//! Graphs broken by hand are refused, with the node and what does not hold.

use expect_test::{Expect, expect};
use sconce_graph::graph::{BlockId, Graph, NodeId, ValueId};
use sconce_graph::lint::lint;
use sconce_schema::Type;

/// `x`, a relu of it, an if over a flag that passes on both, and a loop.
struct Parts {
    g: Graph,
    x: ValueId,
    relu: NodeId,
    y: ValueId,
    choice: NodeId,
    yes: BlockId,
    inner: ValueId,
    repeat: NodeId,
    body: BlockId,
}

fn parts() -> Parts {
    let mut g = Graph::new();
    let root = g.root();
    let x = g.add_input(root, Some("x"), Type::tensor());
    let flag = g.add_input(root, Some("flag"), Type::Bool);
    let trips = g.add_input(root, Some("n"), Type::Int);
    let relu = g.node("aten::relu", &[x]);
    let y = g.add_output(relu, None, Type::tensor());
    g.append(root, relu);
    let choice = g.node("prim::If", &[flag]);
    let (yes, no) = (g.add_block(choice), g.add_block(choice));
    let neg = g.node("aten::neg", &[y]);
    let inner = g.add_output(neg, None, Type::tensor());
    g.append(yes, neg);
    g.set_block_outputs(yes, &[inner]);
    g.set_block_outputs(no, &[y]);
    let merged = g.add_output(choice, Some("x"), Type::tensor());
    g.append(root, choice);
    let repeat = g.node("prim::Loop", &[trips, flag, merged]);
    let body = g.add_block(repeat);
    g.add_input(body, None, Type::Int);
    let carried = g.add_input(body, Some("x"), Type::tensor());
    g.set_block_outputs(body, &[flag, carried]);
    let result = g.add_output(repeat, Some("x"), Type::tensor());
    g.append(root, repeat);
    g.set_block_outputs(root, &[result]);
    Parts { g, x, relu, y, choice, yes, inner, repeat, body }
}

fn refused(change: impl FnOnce(&mut Parts), expected: Expect) {
    let mut p = parts();
    lint(&p.g).expect("the graph is sound before the change");
    change(&mut p);
    let finding = lint(&p.g).expect_err("the change broke an invariant");
    expected.assert_eq(&finding.to_string());
}

#[test]
fn use_before_definition() {
    refused(
        |p| p.g.append(p.g.root(), p.relu),
        expect!["%0 : Tensor = aten::neg: %2 is used where it is not defined before, in this block or around it"],
    );
}

#[test]
fn use_from_another_block() {
    refused(
        |p| p.g.set_operand(p.repeat, 2, p.inner),
        expect!["%x.2 : Tensor = prim::Loop: %1 is used where it is not defined before, in this block or around it"],
    );
}

#[test]
fn use_of_a_removed_node() {
    refused(
        |p| p.g.detach(p.relu),
        expect!["%0 : Tensor = aten::neg: %? is used where it is not defined before, in this block or around it"],
    );
}

#[test]
fn result_from_an_inner_block() {
    refused(
        |p| p.g.set_block_outputs(p.g.root(), &[p.inner]),
        expect!["return: %1 is used where it is not defined before, in this block or around it"],
    );
}

#[test]
fn a_branch_that_passes_on_too_little() {
    refused(
        |p| p.g.set_block_outputs(p.yes, &[]),
        expect![
            "%x : Tensor = prim::If: both blocks of an if take nothing and pass on as many values as it has outputs, 1"
        ],
    );
}

#[test]
fn an_if_without_its_second_block() {
    refused(|p| p.g.erase_block(p.choice, 1), expect!["%x : Tensor = prim::If: an if has two blocks"]);
}

#[test]
fn an_if_over_a_tensor() {
    refused(|p| p.g.set_operand(p.choice, 0, p.y), expect!["%x : Tensor = prim::If: an if has one operand, a bool"]);
}

#[test]
fn an_output_that_no_branch_gives() {
    refused(
        |p| _ = p.g.add_output(p.choice, None, Type::Int),
        expect![
            "%x : Tensor, %1 : int = prim::If: both blocks of an if take nothing and pass on as many values as it has outputs, 2"
        ],
    );
}

#[test]
fn a_loop_that_is_given_too_much() {
    refused(
        |p| p.g.add_operand(p.repeat, p.x),
        expect![
            "%x.2 : Tensor = prim::Loop: a loop with 1 outputs takes 3 operands, and its block 2 inputs and outputs"
        ],
    );
}

#[test]
fn a_loop_without_condition() {
    refused(
        |p| p.g.remove_block_output(p.body, 0),
        expect![
            "%x.2 : Tensor = prim::Loop: a loop with 1 outputs takes 3 operands, and its block 2 inputs and outputs"
        ],
    );
}

#[test]
fn a_loop_that_goes_on_by_a_number() {
    refused(
        |p| {
            let trip = p.g.block_inputs(p.body)[0];
            let carried = p.g.block_inputs(p.body)[1];
            p.g.set_block_outputs(p.body, &[trip, carried]);
        },
        expect!["%x.2 : Tensor = prim::Loop: a loop's block passes on a bool first"],
    );
}

#[test]
fn a_branch_with_inputs() {
    refused(
        |p| _ = p.g.add_input(p.yes, None, Type::Int),
        expect![
            "%x : Tensor = prim::If: both blocks of an if take nothing and pass on as many values as it has outputs, 1"
        ],
    );
}

#[test]
fn a_node_in_two_places() {
    // The block it leaves without knowing keeps it.
    refused(
        |p| {
            let nodes = p.g.take_nodes(p.yes);
            p.g.append(p.g.root(), nodes[0]);
            p.g.set_operand(nodes[0], 0, p.x);
            p.g.set_operand(p.relu, 0, p.inner);
        },
        expect!["%0 : Tensor = aten::relu: %2 is used where it is not defined before, in this block or around it"],
    );
}

/// Random edits keep the use lists exact.
#[test]
fn edits_keep_the_graph_sound() {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut g = Graph::new();
    let root = g.root();
    let mut values = vec![g.add_input(root, Some("x"), Type::tensor())];
    for step in 0..10_000 {
        let pick = |random: &mut dyn FnMut(usize) -> usize, g: &Graph| {
            let alive: Vec<ValueId> = values
                .iter()
                .copied()
                .filter(|v| g.defining(*v).is_none_or(|n| g.owner(n).is_some()))
                .filter(|v| g.def(*v) != sconce_graph::graph::Def::Gone)
                .collect();
            alive[random(alive.len())]
        };
        let nodes = g.block_nodes(root).to_vec();
        match random(6) {
            0 => {
                let (a, b) = (pick(&mut random, &g), pick(&mut random, &g));
                let node = g.node("aten::add", &[a, b]);
                let out = g.add_output(node, None, Type::tensor());
                g.append(root, node);
                values.push(out);
            }
            1 if !nodes.is_empty() => {
                let node = nodes[random(nodes.len())];
                let first = g.block_inputs(root)[0];
                g.insert_operand(node, random(3), first);
            }
            2 if !nodes.is_empty() => {
                let node = nodes[random(nodes.len())];
                g.remove_operand(node, random(3));
            }
            3 if !nodes.is_empty() => {
                let node = nodes[random(nodes.len())];
                if !g.inputs(node).is_empty() {
                    let first = g.block_inputs(root)[0];
                    g.set_operand(node, 0, first);
                }
            }
            4 if !nodes.is_empty() => {
                let node = nodes[random(nodes.len())];
                let out = g.outputs(node)[0];
                let first = g.block_inputs(root)[0];
                g.replace_uses(out, first);
                g.erase(node);
            }
            _ => {
                let value = pick(&mut random, &g);
                g.set_block_outputs(root, &[value]);
            }
        }
        if step % 16 == 0 {
            lint(&g).expect("the graph is sound");
        }
        values.retain(|v| g.def(*v) != sconce_graph::graph::Def::Gone);
    }
    lint(&g).expect("the graph is sound");
}
