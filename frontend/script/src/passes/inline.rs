//! `inline`: calls of functions and methods become the bodies of what they call. Recursion is refused where the call stands.

use super::{constant_pooling, constant_propagation, peephole};
use crate::graph::{Attr, BlockId, Graph, Loc, NodeId, ValueId};
use crate::unit::Unit;
use rustc_hash::FxHashMap;
use sconce_schema::Type;

/// A function that cannot be inlined, at this place.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}function '{function}' {why}", place.as_ref().map(|p| format!("{p}: ")).unwrap_or_default())]
pub struct InlineError {
    pub function: String,
    pub why: Why,
    pub place: Option<Box<Loc>>,
}

/// Why it cannot.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum Why {
    #[error("is called recursively. Recursive calls are not supported")]
    Recursive,
    #[error("has more than {MOST_NODES} operations once its calls are inlined")]
    TooLarge,
}

/// Operations that a function may have once its calls are inlined: a few functions that call each other twice would have any number.
const MOST_NODES: usize = 250_000;

/// Inlines all calls in a function of the unit. Calls of interfaces stay: which method they mean, only the object knows.
///
/// # Errors
/// Recursion.
pub fn inline(unit: &Unit, function: &str) -> Result<Graph, InlineError> {
    let mut done = FxHashMap::default();
    let mut active = Vec::new();
    inlined(unit, function, &mut active, &mut done, None)?;
    Ok(done.remove(function).unwrap_or_default())
}

fn inlined(
    unit: &Unit,
    function: &str,
    active: &mut Vec<String>,
    done: &mut FxHashMap<String, Graph>,
    place: Option<&Loc>,
) -> Result<(), InlineError> {
    if active.iter().any(|name| name == function) {
        let short = function.rsplit('.').next().unwrap_or(function).to_owned();
        return Err(InlineError { function: short, why: Why::Recursive, place: place.cloned().map(Box::new) });
    }
    if done.contains_key(function) {
        return Ok(());
    }
    let Some(f) = unit.functions.get(function) else { return Ok(()) };
    active.push(function.to_owned());
    let mut graph = f.graph.clone();
    within(unit, function, &mut graph, active, done)?;
    active.pop();
    if !active.is_empty() {
        // What is inlined elsewhere is made small first: tests for None of arguments' defaults, branches that are decided.
        peephole(&mut graph);
        constant_propagation(&mut graph);
        constant_pooling(&mut graph);
    }
    done.insert(function.to_owned(), graph);
    Ok(())
}

/// Inlines the calls of a graph. What is forked is a task of its own: its calls stay.
fn within(
    unit: &Unit,
    function: &str,
    graph: &mut Graph,
    active: &mut Vec<String>,
    done: &mut FxHashMap<String, Graph>,
) -> Result<(), InlineError> {
    let nodes = graph.walk(graph.root());
    let mut count = nodes.len();
    for node in nodes {
        if let Some(name) = callee(unit, graph, node) {
            inlined(unit, &name, active, done, graph.loc(node))?;
            if let Some(body) = done.get(&name) {
                count += body.walk(body.root()).len();
                if count > MOST_NODES {
                    let place = graph.loc(node).cloned().map(Box::new);
                    return Err(InlineError { function: function.to_owned(), why: Why::TooLarge, place });
                }
                splice(graph, node, body);
            }
        }
    }
    Ok(())
}

/// The function of the unit that a node calls.
pub fn callee(unit: &Unit, graph: &Graph, node: NodeId) -> Option<String> {
    let first = graph.input(node, 0)?;
    let name = match &**graph.kind(node) {
        "prim::CallFunction" => match graph.attrs(graph.defining(first)?) {
            [(_, Attr::Function(name))] => name.to_string(),
            _ => return None,
        },
        "prim::CallMethod" => match graph.ty(first) {
            Type::Class(class) => format!("{class}.{}", graph.str_attr(node, "name")?),
            _ => return None,
        },
        _ => return None,
    };
    unit.functions.contains_key(name.as_str()).then_some(name)
}

/// Puts a body in the place of a call.
fn splice(graph: &mut Graph, call: NodeId, body: &Graph) {
    let skip = usize::from(graph.is(call, "prim::CallFunction"));
    let operands = graph.inputs(call)[skip..].to_vec();
    let inputs = body.block_inputs(body.root());
    if inputs.len() != operands.len() || body.block_outputs(body.root()).len() != graph.outputs(call).len() {
        return;
    }
    let mut values: FxHashMap<ValueId, ValueId> = inputs.iter().copied().zip(operands).collect();
    let nodes = body.block_nodes(body.root());
    let copies = nodes.iter().map(|node| copy_node(body, *node, graph, &mut values)).collect();
    graph.insert_all_before(call, copies);
    let results: Vec<ValueId> = body.block_outputs(body.root()).iter().map(|v| values[v]).collect();
    for (output, result) in graph.outputs(call).to_vec().into_iter().zip(results) {
        // The call's name for its result lives on.
        if graph.name(result).is_none()
            && let Some(name) = graph.name(output).cloned()
        {
            graph.set_name(result, Some(&name));
        }
        graph.replace_uses(output, result);
    }
    graph.erase(call);
}

/// A copy of a node of one graph in another, in no block yet.
fn copy_node(from: &Graph, node: NodeId, to: &mut Graph, values: &mut FxHashMap<ValueId, ValueId>) -> NodeId {
    let inputs: Vec<ValueId> = from.inputs(node).iter().map(|v| values[v]).collect();
    let copy = to.node(from.kind(node).clone(), &inputs);
    for (name, attr) in from.attrs(node) {
        to.set_attr(copy, name.clone(), attr.clone());
    }
    to.set_loc(copy, from.loc(node).cloned());
    for block in from.blocks(node) {
        let target = to.add_block(copy);
        copy_block(from, *block, to, target, values);
    }
    for output in from.outputs(node) {
        let fresh = to.add_output(copy, from.name(*output).map(|n| &**n), from.ty(*output).clone());
        values.insert(*output, fresh);
    }
    copy
}

fn copy_block(from: &Graph, block: BlockId, to: &mut Graph, target: BlockId, values: &mut FxHashMap<ValueId, ValueId>) {
    for input in from.block_inputs(block) {
        let fresh = to.add_input(target, from.name(*input).map(|n| &**n), from.ty(*input).clone());
        values.insert(*input, fresh);
    }
    for node in from.block_nodes(block) {
        let copy = copy_node(from, *node, to, values);
        to.append(target, copy);
    }
    let outputs: Vec<ValueId> = from.block_outputs(block).iter().map(|v| values[v]).collect();
    to.set_block_outputs(target, &outputs);
}
