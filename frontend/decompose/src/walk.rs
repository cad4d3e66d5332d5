//! The nodes of one graph, one after the other; graphs inside of it are decomposed as graphs of their own, or where a mode alone is set, as a part of it.

use crate::arguments::{self, argument};
use crate::batches::Batches;
use crate::error::{Error, Fault, Outcome, fault};
use crate::program::{named, used};
use crate::results::{self, Known};
use crate::tracer::{Tracer, entry};
use crate::value::{From, Num, Value};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use sconce_fx::{Argument, GraphModule, Meta, Node, NodeId, Op, SymExpr, Val};
use sconce_schema::DType;

/// A graph that is being looked at.
pub(crate) struct Walk<'m> {
    module: &'m GraphModule,
    path: String,
    values: FxHashMap<NodeId, Value>,
    /// What the graph's nodes are in Core ATen.
    pub submodules: IndexMap<String, GraphModule>,
    /// What is checked while the program runs.
    pub asserted: Vec<SymExpr>,
    /// Where autocast is on, the dtype of lower precision.
    autocast: Option<DType>,
    batches: Batches,
}

impl<'m> Walk<'m> {
    pub fn new(module: &'m GraphModule, path: &str) -> Walk<'m> {
        Walk {
            module,
            path: path.to_owned(),
            values: FxHashMap::default(),
            submodules: IndexMap::new(),
            asserted: Vec::new(),
            autocast: None,
            batches: Batches::default(),
        }
    }

    fn error(&self, node: &Node, Fault(what): Fault) -> Error {
        Error::Node { graph: self.path.clone(), node: node.name.clone(), target: node.target.clone(), what }
    }

    /// Puts the inputs: each with what is recorded of it.
    pub fn placeholders(&mut self, tracer: &mut Tracer<'_>) -> Result<Vec<(NodeId, Value)>, Error> {
        let mut inputs = Vec::new();
        for (id, node) in self.module.graph.placeholders() {
            let input = self.placeholder(tracer, node).map_err(|e| self.error(node, e))?;
            self.values.insert(id, input.1.clone());
            inputs.push(input);
        }
        Ok(inputs)
    }

    fn placeholder(&self, tracer: &mut Tracer<'_>, node: &Node) -> Outcome<(NodeId, Value)> {
        let input = Node { args: Vec::new(), ..node.clone() };
        let id = tracer.graph.push(input)?;
        let value = match &node.meta.val {
            Some(Val::Tensor(meta)) => {
                let about = tracer.about(meta);
                let tensor = tracer.new_tensor(id, about);
                tracer.is_source(tensor);
                Value::Tensor(tensor)
            }
            Some(Val::SymInt(n)) => {
                let dim = tracer.symbols.dim(n);
                tracer.numbers.entry(dim).or_insert(id);
                Value::Int(Num { dim, from: From::Node(id) })
            }
            _ => Value::Node(id),
        };
        Ok((id, value))
    }

    /// Looks at all nodes but the inputs, and gives the result.
    pub fn body(&mut self, tracer: &mut Tracer<'_>) -> Result<Value, Error> {
        for (id, node) in self.module.graph.nodes() {
            match node.op {
                Op::Placeholder => {}
                Op::GetAttr => {
                    self.values.insert(id, Value::Graph(node.target.as_str().into()));
                }
                Op::Output => {
                    let result = node.args.first().map_or(Ok(Value::None), |a| self.value(a));
                    return result.map_err(|e| self.error(node, e));
                }
                _ => {
                    let before = tracer.graph.len();
                    let value = self.node(tracer, node)?;
                    self.trace(tracer, before, &node.meta);
                    self.values.insert(id, value);
                }
            }
        }
        Err(Error::Program("a graph has no output".to_owned()))
    }

    /// New nodes come from where this one came from.
    fn trace(&self, tracer: &mut Tracer<'_>, before: usize, meta: &Meta) {
        let new: Vec<NodeId> =
            tracer.graph.nodes().rev().take(tracer.graph.len().saturating_sub(before)).map(|(id, _)| id).collect();
        for id in new {
            if let Some(to) = tracer.graph.meta_mut(id) {
                let val = to.val.take();
                *to = Meta { val, ..meta.clone() };
            }
        }
    }

    /// An argument as a value.
    fn value(&self, argument: &Argument) -> Outcome<Value> {
        let all = |items: &[Argument]| items.iter().map(|a| self.value(a)).collect::<Outcome<Vec<Value>>>();
        Ok(match argument {
            Argument::Node(id) => match self.values.get(id) {
                Some(value) => value.clone(),
                None => return fault("it uses a node before that stands"),
            },
            Argument::None => Value::None,
            Argument::Bool(b) => Value::Bool(*b),
            Argument::Int(n) => Value::int(*n),
            Argument::Float(x) => Value::Float(*x),
            Argument::Complex(re, im) => Value::Complex(*re, *im),
            Argument::Str(s) => Value::str(s),
            Argument::DType(dtype) => Value::DType(*dtype),
            Argument::Device(device) => Value::Device(device.clone()),
            Argument::Layout(layout) => Value::Layout(*layout),
            Argument::MemoryFormat(format) => Value::MemoryFormat(*format),
            Argument::Operator(operator) => Value::Operator(operator.clone()),
            Argument::List(items) => Value::list(all(items)?),
            Argument::Tuple(items) => Value::Tuple(all(items)?.into()),
            Argument::Dict(_) | Argument::Slice(_) | Argument::Ellipsis => {
                return fault("an argument is of a kind that exported programs do not have");
            }
        })
    }

    fn node(&mut self, tracer: &mut Tracer<'_>, node: &Node) -> Result<Value, Error> {
        if let Some(name) = node.target.strip_prefix("torch.ops.higher_order.") {
            return self.higher_order(tracer, node, name);
        }
        self.function(tracer, node).map_err(|e| self.error(node, e))
    }

    fn function(&mut self, tracer: &mut Tracer<'_>, node: &Node) -> Outcome<Value> {
        let args = node.args.iter().map(|a| self.value(a)).collect::<Outcome<Vec<Value>>>()?;
        if let Some(value) = self.batches.mark(tracer, &node.target, &args)? {
            return Ok(value);
        }
        match (node.target.as_str(), &args[..]) {
            ("operator.getitem", [of, at]) if of.items().is_some() => {
                let items = of.items().unwrap_or_default();
                let at = at.known().and_then(|at| crate::eval::place(at, items.len()));
                return at
                    .and_then(|at| items.get(at).cloned())
                    .ok_or_else(|| Fault("there is no such member".to_owned()));
            }
            ("torch.ops.aten._assert_scalar.default", _) => return self.assert_scalar(tracer, node),
            ("torch.ops.aten.sym_size.int", [Value::Tensor(t), at]) => {
                let about = &tracer.tensor(*t).meta;
                let at = at.known().and_then(|at| crate::eval::place(at, about.sizes.len()));
                let dim = at.and_then(|at| about.sizes.get(at).copied());
                let (Some(at), Some(dim)) = (at, dim) else { return fault("there is no such dimension") };
                let n = Num { dim, from: From::Size(*t, at) };
                let from = match tracer.number(&n)? {
                    Argument::Node(node) => From::Node(node),
                    _ => From::Itself,
                };
                return Ok(Value::Int(Num { dim, from }));
            }
            _ => {}
        }
        let Some(operator) = node.operator() else { return self.number(tracer, node, &args) };
        let named =
            node.kwargs.iter().map(|(name, a)| Ok((name.clone(), self.value(a)?))).collect::<Outcome<Vec<_>>>()?;
        let entry = entry(&operator.schema_name())?;
        let mut args = arguments::bind(entry, args, named)?;
        self.cast(tracer, node, &mut args)?;
        if self.batches.check(tracer, entry, &args)? {
            let result = tracer.call(entry, args)?;
            self.batches.add(&result);
            return Ok(result);
        }
        tracer.recorded = node.meta.val.clone().map(|val| (node.target.clone(), val));
        let result = tracer.call(entry, args);
        tracer.recorded = None;
        result
    }

    /// A function of Python's on numbers.
    fn number(&mut self, tracer: &mut Tracer<'_>, node: &Node, args: &[Value]) -> Outcome<Value> {
        let val = node.meta.val.clone();
        if let Some(Val::SymInt(SymExpr::Int(n))) = val {
            return Ok(Value::int(n));
        }
        let written = args.iter().map(|v| argument(tracer, v)).collect::<Outcome<Vec<Argument>>>()?;
        let name = node.target.rsplit('.').next().unwrap_or("node").to_owned();
        let made = tracer.push(&name, &node.target, (written, Vec::new()), val.clone())?;
        Ok(match val {
            Some(Val::SymInt(n)) => Value::Int(Num { dim: tracer.symbols.dim(&n), from: From::Node(made) }),
            _ => Value::Node(made),
        })
    }

    /// What is checked of sizes while the program runs is put where its symbols are first known.
    fn assert_scalar(&mut self, tracer: &mut Tracer<'_>, node: &Node) -> Outcome<Value> {
        let condition = node.args.first().and_then(Argument::node);
        let recorded = condition.and_then(|id| self.module.graph[id].meta.val.clone());
        if let Some(Val::SymBool(expr)) = recorded {
            self.asserted.push(expr);
        }
        // It takes a name, as all that is traced.
        tracer.names.unique("_assert_scalar");
        Ok(Value::None)
    }

    /// Casts arguments as autocast does, the last first.
    fn cast(&self, tracer: &mut Tracer<'_>, node: &Node, args: &mut [Value]) -> Outcome<()> {
        let Some(lower) = self.autocast else { return Ok(()) };
        let Some(Val::Tensor(meta)) = &node.meta.val else { return Ok(()) };
        if meta.dtype != lower && meta.dtype != DType::F32 {
            return Ok(());
        }
        let wanted = meta.dtype;
        for arg in args.iter_mut().rev() {
            let mut casts = Vec::new();
            arg.tensors(&mut |t| casts.push(t));
            let mut made = FxHashMap::default();
            for t in casts.into_iter().rev() {
                let dtype = tracer.tensor(t).meta.dtype;
                if dtype != wanted && matches!(dtype, DType::F16 | DType::BF16 | DType::F32) {
                    let copy = entry("aten::_to_copy")?;
                    let bound = arguments::bind(
                        copy,
                        vec![Value::Tensor(t)],
                        vec![("dtype".to_owned(), Value::DType(wanted))],
                    )?;
                    made.insert(t, tracer.call(copy, bound)?);
                }
            }
            *arg = arg.map_tensors(&mut |t| made.get(&t).cloned().unwrap_or(Value::Tensor(t)));
        }
        Ok(())
    }

    fn higher_order(&mut self, tracer: &mut Tracer<'_>, node: &Node, name: &str) -> Result<Value, Error> {
        let args = node.args.iter().map(|a| self.value(a)).collect::<Outcome<Vec<Value>>>();
        let args = args.map_err(|e| self.error(node, e))?;
        let autocast = match (name, &args[..]) {
            ("wrap_with_autocast", [_, Value::DType(dtype), Value::Bool(true), ..]) => Some(*dtype),
            _ => None,
        };
        match (name, &args[..]) {
            // A mode is no part of the graph: what is computed in it is.
            ("wrap_with_set_grad_enabled", [_, Value::Graph(graph), inputs @ ..])
            | ("wrap_with_autocast", [_, _, _, _, Value::Graph(graph), inputs @ ..]) => {
                let inner = self.submodule(node, graph)?;
                let mut walk = Walk::new(inner, &self.inner_path(graph));
                walk.autocast = autocast.or(self.autocast.filter(|_| name == "wrap_with_set_grad_enabled"));
                let formals = inner.graph.placeholders().map(|(id, _)| id);
                walk.values.extend(formals.zip(inputs.iter().cloned()));
                let result = walk.body(tracer)?;
                self.asserted.extend(walk.asserted);
                self.submodules.extend(walk.submodules);
                Ok(result)
            }
            _ => self.graphs(tracer, node, name, &args),
        }
    }

    fn inner_path(&self, graph: &str) -> String {
        if self.path.is_empty() { graph.to_owned() } else { format!("{}.{graph}", self.path) }
    }

    fn submodule(&self, node: &Node, graph: &str) -> Result<&'m GraphModule, Error> {
        let module: &'m GraphModule = self.module;
        module.submodule(graph).ok_or_else(|| self.error(node, Fault(format!("there is no graph `{graph}`"))))
    }

