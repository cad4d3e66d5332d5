//! The document's graphs become FX graphs: calls with several results get `operator.getitem` nodes, nested graphs `get_attr` nodes, and what is known of a name
//! stands in its node's metadata. Every name is defined once, before it is used.

use crate::Error;
use crate::schema::{
    self, Argument as Given, ArgumentKind, InputSpec, NamedArgument, OptionalTensorArgument, SymBoolArgument,
    SymFloatArgument, SymIntArgument, TensorArgument,
};
use rustc_hash::FxHashSet;
use sconce_fx::{
    Argument, Graph, GraphModule, Meta, ModuleFrame, Node, Op, OperatorName, SourceFn, SymExpr, TensorMeta, Val,
};
use sconce_schema::types::Device;

/// The root graph and those inside it.
///
/// # Errors
/// A name that stands twice, or that nothing before its use gives; an argument that no operator can take; as many inputs as the signature does not say.
pub(crate) fn graph_module(module: &schema::GraphModule) -> Result<GraphModule, Error> {
    let specs = (&module.signature.input_specs, &module.signature.output_specs);
    for (what, have, expected) in
        [("inputs", module.graph.inputs.len(), specs.0.len()), ("outputs", module.graph.outputs.len(), specs.1.len())]
    {
        if have != expected {
            let what = format!("the graph has {have} {what}, and the signature says {expected}");
            return Err(Error::Graph { graph: String::new(), what });
        }
    }
    let constant = |spec: &InputSpec| match spec {
        InputSpec::ConstantInput(constant) => Some(constant.name.clone()),
        InputSpec::Token(token) => Some(token.arg.name.clone()),
        _ => None,
    };
    let names: Vec<Option<String>> = specs.0.iter().map(constant).collect();
    Reading {
        known: &module.graph,
        path: "",
        module: GraphModule::new(Graph::default()),
        stack_trace: None,
        waiting: Vec::new(),
        is_list: false,
    }
    .graph(&names)
}

/// A size, as FX has it.
///
/// # Errors
/// What is no expression.
pub(crate) fn sym_int(size: &schema::SymInt) -> Result<SymExpr, String> {
    match size {
        schema::SymInt::AsInt(n) => Ok(SymExpr::Int(*n)),
        schema::SymInt::AsExpr(e) => expression(e),
    }
}

fn expression(e: &schema::SymExpr) -> Result<SymExpr, String> {
    SymExpr::parse(&e.expr_str).map_err(|why| format!("`{}`: {why}", e.expr_str))
}

/// A device of the document.
pub(crate) fn device(device: &schema::Device) -> Result<Device, String> {
    let index = match device.index {
        None => None,
        Some(n) => Some(i32::try_from(n).map_err(|_| format!("the device {}:{n} has no such number", device.kind))?),
    };
    Ok(Device { kind: device.kind.as_str().into(), index })
}

/// A graph while it is read.
struct Reading<'a> {
    known: &'a schema::Graph,
    /// Of the graph inside the root: `true_graph_0.false_graph_0`.
    path: &'a str,
    module: GraphModule,
    /// Where the node comes from that is being read: the graphs that it takes come from there, too.
    stack_trace: Option<String>,
    /// Results of the last node that come behind the checks of one before them: see [`Reading::graph`].
    waiting: Vec<(Node, sconce_fx::NodeId, usize)>,
    /// It returns a list and no tuple; the document does not say it.
    is_list: bool,
}

/// A name as it may stand in text and in Python.
fn is_name(name: &str) -> bool {
    name.chars().all(|c| c == '_' || c.is_alphanumeric()) && !name.chars().next().is_none_or(char::is_numeric)
}

