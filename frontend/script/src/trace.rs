//! A run as a straight line of nodes: every tensor is the value that last made or wrote it, found by identity, and what nobody made is a constant.
//!
//! Who runs a program tells a [`Recorder`] of inputs, attributes, calls and outputs in their order; that may be the evaluator of Python or an observer of
//! the interpreter. What the values mean to Python (which numbers were read from tensors) comes in as [`Operand`]s.

use crate::graph::{Attr, Graph, Loc, NodeId, ValueId};
use crate::unit::{Function, Param, Unit};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use sconce_schema::types::TensorType;
use sconce_schema::{OpEntry, Type};
use sconce_tensor::{Bool, IValue, Tensor};
use std::sync::Arc;

/// Why a run is no trace, in PyTorch's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error(
        "The traced function didn't return any values! Side-effects are not captured in traces, so it would be a no-op."
    )]
    NoOutput,
    #[error("Only tensors, lists, tuples of tensors, or dictionary of tensors can be output from traced functions")]
    Output,
    #[error("{}", container_text("dict"))]
    Dict,
    #[error(
        "Type '{0}' cannot be traced. Only Tensors and (possibly nested) Lists, Dicts, and Tuples of Tensors can be traced"
    )]
    Input(String),
    #[error(
        "Cannot insert a Tensor that requires grad as a constant. Consider making it a parameter or input, or detaching the gradient"
    )]
    Gradient,
    #[error("{0} has no node in a trace")]
    Value(String),
}

