//! What changes of a graph cost for each node, at sizes that double: `cargo run --release -p sconce-graph --example growth`.
//!
//! A column that stays as it is says that the change is linear.

use sconce_graph::graph::{Graph, NodeId};
use sconce_schema::Type;
use std::time::Instant;

fn nanoseconds(count: usize, work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e9 / count as f64
}

fn main() {
    println!(
        "{:>8} {:>16} {:>13} {:>10} {:>16}",
        "nodes", "random place, ns", "one place, ns", "erase, ns", "replace uses, ns"
    );
    for count in [25_000, 50_000, 100_000, 200_000, 400_000] {
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        let mut g = Graph::new();
        let (root, mut nodes) = (g.root(), Vec::<NodeId>::new());
        let (x, y) = (g.add_input(root, None, Type::tensor()), g.add_input(root, None, Type::tensor()));
        let first = g.node("aten::neg", &[x]);
        g.append(root, first);
        nodes.push(first);
        let anywhere = nanoseconds(count, || {
            for _ in 0..count {
                let fresh = g.node("aten::neg", &[x]);
                g.insert_before(nodes[random(nodes.len())], fresh);
                nodes.push(fresh);
            }
        });
        let here = nanoseconds(count, || {
            for _ in 0..count {
                let fresh = g.node("my::op", &[]);
                g.insert_before(first, fresh);
            }
        });
        let replace = nanoseconds(count, || g.replace_uses(x, y));
        let erase = nanoseconds(count, || nodes.iter().rev().for_each(|n| g.erase(*n)));
        println!("{count:>8} {anywhere:>16.0} {here:>13.0} {erase:>10.0} {replace:>16.1}");
    }
}
