//! The method is run as it stands, block by block: each value is what it is in this run, and beside it the node that computes it where one does.

use crate::calls::set_grad_mode;
use crate::emit::{key, sweep};
use crate::error::{Error, refused};
use crate::joined::rebuilt;
use crate::scopes::{Scope, whole};
use crate::symbols::{Symbol, Symbols};
use crate::{Argument as Input, Captured, DynamicSize, Subject, trees};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use sconce_export_program::schema::{
    self, Argument as Written, ConstantValue, GraphSignature, InputSpec, InputToBufferSpec, InputToConstantInputSpec,
    InputToParameterSpec, InputToTensorConstantSpec, OutputSpec, RangeConstraint, SymIntArgument, TensorArgument,
    UserInputSpec, UserOutputSpec,
};
use sconce_export_program::{Constraint, ExportedProgram, Float, Stored, StoredAs};
use sconce_fx::{Argument, GraphModule, Meta, Node, NodeId, Op, SymExpr, Val};
use sconce_graph::graph::{BlockId, Graph, ValueId};
use sconce_graph::unit::Unit;
use sconce_schema::DType;
use sconce_schema::dim::{Bounds, Dim};
use sconce_source::Loc;
use sconce_tensor::{IValue, Object, Storage, Tensor, TensorMetadata};
use std::sync::Arc;

/// What kind of number a node gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SymKind {
    Int,
    Float,
    Bool,
}

impl SymKind {
    /// Of a tensor that holds such a number.
    pub fn dtype(self) -> DType {
        match self {
            SymKind::Int => DType::I64,
            SymKind::Float => DType::F64,
            SymKind::Bool => DType::Bool,
        }
    }
}

/// A number that a node gives.
#[derive(Clone, Debug)]
pub(crate) struct Sym {
    pub node: NodeId,
    /// How many graphs are around the one that has the node.
    pub level: usize,
    /// Of an integer, the size that it is.
    pub dim: Dim,
    pub kind: SymKind,
    /// It depends on elements of tensors.
    pub data: bool,
    /// Of a number that is no size, the sizes that it is computed from.
    pub from: Vec<Dim>,
    /// Of a float, the sizes whose quotient it is.
    pub quotient: Option<(Dim, Dim)>,
}

/// A value of the run.
#[derive(Clone)]
pub(crate) struct Value {
    pub it: IValue,
    pub sym: Option<Sym>,
}

impl From<IValue> for Value {
    fn from(it: IValue) -> Value {
        Value { it, sym: None }
    }
}

/// Values of a graph by who made them.
pub(crate) type Values = FxHashMap<ValueId, Value>;

/// What is known of the members of a container, which is held so that no other has its address.
pub(crate) struct Members {
    pub syms: Vec<Option<Sym>>,
    pub _held: IValue,
}

/// An attribute that was given another tensor.
pub(crate) struct Replaced {
    pub object: Arc<Object>,
    pub slot: usize,
    pub before: Tensor,
}

/// A run.
pub(crate) struct Capture<'u> {
    pub unit: &'u Unit,
    /// The graph that nodes are put in, and the graphs around it.
    pub scope: Scope,
    pub scopes: Vec<Scope>,
    /// Memory whose elements depend on inputs, parameters or chance.
    pub data: FxHashMap<usize, Storage>,
    /// Tensors that the run made without a node.
    pub made: FxHashMap<usize, Tensor>,
    pub parameters: Vec<usize>,
    pub members: FxHashMap<usize, Members>,
    /// Lists and dicts of which data decides whether they are one or another: a write to one would be seen in the other, or not.
    pub frozen: FxHashMap<usize, IValue>,
    pub symbols: Symbols,
    pub unbacked: usize,
    /// Symbols of integers that were read from tensors.
    pub read: FxHashMap<u32, Sym>,
    /// Of numbers that are symbols for nothing but their range.
    pub ranges: Vec<Constraint>,
    pub lifted: Vec<(String, StoredAs, Tensor, NodeId)>,
    pub first_user_input: Option<NodeId>,
    /// Objects that the module had before the run.
    pub modules: Vec<Arc<Object>>,
    pub replaced: Vec<Replaced>,
    pub assumptions: Vec<String>,
    pub place: Option<Loc>,
    pub functions: Vec<Arc<str>>,
    pub steps: u64,
}