/// What is said of a container whose structure a trace cannot follow.
pub fn container_text(what: &str) -> String {
    format!(
        "Encountering a {what} at the output of the tracer might cause the trace to be incorrect, this is only valid if the container structure does not \
         change based on the module's inputs. Consider using a constant container instead (e.g. for `list`, use a `tuple` instead. for `dict`, use a \
         `NamedTuple` instead). If you absolutely need this and know the side effects, pass strict=False to trace() to allow this behavior."
    )
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub enum Operand {
    Value(IValue),
    /// A number that was read from a tensor which is part of the trace.
    Number(Tensor),
    List(Vec<Operand>),
}

/// The same elements in a tensor that is not the given one: who is handed both finds each by itself.
pub fn identity_of_its_own(t: &Tensor) -> Tensor {
    let alias = t.alias();
    alias.set_requires_grad(t.requires_grad());
    alias
}

/// A recorded run.
#[derive(Debug, Clone)]
pub struct Trace {
    pub graph: Graph,
    /// Modules that the graph gets attributes from, by path from the outermost, which comes first.
    pub modules: Vec<(Vec<Arc<str>>, ValueId)>,
    /// Calls of submodules, each behind the one it is in; the first is the traced program itself.
    pub scopes: Vec<Scope>,
    /// The number of the scope that a node ran in, where that is not the first.
    pub scope_of: FxHashMap<NodeId, usize>,
    /// Constants that stand for functions, whose names are not known yet, by the caller's number.
    pub functions: Vec<(NodeId, usize)>,
    /// A list is among the outputs: nobody knows whether it always has this length.
    pub list_output: bool,
}

/// A call of the submodule at a path.
#[derive(Debug, Clone)]
pub struct Scope {
    pub path: Vec<Arc<str>>,
    /// The scope that it was called in.
    pub parent: Option<usize>,
}

/// Makes a [`Trace`].
pub struct Recorder {
    graph: Graph,
    scopes: Vec<Scope>,
    /// The number of the scope at hand.
    scope: usize,
    scope_of: FxHashMap<NodeId, usize>,
    /// By address; the tensors are held, so that no other gets their address.
    values: FxHashMap<usize, (ValueId, Tensor)>,
    homes: FxHashMap<usize, (Vec<Arc<str>>, Tensor)>,
    modules: IndexMap<Vec<Arc<str>>, ValueId>,
    functions: Vec<(NodeId, usize)>,
    place: Option<Loc>,
    list_output: bool,
}

fn address(t: &Tensor) -> usize {
    t.address()
}

impl Recorder {
    /// A trace without inputs; of a module, its first input is the module.
    pub fn new(of_module: bool) -> Recorder {
        let mut graph = Graph::new();
        let mut modules = IndexMap::new();
        if of_module {
            let root = graph.root();
            modules.insert(Vec::new(), graph.add_input(root, Some("self"), Type::AnyClass));
        }
        Recorder {
            graph,
            scopes: vec![Scope { path: Vec::new(), parent: None }],
            scope: 0,
            scope_of: FxHashMap::default(),
            values: FxHashMap::default(),
            homes: FxHashMap::default(),
            modules,
            functions: Vec::new(),
            place: None,
            list_output: false,
        }
    }

    /// Where the next nodes come from.
    pub fn set_place(&mut self, place: Option<Loc>) {
        self.place = place;
    }

    /// A submodule's `forward` begins.
    pub fn enter(&mut self, path: Vec<Arc<str>>) {
        self.scopes.push(Scope { path, parent: Some(self.scope) });
        self.scope = self.scopes.len() - 1;
    }

    /// The `forward` that began last ends.
    pub fn leave(&mut self) {
        self.scope = self.scopes[self.scope].parent.unwrap_or(0);
    }

    /// Says under which path a module holds a tensor; the first path counts.
    pub fn attribute(&mut self, path: Vec<Arc<str>>, t: &Tensor) {
        self.homes.entry(address(t)).or_insert_with(|| (path, t.clone()));
    }

    /// A further argument of the program.
    pub fn input(&mut self, name: Option<&str>, v: &IValue) -> Result<(), Refusal> {
        let ty = input_type(v).ok_or_else(|| Refusal::Input(String::new()))?;
        let root = self.graph.root();
        let value = self.graph.add_input(root, name, ty);
        self.bind(value, v);
        Ok(())
    }

    /// Lets the tensors in `v` be what a node takes apart of `value`.
    fn bind(&mut self, value: ValueId, v: &IValue) {
        let parts: Vec<IValue> = match v {
            IValue::Tensor(t) => {
                self.values.insert(address(t), (value, t.clone()));
                return;
            }
            IValue::Tuple(t) => t.items.to_vec(),
            IValue::List(l) => l.read().iter().cloned().collect(),
            IValue::Dict(d) => {
                let entries: Vec<(IValue, IValue)> = d.read().iter().map(|(k, v)| (k.to_value(), v.clone())).collect();
                for (key, item) in entries {
                    let key = self.constant(key.clone(), Type::Str);
                    let ty = input_type(&item).unwrap_or(Type::tensor());
                    let item_value = self.emit("aten::__getitem__", &[value, key], ty);
                    self.bind(item_value, &item);
                }
                return;
            }
            _ => return,
        };
        let kind = if matches!(v, IValue::Tuple(_)) { "prim::TupleUnpack" } else { "prim::ListUnpack" };
        let node = self.node(kind, &[value]);
        let outputs: Vec<ValueId> =
            parts.iter().map(|p| self.graph.add_output(node, None, input_type(p).unwrap_or(Type::tensor()))).collect();
        for (output, part) in outputs.into_iter().zip(&parts) {
            self.bind(output, part);
        }
    }

    fn node(&mut self, kind: impl Into<Arc<str>>, inputs: &[ValueId]) -> NodeId {
        let node = self.graph.node(kind, inputs);
        let place = self.place.clone();
        self.graph.set_loc(node, place);
        self.graph.append(self.graph.root(), node);
        if self.scope != 0 {
            self.scope_of.insert(node, self.scope);
        }
        node
    }

    fn emit(&mut self, kind: impl Into<Arc<str>>, inputs: &[ValueId], ty: Type) -> ValueId {
        let node = self.node(kind, inputs);
        self.graph.add_output(node, None, ty)
    }

    fn constant(&mut self, v: IValue, ty: Type) -> ValueId {
        let value = self.emit("prim::Constant", &[], ty);
        if !matches!(v, IValue::None)
            && let Some(node) = self.graph.defining(value)
        {
            self.graph.set_attr(node, "value", Attr::Value(v));
        }
        value
    }

    /// The module under a path, as a value.
    pub fn module(&mut self, path: &[Arc<str>]) -> ValueId {
        if let Some(value) = self.modules.get(path) {
            return *value;
        }
        let Some((last, before)) = path.split_last() else { return self.constant(IValue::None, Type::None) };
        let outer = self.module(before);
        let value = self.get_attribute(outer, last, Type::AnyClass);
        self.modules.insert(path.to_vec(), value);
        value
    }

    fn get_attribute(&mut self, object: ValueId, name: &Arc<str>, ty: Type) -> ValueId {
        let value = self.emit("prim::GetAttr", &[object], ty);
        if let Some(node) = self.graph.defining(value) {
            self.graph.set_attr(node, "name", Attr::Str(name.clone()));
        }
        value
    }

    /// Is the tensor an input, an attribute or a result of the trace?
    pub fn knows(&self, t: &Tensor) -> bool {
        self.values.contains_key(&address(t)) || self.homes.contains_key(&address(t))
    }

    fn tensor(&mut self, t: &Tensor) -> Result<ValueId, Refusal> {
        if let Some((value, _)) = self.values.get(&address(t)) {
            return Ok(*value);
        }
        let home = self.homes.get(&address(t)).map(|(path, _)| path.clone());
        let value = match home.as_deref().and_then(<[_]>::split_last) {
            Some((name, module)) => {
                let module = self.module(module);
                self.get_attribute(module, name, Type::tensor())
            }
            None if t.requires_grad() => return Err(Refusal::Gradient),
            None => self.constant(IValue::Tensor(t.clone()), observed_type(t)),
        };
        self.values.insert(address(t), (value, t.clone()));
        Ok(value)
    }

    fn operand(&mut self, operand: &Operand, formal: &Type) -> Result<ValueId, Refusal> {
        match (operand, formal) {
            (operand, Type::Optional(inner)) if !matches!(operand, Operand::Value(IValue::None)) => {
                self.operand(operand, inner)
            }
            (Operand::Number(t), _) => {
                let tensor = self.tensor(t)?;
                let (kind, ty) = match formal {
                    Type::Number => ("aten::ScalarImplicit", Type::Number),
                    Type::Float => ("aten::Float", Type::Float),
                    Type::Bool => ("aten::Bool", Type::Bool),
                    _ => ("aten::Int", Type::Int),
                };
                let number = self.emit(kind, &[tensor], ty);
                self.move_behind(number, tensor);
                Ok(number)
            }
            (Operand::List(items), Type::List(element)) => self.list(items, element),
            (Operand::List(items), _) => self.list(items, &Type::tensor()),
            (Operand::Value(v), _) => self.value(v, formal),
        }
    }

    /// Puts the node of `value` behind that of `made`: a number is read where its tensor is made.
    fn move_behind(&mut self, value: ValueId, made: ValueId) {
        let Some(node) = self.graph.defining(value) else { return };
        let maker = self.graph.defining(made);
        match maker {
            Some(maker) => self.graph.insert_after(maker, node),
            None => self.graph.prepend(self.graph.root(), node),
        }
        match maker.and_then(|maker| self.scope_of.get(&maker)) {
            Some(scope) => self.scope_of.insert(node, *scope),
            None => self.scope_of.remove(&node),
        };
    }

    fn list(&mut self, items: &[Operand], element: &Type) -> Result<ValueId, Refusal> {
        let values = items.iter().map(|i| self.operand(i, element)).collect::<Result<Vec<_>, _>>()?;
        let element = match element {
            Type::SymInt => Type::Int,
            other => other.clone(),
        };
        Ok(self.emit("prim::ListConstruct", &values, Type::list(element)))
    }

    fn value(&mut self, v: &IValue, formal: &Type) -> Result<ValueId, Refusal> {
        Ok(match v {
            IValue::Tensor(t) => self.tensor(t)?,
            IValue::List(l) => {
                let items: Vec<Operand> = l.read().iter().cloned().map(Operand::Value).collect();
                let element = match formal {
                    Type::List(element) => Type::clone(element),
                    _ => l.read().first().and_then(plain_type).unwrap_or(Type::tensor()),
                };
                self.list(&items, &element)?
            }
            IValue::Tuple(t) => {
                let values = t.items.iter().map(|i| self.value(i, &Type::Any)).collect::<Result<Vec<_>, _>>()?;
                let types: Vec<Type> = values.iter().map(|v| self.graph.ty(*v).clone()).collect();
                self.emit("prim::TupleConstruct", &values, Type::Tuple(types.into()))
            }
            IValue::Int(i) if *formal == Type::Float => self.constant(IValue::Double(*i as f64), Type::Float),
            other => match plain_type(other) {
                Some(ty) => self.constant(other.clone(), ty),
                None => return Err(Refusal::Value(format!("a value of type {}", other.kind()))),
            },
        })
    }

    /// The operands of a call as values; told before it runs, because it may write what they are constants of.
    pub fn operands(&mut self, entry: &OpEntry, operands: &[Operand]) -> Result<Vec<ValueId>, Refusal> {
        let schema = entry.schema();
        let factory = !schema.arguments.iter().any(|a| a.ty.is_tensor());
        let mut out = Vec::with_capacity(operands.len());
        for (operand, formal) in operands.iter().zip(&schema.arguments) {
            let replaced = match (operand, &*formal.name) {
                // What Python's functions pass where nothing is said.
                (Operand::Value(IValue::None), "pin_memory") => Some(IValue::Bool(false)),
                (Operand::Value(IValue::None), "device") if factory => {
                    Some(IValue::Device(Arc::new(sconce_schema::types::Device { kind: "cpu".into(), index: None })))
                }
                (Operand::Value(v), "other") if as_tensor(&schema.name) => wrapped(v, operands.first()),
                _ => None,
            };
            out.push(match replaced {
                Some(v) => self.value(&v, &formal.ty)?,
                // An index may leave dimensions out, whatever this one does.
                None if entry.name.ends_with("hacked_twin") => match &formal.ty {
                    Type::List(t) => self.operand(operand, &Type::list(Type::optional(Type::clone(t))))?,
                    ty => self.operand(operand, ty)?,
                },
                None => self.operand(operand, &formal.ty)?,
            });
        }
        Ok(out)
    }

    /// A call that has run.
    pub fn call(&mut self, entry: &OpEntry, inputs: &[ValueId], results: &[IValue]) {
        let node = self.node(entry.schema().name.clone(), inputs);
        let types = entry.schema().returns.iter().map(|r| &r.ty);
        let outputs: Vec<ValueId> = results
            .iter()
            .zip(types)
            .map(|(v, ty)| {
                let ty = if let IValue::Tensor(t) = v { observed_type(t) } else { ty.clone() };
                self.graph.add_output(node, None, ty)
            })
            .collect();
        for (output, result) in outputs.into_iter().zip(results) {
            self.bind(output, result);
        }
    }

    /// `of.size(dim)` or `of.numel()`, which Python has as the tensor `made`.
    pub fn number(&mut self, kind: &'static str, of: &Tensor, dim: Option<i64>, made: &Tensor) -> Result<(), Refusal> {
        let mut inputs = vec![self.tensor(of)?];
        if let Some(dim) = dim {
            inputs.push(self.constant(IValue::Int(dim), Type::Int));
        }
        let number = self.emit(kind, &inputs, Type::Int);
        let ty = Type::Tensor(Arc::new(TensorType { requires_grad: None, ..observed(made) }));
        let value = self.emit("prim::NumToTensor", &[number], ty);
        self.values.insert(address(made), (value, made.clone()));
        Ok(())
    }

    /// A call of a function or method that keeps its own graph. The function has the caller's `number`; a method is one of `module`.
    pub fn opaque(
        &mut self,
        callee: Callee<'_>,
        arguments: &[Operand],
        formals: &[Type],
        result: &IValue,
    ) -> Result<(), Refusal> {
        let operands = arguments.iter().enumerate();
        let operands = operands.map(|(at, argument)| self.operand(argument, formals.get(at).unwrap_or(&Type::Any)));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        let (kind, first) = match callee {
            Callee::Function(number) => {
                let function = self.emit("prim::Constant", &[], Type::Function);
                if let Some(node) = self.graph.defining(function) {
                    self.functions.push((node, number));
                }
                ("prim::CallFunction", function)
            }
            Callee::Method { path, .. } => ("prim::CallMethod", self.module(path)),
        };
        let inputs: Vec<ValueId> = std::iter::once(first).chain(operands).collect();
        let ty = input_type(result).unwrap_or(Type::None);
        let value = self.emit(kind, &inputs, ty);
        if let (Callee::Method { name, .. }, Some(node)) = (callee, self.graph.defining(value)) {
            self.graph.set_attr(node, "name", Attr::Str(name.into()));
        }
        self.bind(value, result);
        Ok(())
    }

    /// The trace, with what the program gave as its output.
    pub fn finish(mut self, output: &IValue, strict: bool) -> Result<Trace, Refusal> {
        if matches!(output, IValue::None) {
            return Err(Refusal::NoOutput);
        }
        let value = self.output(output, strict)?;
        let root = self.graph.root();
        self.graph.set_block_outputs(root, &[value]);
        crate::passes::eliminate_dead_code(&mut self.graph);
        let live = |g: &Graph, v: ValueId| g.defining(v).is_none_or(|n| g.owner(n).is_some());
        let graph = self.graph;
        Ok(Trace {
            modules: self.modules.into_iter().filter(|(_, v)| live(&graph, *v)).collect(),
            functions: self.functions.into_iter().filter(|(n, _)| graph.owner(*n).is_some()).collect(),
            scopes: self.scopes,
            scope_of: self.scope_of,
            graph,
            list_output: self.list_output,
        })
    }

    fn output(&mut self, v: &IValue, strict: bool) -> Result<ValueId, Refusal> {
        match v {
            IValue::Tensor(t) => self.tensor(t),
            IValue::Tuple(t) => {
                let values = t.items.iter().map(|i| self.output(i, strict)).collect::<Result<Vec<_>, _>>()?;
                let types: Vec<Type> = values.iter().map(|v| self.graph.ty(*v).clone()).collect();
                Ok(self.emit("prim::TupleConstruct", &values, Type::Tuple(types.into())))
            }
            IValue::List(l) => {
                self.list_output |= strict;
                let items: Vec<IValue> = l.read().iter().cloned().collect();
                let values = items.iter().map(|i| self.output(i, strict)).collect::<Result<Vec<_>, _>>()?;
                let element = values.first().map_or(Type::tensor(), |v| self.graph.ty(*v).unshaped());
                Ok(self.emit("prim::ListConstruct", &values, Type::list(element)))
            }
            IValue::Dict(_) if strict => Err(Refusal::Dict),
            IValue::Dict(d) => {
                let entries: Vec<(IValue, IValue)> = d.read().iter().map(|(k, v)| (k.to_value(), v.clone())).collect();
                let mut inputs = Vec::new();
                for (key, item) in entries {
                    inputs.push(self.value(&key, &Type::Any)?);
                    inputs.push(self.output(&item, strict)?);
                }
                let of = |at: usize| inputs.get(at).map_or(Type::tensor(), |v| self.graph.ty(*v).unshaped());
                let ty =
                    if inputs.is_empty() { Type::dict(Type::Str, Type::tensor()) } else { Type::dict(of(0), of(1)) };
                Ok(self.emit("prim::DictConstruct", &inputs, ty))
            }
            _ => Err(Refusal::Output),
        }
    }
}

/// Does a trace hold what returns this? Numbers are not part of it.
pub fn is_recorded(ty: &Type) -> bool {
    match ty {
        Type::List(element) => element.is_tensor(),
        ty => ty.is_tensor(),
    }
}

/// What a traced program calls without looking inside.
#[derive(Clone, Copy)]
pub enum Callee<'a> {
    Function(usize),
    Method { path: &'a [Arc<str>], name: &'a str },
}

