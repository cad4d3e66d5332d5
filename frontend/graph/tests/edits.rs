//! Insertion points, the order of nodes, and uses: where nodes land, which is first, also in large blocks.

use sconce_graph::graph::{BlockId, Graph, NodeId, Point, ValueId};
use sconce_graph::lint::lint;
use sconce_schema::Type;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn node(g: &mut Graph, kind: &str) -> NodeId {
    g.node(kind, &[])
}

fn kinds(g: &Graph, block: BlockId) -> String {
    g.block_nodes(block).iter().map(|n| g.kind(*n).trim_start_matches("my::").to_owned()).collect::<Vec<_>>().join(" ")
}

#[test]
fn nodes_land_at_the_insertion_point() {
    let mut g = Graph::new();
    let root = g.root();
    let [a, b, c, d] = ["my::a", "my::b", "my::c", "my::d"].map(|kind| node(&mut g, kind));
    g.insert_node(b);
    {
        let mut g = g.insert_point_guard(Point::Before(b));
        g.insert_node(a);
    }
    g.insert_node(d);
    assert_eq!(g.insert_point(), Point::End(root));
    g.set_insert_point(Point::Before(d));
    g.insert_node(c);
    assert_eq!(kinds(&g, root), "a b c d");
    // The node that it was in front of goes: it is in front of what was behind that.
    g.detach(c);
    g.set_insert_point(Point::Before(b));
    g.detach(b);
    assert_eq!(g.insert_point(), Point::Before(d));
    g.detach(d);
    assert_eq!(g.insert_point(), Point::End(root));
}

#[test]
fn the_insertion_point_comes_back_after_a_panic() {
    let mut g = Graph::new();
    let first = node(&mut g, "my::first");
    g.insert_node(first);
    let before = g.insert_point();
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut g = g.insert_point_guard(Point::Before(first));
        let inner = node(&mut g, "my::inner");
        g.insert_node(inner);
        panic!("stopped in between");
    }));
    assert!(result.is_err());
    assert_eq!(g.insert_point(), before);
    assert_eq!(kinds(&g, g.root()), "inner first");
}

#[test]
fn order_holds_across_blocks() {
    let mut g = Graph::new();
    let root = g.root();
    let (first, choice, last) = (node(&mut g, "my::first"), node(&mut g, "prim::If"), node(&mut g, "my::last"));
    [first, choice, last].into_iter().for_each(|n| g.append(root, n));
    let (yes, no) = (g.add_block(choice), g.add_block(choice));
    let (a, b, c) = (node(&mut g, "my::a"), node(&mut g, "my::b"), node(&mut g, "my::c"));
    g.append(yes, a);
    g.append(yes, b);
    g.append(no, c);
    assert!(g.is_before(first, a) && g.is_before(a, b) && g.is_before(b, last) && g.is_before(first, last));
    assert!(!g.is_before(b, a) && !g.is_before(last, a) && !g.is_before(a, a));
    // A node is neither before nor behind what it holds, and branches know no order.
    assert!(!g.is_before(choice, a) && !g.is_before(a, choice) && !g.is_before(a, c) && !g.is_before(c, a));
    g.detach(b);
    assert!(!g.is_before(b, last) && !g.is_before(first, b));
    g.insert_after(first, b);
    assert!(g.is_before(b, c) && g.is_before(first, b));
}

/// While a walk stands on one node, others may go.
#[test]
fn other_nodes_may_go_during_a_walk() {
    let mut g = Graph::new();
    let root = g.root();
    for i in 0..10 {
        let n = node(&mut g, &format!("my::n{i}"));
        g.append(root, n);
    }
    let mut seen = 0;
    let mut at = g.first_node(root);
    while let Some(n) = at {
        seen += 1;
        if let Some(behind) = g.next_node(n) {
            g.erase(behind);
        }
        if let Some(previous) = g.previous_node(n).filter(|_| seen % 2 == 0) {
            g.erase(previous);
        }
        at = g.next_node(n);
    }
    assert_eq!((seen, kinds(&g, root).as_str()), (5, "n2 n6 n8"));
}

fn random() -> impl FnMut(usize) -> usize {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    }
}

/// The order is the list's, whatever was put where.
#[test]
fn the_order_is_that_of_the_list() {
    let mut random = random();
    let mut g = Graph::new();
    let root = g.root();
    let mut nodes: Vec<NodeId> = Vec::new();
    for step in 0..3000 {
        let fresh = node(&mut g, "my::n");
        match (random(5), nodes.len()) {
            (0, _) | (_, 0) => g.prepend(root, fresh),
            (1, _) => g.append(root, fresh),
            // Always in front of the same one: there numbers are scarce.
            (2, _) => g.insert_before(nodes[0], fresh),
            (3, _) => g.insert_after(nodes[0], fresh),
            (_, count) => {
                g.insert_before(nodes[random(count)], fresh);
                g.insert_after(nodes[random(count)], nodes[random(count)]);
            }
        }
        nodes.push(fresh);
        if step % 500 == 499 {
            let row: Vec<NodeId> = std::iter::successors(g.first_node(root), |n| g.next_node(*n)).collect();
            assert_eq!((row.len(), row.as_slice()), (nodes.len(), g.block_nodes(root)));
            for pair in row.windows(2) {
                assert!(g.is_before(pair[0], pair[1]) && !g.is_before(pair[1], pair[0]));
                assert_eq!((g.next_node(pair[0]), g.previous_node(pair[1])), (Some(pair[1]), Some(pair[0])));
            }
            assert_eq!(g.position(row[row.len() / 2]), Some((root, row.len() / 2)));
        }
    }
}

