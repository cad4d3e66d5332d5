//! What the compiler emits becomes a graph in its final form: values instead of variables, no exits but the end, one name for each operator.

use crate::graph::{BlockId, Graph, NodeId, ValueId};
use crate::ssa::{self, Error};
use crate::{closures, exits, passes};
use sconce_schema::Type;
use sconce_tensor::IValue;

/// Brings a graph as the compiler emitted it into the form that PyTorch shows.
///
/// # Errors
/// Graphs that no compiler emits, and forks of what cannot be forked.
pub fn finish(graph: &mut Graph) -> Result<(), Error> {
    ssa::convert(graph)?;
    exits::transform(graph)?;
    modified_loops(graph, graph.root());
    normalize(graph);
    closures::lift(graph)?;
    list_literals(graph);
    passes::cleanup(graph);
    Ok(())
}

/// A loop with both a trip count and a condition becomes one with a condition that counts: Python has no other.
fn modified_loops(graph: &mut Graph, block: BlockId) {
    for node in graph.block_nodes(block).to_vec() {
        for inner in graph.blocks(node).to_vec() {
            modified_loops(graph, inner);
        }
        if graph.is(node, "prim::Loop") && is_modified(graph, node) {
            modified_loop(graph, node);
        }
    }
}

fn is_modified(graph: &Graph, node: NodeId) -> bool {
    let body = graph.blocks(node)[0];
    let always = |v: Option<&ValueId>| matches!(v.and_then(|v| graph.constant(*v)), Some(IValue::Bool(true)));
    let counts = !matches!(graph.constant(graph.inputs(node)[0]), Some(IValue::Int(i64::MAX)))
        || !graph.uses(graph.block_inputs(body)[0]).is_empty();
    counts && !(always(graph.inputs(node).get(1)) && always(graph.block_outputs(body).first()))
}

fn modified_loop(graph: &mut Graph, node: NodeId) {
    let body = graph.blocks(node)[0];
    let before = |graph: &mut Graph, op: NodeId| graph.insert_before(node, op);
    let (zero_node, zero) = ssa::constant(graph, IValue::Int(0), Type::Int);
    before(graph, zero_node);
    let (one_node, one) = ssa::constant(graph, IValue::Int(1), Type::Int);
    before(graph, one_node);
    let trips = graph.inputs(node)[0];
    let (op, mut condition) = operator(graph, "aten::gt", &[trips, zero], Type::Bool);
    before(graph, op);
    let (op, forever) = ssa::constant(graph, IValue::Int(i64::MAX), Type::Int);
    before(graph, op);
    graph.set_operand(node, 0, forever);
    let first = graph.inputs(node)[1];
    if !matches!(graph.constant(first), Some(IValue::Bool(true))) {
        let (op, both) = operator(graph, "aten::__and__", &[condition, first], Type::Bool);
        before(graph, op);
        condition = both;
    }
    graph.set_operand(node, 1, condition);
    graph.add_output(node, None, Type::Int);
    graph.add_operand(node, zero);
    let counter = graph.add_input(body, None, Type::Int);
    let implicit = graph.block_inputs(body)[0];
    graph.set_name(implicit, None);
    graph.replace_uses(implicit, counter);
    let (op, next) = operator(graph, "aten::add", &[counter, one], Type::Int);
    graph.append(body, op);
    graph.add_block_output(body, next);
    let (op, more) = operator(graph, "aten::lt", &[next, trips], Type::Bool);
    graph.append(body, op);
    let goes_on = graph.block_outputs(body)[0];
    let (op, both) = operator(graph, "aten::__and__", &[more, goes_on], Type::Bool);
    graph.append(body, op);
    let mut outputs = graph.block_outputs(body).to_vec();
    outputs[0] = both;
    graph.set_block_outputs(body, &outputs);
}

fn operator(graph: &mut Graph, kind: &str, inputs: &[ValueId], ty: Type) -> (NodeId, ValueId) {
    let node = graph.node(kind, inputs);
    let output = graph.add_output(node, None, ty);
    (node, output)
}

