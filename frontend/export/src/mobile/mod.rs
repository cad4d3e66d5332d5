//! A graph as PyTorch's interpreter has it: a list of instructions for a stack and registers, with tables of operators, constants and types.
//!
//! This is what mobile archives store. Calls of functions and of methods of classes are inlined before ([`sconce_script::passes::inline`]); [`emit`] gives the instructions and the tables in
//! PyTorch's order, so that equal graphs give equal code.

mod last_use;
mod listing;
mod table;

pub use table::{function_table, type_text};

use crate::printer::necessary_arguments;
use rustc_hash::FxHashMap;
use sconce_graph::graph::{Attr, BlockId, Graph, NodeId, ValueId};
use sconce_graph::unit::{ClassKind, Unit};
use sconce_schema::op::OpEntry;
use sconce_schema::{Type, overload};
use sconce_tensor::IValue;
use std::sync::Arc;

/// Why a graph has no code for PyTorch's mobile interpreter.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    #[error("{0} is not supported in mobile module.")]
    Unsupported(String),
    #[error("{node}: {what}")]
    Malformed { node: String, what: String },
    #[error("{node}: {error}")]
    Operator { node: String, error: overload::NoOverload },
}

macro_rules! opcodes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What an instruction does; the names are PyTorch's.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum OpCode { $($(#[$doc])* $name,)* }

        impl OpCode {
            /// The name in archives.
            pub fn name(self) -> &'static str {
                match self { $(OpCode::$name => $text,)* }
            }
            pub fn from_name(name: &str) -> Option<OpCode> {
                Some(match name { $($text => OpCode::$name,)* _ => return None })
            }
        }
    };
}

opcodes! {
    /// Calls operator X.
    Op = "OP",
    /// Calls operator X with N operands.
    OpN = "OPN",
    /// Pushes register X.
    Load = "LOAD",
    /// Pushes register X and empties it.
    Move = "MOVE",
    /// Pops N values into registers from X on.
    StoreN = "STOREN",
    /// Pops into register X.
    Store = "STORE",
    /// Pops.
    Drop = "DROP",
    /// Empties register X.
    DropR = "DROPR",
    /// Pushes constant X.
    LoadC = "LOADC",
    /// Pops a condition, and jumps by X if it is false.
    JumpFalse = "JF",
    /// Jumps by X.
    Jump = "JMP",
    /// Over the stack's trip, limit, condition and carried values, N in all: a trip of a loop, or a jump by X behind it.
    Loop = "LOOP",
    Return = "RET",
    GetAttr = "GET_ATTR",
    SetAttr = "SET_ATTR",
    ListConstruct = "LIST_CONSTRUCT",
    TupleConstruct = "TUPLE_CONSTRUCT",
    NamedTupleConstruct = "NAMED_TUPLE_CONSTRUCT",
    DictConstruct = "DICT_CONSTRUCT",
    CreateObject = "CREATE_OBJECT",
    IsInstance = "ISINSTANCE",
    TupleSlice = "TUPLE_SLICE",
    ListUnpack = "LIST_UNPACK",
    /// Calls the method named by constant X with N operands.
    InterfaceCall = "INTERFACE_CALL",
    Warn = "WARN",
    RaiseException = "RAISE_EXCEPTION",
    UncheckedCast = "UNCHECKED_CAST",
    Is = "__IS__",
    IsNot = "__ISNOT__",
    Uninitialized = "UN_INITIALIZED",
    Format = "FORMAT",
    Device = "DEVICE",
    DType = "DTYPE",
    Dim = "DIM",
    DictIndex = "DICT_INDEX",
    TupleIndex = "TUPLE_INDEX",
    Not = "__NOT__",
    ToList = "TO_LIST",
    NumToTensor = "NUM_TO_TENSOR",
    IsCuda = "IS_CUDA",
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    pub op: OpCode,
    pub x: i64,
    pub n: u64,
}