/// What capturing a nested graph changes outside of it, to be as it was where that graph is captured again.
pub(crate) struct Snapshot {
    scope: Scope,
    scopes: Vec<Scope>,
    symbols: Symbols,
    unbacked: usize,
    read: FxHashMap<u32, Sym>,
    ranges: Vec<Constraint>,
    lifted: Vec<(String, StoredAs, Tensor, NodeId)>,
    assumptions: Vec<String>,
}

/// How many nodes of the program are run.
const MOST_STEPS: u64 = 1 << 24;
/// How deep functions may call each other.
const MOST_CALLS: usize = 200;

impl Capture<'_> {
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            scope: self.scope.clone(),
            scopes: self.scopes.clone(),
            symbols: self.symbols.clone(),
            unbacked: self.unbacked,
            read: self.read.clone(),
            ranges: self.ranges.clone(),
            lifted: self.lifted.clone(),
            assumptions: self.assumptions.clone(),
        }
    }

    pub fn restore(&mut self, before: Snapshot) {
        let Snapshot { scope, scopes, symbols, unbacked, read, ranges, lifted, assumptions } = before;
        (self.scope, self.scopes, self.symbols, self.unbacked) = (scope, scopes, symbols, unbacked);
        (self.read, self.ranges, self.lifted, self.assumptions) = (read, ranges, lifted, assumptions);
    }

    /// Runs a function.
    pub fn function(&mut self, name: &str, arguments: Vec<Value>) -> Result<Value, Error> {
        let unit = self.unit;
        let function = match unit.functions.get(name) {
            Some(function) => function,
            None => {
                let why =
                    unit.refused.get(name).map_or_else(|| "it is not in the program".to_owned(), ToString::to_string);
                return Err(refused(format!("the function `{name}` cannot be called: {why}")));
            }
        };
        if self.functions.len() >= MOST_CALLS {
            return Err(refused(format!("functions call each other deeper than {MOST_CALLS}")));
        }
        self.functions.push(function.name.clone());
        let place = self.place.clone();
        let results = self.run(&function.graph, arguments);
        self.place = place;
        self.functions.pop();
        Ok(match <[Value; 1]>::try_from(results?) {
            Ok([one]) => one,
            Err(several) => self.tuple(several),
        })
    }

    /// Runs a graph.
    pub fn run(&mut self, graph: &Graph, arguments: Vec<Value>) -> Result<Vec<Value>, Error> {
        let inputs = graph.block_inputs(graph.root());
        if inputs.len() != arguments.len() {
            return Err(refused(format!("{} arguments are given, and {} are taken", arguments.len(), inputs.len())));
        }
        let mut values: Values = inputs.iter().copied().zip(arguments).collect();
        self.block(graph, graph.root(), &mut values)
    }

    /// Runs a block, and gives what it passes on.
    pub fn block(&mut self, graph: &Graph, block: BlockId, values: &mut Values) -> Result<Vec<Value>, Error> {
        for node in graph.block_nodes(block) {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err(refused(format!("it runs more than {MOST_STEPS} operations")));
            }
            if let Some(loc) = graph.loc(*node) {
                self.place = Some(loc.clone());
            }
            let place = graph.loc(*node).cloned();
            let results = self.node(graph, *node, values).map_err(|e| e.within(graph.kind(*node), place.as_ref()))?;
            values.extend(graph.outputs(*node).iter().copied().zip(results));
        }
        graph.block_outputs(block).iter().map(|v| value(values, *v)).collect()
    }

    pub fn tuple(&mut self, items: Vec<Value>) -> Value {
        let tuple = IValue::tuple(items.iter().map(|v| v.it.clone()).collect::<Vec<_>>());
        self.remember(&tuple, items.into_iter().map(|v| v.sym).collect());
        tuple.into()
    }

    /// Puts on record what is known of a container's members.
    pub fn remember(&mut self, container: &IValue, syms: Vec<Option<Sym>>) {
        if let (Some(at), true) = (address(container), syms.iter().any(Option::is_some)) {
            self.members.insert(at, Members { syms, _held: container.clone() });
        }
    }

    /// The members of a list, tuple or dict, with what is known of them.
    pub fn children(&self, value: &Value) -> Option<Vec<Value>> {
        let items: Vec<IValue> = match &value.it {
            IValue::List(l) => l.to_vec(),
            IValue::Tuple(t) => t.items.to_vec(),
            IValue::Dict(d) => d.read().values().cloned().collect(),
            _ => return None,
        };
        let syms = address(&value.it).and_then(|at| self.members.get(&at));
        let sym = |i: usize| syms.and_then(|m| m.syms.get(i).cloned().flatten());
        Some(items.into_iter().enumerate().map(|(i, it)| Value { it, sym: sym(i) }).collect())
    }
}

