//! Calls of operators become nodes: one that has a definition what the definition does, any other itself. Each node's value is on record.

use crate::arguments::{self, Written};
use crate::definitions::{self, Level};
use crate::error::{Fault, Outcome, fault};
use crate::functional::{Alias, Storage};
use crate::names::{self, Names};
use crate::results::{self, Known};
use crate::sizes::Symbols;
use crate::value::{From, Num, TensorId, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_fx::{Argument, Graph, Meta, Node, NodeId, Op, SymExpr, TensorMeta, Val};
use sconce_schema::dim::{Dim, DimOp, Form};
use sconce_schema::types::Device;
use sconce_schema::{DType, Layout, OpEntry, Trait, Type};

/// What is known of a tensor.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct About {
    pub dtype: DType,
    pub sizes: Vec<Dim>,
    /// In elements; as many as sizes.
    pub strides: Vec<Dim>,
    pub offset: Dim,
    pub device: Device,
    pub layout: Layout,
    pub requires_grad: bool,
}

/// A tensor: the node that gives it now, what is known of it, and whose memory it is.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub node: NodeId,
    pub meta: About,
    pub alias: Alias,
}

/// How many nodes a program may become.
const MOST_NODES: usize = 1 << 20;
/// How deep definitions may use each other.
const MOST_CALLS: usize = 100;

/// What a program becomes while its nodes are looked at one after the other.
pub(crate) struct Tracer<'s> {
    /// Of all graphs of the program.
    pub symbols: &'s mut Symbols,
    /// All nodes that were made, also those that nothing uses in the end.
    pub graph: Graph,
    pub names: Names,
    tensors: Vec<Tensor>,
    pub storages: Vec<Storage>,
    /// The nodes that give symbols and what was computed of them.
    pub numbers: FxHashMap<Dim, NodeId>,
    /// Which tensor's size a symbol is.
    pub sources: FxHashMap<Dim, (TensorId, usize)>,
    /// The nodes that give sizes of tensors that are no symbols.
    sizes: FxHashMap<(TensorId, usize), NodeId>,
    /// What was asked of tensors once.
    pub asked: FxHashSet<(TensorId, String)>,
    /// How many definitions are being run that know nothing of shared memory.
    pub below: usize,
    pub calls: usize,
    /// What is recorded of the call in the program that is being looked at: its target and its value.
    pub recorded: Option<(String, Val)>,
}

