//! From nodes to instructions, in one walk; register liveness is left to [`crate::moves`].

use crate::nodes::{self, CASTS, constant_chunk};
use crate::numbers::Numbers;
use crate::places::Places;
use crate::types::general;
use crate::{Error, KERNEL, NAMED_CONSTANT, REGION, Unsupported, constants, moves, snapshots};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_graph::graph::{Attr, BlockId, Graph, NodeId, ValueId};
use sconce_graph::listing::Names;
use sconce_graph::unit::Unit;
use sconce_interpreter::Program;
use sconce_interpreter::program::{
    Function, FunctionId, Guard, Init, NamedConstant, Op, Operand, Place, RegionCode, Register,
};
use sconce_schema::Type;
use sconce_schema::init::{INIT, init_result};
use sconce_tensor::IValue;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Nesting of blocks; programs are far from it.
const MAX_DEPTH: usize = 200;
/// Graphs within graphs.
const MAX_GRAPHS: usize = 64;

/// What a target made of a region: code, and what the code takes for granted.
#[derive(Clone, Debug, Default)]
pub struct RegionArtifact {
    pub guards: Vec<Guard>,
    pub codes: Vec<RegionCode>,
}

/// Lowers every function of a unit. `artifacts` are compiled regions by name; a region without one runs as bytecode.
///
/// # Errors
/// All nodes that cannot be lowered, or the first thing that is wrong with a graph.
pub fn lower(unit: &Unit, artifacts: &BTreeMap<String, RegionArtifact>) -> Result<Program, Error> {
    let mut lowering = Lowering {
        program: Program::default(),
        symbols: FxHashMap::default(),
        held: FxHashMap::default(),
        regions: FxHashSet::default(),
        artifacts,
        numbers: Numbers::default(),
        callable: FxHashSet::default(),
        places: Places::default(),
        initialized: BTreeMap::new(),
        unsupported: Vec::new(),
    };
    let mut graphs = Vec::new();
    for f in unit.functions.values() {
        lowering.declare(&f.name, &f.graph, &mut graphs, 0)?;
    }
    lowering.program.entry = unit.entry.as_ref().and_then(|name| lowering.symbols.get(name)).copied();
    lowering.classes(unit, &graphs)?;
    // The signatures first: calls are checked against them.
    for f in unit.functions.values() {
        let id = lowering.symbols[&f.name] as usize;
        lowering.program.functions[id] = lowering.signature(f);
    }
    for (i, graph) in graphs.iter().enumerate() {
        let function = std::mem::take(&mut lowering.program.functions[i]);
        // Calls look at signatures while the body is made.
        lowering.program.functions[i] =
            Function { parameters: function.parameters.clone(), name: function.name.clone(), ..Function::default() };
        let lowered = lowering.function(function, graph)?;
        lowering.program.functions[i] = lowered;
    }
    if !lowering.unsupported.is_empty() {
        return Err(Error::Unsupported(lowering.unsupported));
    }
    lowering.program.init = lowering.init()?;
    lowering.program.verify()?;
    Ok(lowering.program)
}

pub(crate) struct Lowering<'r> {
    pub program: Program,
    /// The unit's functions.
    pub symbols: FxHashMap<Arc<str>, FunctionId>,
    /// The functions of graphs that nodes hold, by the graph's address.
    pub held: FxHashMap<*const Graph, FunctionId>,
    /// Of those, the regions'.
    pub regions: FxHashSet<*const Graph>,
    pub artifacts: &'r BTreeMap<String, RegionArtifact>,
    pub numbers: Numbers,
    /// Names of methods that some class has, or asks for.
    pub callable: FxHashSet<Arc<str>>,
    places: Places,
    /// Constants that are results of the init function, by the result.
    initialized: BTreeMap<u32, u32>,
    pub unsupported: Vec<Unsupported>,
}

/// The function that is being made.
pub(crate) struct Body<'g> {
    pub graph: &'g Graph,
    pub function: Function,
    names: Names,
    /// Registers by value.
    registers: Vec<Option<Register>>,
    depth: usize,
}

