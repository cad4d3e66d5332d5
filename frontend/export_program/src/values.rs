//! What the archive says of a node's value is what the shape rules say of the call, as far as either says anything.
//!
//! A rule that cannot tell, as of sizes that depend on data, agrees with everything. Where autocast is on, an operator computes in another dtype than its
//! arguments have: nothing is compared there.

use sconce_fx::{Argument, GraphModule, Node, NodeId, Op, SymExpr, Val};
use sconce_schema::dim::Dim;
use sconce_schema::op::Argument as Formal;
use sconce_schema::shape::{Meta, TensorMeta, infer};
use sconce_schema::{DType, OpEntry};
use std::cell::RefCell;

/// A node whose recorded value is not what the rules say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}`{node}` ({target}): {what}", within(graph))]
pub struct Disagreement {
    /// Of the graph inside the root.
    pub graph: String,
    pub node: String,
    pub target: String,
    pub what: String,
}

fn within(graph: &str) -> String {
    if graph.is_empty() { String::new() } else { format!("graph {graph}: ") }
}

/// What a comparison found.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    /// Calls of operators whose results were compared.
    pub nodes: usize,
    /// Sizes of results of which both sides know the same.
    pub sizes: usize,
    pub disagreements: Vec<Disagreement>,
}

/// Compares the recorded values of all graphs of a module with those that the rules compute of the recorded arguments.
pub fn compare(module: &GraphModule) -> Compared {
    let mut comparing = Comparing { symbols: RefCell::default(), compared: Compared::default() };
    comparing.module(module, "");
    comparing.compared
}

/// Does a node take this result of a call, and is it used?
fn is_taken(module: &GraphModule, call: NodeId, index: usize) -> bool {
    let graph = &module.graph;
    graph.users(call).any(|user| match graph[user].args.get(1) {
        Some(Argument::Int(at)) if graph[user].target == "operator.getitem" => {
            usize::try_from(*at) == Ok(index) && graph.users(user).next().is_some()
        }
        _ => true,
    })
}

struct Comparing {
    /// By number; one name is one symbol in all graphs.
    symbols: RefCell<Vec<String>>,
    compared: Compared,
}

impl Comparing {
    fn module(&mut self, module: &GraphModule, path: &str) {
        let mut cast = Vec::new();
        for (id, node) in module.graph.nodes() {
            let is_autocast = node.target == "torch.ops.higher_order.wrap_with_autocast";
            if is_autocast && let Some(inner) = node.args.get(4).and_then(Argument::node) {
                cast.push(module.graph[inner].target.clone());
            }
            if let Some(what) = self.node(module, id, node).err() {
                let (node, target) = (node.name.clone(), node.target.clone());
                self.compared.disagreements.push(Disagreement { graph: path.to_owned(), node, target, what });
            }
        }
        for (name, inner) in module.submodules.iter().filter(|(name, _)| !cast.contains(name)) {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            self.module(inner, &path);
        }
    }

    fn node(&mut self, module: &GraphModule, id: NodeId, node: &Node) -> Result<(), String> {
        let (Op::CallFunction, Some(operator), Some(val)) = (node.op, node.operator(), &node.meta.val) else {
            return Ok(());
        };
        let Some(entry) = sconce_schema::lookup(&operator.schema_name()) else { return Ok(()) };
        let Some(arguments) = self.arguments(module, node, entry) else { return Ok(()) };
        let results = match infer(entry, &arguments) {
            Some(results) => results.map_err(|e| format!("the call is refused: {e}"))?,
            None => return Ok(()),
        };
        self.compared.nodes += 1;
        match (val, &results[..]) {
            (Val::Tuple(vals), results) if results.len() > 1 => {
                let all = vals.iter().zip(results).enumerate();
                // Of results that nobody takes PyTorch records what its kernels for other devices would give.
                all.filter(|(i, _)| is_taken(module, id, *i)).try_for_each(|(i, (val, result))| {
                    self.value(val, result).map_err(|what| format!("result {i}: {what}"))
                })
            }
            (val, [result]) => self.value(val, result),
            _ => Ok(()),
        }
    }

    fn size(&self, size: &SymExpr) -> Dim {
        size.symbols(&mut |symbol| {
            let mut symbols = self.symbols.borrow_mut();
            if !symbols.contains(&symbol.name) {
                symbols.push(symbol.name.clone());
            }
        });
        let symbols = self.symbols.borrow();
        let number = |name: &str| symbols.iter().position(|n| n == name).and_then(|at| u32::try_from(at).ok());
        size.to_dim(&number).unwrap_or(Dim::Unknown)
    }