/// As many as no quadratic list would bear; `examples/growth.rs` prints what they cost.
#[test]
fn large_blocks_are_sound() {
    let mut random = random();
    let mut g = Graph::new();
    let root = g.root();
    let (x, y) = (g.add_input(root, None, Type::tensor()), g.add_input(root, None, Type::tensor()));
    let last = g.node("aten::neg", &[x]);
    g.append(root, last);
    let mut nodes = vec![last];
    for i in 1..100_000 {
        let fresh = g.node("aten::neg", &[x]);
        // Half of them at one place, where numbers are scarce.
        let next = if i % 2 == 0 { last } else { nodes[random(nodes.len())] };
        g.insert_before(next, fresh);
        nodes.push(fresh);
    }
    g.replace_uses(x, y);
    assert_eq!((g.uses(x).len(), g.uses(y).len(), g.block_nodes(root).len()), (0, 100_000, 100_000));
    lint(&g).expect("the graph is sound");
    for pair in g.block_nodes(root).windows(2) {
        assert!(g.is_before(pair[0], pair[1]));
    }
    let half: Vec<NodeId> = nodes.iter().step_by(2).copied().collect();
    g.erase_all(&half);
    assert_eq!(g.block_nodes(root).len(), 50_000);
    lint(&g).expect("the graph is sound");
}

#[test]
fn uses_behind_a_node_are_replaced() {
    let mut g = Graph::new();
    let root = g.root();
    let x = g.add_input(root, Some("x"), Type::tensor());
    let [a, b, c] = [0; 3].map(|_| {
        let n = g.node("aten::neg", &[x]);
        g.append(root, n);
        n
    });
    let made = g.add_output(b, None, Type::tensor());
    g.set_block_outputs(root, &[x]);
    g.replace_uses_after(b, x, made);
    assert_eq!((g.inputs(a), g.inputs(b), g.inputs(c)), (&[x][..], &[x][..], &[made][..]));
    assert_eq!(g.block_outputs(root), [made]);
    lint(&g).expect("the graph is sound");
}

/// Every edit of nodes, operands, outputs and blocks keeps the graph sound.
#[test]
fn ten_thousand_random_edits_keep_uses_exact() {
    let mut random = random();
    let mut g = Graph::new();
    let root = g.root();
    let x = g.add_input(root, Some("x"), Type::tensor());
    for _ in 0..10_000 {
        let nodes = g.block_nodes(root).to_vec();
        let at = random(nodes.len().max(1));
        let Some(node) = nodes.get(at).copied() else {
            put(&mut g, x, x, None);
            continue;
        };
        // Whatever is defined in front of the node.
        let before: Vec<ValueId> =
            [x].into_iter().chain(nodes[..at].iter().flat_map(|n| g.outputs(*n)).copied()).collect();
        let value = before[random(before.len())];
        let operands = g.inputs(node).len();
        match random(12) {
            0..=2 if nodes.len() < 24 => put(&mut g, value, x, Some(node)),
            3 => g.add_operand(node, value),
            4 => g.insert_operand(node, random(operands + 1), value),
            5 if operands > 0 => g.set_operand(node, random(operands), value),
            6 if operands > 0 => g.remove_operand(node, random(operands)),
            7 => _ = g.insert_output(node, random(2), None, Type::tensor()),
            8 => {
                let outputs = g.outputs(node).to_vec();
                outputs.iter().for_each(|v| g.replace_uses(*v, x));
                if outputs.len() > 1 {
                    g.remove_output(node, random(outputs.len()));
                }
            }
            9 => {
                let refused = g.outputs(node).iter().any(|v| !g.uses(*v).is_empty());
                assert_eq!(g.try_erase(node).is_err(), refused);
            }
            10 => {
                let block = g.add_block(node);
                let inner = g.node("aten::neg", &[value]);
                let made = g.add_output(inner, None, Type::tensor());
                g.append(block, inner);
                g.set_block_outputs(block, &[made, value]);
            }
            11 if !g.blocks(node).is_empty() => g.erase_block(node, 0),
            _ => g.set_block_outputs(root, &[value, x]),
        }
        lint(&g).expect("the graph is sound after every edit");
    }
}

/// A node of two operands, in front of another.
fn put(g: &mut Graph, a: ValueId, b: ValueId, next: Option<NodeId>) {
    let node = g.node("my::op", &[a, b]);
    g.add_output(node, None, Type::tensor());
    match next {
        Some(next) => g.insert_before(next, node),
        None => g.append(g.root(), node),
    }
}