fn observed_type(t: &Tensor) -> Type {
    Type::Tensor(Arc::new(observed(t)))
}

/// What a trace writes of a tensor.
fn observed(t: &Tensor) -> TensorType {
    TensorType { undefined: None, ..t.observed_type() }
}

/// Forgets what was seen of tensors: what runs, runs for any sizes. `None` where nothing was seen.
pub fn for_any_sizes(unit: &Unit) -> Option<Unit> {
    let observed = |g: &Graph| typed_values(g).into_iter().any(|v| *g.ty(v) != g.ty(v).unshaped());
    if !unit.functions.values().any(|f| observed(&f.graph)) {
        return None;
    }
    let mut unit = unit.clone();
    for f in unit.functions.values_mut() {
        for value in typed_values(&f.graph) {
            let ty = f.graph.ty(value).unshaped();
            f.graph.set_type(value, ty);
        }
        // What a function promises is what its graph now gives.
        f.returns = f.returns.unshaped();
        f.params.iter_mut().for_each(|p| p.ty = p.ty.unshaped());
    }
    Some(unit)
}

/// Inputs of a graph's blocks and what its nodes give.
fn typed_values(graph: &Graph) -> Vec<ValueId> {
    let mut out = graph.block_inputs(graph.root()).to_vec();
    for node in graph.walk(graph.root()) {
        out.extend(graph.outputs(node));
        graph.blocks(node).iter().for_each(|b| out.extend(graph.block_inputs(*b)));
    }
    out
}