/// The address of a container's memory, which is its own as long as it is held.
pub(crate) fn address(container: &IValue) -> Option<usize> {
    Some(match container {
        IValue::List(l) => std::ptr::from_ref::<sconce_tensor::List>(l) as usize,
        IValue::Tuple(t) => std::ptr::from_ref::<sconce_tensor::Tuple>(t) as usize,
        IValue::Dict(d) => std::ptr::from_ref::<sconce_tensor::Dict>(d) as usize,
        _ => return None,
    })
}

pub(crate) fn value(values: &Values, id: ValueId) -> Result<Value, Error> {
    values.get(&id).cloned().ok_or_else(|| refused("a value is read that nothing has computed"))
}

/// A name as nodes have it: `layers.0.weight` is `layers_0_weight`.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// The same memory, copied once for all tensors that share it.
fn copied(t: &Tensor, copies: &mut Vec<(Storage, Storage)>) -> Result<Tensor, Error> {
    let known = copies.iter().find(|(from, _)| t.is_over(from)).map(|(_, to)| to.clone());
    let storage = match known {
        Some(storage) => storage,
        None => {
            let copy = whole(&t.storage())?.copy()?.storage();
            copies.push((t.storage(), copy.clone()));
            copy
        }
    };
    let copy = Tensor::new(TensorMetadata { storage, ..t.metadata() })?;
    copy.set_requires_grad(t.requires_grad());
    Ok(copy)
}

/// A tree of arguments with tensors of their own, so that the caller's stay as they are.
fn fresh(value: &IValue) -> Result<IValue, Error> {
    let all = |items: &[IValue]| items.iter().map(fresh).collect::<Result<Vec<_>, Error>>();
    Ok(match value {
        IValue::Tensor(t) => {
            let copy = t.copy()?;
            copy.set_requires_grad(t.requires_grad());
            IValue::Tensor(if copy.strides() == t.strides() { copy } else { laid_out(t, &copy)? })
        }
        IValue::Tuple(t) => rebuilt(value, all(&t.items)?),
        IValue::List(l) => rebuilt(value, all(&l.to_vec())?),
        IValue::Dict(d) => rebuilt(value, all(&d.read().values().cloned().collect::<Vec<_>>())?),
        other => other.clone(),
    })
}

/// A leaf of the arguments.
struct Leaf {
    name: String,
    /// How Python reaches it: `L['x'][0]`.
    path: String,
    value: Value,
    /// As the caller gave it.
    given: IValue,
}

/// The leaves of an argument as the caller gave it, in order.
fn given_leaves(value: &IValue, out: &mut Vec<IValue>) {
    match value {
        IValue::Tuple(t) => t.items.iter().for_each(|v| given_leaves(v, out)),
        IValue::List(l) => l.to_vec().iter().for_each(|v| given_leaves(v, out)),
        IValue::Dict(d) => d.read().values().for_each(|v| given_leaves(v, out)),
        other => out.push(other.clone()),
    }
}