/// An operator that code calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    /// `aten::add`
    pub name: Arc<str>,
    /// `Tensor`, or nothing.
    pub overload: Arc<str>,
    /// How many arguments calls pass, those that all leave to defaults not counted; `None` for operators that take any number.
    pub arguments: Option<usize>,
}

/// The code of one function.
#[derive(Clone, Default)]
pub struct Code {
    pub instructions: Vec<Instruction>,
    pub operators: Vec<Operator>,
    pub constants: Vec<IValue>,
    pub types: Vec<Type>,
    pub register_size: usize,
}

/// The code of a graph in which every call that can be inlined is.
pub fn emit(unit: &Unit, graph: &Graph) -> Result<Code, Error> {
    let mut graph = graph.clone();
    last_use::drop_unused(&mut graph);
    last_use::end_lives(&mut graph);
    let inline = last_use::inlined(&graph);
    let mut emitter = Emitter {
        unit,
        graph: &graph,
        inline,
        code: Code::default(),
        registers: FxHashMap::default(),
        used: FxHashMap::default(),
        specified: FxHashMap::default(),
        operators: FxHashMap::default(),
        depth: 0,
    };
    emitter.count_arguments();
    emitter.block(graph.root())?;
    emitter.push(OpCode::Return, 0, 0);
    Ok(emitter.code)
}

/// How deep blocks and expressions may be nested.
const MAX_DEPTH: usize = 2_000;

struct Emitter<'g> {
    unit: &'g Unit,
    graph: &'g Graph,
    /// By node: emitted where its value is used.
    inline: Vec<bool>,
    code: Code,
    /// Registers, and for constants their places in the table.
    registers: FxHashMap<ValueId, i64>,
    used: FxHashMap<ValueId, usize>,
    /// By operator: the most arguments that a call specifies, `out=` ones included, and how many of those are such.
    specified: FxHashMap<&'static str, (usize, usize)>,
    operators: FxHashMap<(&'static str, usize), usize>,
    depth: usize,
}