/// A graph with the schema that holds for every call, whatever was seen of tensors.
pub fn function(name: Arc<str>, graph: Graph, parameters: &[&str]) -> Function {
    let root = graph.root();
    let ty = |v: ValueId| graph.ty(v).unshaped();
    let params = parameters
        .iter()
        .zip(graph.block_inputs(root))
        .map(|(name, v)| Param {
            name: (*name).into(),
            ty: ty(*v),
            default: None,
            keyword_only: false,
            list_size: None,
        })
        .collect();
    let returns = graph.block_outputs(root).first().map_or(Type::None, |v| ty(*v));
    Function { name, params, returns, graph }
}

/// The type of tensors and of nested lists, tuples and dictionaries of them.
fn input_type(v: &IValue) -> Option<Type> {
    Some(match v {
        IValue::Tensor(t) => observed_type(t),
        IValue::Tuple(t) => Type::Tuple(t.items.iter().map(input_type).collect::<Option<Vec<_>>>()?.into()),
        IValue::List(l) => match l.read().first() {
            None => Type::list(Type::tensor()),
            Some(first) => Type::list(input_type(first)?.unshaped()),
        },
        IValue::Dict(d) => match d.read().iter().next() {
            None => Type::dict(Type::Str, Type::tensor()),
            Some((k, v)) => Type::dict(plain_type(&k.to_value())?, input_type(v)?.unshaped()),
        },
        _ => return None,
    })
}