/// A copy with the strides of the first, where these are those of a dense tensor.
fn laid_out(like: &Tensor, copy: &Tensor) -> Result<Tensor, Error> {
    match Tensor::new(TensorMetadata { storage: copy.storage(), offset: 0, ..like.metadata() }) {
        Ok(t) => {
            t.copy_bytes_from(&like.copy()?)?;
            Ok(t)
        }
        Err(_) => Ok(copy.clone()),
    }
}

fn modules_of(object: &Arc<Object>, out: &mut Vec<Arc<Object>>) {
    if out.iter().any(|o| Arc::ptr_eq(o, object)) {
        return;
    }
    out.push(object.clone());
    for slot in 0..object.names.len() {
        if let Some(IValue::Object(inner)) = object.get(slot) {
            modules_of(&inner, out);
        }
    }
}

pub(crate) fn capture(
    subject: Subject<'_>,
    arguments: &[(String, Input)],
    dynamic: &[DynamicSize],
) -> Result<Captured, Error> {
    let mut capture = Capture {
        unit: subject.unit,
        scope: Scope::default(),
        scopes: Vec::new(),
        data: FxHashMap::default(),
        made: FxHashMap::default(),
        parameters: Vec::new(),
        members: FxHashMap::default(),
        frozen: FxHashMap::default(),
        symbols: Symbols::default(),
        unbacked: 0,
        read: FxHashMap::default(),
        ranges: Vec::new(),
        lifted: Vec::new(),
        first_user_input: None,
        modules: Vec::new(),
        replaced: Vec::new(),
        assumptions: Vec::new(),
        place: None,
        functions: Vec::new(),
        steps: 0,
    };
    if let Some(object) = &subject.object {
        modules_of(object, &mut capture.modules);
    }
    capture.state(&subject.state)?;
    let mut inputs = Vec::new();
    let mut specs = Vec::new();
    let mut leaves = Vec::new();
    for (name, argument) in arguments {
        let given = &argument.given;
        let argument: Value = fresh(&argument.value)?.into();
        let mut own = Vec::new();
        specs.push(trees::flatten(&argument, &|v| capture.children(v), &mut own, 0)?);
        let mut as_given = Vec::new();
        given_leaves(given, &mut as_given);
        let mut paths = Vec::new();
        if let Some(spec) = specs.last() {
            spec.paths(&format!("L['{name}']"), &mut paths);
        }
        let single = own.len() == 1 && paths.first().is_some_and(|p| p.ends_with("']") && p.matches('[').count() == 1);
        for (i, (leaf, path)) in own.into_iter().zip(paths).enumerate() {
            let name = if single { plain(name) } else { format!("{}_{i}", plain(name)) };
            let given = as_given.get(i).cloned().unwrap_or_else(|| leaf.it.clone());
            leaves.push(Leaf { name, path, value: leaf, given });
        }
        inputs.push(argument);
    }
    let user_specs = capture.user_inputs(leaves, dynamic)?;
    let unused = dynamic.iter().find(|d| !arguments.iter().any(|(name, _)| *name == d.parameter));
    if let Some(unused) = unused {
        let known: Vec<&str> = arguments.iter().map(|(name, _)| name.as_str()).collect();
        let known = known.join(", ");
        return Err(Error::Argument(format!(
            "there is no parameter `{}`; the program takes {known}",
            unused.parameter
        )));
    }
    let own = subject.object.clone().map(|o| Value::from(IValue::Object(o)));
    let taken = usize::from(own.is_some()) + inputs.len();
    let parameters = subject.unit.functions.get(subject.function).map(|f| &f.params[..]).unwrap_or_default();
    for parameter in parameters.iter().skip(taken) {
        let default = parameter.default.clone();
        let name = &parameter.name;
        inputs.push(default.ok_or_else(|| Error::Argument(format!("the argument `{name}` is missing")))?.into());
    }
    let mode = capture.grad_enabled()?;
    let result = capture.function(subject.function, own.into_iter().chain(inputs).collect());
    let after = capture.grad_enabled()?;
    set_grad_mode(&mode)?;
    let result = result?;
    if !after.is(&mode) {
        return Err(refused("whether gradients are computed is otherwise after the run"));
    }
    capture.write_back()?;
    let mut results = Vec::new();
    let out_spec = trees::flatten(&result, &|v| capture.children(v), &mut results, 0)?;
    let (returned, output_specs) = capture.outputs(results)?;
    let name = capture.scope.graph.unique_name("output");
    capture.push(Node::new(Op::Output, name, "output").with_args([Argument::Tuple(returned)]))?;
    sweep(&mut capture.scope.graph)?;
    let mut input_specs: Vec<InputSpec> = Vec::new();
    let mut state = IndexMap::new();
    for (name, stored_as, tensor, node) in capture.lifted.drain(..) {
        let arg = TensorArgument { name: capture.scope.graph[node].name.clone() };
        input_specs.push(match stored_as {
            StoredAs::Parameter => InputSpec::Parameter(InputToParameterSpec { arg, parameter_name: name.clone() }),
            StoredAs::Buffer { persistent } => {
                InputSpec::Buffer(InputToBufferSpec { arg, buffer_name: name.clone(), persistent })
            }
            StoredAs::Constant => {
                InputSpec::TensorConstant(InputToTensorConstantSpec { arg, tensor_constant_name: name.clone() })
            }
        });
        state.insert(name, Stored { stored_as, tensor });
    }
    input_specs.extend(user_specs);
    let constraints = capture.constraints();
    let guards = capture.symbols.guards.iter().filter_map(|g| capture.symbols.guard_code(g)).collect();
    let program = ExportedProgram {
        graph_module: GraphModule { submodules: capture.scope.submodules, ..GraphModule::new(capture.scope.graph) },
        signature: GraphSignature { input_specs, output_specs },
        state,
        constraints,
        in_spec: trees::call(specs),
        out_spec,
        forward_arg_names: arguments.iter().map(|(name, _)| name.clone()).collect(),
        verifiers: vec!["TRAINING".to_owned()],
        torch_version: format!("sconce {}", env!("CARGO_PKG_VERSION")),
        guards,
    };
    Ok(Captured { program, assumptions: capture.assumptions })
}

