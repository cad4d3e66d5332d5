//! Graphs as PyTorch's profiling executor has them: first with `prim::profile` where a run is watched, then with what it saw there.
//!
//! The nodes stand where PyTorch puts them and have its numbers, so that the texts are PyTorch's. What runs is the same graph with each place's number beside its value.

use sconce_executor::{ProfileRecord, WATCH, Watched};
use sconce_graph::graph::{Attr, BlockId, Graph, NodeId, Use, ValueId};
use sconce_graph::listing;
use sconce_graph::unit::Unit;
use sconce_request::{Answer, Checks, Compiler, Question, Subject, Want, bind_weights, lift_weights};
use sconce_schema::types::TensorType;
use sconce_schema::{OpId, Trait, Type, ops};
use sconce_script::passes;
use sconce_tensor::IValue;
use std::collections::BTreeMap;
use std::sync::Arc;

const PROFILE: &str = "prim::profile";

/// Operators that are no element's business alone and that PyTorch watches.
const ALSO_WATCHED: &[OpId] = &[ops::aten::mm, ops::aten::softmax_int, ops::aten::layer_norm];

/// A function's graph for runs that are watched.
pub(crate) struct ProfiledGraph {
    unit: Arc<Unit>,
    name: String,
    graph: Graph,
    /// The nodes that watch, by the numbers of their places.
    places: Vec<NodeId>,
}

/// The text of a function with every call inlined.
pub(crate) fn inlined_text(unit: &Unit, name: &str) -> Option<String> {
    Some(listing::to_listing_in(unit, &inlined(unit, name)?).to_string())
}

/// The text of a function as an executor begins with it.
pub(crate) fn optimized_text(unit: &Unit, name: &str, compiler: &dyn Compiler) -> Option<String> {
    let mut graph = optimized(unit, name, compiler)?;
    Numbers(0).block(&mut graph, None);
    Some(listing::to_listing_in(unit, &graph).to_string())
}

fn inlined(unit: &Unit, name: &str) -> Option<Graph> {
    let mut graph = passes::inline(unit, name).ok()?;
    passes::cleanup(&mut graph);
    Some(graph)
}

/// The pipeline of what PyTorch does before it knows anything of arguments.
const BEFORE_PROFILING: &str = "torch-before-profiling";

/// The same as an executor begins with it.
fn optimized(unit: &Unit, name: &str, compiler: &dyn Compiler) -> Option<Graph> {
    let mut graph = inlined(unit, name)?;
    constant_chunks(&mut graph);
    let mut alone = Unit::clone(unit);
    alone.functions.retain(|known, _| **known == *name);
    alone.functions.get_mut(name)?.graph = graph;
    alone.entry = Some(name.into());
    let weights = lift_weights(&mut alone);
    let question = Question {
        subject: Subject::Unit(alone),
        want: Want::Passes { pipeline: BEFORE_PROFILING.into(), checks: Checks::default() },
    };
    let Ok(Answer::Unit(mut unit)) = compiler.ask(&question) else { return None };
    let mut graph = unit.functions.swap_remove(name)?.graph;
    let weight = |name: &str| weights.iter().find(|(n, _)| **n == *name).map(|(_, t)| IValue::Tensor(t.clone()));
    bind_weights(&mut graph, &weight).ok()?;
    for value in values(&graph) {
        // What constants say of themselves is not what was seen.
        if graph.ty(value).is_tensor() {
            graph.set_type(value, Type::tensor());
        }
    }
    Some(graph)
}

/// A list of so many chunks that is taken apart at once becomes the chunks.
fn constant_chunks(graph: &mut Graph) {
    for node in graph.walk(graph.root()) {
        let unpacked = match graph.output(node).map(|list| graph.uses(list)) {
            Some(&[Use::Node(user, _)]) if graph.is(node, "aten::chunk") => user,
            _ => continue,
        };
        let int = |at: usize| match graph.input(node, at).and_then(|v| graph.constant(v)) {
            Some(IValue::Int(n)) => Some(*n),
            _ => None,
        };
        let (Some(tensor), Some(chunks), Some(dim)) = (graph.input(node, 0), int(1), int(2)) else { continue };
        if !graph.is(unpacked, "prim::ListUnpack") || graph.outputs(unpacked).len() as i64 != chunks {
            continue;
        }
        let made = graph.node("prim::ConstantChunk", &[tensor]);
        graph.set_attr(made, "chunks", Attr::Int(chunks));
        graph.set_attr(made, "dim", Attr::Int(dim));
        graph.set_loc(made, graph.loc(node).cloned());
        graph.insert_before(node, made);
        for old in graph.outputs(unpacked).to_vec() {
            let new = graph.add_output(made, None, Type::tensor());
            graph.replace_uses(old, new);
        }
        graph.erase(unpacked);
        graph.erase(node);
    }
}

impl ProfiledGraph {
    /// None where calls cannot be inlined, or the compiler has no answer.
    pub fn new(unit: Arc<Unit>, name: &str, compiler: &dyn Compiler) -> Option<ProfiledGraph> {
        let mut graph = optimized(&unit, name, compiler)?;
        let mut numbers = Numbers(0);
        numbers.block(&mut graph, None);
        let root = graph.root();
        let mut watching = Watching { graph: &mut graph, numbers, places: Vec::new() };
        watching.block(root);
        let places = watching.places;
        Some(ProfiledGraph { unit, name: name.into(), graph, places })
    }

