//! A copy between a tensor that may be written and a tensor as a value is made only where somebody could tell the difference.

use crate::nodes::{entry, structure};
use crate::{KERNEL, REGION};
use sconce_graph::graph::{Graph, NodeId, Use, ValueId};

/// The operations that take and give snapshots, as the dialect calls them.
pub(crate) const TO_VALUE: &str = "torch.copy.to_vtensor";
pub(crate) const TO_TENSOR: &str = "torch.copy.to_tensor";

/// The copy may be the operand itself.
pub(crate) fn is_free(graph: &Graph, node: NodeId) -> bool {
    match &**graph.kind(node) {
        TO_VALUE => is_read_before_writes(graph, node),
        TO_TENSOR => graph.input(node, 0).is_some_and(|v| graph.uses(v).len() == 1 && !may_alias(graph, v)),
        _ => false,
    }
}

/// Nothing writes between it and its last use.
fn is_read_before_writes(graph: &Graph, node: NodeId) -> bool {
    let (Some((block, at)), Some(result)) = (graph.position(node), graph.output(node)) else { return false };
    let mut left = graph.uses(result).len();
    for other in &graph.block_nodes(block)[at + 1..] {
        if left == 0 {
            return true;
        }
        // The use itself comes before what the user writes.
        left = left.saturating_sub(graph.inputs(*other).iter().filter(|v| **v == result).count());
        if left > 0 && may_write(graph, *other) {
            return false;
        }
    }
    graph.uses(result).iter().filter(|u| matches!(u, Use::Block(b, _) if *b == block)).count() == left
}

/// Whether a node may write to a tensor that it did not make.
fn may_write(graph: &Graph, node: NodeId) -> bool {
    if !graph.blocks(node).is_empty() {
        return true;
    }
    let kind = &**graph.kind(node);
    if structure(kind).is_some() || matches!(kind, REGION | KERNEL | TO_TENSOR | TO_VALUE) {
        return false;
    }
    let Some(entry) = entry(graph, node) else { return true };
    let effect = entry.effect();
    !effect.writes.is_empty() || effect.writes_unless_false.is_some() || effect.other
}

/// Whether a value may share storage with another that existed before: a parameter, or a view of something.
pub(crate) fn may_alias(graph: &Graph, value: ValueId) -> bool {
    let Some(node) = graph.defining(value) else { return true };
    if matches!(&**graph.kind(node), REGION | KERNEL) {
        return false;
    }
    let Some(entry) = entry(graph, node) else { return true };
    let effect = entry.effect();
    !effect.writes.is_empty() || (0..entry.schema().returns.len()).any(|result| effect.may_share(result))
}