    /// An operator whose arguments are graphs among others.
    fn graphs(&mut self, tracer: &mut Tracer<'_>, node: &Node, name: &str, args: &[Value]) -> Result<Value, Error> {
        let mut written = Vec::with_capacity(args.len());
        for arg in args {
            let mut tensors = Vec::new();
            arg.tensors(&mut |t| tensors.push(t));
            for t in tensors {
                tracer.sync(t).map_err(|e| self.error(node, e))?;
            }
        }
        for arg in args {
            written.push(match arg {
                Value::Graph(graph) => {
                    let inner = self.submodule(node, graph)?;
                    let path = self.inner_path(graph);
                    let module = self::graph(tracer, inner, &path)?;
                    self.submodules.insert(graph.to_string(), module);
                    let name = tracer.names.unique(graph);
                    let attribute = Node::new(Op::GetAttr, name, &**graph);
                    Argument::Node(tracer.graph.push(attribute).map_err(|e| self.error(node, e.into()))?)
                }
                other => argument(tracer, other).map_err(|e| self.error(node, e))?,
            });
        }
        let known = match &node.meta.val {
            Some(Val::Tuple(vals) | Val::List(vals)) => {
                let vals = vals.clone();
                vals.iter().flat_map(|val| results::recorded(tracer, val, 1)).collect()
            }
            Some(val) => results::recorded(tracer, &val.clone(), 1),
            None => vec![Known::Other(None)],
        };
        let is_tuple = matches!(&node.meta.val, Some(Val::Tuple(_) | Val::List(_)));
        let made = tracer.emit_tuple(name, &node.target, (written, Vec::new()), &known, is_tuple);
        made.map_err(|e| self.error(node, e))
    }
}

/// A graph inside of another, in Core ATen.
fn graph(tracer: &mut Tracer<'_>, module: &GraphModule, path: &str) -> Result<GraphModule, Error> {
    let mut inner = Tracer::new(&mut *tracer.symbols);
    let mut walk = Walk::new(module, path);
    walk.placeholders(&mut inner)?;
    let result = walk.body(&mut inner)?;
    let whole = |Fault(what): Fault| Error::Program(format!("graph {path}: {what}"));
    let finished = || -> Outcome<sconce_fx::Graph> {
        let mut tensors = Vec::new();
        result.tensors(&mut |t| tensors.push(t));
        for t in tensors {
            inner.sync(t)?;
        }
        let result = argument(&mut inner, &result)?;
        let name = inner.names.unique("output");
        inner.graph.push(Node::new(Op::Output, name, "output").with_args([result]))?;
        named(&used(&inner.graph)?)
    };
    let mut finished = finished;
    Ok(GraphModule {
        class_name: module.class_name.clone(),
        graph: finished().map_err(whole)?,
        submodules: walk.submodules,
    })
}