    /// A recorded value as a rule sees it.
    fn meta(&self, val: &Val) -> Meta {
        match val {
            Val::Tensor(t) => Meta::Tensor(TensorMeta {
                dtype: Some(t.dtype),
                sizes: Some(t.sizes.iter().map(|s| self.size(s)).collect()),
                device: Some(t.device.clone()),
                wrapped_number: false,
            }),
            Val::SymInt(n) => Meta::Int(self.size(n)),
            Val::List(all) => Meta::List(all.iter().map(|v| self.meta(v)).collect()),
            Val::None => Meta::None,
            _ => Meta::Unknown,
        }
    }

    fn argument(&self, module: &GraphModule, argument: &Argument, formal: &Formal) -> Meta {
        let number = |dtype| {
            Meta::Tensor(TensorMeta {
                dtype: Some(dtype),
                sizes: Some(Default::default()),
                device: None,
                wrapped_number: true,
            })
        };
        match argument {
            Argument::Int(_) if formal.ty.is_tensor() => number(DType::I64),
            Argument::Float(_) if formal.ty.is_tensor() => number(DType::F64),
            Argument::Bool(_) if formal.ty.is_tensor() => number(DType::Bool),
            Argument::Node(id) => match module.graph[*id].meta.val.as_ref() {
                Some(Val::SymInt(_)) if formal.ty.is_tensor() => number(DType::I64),
                Some(val) => self.meta(val),
                None => Meta::Unknown,
            },
            Argument::None => Meta::None,
            Argument::Bool(b) => Meta::Bool(*b),
            Argument::Int(n) => Meta::Int(Dim::Known(*n)),
            Argument::Float(x) => Meta::Float(*x),
            Argument::Complex(re, im) => Meta::Complex(*re, *im),
            Argument::Str(s) => Meta::Str(s.as_str().into()),
            Argument::DType(dtype) => Meta::Int(Dim::Known(dtype.number())),
            Argument::Device(device) => Meta::Device(device.clone()),
            Argument::Layout(layout) => Meta::Int(Dim::Known(layout.number())),
            Argument::MemoryFormat(format) => Meta::Int(Dim::Known(format.number())),
            Argument::List(items) | Argument::Tuple(items) => {
                Meta::List(items.iter().map(|item| self.argument(module, item, formal)).collect())
            }
            _ => Meta::Unknown,
        }
    }

    /// The arguments of a call in the schema's order; none where they do not bind.
    fn arguments(&self, module: &GraphModule, node: &Node, entry: &OpEntry) -> Option<Vec<Meta>> {
        let formals = &entry.schema().arguments;
        let one = |(i, formal): (usize, &Formal)| {
            let named = || node.kwargs.iter().find(|(name, _)| **name == *formal.name).map(|(_, a)| a);
            let given = node.args.get(i).filter(|_| !formal.kwarg_only).or_else(named);
            given.map_or_else(|| Meta::from_default(formal), |argument| self.argument(module, argument, formal))
        };
        (node.args.len() <= formals.len()).then(|| formals.iter().enumerate().map(one).collect())
    }

    fn value(&mut self, val: &Val, result: &Meta) -> Result<(), String> {
        match (val, result) {
            (Val::Tensor(recorded), Meta::Tensor(computed)) => {
                if let Some(dtype) = computed.dtype.filter(|d| *d != recorded.dtype) {
                    return Err(format!("its dtype is recorded as {}, and computed as {dtype}", recorded.dtype));
                }
                let Some(sizes) = &computed.sizes else { return Ok(()) };
                if sizes.len() != recorded.sizes.len() {
                    let (have, want) = (recorded.sizes.len(), sizes.len());
                    return Err(format!("{have} dimensions are recorded, and {want} computed"));
                }
                for (dim, (recorded, computed)) in recorded.sizes.iter().zip(sizes).enumerate() {
                    let size = self.size(recorded);
                    if size.differs(*computed) {
                        return Err(format!("size {dim} is recorded as {recorded}, and computed as {computed}"));
                    }
                    self.compared.sizes += usize::from(size.same(*computed));
                }
                Ok(())
            }
            (Val::SymInt(recorded), Meta::Int(computed)) if self.size(recorded).differs(*computed) => {
                Err(format!("it is recorded as {recorded}, and computed as {computed}"))
            }
            (Val::List(vals), Meta::List(results)) if vals.len() == results.len() => {
                vals.iter().zip(results).try_for_each(|(val, result)| self.value(val, result))
            }
            (Val::List(vals), Meta::List(results)) => {
                Err(format!("{} members are recorded, and {} computed", vals.len(), results.len()))
            }
            _ => Ok(()),
        }
    }
}
