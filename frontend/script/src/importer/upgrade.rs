//! Nodes that mean an operator as it was are replaced by the body of the function that does what it did.

use super::Error;
use crate::emit::{Compiler, OnlyOperators};
use crate::graph::{Attr, Graph, NodeId, SourceText, ValueId};
use crate::passes;
use crate::unit::Unit;
use crate::upgraders;
use sconce_syntax::script::tree::StmtKind;
use std::rc::Rc;
use std::sync::OnceLock;

/// The attribute by which the compiler marks such a node: the upgrader's function.
pub const MARK: &str = "upgrader";

/// Replaces all marked nodes of a unit.
pub(super) fn run(unit: &mut Unit) -> Result<(), Error> {
    for function in unit.functions.values_mut() {
        if replace(&mut function.graph)? {
            passes::cleanup(&mut function.graph);
        }
    }
    Ok(())
}

/// Was there anything to replace?
fn replace(graph: &mut Graph) -> Result<bool, Error> {
    let mut changed = false;
    for node in graph.walk(graph.root()) {
        if let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") {
            let mut inner = inner.clone();
            changed |= replace(&mut inner)?;
            graph.set_attr(node, "Subgraph", Attr::Graph(inner));
        }
        let Some(name) = graph.str_attr(node, MARK).cloned() else { continue };
        let Some(body) = bodies()?.functions.get(&name) else { continue };
        inline(graph, node, &body.graph);
        changed = true;
    }
    Ok(changed)
}

/// Puts a body in the place of a node.
fn inline(graph: &mut Graph, node: NodeId, body: &Graph) {
    let inputs = graph.inputs(node).to_vec();
    let results = graph.insert_graph(node, body, &inputs);
    let outputs: Vec<ValueId> = graph.outputs(node).to_vec();
    for (old, new) in outputs.iter().zip(&results) {
        graph.replace_uses(*old, *new);
    }
    graph.erase(node);
}

/// The compiled upgraders.
fn bodies() -> Result<&'static Unit, Error> {
    static BODIES: OnceLock<Unit> = OnceLock::new();
    if let Some(unit) = BODIES.get() {
        return Ok(unit);
    }
    let name = "<upgraders>";
    let source = SourceText::file(name, upgraders::bodies());
    let tree = sconce_syntax::script::parse(name, source.text())?;
    let mut compiler = Compiler::new(Unit::default());
    for statement in &tree.body {
        if let StmtKind::Def(def) = &statement.kind {
            compiler.compile_function(&def.name.name, def, &source, Rc::new(OnlyOperators), None)?;
        }
    }
    for function in compiler.unit.functions.values_mut() {
        // What a program was written as has no line in the upgrader.
        for node in function.graph.walk(function.graph.root()) {
            function.graph.set_loc(node, None);
        }
    }
    Ok(BODIES.get_or_init(|| std::mem::take(&mut compiler.unit)))
}