/// The type of a value that can be a constant.
fn plain_type(v: &IValue) -> Option<Type> {
    Some(match v {
        IValue::None => Type::None,
        IValue::Bool(_) => Type::Bool,
        IValue::Int(_) => Type::Int,
        IValue::Double(_) => Type::Float,
        IValue::Complex(_) => Type::Complex,
        IValue::Str(_) => Type::Str,
        IValue::Device(_) => Type::Device,
        IValue::Tensor(_) => Type::tensor(),
        _ => return None,
    })
}

/// Operators whose Python forms make a tensor of a number on the right.
const AS_TENSORS: &[&str] =
    &["add", "sub", "mul", "div", "floor_divide", "true_divide", "subtract", "multiply", "divide"];

fn as_tensor(name: &str) -> bool {
    let short = name.strip_prefix("aten::").unwrap_or(name);
    AS_TENSORS.contains(&short.strip_suffix('_').unwrap_or(short))
}

/// A number as the tensor that stands for it beside another operand; `None` where the tensor, which other than the number decides dtypes, would give
/// another result.
fn wrapped(v: &IValue, beside: Option<&Operand>) -> Option<IValue> {
    let Some(Operand::Value(IValue::Tensor(beside))) = beside else { return None };
    let t = match v {
        IValue::Bool(b) => Tensor::scalar(Bool::new(*b)),
        IValue::Int(i) => Tensor::scalar(*i),
        IValue::Double(f) => Tensor::scalar(*f),
        IValue::Complex(c) => Tensor::scalar(**c),
        _ => return None,
    };
    let kind = |t: &Tensor| (t.dtype().is_complex(), t.dtype().is_float(), t.dtype() != sconce_tensor::DType::Bool);
    let alike = kind(&t) <= kind(beside) && (beside.dim() > 0 || t.dtype() == beside.dtype());
    alike.then_some(IValue::Tensor(t))
}