impl Reading<'_> {
    fn wrong(&self, what: String) -> Error {
        Error::Graph { graph: self.path.to_owned(), what }
    }

    /// `names`: of inputs that have none by themselves.
    fn graph(mut self, names: &[Option<String>]) -> Result<GraphModule, Error> {
        for (i, input) in self.known.inputs.iter().enumerate() {
            self.placeholder(i, input, names.get(i).and_then(Option::as_deref))?;
        }
        let mut waiting = FxHashSet::<String>::default();
        for node in &self.known.nodes {
            // PyTorch checks a size that depends on data as soon as a result has it, before it takes the node's other results.
            let uses_one = || node.inputs.iter().filter_map(|i| name_of(&i.arg)).any(|name| waiting.contains(name));
            if !self.waiting.is_empty() && (!is_check(&node.target) || uses_one()) {
                self.take_waiting()?;
                waiting.clear();
            }
            self.node(node)?;
            if waiting.len() != self.waiting.len() {
                waiting = self.waiting.iter().map(|(node, ..)| node.name.clone()).collect();
            }
        }
        self.take_waiting()?;
        let outputs = self.known.outputs.iter().map(|o| self.argument("output", "output", o));
        let mut outputs = outputs.collect::<Result<Vec<Argument>, Error>>()?;
        let result = match (self.known.is_single_tensor_return, outputs.len()) {
            (true, 1) => outputs.remove(0),
            _ if self.is_list => Argument::List(outputs),
            _ => Argument::Tuple(outputs),
        };
        let name = self.module.graph.unique_name("output");
        self.push(Node::new(Op::Output, name, "output").with_args([result]))?;
        Ok(self.module)
    }

    fn push(&mut self, node: Node) -> Result<sconce_fx::NodeId, Error> {
        if !is_name(&node.name) {
            return Err(self.wrong(format!("{:?} is no name of a node", node.name)));
        }
        self.module.graph.push(node).map_err(|e| self.wrong(e.to_string()))
    }

    fn placeholder(&mut self, index: usize, input: &Given, other: Option<&str>) -> Result<(), Error> {
        let name = match (name_of(input), other) {
            (Some(name), _) => name.to_owned(),
            (None, Some(name)) => name.to_owned(),
            (None, None) => self.module.graph.unique_name(&format!("arg{index}")),
        };
        let meta = Meta { val: self.val(input)?, ..Meta::default() };
        self.push(Node::new(Op::Placeholder, name.clone(), name).with_meta(meta)).map(drop)
    }

    fn node(&mut self, node: &schema::Node) -> Result<(), Error> {
        let shown = node.name.clone().unwrap_or_else(|| node.target.clone());
        let meta = metadata(node);
        self.stack_trace.clone_from(&meta.stack_trace);
        let (mut args, mut kwargs) = (Vec::new(), Vec::new());
        for (i, NamedArgument { name, arg, kind }) in node.inputs.iter().enumerate() {
            let argument = self.argument(&shown, &node.target, arg)?;
            let argument = if is_tuple(&node.target, i) { tuple(argument) } else { argument };
            match kind {
                Some(ArgumentKind::Keyword) => kwargs.push((name.clone(), argument)),
                _ if kwargs.is_empty() => args.push(argument),
                _ => {
                    let what = format!("the positional argument `{name}` stands behind a keyword");
                    return Err(self.wrong_node(&shown, &node.target, what));
                }
            }
        }
        let call = |name: String, val: Option<Val>| {
            let meta = Meta { val, ..meta.clone() };
            Node::new(Op::CallFunction, name, target(&node.target))
                .with_args(args.clone())
                .with_kwargs(kwargs.clone())
                .with_meta(meta)
        };
        let own = match &node.name {
            Some(name) => name.clone(),
            None => self.module.graph.unique_name(base_name(&node.target)),
        };
        let is_packed = node.is_hop_single_tensor_return == Some(false);
        match &node.outputs[..] {
            [] => self.push(call(own, None)).map(drop),
            [one] if members(one).is_none() && !is_packed => {
                let val = self.val(one)?;
                let name = name_of(one).map_or(own, str::to_owned);
                self.push(call(name, val)).map(drop)
            }
            [one] if !is_packed => {
                let val = self.val(one)?;
                let list = self.push(call(own, val))?;
                self.items(list, one, &meta)
            }
            several => {
                let vals =
                    several.iter().map(|o| Ok(self.val(o)?.unwrap_or(Val::None))).collect::<Result<Vec<_>, Error>>()?;
                let all = self.push(call(own, Some(Val::Tuple(vals))))?;
                let mut has_checks = false;
                for (i, output) in several.iter().enumerate() {
                    match (name_of(output), members(output)) {
                        (Some(name), _) => {
                            let val = self.val(output)?;
                            let depends = val.as_ref().is_some_and(depends_on_data);
                            if has_checks {
                                self.waiting.push((getitem(name, val, &meta), all, i));
                            } else {
                                self.getitem(all, i, name.to_owned(), val, &meta)?;
                            }
                            has_checks |= depends;
                        }
                        (None, Some(_)) => {
                            let name = self.module.graph.unique_name("getitem");
                            let list = self.getitem(all, i, name, self.val(output)?, &meta)?;
                            self.items(list, output, &meta)?;
                        }
                        (None, None) => {}
                    }
                }
                Ok(())
            }
        }
    }

    /// A node for each member of a list.
    fn items(&mut self, list: sconce_fx::NodeId, output: &Given, meta: &Meta) -> Result<(), Error> {
        for (i, member) in members(output).unwrap_or_default().into_iter().enumerate() {
            if let Some(name) = member {
                let val = self.known.tensor_values.get(name).map(|m| self.tensor(name, m)).transpose()?;
                let val = match val {
                    Some(val) => Some(val),
                    None => self.symbol(name)?,
                };
                self.getitem(list, i, name.to_owned(), val, meta)?;
            }
        }
        Ok(())
    }

    fn getitem(
        &mut self,
        of: sconce_fx::NodeId,
        index: usize,
        name: String,
        val: Option<Val>,
        meta: &Meta,
    ) -> Result<sconce_fx::NodeId, Error> {
        self.push(getitem(&name, val, meta).with_args([Argument::Node(of), Argument::Int(index as i64)]))
    }

    fn take_waiting(&mut self) -> Result<(), Error> {
        for (node, of, index) in std::mem::take(&mut self.waiting) {
            self.push(node.with_args([Argument::Node(of), Argument::Int(index as i64)]))?;
        }
        Ok(())
    }

    fn wrong_node(&self, node: &str, target: &str, what: String) -> Error {
        Error::Node { graph: self.path.to_owned(), node: node.to_owned(), target: target.to_owned(), what, place: None }
    }

    fn argument(&mut self, node: &str, target: &str, argument: &Given) -> Result<Argument, Error> {
        let wrong = |this: &Self, what: String| this.wrong_node(node, target, what);
        let named = |this: &Self, name: &str| match this.module.graph.find(name) {
            Some(id) => Ok(Argument::Node(id)),
            None => Err(wrong(this, format!("nothing before it gives `{name}`"))),
        };
        let tensors = |this: &Self, list: &[TensorArgument]| {
            Ok(Argument::List(list.iter().map(|t| named(this, &t.name)).collect::<Result<_, Error>>()?))
        };
        let sym_int = |this: &Self, n: &SymIntArgument| match n {
            SymIntArgument::AsName(name) => named(this, name),
            SymIntArgument::AsInt(n) => Ok(Argument::Int(*n)),
        };
        let sym_float = |this: &Self, x: &SymFloatArgument| match x {
            SymFloatArgument::AsName(name) => named(this, name),
            SymFloatArgument::AsFloat(x) => Ok(Argument::Float(x.0)),
        };
        let sym_bool = |this: &Self, b: &SymBoolArgument| match b {
            SymBoolArgument::AsName(name) => named(this, name),
            SymBoolArgument::AsBool(b) => Ok(Argument::Bool(*b)),
        };
        let optional = |this: &Self, t: &OptionalTensorArgument| match t {
            OptionalTensorArgument::AsTensor(t) => named(this, &t.name),
            OptionalTensorArgument::AsNone(_) => Ok(Argument::None),
        };
        fn list<T>(items: &[T], each: impl Fn(&T) -> Argument) -> Argument {
            Argument::List(items.iter().map(each).collect())
        }
        fn listed<T>(items: &[T], each: impl Fn(&T) -> Result<Argument, Error>) -> Result<Argument, Error> {
            Ok(Argument::List(items.iter().map(each).collect::<Result<_, Error>>()?))
        }
        Ok(match argument {
            Given::AsNone(_) => Argument::None,
            Given::AsTensor(t) => named(self, &t.name)?,
            Given::AsTensors(all) => tensors(self, all)?,
            Given::AsInt(n) => Argument::Int(*n),
            Given::AsInts(all) => list(all, |n| Argument::Int(*n)),
            Given::AsFloat(x) => Argument::Float(x.0),
            Given::AsFloats(all) => list(all, |x| Argument::Float(x.0)),
            Given::AsString(s) => Argument::Str(s.clone()),
            Given::AsStrings(all) => list(all, |s| Argument::Str(s.clone())),
            Given::AsSymInt(n) => sym_int(self, n)?,
            Given::AsSymInts(all) => listed(all, |n| sym_int(self, n))?,
            Given::AsScalarType(ty) => match ty.dtype() {
                Some(dtype) => Argument::DType(dtype),
                None => return Err(wrong(self, format!("{ty:?} is no dtype that tensors here have"))),
            },
            Given::AsMemoryFormat(format) => match format.format() {
                Some(format) => Argument::MemoryFormat(format),
                None => return Err(wrong(self, "the memory format is Unknown".to_owned())),
            },
            Given::AsLayout(layout) => match layout.layout() {
                Some(layout) => Argument::Layout(layout),
                None => return Err(wrong(self, "the layout is Unknown".to_owned())),
            },
            Given::AsDevice(d) => Argument::Device(device(d).map_err(|what| wrong(self, what))?),
            Given::AsBool(b) => Argument::Bool(*b),
            Given::AsBools(all) => list(all, |b| Argument::Bool(*b)),
            Given::AsSymBool(b) => sym_bool(self, b)?,
            Given::AsSymBools(all) => listed(all, |b| sym_bool(self, b))?,
            // The body of a scan returns a list, that of all others a tuple.
            Given::AsGraph(inner) => Argument::Node(self.nested(inner, target == "torch.ops.higher_order.scan")?),
            Given::AsOptionalTensors(all) => listed(all, |t| optional(self, t))?,
            Given::AsCustomObj(object) => named(self, &object.name)?,
            Given::AsOperator(name) => match OperatorName::of_target(name) {
                Some(operator) => Argument::Operator(operator),
                None => return Err(wrong(self, format!("`{name}` is no operator"))),
            },
            Given::AsSymFloat(x) => sym_float(self, x)?,
            Given::AsSymFloats(all) => listed(all, |x| sym_float(self, x))?,
            Given::AsOptionalTensor(t) => optional(self, t)?,
            Given::AsComplex(c) => Argument::Complex(c.real.0, c.imag.0),
            Given::AsNestedTensors(all) => listed(all, |t| tensors(self, t))?,
            Given::AsIntLists(all) => list(all, |inner| list(inner, |n| Argument::Int(*n))),
            Given::AsStringToArgument(entries) => {
                let mut out = Vec::new();
                for (key, value) in entries.iter() {
                    out.push((Argument::Str(key.clone()), self.argument(node, target, value)?));
                }
                Argument::Dict(out)
            }
            Given::AsFloatLists(all) => list(all, |inner| list(inner, |x| Argument::Float(x.0))),
        })
    }

    /// A graph inside of this one, as an attribute that a node gets.
    fn nested(&mut self, inner: &schema::GraphArgument, is_list: bool) -> Result<sconce_fx::NodeId, Error> {
        let path = if self.path.is_empty() { inner.name.clone() } else { format!("{}.{}", self.path, inner.name) };
        if !is_name(&inner.name) {
            return Err(self.wrong(format!("{:?} is no name of a graph", inner.name)));
        }
        let graph = Graph::default();
        let module = GraphModule { class_name: inner.name.clone(), ..GraphModule::new(graph) };
        let read =
            Reading { known: &inner.graph, path: &path, module, stack_trace: None, waiting: Vec::new(), is_list }
                .graph(&[])?;
        match self.module.submodules.get(&inner.name) {
            None => _ = self.module.submodules.insert(inner.name.clone(), read),
            Some(other) if *other == read => {}
            Some(_) => return Err(self.wrong(format!("two graphs are called `{}`", inner.name))),
        }
        let name = self.module.graph.unique_name(&inner.name);
        let meta = Meta { stack_trace: self.stack_trace.clone(), ..Meta::default() };
        self.push(Node::new(Op::GetAttr, name, inner.name.clone()).with_meta(meta))
    }

    /// What is known of a value.
    fn val(&self, argument: &Given) -> Result<Option<Val>, Error> {
        let named = |name: &str| match self.known.tensor_values.get(name) {
            Some(meta) => self.tensor(name, meta).map(Some),
            None => self.symbol(name),
        };
        let list = |names: Vec<Option<&str>>| {
            let vals = names.into_iter().map(|n| Ok(n.map(named).transpose()?.flatten().unwrap_or(Val::None)));
            Ok(Some(Val::List(vals.collect::<Result<_, Error>>()?)))
        };
        match (argument, members(argument)) {
            (_, Some(names)) => list(names),
            (Given::AsNone(_), _) => Ok(Some(Val::None)),
            (Given::AsCustomObj(object), _) => Ok(Some(Val::Object(object.class_fqn.clone()))),
            (Given::AsInt(n), _) => Ok(Some(Val::SymInt(SymExpr::Int(*n)))),
            (other, _) => name_of(other).map(named).transpose().map(Option::flatten),
        }
    }

    fn tensor(&self, name: &str, meta: &schema::TensorMeta) -> Result<Val, Error> {
        let wrong = |what: String| self.wrong(format!("what is known of `{name}`: {what}"));
        let dtype = meta.dtype.dtype().ok_or_else(|| wrong(format!("dtype {:?} is not supported", meta.dtype)))?;
        let layout = meta.layout.layout().ok_or_else(|| wrong("the layout is Unknown".to_owned()))?;
        let all = |list: &[schema::SymInt]| list.iter().map(sym_int).collect::<Result<Vec<_>, String>>();
        let (sizes, strides) = (all(&meta.sizes).map_err(wrong)?, all(&meta.strides).map_err(wrong)?);
        if sizes.len() != strides.len() {
            return Err(wrong(format!("{} sizes and {} strides", sizes.len(), strides.len())));
        }
        Ok(Val::Tensor(TensorMeta {
            dtype,
            sizes,
            strides,
            storage_offset: sym_int(&meta.storage_offset).map_err(wrong)?,
            device: device(&meta.device).map_err(wrong)?,
            layout,
            requires_grad: meta.requires_grad,
        }))
    }

    /// What is known of a number.
    fn symbol(&self, name: &str) -> Result<Option<Val>, Error> {
        let wrong = |what: String| self.wrong(format!("what is known of `{name}`: {what}"));
        let known = self.known;
        if let Some(n) = known.sym_int_values.get(name) {
            return sym_int(n).map(|n| Some(Val::SymInt(n))).map_err(wrong);
        }
        match known.sym_float_values.get(name) {
            Some(schema::SymFloat::AsExpr(e)) => return expression(e).map(|e| Some(Val::SymFloat(e))).map_err(wrong),
            Some(schema::SymFloat::AsFloat(x)) => return Ok(Some(Val::SymFloat(SymExpr::Float(x.0)))),
            None => {}
        }
        match known.sym_bool_values.get(name) {
            Some(schema::SymBool::AsExpr(e)) => expression(e).map(|e| Some(Val::SymBool(e))).map_err(wrong),
            Some(schema::SymBool::AsBool(b)) => Ok(Some(Val::SymBool(SymExpr::Bool(*b)))),
            None => Ok(None),
        }
    }
}