impl Capture<'_> {
    /// Placeholders of the module's tensors; what the archive holds is what they are before the run.
    fn state(&mut self, state: &[(String, StoredAs, Tensor)]) -> Result<(), Error> {
        let mut copies = Vec::new();
        let rank = |stored: &StoredAs| match stored {
            StoredAs::Parameter => 0,
            StoredAs::Buffer { .. } => 1,
            StoredAs::Constant => 2,
        };
        let mut sorted: Vec<_> = state.iter().collect();
        sorted.sort_by_key(|(_, stored, _)| rank(stored));
        for (name, stored_as, tensor) in sorted {
            if tensor.is_quantized() {
                return Err(Error::Argument(format!("`{name}` is quantized, which exported programs cannot hold")));
            }
            let letter = ["p", "b", "c"][rank(stored_as)];
            if *stored_as == StoredAs::Parameter {
                self.parameters.push(key(tensor));
            }
            if *stored_as != StoredAs::Constant {
                self.taint(tensor);
            }
            let sizes: Vec<Dim> = tensor.sizes().iter().map(|n| Dim::Known(*n)).collect();
            let val = Some(Val::Tensor(self.tensor_val(tensor, &sizes)?));
            let placeholder = self.scope.graph.unique_name(&format!("{letter}_{}", plain(name)));
            let node = Node::new(Op::Placeholder, placeholder.clone(), placeholder);
            let node = self.push(node.with_meta(Meta { val, ..Meta::default() }))?;
            self.lifted.push((name.clone(), *stored_as, copied(tensor, &mut copies)?, node));
            self.give(tensor, node, sizes);
        }
        Ok(())
    }

    /// Placeholders of the arguments' leaves.
    fn user_inputs(&mut self, leaves: Vec<Leaf>, dynamic: &[DynamicSize]) -> Result<Vec<InputSpec>, Error> {
        let mut named: Vec<(String, Dim)> = Vec::new();
        let mut specs = Vec::new();
        for Leaf { name, path, value: leaf, given } in leaves {
            let placeholder = self.scope.graph.unique_name(&name);
            let node = Node::new(Op::Placeholder, placeholder.clone(), placeholder.clone());
            let constant =
                |value| InputSpec::ConstantInput(InputToConstantInputSpec { name: placeholder.clone(), value });
            let given = match &leaf.it {
                IValue::Tensor(t) => {
                    let mut sizes: Vec<Dim> = t.sizes().iter().map(|n| Dim::Known(*n)).collect();
                    for d in dynamic.iter().filter(|d| path == format!("L['{}']", d.parameter)) {
                        let rank = t.dim();
                        let slot = sizes.get_mut(d.dim).ok_or_else(|| {
                            Error::Argument(format!(
                                "`{}` has {rank} dimensions, and {} is said to vary",
                                d.parameter, d.dim
                            ))
                        })?;
                        *slot = self.dynamic_size(d, &path, slot.known().unwrap_or(0), &mut named)?;
                    }
                    let val = self.tensor_val(t, &sizes)?;
                    let arg = Written::AsTensor(TensorArgument { name: placeholder.clone() });
                    let node = self.push(node.with_meta(Meta { val: Some(Val::Tensor(val)), ..Meta::default() }))?;
                    self.first_user_input.get_or_insert(node);
                    self.give(t, node, sizes);
                    self.taint(t);
                    specs.push(InputSpec::UserInput(UserInputSpec { arg }));
                    continue;
                }
                _ if matches!(given, IValue::Dict(_) | IValue::List(_) | IValue::Tuple(_)) => {
                    return Err(Error::Argument(format!("`{name}` is given as a container, and taken as none")));
                }
                _ => &given,
            };
            let (val, spec) = match given {
                IValue::None => (Val::None, constant(ConstantValue::AsNone(true))),
                IValue::Bool(b) => (Val::SymBool(SymExpr::Bool(*b)), constant(ConstantValue::AsBool(*b))),
                IValue::Int(n) => (Val::SymInt((*n).into()), constant(ConstantValue::AsInt(*n))),
                IValue::Double(x) => (Val::SymFloat(SymExpr::Float(*x)), constant(ConstantValue::AsFloat(Float(*x)))),
                IValue::Str(s) => (Val::None, constant(ConstantValue::AsString(s.to_string()))),
                other => {
                    return Err(Error::Argument(format!(
                        "an argument of kind {} is no input of a program",
                        other.kind()
                    )));
                }
            };
            let val = if let Val::SymInt(_) | Val::None = val { Some(val) } else { None };
            let node = self.push(node.with_meta(Meta { val, ..Meta::default() }))?;
            self.first_user_input.get_or_insert(node);
            specs.push(spec);
        }
        Ok(specs)
    }

    fn dynamic_size(
        &mut self,
        d: &DynamicSize,
        path: &str,
        hint: i64,
        named: &mut Vec<(String, Dim)>,
    ) -> Result<Dim, Error> {
        let bounds = Bounds { low: d.low, high: d.high.unwrap_or(i64::MAX) };
        if !bounds.contains(hint) {
            let what = format!("the example has size {hint} in dimension {} of `{}`", d.dim, d.parameter);
            return Err(Error::Argument(format!("{what}, which the range of `{}` does not hold", d.name)));
        }
        if let Some((_, dim)) = named.iter().find(|(name, _)| *name == d.name) {
            return match self.symbols.hint(*dim) {
                Some(n) if n == hint => Ok(*dim),
                other => {
                    let other = other.unwrap_or(0);
                    Err(Error::Argument(format!("`{}` is {hint} in `{}`, and {other} elsewhere", d.name, d.parameter)))
                }
            };
        }
        let name = format!("s{}", self.symbols.all.len());
        let source = Some(format!("{path}.size()[{}]", d.dim));
        let dim = self.symbols.add(Symbol { name, hint, bounds, source })?;
        named.push((d.name.clone(), dim));
        Ok(dim)
    }

    /// Attributes that were given other tensors are written: the program's state is the module's.
    fn write_back(&mut self) -> Result<(), Error> {
        for replaced in std::mem::take(&mut self.replaced) {
            let Some(IValue::Tensor(now)) = replaced.object.get(replaced.slot) else {
                return Err(refused("an attribute that was a tensor is none after the run"));
            };
            if now.is(&replaced.before) {
                continue;
            }
            if now.sizes() != replaced.before.sizes() || now.dtype() != replaced.before.dtype() {
                let name = replaced.object.names.get(replaced.slot).map_or("", |n| n);
                return Err(refused(format!("the attribute `{name}` has another shape or dtype after the run")));
            }
            let (to, from) = (self.tensor_node(&replaced.before)?, self.tensor_node(&now)?);
            let sizes = self.sizes(&now);
            let val = Some(Val::Tensor(self.tensor_val(&replaced.before, &sizes)?));
            self.call_node(
                "torch.ops.aten.copy_.default",
                vec![Argument::Node(to), Argument::Node(from)],
                Vec::new(),
                val,
            )?;
        }
        Ok(())
    }

    fn outputs(&mut self, results: Vec<Value>) -> Result<(Vec<Argument>, Vec<OutputSpec>), Error> {
        let (mut returned, mut specs) = (Vec::new(), Vec::new());
        for leaf in results {
            let (argument, arg) = match (&leaf.it, &leaf.sym) {
                (IValue::Tensor(t), _) => {
                    let node = self.tensor_node(t)?;
                    let name = self.scope.graph[node].name.clone();
                    (Argument::Node(node), Written::AsTensor(TensorArgument { name }))
                }
                (IValue::Bool(_), Some(sym))
                    if sym.kind == SymKind::Bool && self.scope.graph[sym.node].target.ends_with(".item.default") =>
                {
                    return Err(refused(
                        "a result of the program is a truth value that is read from a tensor, which PyTorch does not read in an archive",
                    ));
                }
                (IValue::Int(_) | IValue::Double(_) | IValue::Bool(_), Some(sym)) => {
                    let name = self.scope.graph[sym.node].name.clone();
                    let written = match sym.kind {
                        SymKind::Int => Written::AsSymInt(SymIntArgument::AsName(name)),
                        SymKind::Float => Written::AsSymFloat(schema::SymFloatArgument::AsName(name)),
                        SymKind::Bool => Written::AsSymBool(schema::SymBoolArgument::AsName(name)),
                    };
                    (Argument::Node(sym.node), written)
                }
                (IValue::None, _) => (Argument::None, Written::AsNone(true)),
                (IValue::Bool(b), _) => (Argument::Bool(*b), Written::AsBool(*b)),
                (IValue::Int(n), _) => (Argument::Int(*n), Written::AsInt(*n)),
                (IValue::Double(x), _) if x.is_nan() => {
                    return Err(refused(
                        "a result of the program is the float NaN, which PyTorch does not read in an archive",
                    ));
                }
                (IValue::Double(x), _) => (Argument::Float(*x), Written::AsFloat(Float(*x))),
                (other, _) => {
                    return Err(refused(format!(
                        "a result of the program is of kind {}, which PyTorch does not read in an archive",
                        other.kind()
                    )));
                }
            };
            returned.push(argument);
            specs.push(OutputSpec::UserOutput(UserOutputSpec { arg }));
        }
        Ok((returned, specs))
    }

    fn constraints(&self) -> Vec<Constraint> {
        let range = |b: Bounds| RangeConstraint {
            min_val: (b.low != i64::MIN).then_some(b.low),
            max_val: (b.high != i64::MAX).then_some(b.high),
        };
        self.symbols
            .all
            .iter()
            .map(|s| Constraint { text: s.name.clone(), range: range(s.bounds) })
            .chain(self.ranges.iter().cloned())
            .collect()
    }
}