    /// What runs; none where the graph has no bytecode.
    pub fn watched(&self) -> Option<Watched> {
        let mut graph = self.graph.clone();
        for (place, node) in self.places.iter().enumerate() {
            let number = graph.node("prim::Constant", &[]);
            graph.set_attr(number, "value", Attr::Value(IValue::Int(place as i64)));
            let value = graph.add_output(number, None, Type::Int);
            graph.insert_before(*node, number);
            graph.insert_operand(*node, 0, value);
            graph.set_kind(*node, WATCH);
        }
        let mut unit = Unit::clone(&self.unit);
        unit.functions.get_mut(&*self.name)?.graph = graph;
        let program = sconce_bytecode::lower(&unit, &BTreeMap::new()).ok()?;
        let function = program.function(&self.name)?;
        Some(Watched { program, function, places: self.places.len() as u32 })
    }

    /// The graph with what was seen, as it is while runs are watched.
    pub fn text(&self, record: &ProfileRecord) -> String {
        let mut graph = self.seen(record);
        // Where a watched run ends.
        let end = graph.node(PROFILE, &[]);
        let root = graph.root();
        graph.append(root, end);
        listing::to_listing_in(&self.unit, &graph).to_string()
    }

    /// The graph with what was seen, as it is run from then on where nothing is fused.
    pub fn optimized_text(&self, record: &ProfileRecord) -> String {
        let mut graph = self.seen(record);
        for value in values(&graph) {
            graph.set_label(value, None);
        }
        Numbers(0).block(&mut graph, None);
        passes::constant_pooling(&mut graph);
        listing::to_listing_in(&self.unit, &graph).to_string()
    }

    fn seen(&self, record: &ProfileRecord) -> Graph {
        let mut graph = self.graph.clone();
        for (place, node) in (0..).zip(&self.places) {
            let seen = record.numbered_place(place).unwrap_or_default();
            let ty: TensorType = seen.ty.unwrap_or_default();
            graph.set_attr(*node, "profiled_type", Attr::Type(Type::Tensor(Arc::new(ty))));
            graph.set_attr(*node, "seen_none", Attr::Int(i64::from(seen.seen_none)));
        }
        graph
    }
}

/// All values of a graph that a text may have to number, in PyTorch's order.
fn values(graph: &Graph) -> Vec<ValueId> {
    let root = graph.root();
    let nodes = graph.walk(root);
    let inside = |n: &NodeId| {
        let inputs = graph.blocks(*n).iter().flat_map(|b| graph.block_inputs(*b));
        graph.outputs(*n).iter().chain(inputs).copied().collect::<Vec<_>>()
    };
    graph.block_inputs(root).iter().copied().chain(nodes.iter().flat_map(inside)).collect()
}

/// The numbers of values, which those with names have too.
struct Numbers(u64);

impl Numbers {
    fn value(&mut self, graph: &mut Graph, value: ValueId) {
        if graph.name(value).is_none() && graph.label(value).is_none() {
            graph.set_label(value, Some(&self.0.to_string()));
        }
        self.0 += 1;
    }

    /// Numbers what a block takes and makes, or the whole graph.
    fn block(&mut self, graph: &mut Graph, block: Option<BlockId>) {
        let block = block.unwrap_or_else(|| graph.root());
        for value in graph.block_inputs(block).to_vec() {
            self.value(graph, value);
        }
        for node in graph.block_nodes(block).to_vec() {
            for value in graph.outputs(node).to_vec() {
                self.value(graph, value);
            }
            for inner in graph.blocks(node).to_vec() {
                self.block(graph, Some(inner));
            }
        }
    }
}

/// Does a fused group take such a node, so that its tensors are worth knowing?
fn is_watched(graph: &Graph, node: NodeId) -> bool {
    if graph.is(node, "prim::ConstantChunk") {
        return true;
    }
    graph.overload(node).is_some_and(|entry| {
        let gives_a_tensor = entry.schema().returns.iter().all(|r| r.ty.is_tensor());
        let views = entry.has(Trait::View) || entry.has(Trait::MayView);
        entry.scalar.is_some() || views && gives_a_tensor || ALSO_WATCHED.contains(&entry.op())
    })
}

/// What watching adds to a graph.
struct Watching<'g> {
    graph: &'g mut Graph,
    numbers: Numbers,
    /// The nodes that watch, in order.
    places: Vec<NodeId>,
}

impl Watching<'_> {
    /// A node that watches a value, and the value as it gives it back.
    fn node(&mut self, value: ValueId) -> (NodeId, ValueId) {
        let node = self.graph.node(PROFILE, &[value]);
        let output = self.graph.add_output(node, None, Type::tensor());
        self.numbers.value(self.graph, output);
        self.places.push(node);
        (node, output)
    }

    /// Watches every tensor that a watched operator reads or gave, and what the block passes on.
    fn block(&mut self, block: BlockId) {
        for node in self.graph.block_nodes(block).to_vec() {
            let reads = is_watched(self.graph, node) || self.graph.is(node, "prim::dtype");
            for (at, value) in self.graph.inputs(node).to_vec().into_iter().enumerate() {
                let given = self.graph.defining(value).is_some_and(|n| is_watched(self.graph, n));
                if self.graph.ty(value).is_tensor() && (reads || given) {
                    let (profile, output) = self.node(value);
                    self.graph.insert_before(node, profile);
                    self.graph.set_operand(node, at, output);
                }
            }
            for inner in self.graph.blocks(node).to_vec() {
                self.block(inner);
            }
        }
        let mut passed = self.graph.block_outputs(block).to_vec();
        for value in &mut passed {
            if self.graph.ty(*value).is_tensor() {
                let (profile, output) = self.node(*value);
                self.graph.append(block, profile);
                *value = output;
            }
        }
        self.graph.set_block_outputs(block, &passed);
    }
}