impl Emitter<'_> {
    fn push(&mut self, op: OpCode, x: i64, n: u64) {
        self.code.instructions.push(Instruction { op, x, n });
    }

    fn malformed(&self, node: NodeId, what: impl Into<String>) -> Error {
        Error::Malformed { node: self.graph.kind(node).to_string(), what: what.into() }
    }

    fn operator_of(&self, node: NodeId) -> Result<&'static OpEntry, Error> {
        let types: Vec<Type> = self.graph.inputs(node).iter().map(|v| self.graph.ty(*v).clone()).collect();
        let kind = self.graph.kind(node);
        overload::of_node(kind, &types).map_err(|error| Error::Operator { node: kind.to_string(), error })
    }

    /// What calls specify is known before the first is emitted.
    fn count_arguments(&mut self) {
        for node in self.graph.walk(self.graph.root()) {
            let Ok(entry) = self.operator_of(node) else { continue };
            if entry.schema().is_vararg {
                continue;
            }
            let formals = &entry.schema().arguments;
            let (needed, out) = necessary_arguments(formals, self.graph, self.graph.inputs(node), true);
            let most = self.specified.entry(entry.name).or_insert((0, out));
            most.0 = most.0.max(needed + out);
        }
    }

    /// Puts a value onto the stack.
    fn load(&mut self, value: ValueId) -> Result<(), Error> {
        self.usage(value, false)
    }

    fn usage(&mut self, value: ValueId, drop: bool) -> Result<(), Error> {
        let defining = self.graph.defining(value);
        if let Some(node) = defining
            && self.inline[node.index()]
        {
            self.node(node)?;
            if drop {
                self.push(OpCode::Drop, 0, 0);
            }
            return Ok(());
        }
        let Some(register) = self.registers.get(&value).copied() else {
            return Err(Error::Malformed {
                node: "a value".to_owned(),
                what: "it is used before it is made".to_owned(),
            });
        };
        let used = self.used.entry(value).or_default();
        *used += 1;
        let is_last = *used == self.graph.uses(value).len();
        let op = match defining {
            _ if drop => OpCode::DropR,
            Some(node) if self.graph.is(node, "prim::Constant") => OpCode::LoadC,
            _ if is_last => OpCode::Move,
            _ => OpCode::Load,
        };
        self.push(op, register, 0);
        Ok(())
    }

    fn load_all(&mut self, values: &[ValueId]) -> Result<(), Error> {
        values.iter().try_for_each(|v| self.load(*v))
    }

    fn store(&mut self, values: &[ValueId]) {
        if values.is_empty() {
            return;
        }
        let first = self.code.register_size as i64 + 1;
        for (value, register) in values.iter().zip(first..) {
            self.registers.insert(*value, register);
        }
        self.code.register_size += values.len();
        match values.len() {
            1 => self.push(OpCode::Store, first, 0),
            n => self.push(OpCode::StoreN, first, n as u64),
        }
    }

    fn constant(&mut self, value: IValue) -> i64 {
        self.code.constants.push(value);
        self.code.constants.len() as i64 - 1
    }

    fn block(&mut self, block: BlockId) -> Result<(), Error> {
        self.store(self.graph.block_inputs(block));
        for node in self.graph.block_nodes(block) {
            if self.graph.is(*node, "prim::Constant") {
                self.constant_node(*node);
            } else if !self.inline[node.index()] {
                self.node(*node)?;
                self.store(self.graph.outputs(*node));
            }
        }
        self.load_all(self.graph.block_outputs(block))
    }

    fn constant_node(&mut self, node: NodeId) {
        let Some(value) = self.graph.output(node) else { return };
        if *self.graph.ty(value) == Type::Function {
            return;
        }
        let constant = self.graph.constant(value).cloned().unwrap_or(IValue::None);
        let place = self.constant(constant);
        self.registers.insert(value, place);
    }

    fn node(&mut self, node: NodeId) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.malformed(node, format!("nodes are nested deeper than {MAX_DEPTH}")));
        }
        let result = self.node_at(node);
        self.depth -= 1;
        result
    }

    fn node_at(&mut self, node: NodeId) -> Result<(), Error> {
        let g = self.graph;
        let inputs = g.inputs(node);
        match &**g.kind(node) {
            "prim::Drop" => inputs.iter().try_for_each(|v| self.usage(*v, true)),
            "prim::Constant" => {
                self.constant_node(node);
                Ok(())
            }
            "prim::If" => self.conditional(node),
            "prim::Loop" => self.repetition(node),
            "prim::GetAttr" | "prim::SetAttr" => self.attribute(node),
            "prim::CallMethod" => self.interface_call(node),
            "prim::ListUnpack" => self.with_inputs(node, OpCode::ListUnpack, g.outputs(node).len() as i64, 0),
            "prim::TupleConstruct" => match self.output_type(node) {
                ty @ Type::NamedTuple(_) => self.container(node, OpCode::NamedTupleConstruct, ty),
                _ => self.with_inputs(node, OpCode::TupleConstruct, inputs.len() as i64, 0),
            },
            "prim::ListConstruct" => self.container(node, OpCode::ListConstruct, self.output_type(node)),
            "prim::DictConstruct" => self.container(node, OpCode::DictConstruct, self.output_type(node)),
            "prim::CreateObject" => {
                self.code.types.push(self.output_type(node));
                self.push(OpCode::CreateObject, self.code.types.len() as i64 - 1, 0);
                Ok(())
            }
            "prim::isinstance" => {
                self.load_all(inputs)?;
                let first = self.code.types.len();
                if let Some(Attr::Types(types)) = g.attr(node, "types") {
                    self.code.types.extend(types.iter().cloned());
                }
                let count = self.code.types.len() - first;
                self.push(OpCode::IsInstance, first as i64, count as u64);
                Ok(())
            }
            "prim::TupleSlice" => match (g.attr(node, "beg"), g.attr(node, "end")) {
                (Some(Attr::Int(begin)), Some(Attr::Int(end))) => {
                    self.with_inputs(node, OpCode::TupleSlice, *begin, end.saturating_sub(*begin).max(0) as u64)
                }
                _ => Err(self.malformed(node, "it has no range")),
            },
            "aten::format" => self.with_inputs(node, OpCode::Format, inputs.len() as i64, 0),
            "aten::warn" => self.with_inputs(node, OpCode::Warn, -1, 0),
            "prim::Uninitialized" => {
                self.push(OpCode::Uninitialized, 0, 0);
                Ok(())
            }
            "prim::fork" => Err(Error::Unsupported("FORK".to_owned())),
            "aten::wait" => Err(Error::Unsupported("WAIT".to_owned())),
            "prim::Enter" => Err(Error::Unsupported("ENTER".to_owned())),
            "prim::Exit" => Err(Error::Unsupported("EXIT".to_owned())),
            "prim::CallFunction" => Err(Error::Unsupported("CALL".to_owned())),
            kind => match promoted(kind) {
                Some(op) => self.with_inputs(node, op, 0, 0),
                None => self.operator(node),
            },
        }
    }

    fn output_type(&self, node: NodeId) -> Type {
        self.graph.output(node).map_or(Type::None, |v| self.graph.ty(v).clone())
    }

    fn with_inputs(&mut self, node: NodeId, op: OpCode, x: i64, n: u64) -> Result<(), Error> {
        self.load_all(self.graph.inputs(node))?;
        self.push(op, x, n);
        Ok(())
    }

    fn container(&mut self, node: NodeId, op: OpCode, ty: Type) -> Result<(), Error> {
        self.load_all(self.graph.inputs(node))?;
        self.code.types.push(ty);
        let place = self.code.types.len() as i64 - 1;
        self.push(op, place, self.graph.inputs(node).len() as u64);
        Ok(())
    }

    fn conditional(&mut self, node: NodeId) -> Result<(), Error> {
        let [then, otherwise] = self.graph.blocks(node) else {
            return Err(self.malformed(node, "it needs two blocks"));
        };
        self.load_all(self.graph.inputs(node))?;
        let test = self.code.instructions.len();
        self.push(OpCode::JumpFalse, 0, 0);
        self.block(*then)?;
        self.push(OpCode::Jump, 0, 0);
        let start = self.code.instructions.len();
        self.code.instructions[test].x = (start - test) as i64;
        self.block(*otherwise)?;
        let end = self.code.instructions.len();
        self.code.instructions[start - 1].x = (end - (start - 1)) as i64;
        Ok(())
    }

    fn repetition(&mut self, node: NodeId) -> Result<(), Error> {
        let [block] = self.graph.blocks(node) else { return Err(self.malformed(node, "it needs one block")) };
        let zero = self.constant(IValue::Int(0));
        self.push(OpCode::LoadC, zero, 0);
        self.load_all(self.graph.inputs(node))?;
        let start = self.code.instructions.len();
        self.push(OpCode::Loop, 0, self.graph.inputs(node).len() as u64);
        self.block(*block)?;
        let end = self.code.instructions.len();
        self.push(OpCode::Jump, start as i64 - end as i64, 0);
        self.code.instructions[start].x = (end + 1 - start) as i64;
        Ok(())
    }

    fn attribute(&mut self, node: NodeId) -> Result<(), Error> {
        let g = self.graph;
        let object = g.input(node, 0).map(|v| g.ty(v));
        let class = match object {
            Some(Type::Class(name)) => self.unit.classes.get(name),
            _ => None,
        };
        let name = g.str_attr(node, "name");
        let slot = class.zip(name).and_then(|(c, n)| c.attributes.iter().position(|a| a.name == *n));
        let slot = slot.ok_or_else(|| self.malformed(node, "the class has no such attribute"))?;
        let op = if g.is(node, "prim::GetAttr") { OpCode::GetAttr } else { OpCode::SetAttr };
        self.with_inputs(node, op, slot as i64, 0)
    }

    /// A call that only the object at hand decides.
    fn interface_call(&mut self, node: NodeId) -> Result<(), Error> {
        let g = self.graph;
        let (true, Some(name)) = (calls_interface(self.unit, g, node), g.str_attr(node, "name").cloned()) else {
            return Err(Error::Unsupported("CALL".to_owned()));
        };
        self.load_all(g.inputs(node))?;
        let method = self.constant(IValue::str(&*name));
        self.push(OpCode::InterfaceCall, method, g.inputs(node).len() as u64);
        Ok(())
    }

    fn operator(&mut self, node: NodeId) -> Result<(), Error> {
        let entry = self.operator_of(node)?;
        if entry.name == "aten::__getitem__.Dict_str" || entry.name.starts_with("aten::__getitem__.Dict") {
            return self.with_inputs(node, OpCode::DictIndex, 0, 0);
        }
        let inputs = self.graph.inputs(node);
        let is_vararg = entry.schema().is_vararg;
        let specified = if is_vararg { None } else { self.specified.get(entry.name).copied() };
        match specified {
            Some((count, out)) => {
                self.load_all(&inputs[..count.saturating_sub(out).min(inputs.len())])?;
                self.load_all(&inputs[inputs.len().saturating_sub(out)..])?;
            }
            None => self.load_all(inputs)?,
        }
        let place = self.operator_place(entry, inputs.len(), specified.map(|(count, _)| count));
        match is_vararg {
            true => self.push(OpCode::OpN, place as i64, inputs.len() as u64),
            false => self.push(OpCode::Op, place as i64, 0),
        }
        Ok(())
    }

    fn operator_place(&mut self, entry: &'static OpEntry, inputs: usize, specified: Option<usize>) -> usize {
        let next = self.code.operators.len();
        if !entry.schema().is_vararg {
            let place = *self.operators.entry((entry.name, inputs)).or_insert(next);
            if place != next {
                return place;
            }
        }
        self.code.operators.push(Operator {
            name: entry.base_name().into(),
            overload: entry.overload_name().into(),
            arguments: specified,
        });
        next
    }
}

