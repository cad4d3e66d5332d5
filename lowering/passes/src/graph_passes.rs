//! PyTorch's passes over graphs as passes over the dialect: `lower-simple-tuples`, `constant-propagation`, `constant-pooling`, `torch-cse`,
//! `canonicalize-outputs`, `torch-inline`, `lift-parameters`.
//!
//! A function that is no graph (other dialects, tensors as values) is left alone.

use sconce_graph::graph::Graph;
use sconce_graph::unit::Unit;
use sconce_import::rewrite;
use sconce_ir::OperationRef;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun};
use sconce_script::passes::{self, Propagation};

/// Changes every graph of a module.
pub(crate) fn each_graph(root: OperationRef<'_, '_>, change: &mut dyn FnMut(&mut Graph)) -> PassResult {
    fn within(graph: &mut Graph, change: &mut dyn FnMut(&mut Graph)) {
        for node in graph.walk(graph.root()) {
            graph.with_subgraph(node, |inner| within(inner, change));
        }
        change(graph);
    }
    units(root, |unit| {
        unit.functions.values_mut().for_each(|f| within(&mut f.graph, change));
        Ok(())
    })
}

fn units(root: OperationRef<'_, '_>, change: impl FnOnce(&mut Unit) -> Result<(), Failure>) -> PassResult {
    rewrite(root, |unit| change(unit).map_err(|f| f.to_string())).map_err(|e| Failure::new(e.to_string()))
}

macro_rules! graph_passes {
    ($($(#[$doc:meta])* $name:ident, $text:literal, $description:literal, $options:expr, $change:expr;)*) => {$(
        $(#[$doc])*
        pub struct $name;

        impl Pass for $name {
            const NAME: &'static str = $text;
            const DESCRIPTION: &'static str = $description;
            const OPTIONS: &'static [PassOption] = $options;
            const DIALECTS: &'static [&'static str] = &["torch", "func"];

            fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
                let change: fn(&mut Graph, &PassRun<'_>) = $change;
                each_graph(root, &mut |graph| change(graph, run))
            }
        }
    )*};
}

graph_passes! {
    /// What is taken out of a tuple that was made here is what was put in.
    LowerSimpleTuples, "lower-simple-tuples", "Replace what is taken out of tuples by what was put in", &[],
        |graph, _| passes::lower_simple_tuples(graph);
    /// What can be computed now is.
    ConstantPropagation, "constant-propagation", "Compute what is constant; decided branches and loops that do not run go",
        &[PassOption::bool("immutable-only", "only values that cannot change", false)],
        |graph, run| {
            let only = run.bool("immutable-only");
            passes::constant_propagation(graph, if only { Propagation::ImmutableTypes } else { Propagation::Full });
        };
    /// One node for each constant, at the start.
    ConstantPooling, "constant-pooling", "Keep one operation for each constant, at the start of the function", &[],
        |graph, _| passes::constant_pooling(graph);
    /// The same computation is done once.
    TorchCse, "torch-cse", "Compute the same of the same operands once, where nothing writes to it", &[],
        |graph, _| { passes::eliminate_common_subexpressions(graph); };
    /// Results of control flow in the order of their first use.
    CanonicalizeOutputs, "canonicalize-outputs", "Order results of branches and loops by their first use", &[],
        |graph, _| passes::canonicalize_outputs(graph);
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

/// Pipelines with a name: the name, what it does, the passes.
pub static PIPELINES: &[(&str, &str, &str)] = &[(
    "torch-cleanup",
    "What PyTorch runs on every function it compiles",
    "lower-simple-tuples,constant-propagation{immutable-only=1},constant-pooling,canonicalize-outputs",
)];