/// Operators that have several names, and the name that graphs use; the in-place forms (`absolute_`) alike.
const ALIASES: &[(&str, &str)] = &[
    ("absolute", "abs"),
    ("adjoint", "mH"),
    ("arccos", "acos"),
    ("arccosh", "acosh"),
    ("arcsin", "asin"),
    ("arcsinh", "asinh"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("arctanh", "atanh"),
    ("clip", "clamp"),
    ("concat", "cat"),
    ("concatenate", "cat"),
    ("det", "linalg_det"),
    ("divide", "div"),
    ("fix", "trunc"),
    ("ger", "outer"),
    ("greater", "gt"),
    ("greater_equal", "ge"),
    ("inverse", "linalg_inv"),
    ("less", "lt"),
    ("less_equal", "le"),
    ("linalg_matmul", "matmul"),
    ("matrix_exp", "linalg_matrix_exp"),
    ("matrix_power", "linalg_matrix_power"),
    ("moveaxis", "movedim"),
    ("multiply", "mul"),
    ("negative", "neg"),
    ("not_equal", "ne"),
    ("orgqr", "linalg_householder_product"),
    ("row_stack", "vstack"),
    ("special_digamma", "digamma"),
    ("special_erf", "erf"),
    ("special_erfc", "erfc"),
    ("special_erfinv", "erfinv"),
    ("special_exp2", "exp2"),
    ("special_expit", "sigmoid"),
    ("special_expm1", "expm1"),
    ("special_gammainc", "igamma"),
    ("special_gammaincc", "igammac"),
    ("special_gammaln", "lgamma"),
    ("special_i0", "i0"),
    ("special_log1p", "log1p"),
    ("special_log_softmax", "log_softmax"),
    ("special_logit", "logit"),
    ("special_logsumexp", "logsumexp"),
    ("special_multigammaln", "mvlgamma"),
    ("special_polygamma", "polygamma"),
    ("special_psi", "digamma"),
    ("special_round", "round"),
    ("special_sinc", "sinc"),
    ("special_softmax", "softmax"),
    ("special_xlogy", "xlogy"),
    ("subtract", "sub"),
    ("swapaxes", "transpose"),
    ("swapdims", "transpose"),
    ("true_divide", "div"),
];

fn normalized(kind: &str) -> Option<String> {
    let name = kind.strip_prefix("aten::")?;
    let (stem, in_place) = name.strip_suffix('_').map_or((name, ""), |stem| (stem, "_"));
    let found = ALIASES.binary_search_by_key(&stem, |(alias, _)| alias).ok()?;
    Some(format!("aten::{}{in_place}", ALIASES[found].1))
}

/// One name for each operator; `rsub` of tensors is `sub`, and `is` of bools is `eq`.
fn normalize(graph: &mut Graph) {
    for node in graph.walk(graph.root()) {
        let types: Vec<&Type> = graph.inputs(node).iter().map(|v| graph.ty(*v)).collect();
        let new = match (&**graph.kind(node), types.as_slice()) {
            ("aten::rsub", [a, b, _]) if a.is_tensor() && b.is_tensor() => {
                let (a, b) = (graph.inputs(node)[0], graph.inputs(node)[1]);
                graph.set_operand(node, 0, b);
                graph.set_operand(node, 1, a);
                Some("aten::sub".to_owned())
            }
            ("aten::__is__", [Type::Bool, Type::Bool]) => Some("aten::eq".to_owned()),
            ("aten::__isnot__", [Type::Bool, Type::Bool]) => Some("aten::ne".to_owned()),
            (kind, _) => normalized(kind),
        };
        if let Some(kind) = new {
            graph.set_kind(node, kind);
        }
    }
}

/// Empty list literals, whose type only a later use told.
fn list_literals(graph: &mut Graph) {
    for node in graph.walk(graph.root()) {
        if graph.is(node, "prim::EmptyListLiteral") {
            graph.set_kind(node, "prim::ListConstruct");
        }
        if let Some(crate::graph::Attr::Graph(_)) = graph.attr(node, "Subgraph") {
            graph.with_subgraph(node, list_literals);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_sorted() {
        assert!(ALIASES.is_sorted_by_key(|(alias, _)| alias));
        assert_eq!(normalized("aten::absolute_").as_deref(), Some("aten::abs_"));
        assert_eq!(normalized("aten::add_"), None);
    }
}
