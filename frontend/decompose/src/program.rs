//! A program's nodes are looked at in order, each call as PyTorch would trace it; what the program leaves of buffers and inputs becomes results in front of the others.

use crate::arguments::argument;
use crate::error::{Error, Fault, Outcome};
use crate::names::Names;
use crate::sizes::Symbols;
use crate::tracer::{Tracer, entry};
use crate::value::Value;
use crate::walk::Walk;
use rustc_hash::FxHashMap;
use sconce_export_program::ExportedProgram;
use sconce_export_program::schema::{
    Argument as Given, BufferMutationSpec, GraphSignature, InputSpec, OutputSpec, ParameterMutationSpec,
    SymBoolArgument, SymFloatArgument, SymIntArgument, TensorArgument, UserInputMutationSpec,
};
use sconce_fx::{Argument, Graph, GraphModule, Node, NodeId, Op};

/// The program in Core ATen (`ExportedProgram.run_decompositions()`).
///
/// # Errors
/// An operator that the op table does not have, a call that the shape rules refuse or say too little of, a write that is no value: each with its node.
pub fn core_aten(program: &ExportedProgram) -> Result<ExportedProgram, Error> {
    let mut symbols = Symbols::default();
    read_symbols(&mut symbols, &program.graph_module);
    for constraint in &program.constraints {
        symbols.bound(&constraint.text, constraint.range.min_val, constraint.range.max_val);
    }
    let mut tracer = Tracer::new(&mut symbols);
    let mut walk = Walk::new(&program.graph_module, "");
    let inputs = walk.placeholders(&mut tracer)?;
    let whole = |Fault(what): Fault| Error::Program(what);
    crate::asserts::check_inputs(&mut tracer, program, &inputs).map_err(whole)?;
    let outputs = walk.body(&mut tracer)?;
    let finished = finish(&mut tracer, program, &walk, &inputs, &outputs).map_err(whole)?;
    let (graph, output_specs) = finished;
    Ok(ExportedProgram {
        graph_module: GraphModule {
            class_name: program.graph_module.class_name.clone(),
            graph,
            submodules: walk.submodules,
        },
        signature: GraphSignature { input_specs: program.signature.input_specs.clone(), output_specs },
        state: program.state.iter().map(|(name, stored)| (name.clone(), stored.clone())).collect(),
        constraints: program.constraints.clone(),
        in_spec: program.in_spec.clone(),
        out_spec: program.out_spec.clone(),
        forward_arg_names: program.forward_arg_names.clone(),
        verifiers: vec!["ATEN".to_owned()],
        torch_version: program.torch_version.clone(),
        guards: program.guards.clone(),
    })
}

fn read_symbols(symbols: &mut Symbols, module: &GraphModule) {
    module.graph.nodes().filter_map(|(_, node)| node.meta.val.as_ref()).for_each(|val| symbols.read(val));
    module.submodules.values().for_each(|inner| read_symbols(symbols, inner));
}

/// The output, with what the program leaves of its inputs in front; the graph of what is used, with final names.
fn finish(
    tracer: &mut Tracer<'_>,
    program: &ExportedProgram,
    walk: &Walk<'_>,
    inputs: &[(NodeId, Value)],
    outputs: &Value,
) -> Outcome<(Graph, Vec<OutputSpec>)> {
    // What a program gives is looked at before what it leaves.
    let mut given = Vec::new();
    outputs.tensors(&mut |t| given.push(t));
    let mut results = Vec::new();
    let mut targets = Vec::new();
    let specs = &program.signature.input_specs;
    let mut written: Vec<(u8, usize)> = Vec::new();
    for (at, (_, value)) in inputs.iter().enumerate() {
        if let Some(t) = value.tensor()
            && tracer.storages[tracer.tensor(t).alias.storage].generation > 0
        {
            written.push((u8::from(matches!(specs.get(at), Some(InputSpec::UserInput(_)))), at));
        }
    }
    written.sort_unstable();
    for t in given {
        tracer.sync(t)?;
    }
    for (_, at) in written {
        let (Some((_, value)), Some(spec)) = (inputs.get(at), specs.get(at)) else { continue };
        if let Some(t) = value.tensor() {
            tracer.sync(t)?;
            results.push(Argument::Node(tracer.tensor(t).node));
            targets.push(spec);
        }
    }
    let count = results.len();
    match argument(tracer, outputs)? {
        Argument::Tuple(items) | Argument::List(items) => results.extend(items),
        one => results.push(one),
    }
    let name = tracer.names.unique("output");
    tracer.graph.push(Node::new(Op::Output, name, "output").with_args([Argument::Tuple(results)]))?;
    let mut graph = used(&tracer.graph)?;
    take_sources_of_copies(&mut graph, &targets)?;
    crate::asserts::place(tracer, &mut graph, &walk.asserted)?;
    let graph = named(&used(&graph)?)?;
    let results = graph.output().and_then(Argument::items).unwrap_or_default().to_vec();
    let name_at = |at: usize| results.get(at).and_then(Argument::node).map(|node| graph[node].name.clone());
    let mut output_specs = Vec::new();
    for (at, spec) in targets.iter().enumerate() {
        let arg = TensorArgument { name: name_at(at).unwrap_or_default() };
        output_specs.push(match spec {
            InputSpec::Buffer(b) => {
                OutputSpec::BufferMutation(BufferMutationSpec { arg, buffer_name: b.buffer_name.clone() })
            }
            InputSpec::Parameter(p) => {
                OutputSpec::ParameterMutation(ParameterMutationSpec { arg, parameter_name: p.parameter_name.clone() })
            }
            InputSpec::TensorConstant(c) => {
                OutputSpec::BufferMutation(BufferMutationSpec { arg, buffer_name: c.tensor_constant_name.clone() })
            }
            _ => {
                let user_input_name = inputs_name(spec).unwrap_or_default();
                OutputSpec::UserInputMutation(UserInputMutationSpec { arg, user_input_name })
            }
        });
    }
    for (at, spec) in program.signature.output_specs.iter().enumerate() {
        let mut spec = spec.clone();
        if let (OutputSpec::UserOutput(user), Some(name)) = (&mut spec, name_at(count + at)) {
            rename(&mut user.arg, name);
        }
        output_specs.push(spec);
    }
    Ok((graph, output_specs))
}