impl<'s> Tracer<'s> {
    pub fn new(symbols: &'s mut Symbols) -> Tracer<'s> {
        Tracer {
            symbols,
            graph: Graph::default(),
            names: Names::default(),
            tensors: Vec::new(),
            storages: Vec::new(),
            numbers: FxHashMap::default(),
            sources: FxHashMap::default(),
            sizes: FxHashMap::default(),
            asked: FxHashSet::default(),
            below: 0,
            calls: 0,
            recorded: None,
        }
    }

    pub fn tensor(&self, id: TensorId) -> &Tensor {
        &self.tensors[id.0]
    }

    pub fn tensor_mut(&mut self, id: TensorId) -> &mut Tensor {
        &mut self.tensors[id.0]
    }

    /// A tensor with memory of its own.
    pub fn new_tensor(&mut self, node: NodeId, meta: About) -> TensorId {
        let storage = self.storages.len();
        self.storages.push(Storage::new(node, meta.clone()));
        self.aliased(node, meta, Alias::whole(storage))
    }

    pub fn aliased(&mut self, node: NodeId, meta: About, alias: Alias) -> TensorId {
        self.tensors.push(Tensor { node, meta, alias });
        TensorId(self.tensors.len() - 1)
    }

    /// What is recorded of a tensor.
    pub fn about(&mut self, meta: &TensorMeta) -> About {
        let sizes: Vec<Dim> = meta.sizes.iter().map(|s| self.symbols.dim(s)).collect();
        let strides = meta.strides.iter().map(|s| self.symbols.dim(s)).collect();
        About {
            dtype: meta.dtype,
            sizes,
            strides,
            offset: self.symbols.dim(&meta.storage_offset),
            device: meta.device.clone(),
            layout: meta.layout,
            requires_grad: meta.requires_grad,
        }
    }

    /// The same as metadata of a node; nothing where a size is not known.
    pub fn val(&self, about: &About) -> Option<Val> {
        let all = |dims: &[Dim]| dims.iter().map(|d| self.symbols.expr(*d)).collect::<Option<Vec<SymExpr>>>();
        Some(Val::Tensor(TensorMeta {
            dtype: about.dtype,
            sizes: all(&about.sizes)?,
            strides: all(&about.strides)?,
            storage_offset: self.symbols.expr(about.offset)?,
            device: about.device.clone(),
            layout: about.layout,
            requires_grad: about.requires_grad,
        }))
    }

    /// A node at the end.
    pub fn push(&mut self, name: &str, target: &str, written: Written, val: Option<Val>) -> Outcome<NodeId> {
        if self.graph.len() >= MOST_NODES {
            return fault(format!("it becomes more than {MOST_NODES} nodes"));
        }
        let name = self.names.unique(name);
        let meta = Meta { val, ..Meta::default() };
        let node = Node::new(Op::CallFunction, name, target).with_args(written.0).with_kwargs(written.1);
        Ok(self.graph.push(node.with_meta(meta))?)
    }

    /// Calls an operator; its arguments stand in the schema's order.
    pub fn call(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Outcome<Value> {
        self.calls += 1;
        if self.calls > MOST_CALLS {
            return fault(format!("definitions use each other deeper than {MOST_CALLS}"));
        }
        let result = if self.below > 0 { self.plain(entry, &args) } else { self.functional(entry, args) };
        self.calls -= 1;
        result
    }

    /// What a definition makes of a call, if there is one for it and it takes it.
    pub fn defined(&mut self, entry: &'static OpEntry, args: &[Value], level: Level) -> Outcome<Option<Value>> {
        let Some(definition) = definitions::of(entry.name)?.filter(|d| d.level == level) else { return Ok(None) };
        let result = crate::eval::run(self, definition, entry, args);
        match result.map_err(|Fault(what)| Fault(format!("in the definition of {}: {what}", entry.name)))? {
            Value::NotImplemented => Ok(None),
            result => Ok(Some(result)),
        }
    }

    /// A call that knows nothing of shared memory.
    pub fn plain(&mut self, entry: &'static OpEntry, args: &[Value]) -> Outcome<Value> {
        self.below += 1;
        let mut result = self.defined(entry, args, Level::Composite);
        if matches!(result, Ok(None)) {
            result = self.defined(entry, args, Level::Core);
        }
        self.below -= 1;
        match result? {
            Some(result) => Ok(result),
            None => self.emit(entry, args),
        }
    }

    /// A node that calls the operator, and one for each of several results.
    pub fn emit(&mut self, entry: &'static OpEntry, args: &[Value]) -> Outcome<Value> {
        let target = target(entry);
        let returns = entry.schema().returns.len();
        let known = match self.recorded.clone() {
            Some((recorded, val)) if recorded == target => results::recorded(self, &val, returns),
            recorded => match (results::of(self, entry, args), recorded) {
                (Ok(known), _) => known,
                // What no rule says, such as sizes that depend on data, is what the program's call gives.
                (Err(_), Some((_, val))) if is_of_data(entry) => results::recorded(self, &val, returns),
                (Err(e), _) => return Err(e),
            },
        };
        let written = arguments::written(self, entry, args)?;
        let (_, function) = entry.base_name().split_once("::").unwrap_or(("", entry.base_name()));
        self.emit_node(names::base(function), &target, written, &known)
    }

    /// A node with these results.
    pub fn emit_node(&mut self, name: &str, target: &str, written: Written, known: &[Known]) -> Outcome<Value> {
        self.emit_tuple(name, target, written, known, known.len() > 1)
    }

    /// A node with these results, which may be a tuple of one.
    pub fn emit_tuple(
        &mut self,
        name: &str,
        target: &str,
        written: Written,
        known: &[Known],
        is_tuple: bool,
    ) -> Outcome<Value> {
        let vals: Vec<Option<Val>> = known.iter().map(|k| self.known_val(k)).collect();
        let val = match &vals[..] {
            [one] if !is_tuple => one.clone(),
            [] => Some(Val::None),
            several => several.iter().cloned().collect::<Option<Vec<Val>>>().map(Val::Tuple),
        };
        let node = self.push(name, target, written, val)?;
        match known {
            [] => Ok(Value::None),
            members if is_tuple => Ok(Value::Tuple(self.members(node, members)?.into())),
            [Known::List(members)] => {
                let members: Vec<Known> = members.iter().cloned().map(Known::Tensor).collect();
                Ok(Value::list(self.members(node, &members)?))
            }
            [one] => Ok(self.result(node, one)),
            several => Ok(Value::Tuple(self.members(node, several)?.into())),
        }
    }

    fn known_val(&self, known: &Known) -> Option<Val> {
        match known {
            Known::Tensor(about) => self.val(about),
            Known::List(members) => members.iter().map(|m| self.val(m)).collect::<Option<Vec<Val>>>().map(Val::List),
            Known::Other(val) => val.clone(),
        }
    }

    fn result(&mut self, node: NodeId, known: &Known) -> Value {
        match known {
            Known::Tensor(about) => {
                let tensor = self.new_tensor(node, about.clone());
                self.is_source(tensor);
                Value::Tensor(tensor)
            }
            Known::Other(Some(Val::SymInt(n))) => {
                let dim = self.symbols.dim(n);
                self.numbers.entry(dim).or_insert(node);
                Value::Int(Num { dim, from: From::Node(node) })
            }
            Known::Other(Some(Val::None)) => Value::None,
            Known::List(_) | Known::Other(_) => Value::Node(node),
        }
    }

    /// Sizes of a tensor that are symbols of their own can be asked of it.
    pub fn is_source(&mut self, tensor: TensorId) {
        let sizes = self.tensor(tensor).meta.sizes.clone();
        for (at, dim) in sizes.into_iter().enumerate() {
            if let Dim::Symbol(_) = dim {
                self.sources.entry(dim).or_insert((tensor, at));
            }
        }
    }

    /// A node for each member of a node's value.
    fn members(&mut self, node: NodeId, known: &[Known]) -> Outcome<Vec<Value>> {
        let mut members = Vec::with_capacity(known.len());
        for (at, one) in (0..).zip(known) {
            if let Known::Other(None | Some(Val::None)) = one {
                members.push(Value::None);
                continue;
            }
            let written = (vec![Argument::Node(node), Argument::Int(at)], Vec::new());
            let val = self.known_val(one);
            let member = self.push("getitem", "operator.getitem", written, val)?;
            members.push(self.result(member, one));
        }
        Ok(members)
    }

    /// An integer as an argument: what is not known is a node.
    pub fn number(&mut self, n: &Num) -> Outcome<Argument> {
        match (n.dim, n.from) {
            (Dim::Known(n), _) => Ok(Argument::Int(n)),
            (_, From::Node(node)) => Ok(Argument::Node(node)),
            (dim, From::Size(tensor, at)) if !matches!(dim, Dim::Symbol(_)) => {
                Ok(Argument::Node(self.size_node(dim, tensor, at)?))
            }
            (dim, _) => Ok(Argument::Node(self.dim_node(dim)?)),
        }
    }

    /// A node that asks a tensor for a size.
    fn size_node(&mut self, dim: Dim, tensor: TensorId, at: usize) -> Outcome<NodeId> {
        let is_symbol = matches!(dim, Dim::Symbol(_));
        let known = if is_symbol { self.numbers.get(&dim) } else { self.sizes.get(&(tensor, at)) };
        if let Some(node) = known {
            return Ok(*node);
        }
        let place = (tensor, at);
        let at = i64::try_from(at).map_err(|_| Fault("a dimension that is no number".to_owned()))?;
        let written = (vec![Argument::Node(self.tensor(tensor).node), Argument::Int(at)], Vec::new());
        let val = self.symbols.expr(dim).map(Val::SymInt);
        let node = self.push("sym_size_int", "torch.ops.aten.sym_size.int", written, val)?;
        if is_symbol {
            self.numbers.insert(dim, node);
        } else {
            self.sizes.insert(place, node);
        }
        Ok(node)
    }

    /// The node that gives a size: of a symbol one that asks the tensor that has it, of an expression one that computes it.
    pub fn dim_node(&mut self, dim: Dim) -> Outcome<NodeId> {
        if let Some(node) = self.numbers.get(&dim) {
            return Ok(*node);
        }
        if let Some((tensor, at)) = self.sources.get(&dim).copied() {
            return self.size_node(dim, tensor, at);
        }
        match dim.form() {
            Form::Op(op, a, b) => {
                let (a, b) = (self.dim_argument(a)?, self.dim_argument(b)?);
                self.number_node(sign(op), vec![a, b], dim)
            }
            _ => fault(format!("nothing gives the size {dim}")),
        }
    }

    pub fn dim_argument(&mut self, dim: Dim) -> Outcome<Argument> {
        Ok(match dim {
            Dim::Known(n) => Argument::Int(n),
            other => Argument::Node(self.dim_node(other)?),
        })
    }

    /// A node that computes an integer with a function of Python's.
    pub fn number_node(&mut self, function: &str, args: Vec<Argument>, dim: Dim) -> Outcome<NodeId> {
        let val = self.symbols.expr(dim).map(Val::SymInt);
        let name = function.rsplit('.').next().unwrap_or(function);
        let node = self.push(name, function, (args, Vec::new()), val)?;
        self.numbers.entry(dim).or_insert(node);
        Ok(node)
    }
}

/// Does what it gives, or of which sizes, depend on elements of tensors?
fn is_of_data(entry: &OpEntry) -> bool {
    let returns = &entry.schema().returns;
    entry.has(Trait::DynamicOutputShape) || matches!(&returns[..], [one] if one.ty == Type::Number)
}

/// The function of Python's that joins two integers so.
pub(crate) fn sign(op: DimOp) -> &'static str {
    match op {
        DimOp::Add => "operator.add",
        DimOp::Sub => "operator.sub",
        DimOp::Mul => "operator.mul",
        DimOp::FloorDiv => "operator.floordiv",
        DimOp::Mod => "operator.mod",
        DimOp::Min => "torch.sym_min",
        DimOp::Max => "torch.sym_max",
    }
}

/// The record of an operator by its name in schemas.
pub(crate) fn entry(name: &str) -> Outcome<&'static OpEntry> {
    sconce_schema::lookup(name).ok_or_else(|| Fault(format!("there is no operator {name}")))
}

/// The target of a node that calls the operator: `torch.ops.aten.add.Tensor`.
pub(crate) fn target(entry: &OpEntry) -> String {
    let overload = entry.overload_name();
    let overload = if overload.is_empty() { "default" } else { overload };
    format!("torch.ops.{}.{overload}", entry.base_name().replace("::", "."))
}