fn calls_interface(unit: &Unit, graph: &Graph, node: NodeId) -> bool {
    match graph.input(node, 0).map(|v| graph.ty(v)) {
        Some(Type::Class(name)) => {
            unit.classes.get(name).is_some_and(|c| matches!(c.kind, ClassKind::Interface | ClassKind::ModuleInterface))
        }
        _ => false,
    }
}

/// The names of the methods that a graph calls through interfaces.
pub fn interface_methods(unit: &Unit, graph: &Graph) -> Vec<Arc<str>> {
    let calls = graph.walk(graph.root()).into_iter();
    let calls = calls.filter(|n| graph.is(*n, "prim::CallMethod") && calls_interface(unit, graph, *n));
    calls.filter_map(|n| graph.str_attr(n, "name").cloned()).collect()
}

/// Operators that are instructions.
fn promoted(kind: &str) -> Option<OpCode> {
    Some(match kind {
        "prim::RaiseException" => OpCode::RaiseException,
        "prim::TupleIndex" => OpCode::TupleIndex,
        "prim::dtype" => OpCode::DType,
        "prim::device" => OpCode::Device,
        "aten::dim" => OpCode::Dim,
        "prim::is_cuda" => OpCode::IsCuda,
        "aten::__not__" => OpCode::Not,
        "aten::__is__" => OpCode::Is,
        "aten::__isnot__" => OpCode::IsNot,
        "prim::NumToTensor" => OpCode::NumToTensor,
        "prim::tolist" => OpCode::ToList,
        _ => return None,
    })
}