/// The name of a value that is one.
pub(crate) fn name_of(argument: &Given) -> Option<&str> {
    match argument {
        Given::AsTensor(t) => Some(&t.name),
        Given::AsSymInt(SymIntArgument::AsName(name))
        | Given::AsSymFloat(SymFloatArgument::AsName(name))
        | Given::AsSymBool(SymBoolArgument::AsName(name)) => Some(name),
        Given::AsCustomObj(object) => Some(&object.name),
        Given::AsOptionalTensor(OptionalTensorArgument::AsTensor(t)) => Some(&t.name),
        _ => None,
    }
}

/// The names of the members of a list; none for what has none.
fn members(argument: &Given) -> Option<Vec<Option<&str>>> {
    Some(match argument {
        Given::AsTensors(all) => all.iter().map(|t| Some(t.name.as_str())).collect(),
        Given::AsOptionalTensors(all) => (all.iter())
            .map(|t| match t {
                OptionalTensorArgument::AsTensor(t) => Some(t.name.as_str()),
                OptionalTensorArgument::AsNone(_) => None,
            })
            .collect(),
        Given::AsSymInts(all) => (all.iter())
            .map(|n| if let SymIntArgument::AsName(name) = n { Some(name.as_str()) } else { None })
            .collect(),
        _ => return None,
    })
}

