//! PyTorch's passes over graphs as passes over the dialect: `torch-inline`, `lift-parameters`.
//!
//! A function that is no graph (other dialects, tensors as values) is left alone.

use sconce_graph::unit::Unit;
use sconce_import::rewrite;
use sconce_ir::OperationRef;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun};
use sconce_script::passes;

fn units(root: OperationRef<'_, '_>, change: impl FnOnce(&mut Unit) -> Result<(), Failure>) -> PassResult {
    rewrite(root, |unit| change(unit).map_err(|f| f.to_string())).map_err(|e| Failure::new(e.to_string()))
}

/// Calls of functions and methods become bodies.
pub struct TorchInline;

impl Pass for TorchInline {
    const NAME: &'static str = "torch-inline";
    const DESCRIPTION: &'static str = "Inline calls of functions and methods; calls through interfaces stay";
    const OPTIONS: &'static [PassOption] = &[PassOption::str("function", "the function; empty: all", "")];
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let chosen = run.str("function");
        units(root, |unit| {
            let names: Vec<_> =
                unit.functions.keys().filter(|n| chosen.is_empty() || ***n == *chosen).cloned().collect();
            if names.is_empty() && !chosen.is_empty() {
                return Err(Failure::new(format!("there is no function @{chosen} that is a graph")));
            }
            let mut graphs = Vec::new();
            for name in &names {
                graphs.push(passes::inline(unit, name)?);
            }
            for (name, graph) in names.iter().zip(graphs) {
                if let Some(f) = unit.functions.get_mut(name) {
                    f.graph = graph;
                }
            }
            Ok(())
        })
    }
}

/// What a method reads of its module becomes arguments.
pub struct LiftParameters;

impl Pass for LiftParameters {
    const NAME: &'static str = "lift-parameters";
    const DESCRIPTION: &'static str =
        "Make a function of a method: what it reads of its module becomes arguments, behind its own";
    const OPTIONS: &'static [PassOption] = &[PassOption::str("function", "the method; empty: all", "")];
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let chosen = run.str("function");
        units(root, |unit| {
            let names: Vec<_> =
                unit.functions.keys().filter(|n| chosen.is_empty() || ***n == *chosen).cloned().collect();
            for name in names {
                if !chosen.is_empty() || passes::is_method(unit, &name) {
                    passes::lift_parameters(unit, &name)?;
                }
            }
            Ok(())
        })
    }
}