impl<'g> Body<'g> {
    pub fn new(graph: &'g Graph, function: Function) -> Body<'g> {
        Body { graph, function, names: Names::of(graph), registers: vec![None; graph.value_count()], depth: 0 }
    }

    pub fn fresh(&mut self) -> Register {
        self.function.registers += 1;
        self.function.value_names.push(None);
        self.function.registers - 1
    }

    /// A register for a value, with the name the source gave it.
    pub fn define(&mut self, value: ValueId) -> Register {
        let register = self.fresh();
        self.registers[value.index()] = Some(register);
        self.function.value_names[register as usize] = Some(self.names.get(value).into());
        register
    }

    pub fn alias(&mut self, value: ValueId, register: Register) {
        self.registers[value.index()] = Some(register);
    }

    pub fn register(&self, value: ValueId) -> Option<Register> {
        self.registers[value.index()]
    }

    pub fn results(&mut self, node: NodeId) -> Vec<Register> {
        let graph = self.graph;
        graph.outputs(node).iter().map(|v| self.define(*v)).collect()
    }
}

pub(crate) fn copies(registers: &[Register]) -> impl Iterator<Item = Operand> + '_ {
    registers.iter().map(|r| Operand::copy(*r))
}

impl<'r> Lowering<'r> {
    /// Gives a function, and then those of the graphs that its nodes hold, their numbers.
    fn declare<'g>(
        &mut self,
        name: &Arc<str>,
        graph: &'g Graph,
        graphs: &mut Vec<&'g Graph>,
        depth: usize,
    ) -> Result<FunctionId, Error> {
        let id = self.program.functions.len() as FunctionId;
        if depth == 0 {
            self.symbols.insert(name.clone(), id);
        }
        self.program.functions.push(Function { name: name.clone(), ..Function::default() });
        graphs.push(graph);
        let mut count = 0;
        for node in graph.walk(graph.root()) {
            let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") else { continue };
            if depth == MAX_GRAPHS {
                return Err(self.malformed(graph, node, "graphs within graphs are nested too deeply"));
            }
            let kind = graph.kind(node);
            let local = match graph.str_attr(node, "name") {
                Some(region) if &**kind == REGION => region.to_string(),
                _ => format!("{name}.{}_{count}", kind.rsplit("::").next().unwrap_or(kind)),
            };
            count += 1;
            let inner: &'g Graph = inner;
            let held = self.declare(&local.into(), inner, graphs, depth + 1)?;
            self.program.functions[held as usize] = held_signature(&self.program.functions[held as usize].name, inner);
            self.held.insert(std::ptr::from_ref(inner), held);
            if &**kind == REGION {
                self.regions.insert(std::ptr::from_ref(inner));
            }
        }
        Ok(id)
    }

    pub fn refuse(&mut self, body: &Body<'_>, node: NodeId, op: String) {
        let place = body.graph.loc(node).map(|l| l.to_string());
        if !self.unsupported.iter().any(|u| u.op == op) {
            self.unsupported.push(Unsupported { op, place });
        }
    }

    pub fn malformed(&self, graph: &Graph, node: NodeId, message: impl Into<String>) -> Error {
        Error::Malformed { place: place_text(graph, node), message: message.into() }
    }

    pub fn place(&mut self, body: &Body<'_>, node: NodeId) -> Option<Place> {
        let loc = body.graph.loc(node)?;
        Some(self.places.place(&mut self.program, loc))
    }

    pub fn constant(&mut self, value: IValue) -> u32 {
        self.program.constants.push(value);
        (self.program.constants.len() - 1) as u32
    }

    /// Fills a function from a graph.
    fn function(&mut self, function: Function, graph: &Graph) -> Result<Function, Error> {
        let mut body = Body::new(graph, function);
        let root = graph.root();
        let arguments: Vec<Register> = graph.block_inputs(root).iter().map(|v| body.define(*v)).collect();
        body.function.push(Op::Load, arguments, [], None);
        let mut results = self.block(&mut body, root)?;
        if self.is_region(graph) {
            self.own_results(&mut body, &mut results);
        }
        body.function.push(Op::Store, [], copies(&results), None);
        if self.unsupported.is_empty() {
            moves::mark(&mut body.function);
        }
        Ok(body.function)
    }

    /// The nodes of a block; the registers of what it passes on.
    pub fn block(&mut self, body: &mut Body<'_>, block: BlockId) -> Result<Vec<Register>, Error> {
        let graph = body.graph;
        body.depth += 1;
        if body.depth > MAX_DEPTH {
            let message = "blocks are nested too deeply";
            return Err(match graph.block_owner(block) {
                Some(node) => self.malformed(graph, node, message),
                None => Error::Malformed { place: String::new(), message: message.into() },
            });
        }
        for node in graph.block_nodes(block) {
            if !nodes::is_dead(graph, *node) {
                self.node(body, *node)?;
            }
        }
        body.depth -= 1;
        let passed = graph.block_outputs(block);
        let place = || graph.block_owner(block).map_or_else(String::new, |n| place_text(graph, n));
        self.registers(body, passed).ok_or_else(|| Error::Malformed {
            place: place(),
            message: "a block passes on a value that is not computed".into(),
        })
    }

    fn registers(&self, body: &Body<'_>, values: &[ValueId]) -> Option<Vec<Register>> {
        let registers: Option<Vec<Register>> = values.iter().map(|v| body.register(*v)).collect();
        // What was refused has no register; the errors are collected.
        registers.or_else(|| (!self.unsupported.is_empty()).then(|| vec![0; values.len()]))
    }

    pub fn operands(&self, body: &Body<'_>, node: NodeId) -> Result<Vec<Register>, Error> {
        let graph = body.graph;
        self.registers(body, graph.inputs(node)).ok_or_else(|| {
            self.malformed(graph, node, format!("{} reads a value that is not computed", graph.kind(node)))
        })
    }

    pub fn operand(&self, body: &Body<'_>, node: NodeId, index: usize) -> Result<Register, Error> {
        match body.graph.input(node, index).and_then(|v| body.register(v)) {
            Some(register) => Ok(register),
            None if !self.unsupported.is_empty() => Ok(0),
            None => {
                let message = format!("operand {index} of {} is not computed", body.graph.kind(node));
                Err(self.malformed(body.graph, node, message))
            }
        }
    }

    /// An instruction with the node's operands and results.
    pub fn emit(&mut self, body: &mut Body<'_>, node: NodeId, code: Op) -> Result<(), Error> {
        let inputs = self.operands(body, node)?;
        self.emit_with(body, node, code, &inputs);
        Ok(())
    }

    pub fn emit_with(&mut self, body: &mut Body<'_>, node: NodeId, code: Op, inputs: &[Register]) {
        let outputs = body.results(node);
        let place = self.place(body, node);
        body.function.push(code, outputs, copies(inputs), place);
    }

    /// The result is the operand.
    fn pass(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        let inputs = self.operands(body, node)?;
        if let (Some(r), Some(value)) = (inputs.first(), body.graph.output(node)) {
            body.alias(value, *r);
        }
        Ok(())
    }

    fn ty(&mut self, ty: &Type) -> u32 {
        self.numbers.ty(&mut self.program, ty)
    }

    fn node(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        let graph = body.graph;
        let kind = &**graph.kind(node);
        if let Some(known) = nodes::same_operands(graph, node) {
            let constant = self.constant(IValue::Bool(known));
            self.emit_with(body, node, Op::Constant(constant), &[]);
            return Ok(());
        }
        let result_type = || graph.output(node).map_or(Type::Any, |v| general(graph.ty(v)));
        if let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") {
            return self.held_graph(body, node, inner);
        }
        let code = match kind {
            "prim::Constant" => return self.literal(body, node),
            _ if CASTS.contains(&kind) || snapshots::is_free(graph, node) => return self.pass(body, node),
            snapshots::TO_VALUE | snapshots::TO_TENSOR => Op::CopyTensor,
            KERNEL => return self.call_kernel(body, node),
            NAMED_CONSTANT => Op::Constant(self.named_constant(graph, node)?),
            "prim::If" => return self.branch(body, node),
            "prim::Loop" => return self.repeat(body, node),
            "torch.runtime.assert" => return self.assertion(body, node),
            "prim::TypeCheck" | "prim::RequiresGradCheck" => return self.type_check(body, node),
            "prim::CallFunction" => return self.call_function(body, node),
            "aten::chunk" if constant_chunk(graph, node).is_some() => return self.chunk(body, node),
            // Made where the chunks were.
            "prim::ListUnpack" if self.is_chunked(graph, node) => return Ok(()),
            "prim::ConstantChunk" => {
                match (nodes::int_attr(graph, node, "chunks"), nodes::int_attr(graph, node, "dim")) {
                    (Some(chunks), Some(dim)) => Op::ConstantChunk { chunks, dim },
                    _ => return Err(self.malformed(graph, node, "prim::ConstantChunk without chunks and dim")),
                }
            }
            "prim::MMBatchSide" => return self.batch_side(body, node),
            "prim::FusedConcat" => return self.fused_concat(body, node),
            "prim::TupleConstruct" => match result_type() {
                ty @ Type::NamedTuple(_) => Op::NamedTupleConstruct(self.ty(&ty)),
                _ => Op::TupleConstruct,
            },
            "prim::TupleUnpack" => Op::TupleUnpack,
            "prim::TupleIndex" => Op::TupleIndex,
            "prim::ListConstruct" => Op::ListConstruct(self.ty(&result_type())),
            "prim::ListUnpack" => Op::ListUnpack,
            "prim::DictConstruct" => Op::DictConstruct(self.ty(&result_type())),
            "prim::isinstance" => match nodes::types_attr(graph, node) {
                Some(mut types) => {
                    let one = if types.len() == 1 { types.pop() } else { None };
                    let tested = one.unwrap_or_else(|| Type::Union(types.into()));
                    Op::IsInstance(self.ty(&general(&tested)))
                }
                None => {
                    self.refuse(body, node, format!("{kind} without types"));
                    return Ok(());
                }
            },
            "prim::Uninitialized" => Op::Uninitialized,
            "prim::RaiseException" => Op::Raise,
            "prim::Print" => Op::Print,
            "prim::Enter" | "prim::Exit" => match self.lacks_with_methods(graph, node) {
                Some(what) => {
                    self.refuse(body, node, format!("{kind} of {what}, whose methods are not in the module"));
                    return Ok(());
                }
                None if kind == "prim::Enter" => Op::Enter,
                None => Op::Exit,
            },
            "prim::EnumName" => Op::EnumName,
            "prim::EnumValue" => Op::EnumValue,
            "aten::wait" => Op::Wait,
            "prim::tolist" => {
                let input = self.operand(body, node, 0)?;
                let ty = self.ty(&result_type());
                self.emit_with(body, node, Op::ToList(ty), &[input]);
                return Ok(());
            }
            "prim::CreateObject" => match result_type() {
                Type::Class(name) if self.numbers.class(&name).is_some() => {
                    Op::CreateObject(self.numbers.class(&name).unwrap_or_default())
                }
                ty => {
                    self.refuse(body, node, format!("{kind} of {ty}"));
                    return Ok(());
                }
            },
            "prim::GetAttr" | "prim::SetAttr" | "prim::CallMethod" => {
                let Some(name) = graph.str_attr(node, "name") else {
                    return Err(self.malformed(graph, node, format!("{kind} without a name")));
                };
                if kind == "prim::CallMethod" && !self.callable.contains(&**name) {
                    let what = format!("{kind} of `{name}`, a method that is not in the module");
                    self.refuse(body, node, what);
                    return Ok(());
                }
                let id = self.numbers.name(&mut self.program, name);
                match kind {
                    "prim::GetAttr" => Op::GetAttr(id),
                    "prim::SetAttr" => Op::SetAttr(id),
                    _ => Op::CallMethod(id),
                }
            }
            _ => match self.operator(graph, node) {
                Some(operator) => Op::Call(operator),
                None => {
                    self.refuse(body, node, kind.to_owned());
                    // Its results have registers all the same, so that the walk goes on.
                    body.results(node);
                    return Ok(());
                }
            },
        };
        self.emit(body, node, code)
    }

    /// The operator that a node calls. One that nobody knows costs only itself: the program runs until it gets there.
    fn operator(&mut self, graph: &Graph, node: NodeId) -> Option<u32> {
        let kind = graph.kind(node);
        if !graph.blocks(node).is_empty() {
            return None;
        }
        let name = match nodes::entry(graph, node) {
            Some(entry) => entry.name,
            None if kind.contains("::") => kind,
            None => return None,
        };
        Some(self.numbers.operator(&mut self.program, name))
    }

    /// One constant for each name.
    fn named_constant(&mut self, graph: &Graph, node: NodeId) -> Result<u32, Error> {
        let Some(name) = graph.str_attr(node, "name") else {
            return Err(self.malformed(graph, node, format!("{NAMED_CONSTANT} without a name")));
        };
        if let Some(result) = init_result(name) {
            if let Some(known) = self.initialized.get(&result) {
                return Ok(*known);
            }
            let constant = self.constant(IValue::Uninitialized);
            self.initialized.insert(result, constant);
            return Ok(constant);
        }
        if let Some(known) = self.program.named.iter().find(|n| n.name == *name) {
            return Ok(known.constant);
        }
        let constant = self.constant(IValue::Uninitialized);
        self.program.named.push(NamedConstant { name: name.clone(), constant });
        Ok(constant)
    }

    /// The init function, whose results are the constants that were met with their names; others have a place, too.
    fn init(&mut self) -> Result<Option<Init>, Error> {
        let malformed = |message: String| Error::Malformed { place: String::new(), message };
        let Some(function) = self.symbols.get(INIT).copied() else {
            let missing = |(result, _): (&u32, &u32)| malformed(format!("no function @{INIT} gives result {result}"));
            return self.initialized.iter().next().map_or(Ok(None), |first| Err(missing(first)));
        };
        let results = self.program.functions[function as usize].results.len() as u32;
        if let Some((result, _)) = self.initialized.range(results..).next() {
            return Err(malformed(format!("@{INIT} has {results} results, and a constant is result {result}")));
        }
        let known = std::mem::take(&mut self.initialized);
        let mut place = |result| known.get(&result).copied().unwrap_or_else(|| self.constant(IValue::Uninitialized));
        Ok(Some(Init { function, constants: (0..results).map(&mut place).collect() }))
    }

    fn literal(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        let graph = body.graph;
        let value = match graph.attr(node, "value") {
            Some(Attr::Value(value)) => constants::with_members(value, &self.program.classes),
            None if graph.attrs(node).is_empty() => IValue::None,
            // A function as a value: calls of it name it.
            Some(Attr::Function(_)) => return Ok(()),
            _ if graph.attr(node, "name").is_some() => return Ok(()),
            _ => {
                self.refuse(body, node, "prim::Constant whose contents are not in the text".to_owned());
                body.results(node);
                return Ok(());
            }
        };
        let constant = self.constant(value);
        self.emit(body, node, Op::Constant(constant))
    }

    fn is_chunked(&self, graph: &Graph, node: NodeId) -> bool {
        let made = graph.input(node, 0).and_then(|v| graph.defining(v));
        made.is_some_and(|d| constant_chunk(graph, d).is_some())
    }

    fn chunk(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        if let Some((unpack, chunks, dim)) = constant_chunk(body.graph, node) {
            let input = self.operand(body, node, 0)?;
            let outputs = body.results(unpack);
            let place = self.place(body, node);
            body.function.push(Op::ConstantChunk { chunks, dim }, outputs, [Operand::copy(input)], place);
        }
        Ok(())
    }
}

fn place_text(graph: &Graph, node: NodeId) -> String {
    graph.loc(node).map_or_else(String::new, |l| format!("{l}: "))
}

/// The signature of a graph that a node holds.
fn held_signature(name: &Arc<str>, graph: &Graph) -> Function {
    let root = graph.root();
    let names = Names::of(graph);
    let parameter = |v: &ValueId| sconce_interpreter::program::Parameter::new(names.get(*v), graph.ty(*v).clone());
    Function {
        name: name.clone(),
        parameters: graph.block_inputs(root).iter().map(parameter).collect(),
        results: graph.block_outputs(root).iter().map(|v| graph.ty(*v).clone()).collect(),
        ..Function::default()
    }
}