fn getitem(name: &str, val: Option<Val>, meta: &Meta) -> Node {
    Node::new(Op::CallFunction, name, "operator.getitem").with_meta(Meta { val, ..meta.clone() })
}

/// Whether a node of this target computes with sizes, or checks them.
fn is_check(target: &str) -> bool {
    let aten = target.strip_prefix("torch.ops.aten.");
    aten.is_some_and(|name| name.starts_with("sym_") || name.starts_with("_assert_scalar"))
        || target.starts_with("_operator.")
}

/// Whether a size of a tensor is only known when it is there: symbols of such are called `u0`.
fn depends_on_data(val: &Val) -> bool {
    let mut found = false;
    if let Val::Tensor(meta) = val {
        meta.sizes.iter().for_each(|size| size.symbols(&mut |s| found |= s.name.starts_with('u')));
    }
    found
}

/// Where higher-order operators take a tuple; the document does not tell it from a list.
fn is_tuple(target: &str, argument: usize) -> bool {
    let Some(name) = target.strip_prefix("torch.ops.higher_order.") else { return false };
    matches!((name, argument), ("cond", 3) | ("while_loop", 2 | 3) | ("scan", 3) | ("associative_scan", 2))
}

fn tuple(argument: Argument) -> Argument {
    if let Argument::List(items) = argument { Argument::Tuple(items) } else { argument }
}

