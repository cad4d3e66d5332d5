//! Types that were seen in a call are those of other values too: what a function is given and gives back, and what branches and loops pass on.

use crate::bounds::MOST_SEEN;
use crate::graphs::{Function, Node};

/// A value: function and number.
type Place = (usize, u32);

/// How often all is gone through: types of calls inside of calls take several times.
const ROUNDS: usize = 16;

/// Copies seen types along all that passes values on, until nothing is new.
pub fn spread(functions: &mut [Function]) {
    let inside = |(at, function): (usize, &Function)| {
        function.nodes.iter().flat_map(|node| passed(at, function, node)).collect::<Vec<_>>()
    };
    let mut pairs: Vec<(Place, Place)> = functions.iter().enumerate().flat_map(inside).collect();
    pairs.extend(calls(functions));
    for _ in 0..ROUNDS {
        let changed = pairs.iter().filter(|(from, to)| copy(functions, *from, *to)).count();
        if changed == 0 {
            return;
        }
    }
}

/// Adds the types of a value to another's; was one new?
fn copy(functions: &mut [Function], from: Place, to: Place) -> bool {
    let seen = functions[from.0].values[from.1 as usize].seen.clone();
    let known = &mut functions[to.0].values[to.1 as usize].seen;
    let before = known.len();
    for ty in seen {
        if known.len() < MOST_SEEN && !known.contains(&ty) {
            known.push(ty);
        }
    }
    known.len() > before
}

/// From the values that a call is given to the parameters, and back from the results.
fn calls(functions: &[Function]) -> Vec<(Place, Place)> {
    let mut pairs = Vec::new();
    for (at, function) in functions.iter().enumerate() {
        for node in &function.nodes {
            let Some(callee) = node.calls.map(|callee| callee as usize) else { continue };
            let body = &functions[callee].blocks[0];
            // A call of a function has the function in front of its arguments.
            let given = &node.inputs[node.inputs.len().saturating_sub(body.inputs.len())..];
            pairs.extend(given.iter().zip(&body.inputs).map(|(from, to)| ((at, *from), (callee, *to))));
            pairs.extend(body.outputs.iter().zip(&node.outputs).map(|(from, to)| ((callee, *from), (at, *to))));
        }
    }
    pairs
}

/// From what goes into a node to its blocks, and from its blocks to what it gives.
fn passed(at: usize, function: &Function, node: &Node) -> Vec<(Place, Place)> {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for block in node.blocks.iter().map(|block| &function.blocks[*block as usize]) {
        // In front of what a loop carries stand the trip count and the condition; its body takes a counter and gives a condition.
        let skipped = usize::from(&*node.kind == "prim::Loop");
        let given = block.outputs.iter().copied().skip(skipped);
        pairs.extend(given.clone().zip(node.outputs.iter().copied()));
        if skipped > 0 {
            let carried = block.inputs.iter().copied().skip(1);
            pairs.extend(node.inputs.iter().copied().skip(2).zip(carried.clone()));
            pairs.extend(given.zip(carried));
        }
    }
    pairs.into_iter().map(|(from, to)| ((at, from), (at, to))).collect()
}
