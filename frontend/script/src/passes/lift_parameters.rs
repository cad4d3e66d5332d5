//! `lift-parameters`: a method becomes a function; what it reads of its module becomes arguments behind its own.
//!
//! All calls are inlined first. Attributes are lifted in the order in which they are read first; a path is lifted once. What is written, or what an
//! object is used for beyond its attributes, cannot be lifted.

use super::{InlineError, eliminate_dead_code, inline};
use crate::graph::{Graph, Loc, NodeId, ValueId};
use crate::unit::{Param, Unit};
use rustc_hash::FxHashMap;
use sconce_schema::Type;

/// Why a method cannot become a function.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LiftError {
    #[error(transparent)]
    Inline(#[from] InlineError),
    #[error("there is no function '{0}'")]
    Missing(String),
    #[error("{place}the module is used for more than to read its attributes: {what}")]
    Used { place: String, what: String },
}

/// Is it a method of a module, with `self` first?
pub fn is_method(unit: &Unit, function: &str) -> bool {
    let class = function.rsplit_once('.').and_then(|(class, _)| unit.classes.get(class));
    class.is_some_and(|c| c.is_module() && !c.is_interface())
}

/// Lifts a method in place; gives the paths of the new arguments: `fc.weight`.
///
/// # Errors
/// Recursion, and uses of the module that are no reads.
pub fn lift_parameters(unit: &mut Unit, function: &str) -> Result<Vec<String>, LiftError> {
    if !unit.functions.contains_key(function) {
        return Err(LiftError::Missing(function.to_owned()));
    }
    let mut graph = inline(unit, function)?;
    eliminate_dead_code(&mut graph);
    let root = graph.root();
    let Some(this) = graph.block_inputs(root).first().copied().filter(|v| is_module(unit, graph.ty(*v))) else {
        return Ok(Vec::new());
    };
    let mut paths: FxHashMap<ValueId, String> = FxHashMap::default();
    paths.insert(this, String::new());
    let mut lifted: Vec<(String, ValueId)> = Vec::new();
    let mut reads: Vec<NodeId> = Vec::new();
    for node in graph.walk(root) {
        let object = graph.input(node, 0).and_then(|v| paths.get(&v).cloned());
        match (object, graph.str_attr(node, "name").cloned(), graph.output(node)) {
            (Some(path), Some(name), Some(output)) if graph.is(node, "prim::GetAttr") => {
                let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
                reads.push(node);
                if is_module(unit, graph.ty(output)) {
                    paths.insert(output, path);
                    continue;
                }
                let known = lifted.iter().find(|(p, _)| *p == path).map(|(_, v)| *v);
                let value = known.unwrap_or_else(|| {
                    let ty = graph.ty(output).clone();
                    let input = graph.add_input(root, Some(&path.replace('.', "_")), ty);
                    lifted.push((path, input));
                    input
                });
                graph.replace_uses(output, value);
            }
            _ => check_use(&graph, node, &paths)?,
        }
    }
    for node in reads.into_iter().rev() {
        graph.erase(node);
    }
    if !graph.uses(this).is_empty() {
        return Err(LiftError::Used { place: String::new(), what: "it is a result".to_owned() });
    }
    graph.remove_input(root, 0);
    let Some(f) = unit.functions.get_mut(function) else { return Ok(Vec::new()) };
    f.params.remove(0);
    f.params.extend(lifted.iter().map(|(path, value)| Param {
        name: path.replace('.', "_").into(),
        ty: graph.ty(*value).clone(),
        default: None,
        keyword_only: false,
        list_size: None,
    }));
    f.graph = graph;
    // It is no method any more.
    if let Some((class, method)) = function.rsplit_once('.')
        && let Some(class) = unit.classes.get_mut(class)
    {
        class.methods.retain(|m| **m != *method);
    }
    Ok(lifted.into_iter().map(|(path, _)| path).collect())
}

fn is_module(unit: &Unit, ty: &Type) -> bool {
    matches!(ty, Type::Class(name) if unit.classes.get(name).is_none_or(|c| c.is_module()))
}

fn check_use(graph: &Graph, node: NodeId, modules: &FxHashMap<ValueId, String>) -> Result<(), LiftError> {
    if graph.inputs(node).iter().any(|v| modules.contains_key(v)) {
        let place = graph.loc(node).map(Loc::text).map(|p| format!("{p}: ")).unwrap_or_default();
        return Err(LiftError::Used { place, what: graph.kind(node).to_string() });
    }
    Ok(())
}