/// A target as FX text has it: functions of Python's `operator` go by their public module.
fn target(name: &str) -> String {
    name.strip_prefix("_operator.").map_or_else(|| name.to_owned(), |rest| format!("operator.{rest}"))
}

/// What a node of a target is called: `add` of `torch.ops.aten.add.Tensor`.
fn base_name(target: &str) -> &str {
    let inner = target.strip_prefix("torch.ops.").and_then(|rest| rest.split('.').nth(1));
    inner.or(target.rsplit('.').next()).filter(|name| is_name(name)).unwrap_or("node")
}

/// The metadata that a node has as text.
fn metadata(node: &schema::Node) -> Meta {
    let mut meta = Meta::default();
    for (key, text) in node.metadata.iter() {
        match key.as_str() {
            "stack_trace" => meta.stack_trace = Some(text.clone()),
            "nn_module_stack" => meta.nn_module_stack = frames(text),
            "source_fn_stack" => meta.source_fn_stack = functions(text),
            "torch_fn" => match text.split_once(';') {
                Some((name, function)) => meta.torch_fn = Some((name.to_owned(), function.to_owned())),
                None => _ = meta.custom.insert(key.clone(), text.clone()),
            },
            _ => _ = meta.custom.insert(key.clone(), text.clone()),
        }
    }
    meta
}

/// `key,path,class` with `;` between frames. A path may hold commas.
fn frames(text: &str) -> Vec<ModuleFrame> {
    let frame = |entry: &str| {
        let (key, rest) = entry.split_once(',')?;
        let (path, class) = rest.rsplit_once(',')?;
        Some(ModuleFrame { key: key.to_owned(), path: path.to_owned(), class: class.to_owned() })
    };
    let mut seen = FxHashSet::default();
    text.split(';').filter_map(frame).filter(|f| seen.insert(f.key.clone())).collect()
}

/// `name,target` with `;` between entries.
fn functions(text: &str) -> Vec<SourceFn> {
    let entry = |entry: &str| {
        let (name, target) = entry.split_once(',')?;
        Some(SourceFn { name: name.to_owned(), target: target.to_owned() })
    };
    text.split(';').filter_map(entry).collect()
}