/// The name of an input of the user's.
fn inputs_name(spec: &InputSpec) -> Option<String> {
    match spec {
        InputSpec::UserInput(user) => match &user.arg {
            Given::AsTensor(t) => Some(t.name.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn rename(given: &mut Given, name: String) {
    match given {
        Given::AsTensor(t) => t.name = name,
        Given::AsSymInt(SymIntArgument::AsName(n))
        | Given::AsSymFloat(SymFloatArgument::AsName(n))
        | Given::AsSymBool(SymBoolArgument::AsName(n)) => *n = name,
        _ => {}
    }
}

/// A buffer that is left as a copy of another tensor is left as that tensor.
fn take_sources_of_copies(graph: &mut Graph, targets: &[&InputSpec]) -> Outcome<()> {
    let results = graph.output().and_then(Argument::items).unwrap_or_default().to_vec();
    for (result, spec) in results.iter().zip(targets) {
        let Some(node) = result.node().filter(|_| matches!(spec, InputSpec::Buffer(_))) else { continue };
        if graph.get(node).is_none_or(|n| n.target != "torch.ops.aten.copy.default") {
            continue;
        }
        if let Some(source) = graph[node].args.get(1).cloned() {
            graph.replace_uses(node, &source)?;
            graph.erase(node)?;
        }
    }
    Ok(())
}

/// Does a node do more than give a value?
fn does_more(node: &Node) -> bool {
    if node.op == Op::Placeholder || node.op == Op::Output {
        return true;
    }
    let effect = node.operator().and_then(|o| entry(&o.schema_name()).ok()).map(|e| e.effect());
    effect.is_some_and(|e| e.other || e.draws || !e.writes.is_empty())
        || node.target.ends_with("higher_order.with_effects")
}

/// The graph without what nothing uses.
pub(crate) fn used(graph: &Graph) -> Outcome<Graph> {
    let mut live = rustc_hash::FxHashSet::default();
    let nodes: Vec<(NodeId, &Node)> = graph.nodes().collect();
    for (id, node) in nodes.iter().rev() {
        if does_more(node) || live.contains(id) {
            live.insert(*id);
            node.arguments().for_each(|a| a.nodes(&mut |n| _ = live.insert(n)));
        }
    }
    copied(graph, |id, _| live.contains(&id), |node| node.name.clone())
}

/// The graph with the names of its inputs as they are, and other nodes' names where those leave them.
pub(crate) fn named(graph: &Graph) -> Outcome<Graph> {
    let mut names = Names::default();
    let inputs: Vec<String> = graph.placeholders().map(|(_, node)| node.name.clone()).collect();
    inputs.iter().for_each(|name| names.keep(name));
    copied(
        graph,
        |_, _| true,
        |node| if node.op == Op::Placeholder { node.name.clone() } else { names.unique(&node.name) },
    )
}

fn copied(
    graph: &Graph,
    keep: impl Fn(NodeId, &Node) -> bool,
    mut name: impl FnMut(&Node) -> String,
) -> Outcome<Graph> {
    let mut to = Graph::default();
    let mut ids: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    for (id, node) in graph.nodes().filter(|(id, node)| keep(*id, node)) {
        let mut moved = |n: NodeId| Argument::Node(ids.get(&n).copied().unwrap_or(n));
        let mut node = node.clone();
        node.name = name(&node);
        node.args = node.args.iter().map(|a| a.map_nodes(&mut moved)).collect();
        node.kwargs = node.kwargs.iter().map(|(k, a)| (k.clone(), a.map_nodes(&mut moved))).collect();
        ids.insert(id, to.push(node)?);
    }
    Ok(to)
}
