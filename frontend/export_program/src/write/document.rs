//! FX graphs become the document's: results that `operator.getitem` nodes take are outputs of their call, nested graphs are arguments, and metadata is text again.

use super::{Entries, table};
use crate::schema::{
    self, Argument as Written, ArgumentKind, ComplexValue, ConstantValue, CustomObjArgument, GraphArgument, InputSpec,
    ModuleCallEntry, ModuleCallSignature, NamedArgument, OptionalTensorArgument, SymBoolArgument, SymExprHint,
    SymFloatArgument, SymIntArgument, TensorArgument,
};
use crate::{Error, ExportedProgram, Float};
use sconce_fx::{Argument, GraphModule, Meta, Node, NodeId, Op, SymExpr, Val};
use sconce_schema::{OpEntry, Type};

/// The document of a program.
///
/// # Errors
/// A node or value that the schema has no words for.
pub(super) fn document(program: &ExportedProgram) -> Result<schema::ExportedProgram, Error> {
    let module = &program.graph_module;
    let mut graph = Writing { module, path: "" }.graph()?;
    // What an input stands for says what it is, also where it is a constant that no node uses.
    graph.inputs = program.signature.input_specs.iter().map(input).collect();
    let mut fields = Entries::new();
    let signature = ModuleCallSignature {
        inputs: Vec::new(),
        outputs: Vec::new(),
        in_spec: program.in_spec.dump(&mut fields),
        out_spec: program.out_spec.dump(&mut fields),
        forward_arg_names: Some(program.forward_arg_names.clone()),
    };
    Ok(schema::ExportedProgram {
        graph_module: schema::GraphModule {
            graph,
            signature: program.signature.clone(),
            module_call_graph: vec![ModuleCallEntry { fqn: String::new(), signature: Some(signature) }],
            metadata: table(Vec::new()),
            treespec_namedtuple_fields: table(fields),
        },
        opset_version: table(vec![("aten".to_owned(), ATEN_VERSION)]),
        range_constraints: program.constraints.iter().map(|c| (c.text.clone(), c.range)).collect(),
        schema_version: schema::VERSION,
        verifiers: program.verifiers.clone(),
        torch_version: program.torch_version.clone(),
        guards_code: program.guards.clone(),
    })
}

/// The version of PyTorch's operators that documents of the schema's version name.
const ATEN_VERSION: i64 = 10;

fn input(spec: &InputSpec) -> Written {
    let tensor = |name: &str| Written::AsTensor(TensorArgument { name: name.to_owned() });
    match spec {
        InputSpec::UserInput(user) => user.arg.clone(),
        InputSpec::Parameter(p) => tensor(&p.arg.name),
        InputSpec::Buffer(b) => tensor(&b.arg.name),
        InputSpec::TensorConstant(c) => tensor(&c.arg.name),
        InputSpec::CustomObj(object) => Written::AsCustomObj(object.arg.clone()),
        InputSpec::Token(token) => tensor(&token.arg.name),
        InputSpec::ConstantInput(constant) => match &constant.value {
            ConstantValue::AsNone(none) => Written::AsNone(*none),
            ConstantValue::AsInt(n) => Written::AsInt(*n),
            ConstantValue::AsFloat(x) => Written::AsFloat(*x),
            ConstantValue::AsString(s) => Written::AsString(s.clone()),
            ConstantValue::AsBool(b) => Written::AsBool(*b),
        },
    }
}

/// A graph while it is written.
struct Writing<'a> {
    module: &'a GraphModule,
    /// Of the graph inside the root.
    path: &'a str,
}

/// What is known of the names of a graph.
#[derive(Default)]
struct Known {
    tensors: Entries<schema::TensorMeta>,
    ints: Entries<schema::SymInt>,
    bools: Entries<schema::SymBool>,
    floats: Entries<schema::SymFloat>,
    objects: Entries<CustomObjArgument>,
}

impl Writing<'_> {
    fn graph(&self) -> Result<schema::Graph, Error> {
        let graph = &self.module.graph;
        let (mut inputs, mut nodes, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        let mut known = Known::default();
        let mut is_single_tensor_return = false;
        for (id, node) in graph.nodes() {
            match node.op {
                Op::Placeholder => {
                    // Of the root the signature says what its inputs are.
                    if !self.path.is_empty() {
                        inputs.push(self.named(node, &node.name, node.meta.val.as_ref())?);
                    }
                    self.know(&mut known, node, &node.name, node.meta.val.as_ref())?;
                }
                Op::CallFunction if self.is_item(node) => {
                    self.know(&mut known, node, &node.name, node.meta.val.as_ref())?;
                }
                Op::CallFunction => nodes.push(self.call(&mut known, id, node)?),
                // It stands where it is used.
                Op::GetAttr => {}
                Op::Output => {
                    let result = node.args.first().unwrap_or(&Argument::None);
                    is_single_tensor_return = result.items().is_none();
                    let items = result.items().unwrap_or(std::slice::from_ref(result));
                    outputs = items.iter().map(|a| self.argument(node, a, None)).collect::<Result<_, Error>>()?;
                }
                Op::CallModule | Op::CallMethod => {
                    return Err(self.wrong(node, "exported programs call functions alone".to_owned()));
                }
            }
        }
        Ok(schema::Graph {
            inputs,
            outputs,
            nodes,
            tensor_values: table(known.tensors),
            sym_int_values: table(known.ints),
            sym_bool_values: table(known.bools),
            is_single_tensor_return,
            custom_obj_values: table(known.objects),
            sym_float_values: table(known.floats),
        })
    }

    fn wrong(&self, node: &Node, what: String) -> Error {
        Error::Node {
            graph: self.path.to_owned(),
            node: node.name.clone(),
            target: node.target.clone(),
            what,
            place: node.place.0.clone(),
        }
    }

    /// Is a node one of the results of the call before it, which the document has as the call's output?
    fn is_item(&self, node: &Node) -> bool {
        let of = node.args.first().and_then(Argument::node).and_then(|of| self.module.graph.get(of));
        let is_results = of.is_some_and(|of| matches!(of.meta.val, Some(Val::Tuple(_) | Val::List(_))));
        node.target == "operator.getitem" && is_results && matches!(node.args.get(1), Some(Argument::Int(_)))
    }

    /// The node that takes a member of another's results.
    fn item(&self, of: NodeId, index: usize) -> Option<(NodeId, &Node)> {
        let graph = &self.module.graph;
        let takes = |node: &Node| {
            self.is_item(node)
                && node.args.first() == Some(&Argument::Node(of))
                && matches!(node.args.get(1), Some(Argument::Int(i)) if usize::try_from(*i) == Ok(index))
        };
        graph.users(of).filter_map(|user| Some((user, graph.get(user)?))).find(|(_, node)| takes(node))
    }

    fn call(&self, known: &mut Known, id: NodeId, node: &Node) -> Result<schema::Node, Error> {
        let operator = node.operator();
        let is_higher_order = operator.as_ref().is_some_and(|o| o.namespace == "higher_order");
        let entry = operator.as_ref().and_then(|o| sconce_schema::lookup(&o.schema_name()));
        let mut inputs = Vec::new();
        for (i, argument) in node.args.iter().enumerate() {
            let formal = entry.and_then(|e| e.schema().arguments.get(i));
            let name = match formal {
                Some(formal) => formal.name.to_string(),
                None => operand(&node.target, i).to_owned(),
            };
            let arg = self.argument(node, argument, formal.map(|f| &f.ty))?;
            inputs.push(NamedArgument { name, arg, kind: Some(ArgumentKind::Positional) });
        }
        for (name, argument) in &node.kwargs {
            let arg = self.argument(node, argument, keyword(entry, name))?;
            inputs.push(NamedArgument { name: name.clone(), arg, kind: Some(ArgumentKind::Keyword) });
        }
        let (outputs, is_single) = match &node.meta.val {
            None => (Vec::new(), None),
            Some(Val::Tuple(vals)) => {
                let each = vals.iter().enumerate().map(|(i, val)| self.result(known, node, id, i, val));
                (each.collect::<Result<_, Error>>()?, Some(false))
            }
            Some(Val::List(vals)) => (vec![self.list(known, node, id, vals)?], Some(false)),
            val @ Some(_) => {
                self.know(known, node, &node.name, val.as_ref())?;
                (vec![self.named(node, &node.name, val.as_ref())?], Some(true))
            }
        };
        Ok(schema::Node {
            target: node
                .target
                .strip_prefix("operator.")
                .map_or_else(|| node.target.clone(), |f| format!("_operator.{f}")),
            inputs,
            outputs,
            metadata: table(metadata(&node.meta)),
            is_hop_single_tensor_return: is_single.filter(|_| is_higher_order),
            name: Some(node.name.clone()),
        })
    }

    /// One of several results.
    fn result(&self, known: &mut Known, node: &Node, id: NodeId, index: usize, val: &Val) -> Result<Written, Error> {
        let item = self.item(id, index);
        match (val, item) {
            (Val::List(vals), Some((list, _))) => self.list(known, node, list, vals),
            (Val::List(vals), None) => self.list(known, node, id, vals),
            (Val::None, None) => Ok(Written::AsNone(true)),
            (_, Some((_, item))) => self.named(node, &item.name, item.meta.val.as_ref().or(Some(val))),
            (_, None) => {
                let name = unused(&node.name, index);
                self.know(known, node, &name, Some(val))?;
                self.named(node, &name, Some(val))
            }
        }
    }

    /// A list of results.
    fn list(&self, known: &mut Known, node: &Node, id: NodeId, vals: &[Val]) -> Result<Written, Error> {
        let mut members = Vec::new();
        for (i, val) in vals.iter().enumerate() {
            let name = match self.item(id, i) {
                Some((_, item)) => item.name.clone(),
                None => {
                    let name = unused(&node.name, i);
                    self.know(known, node, &name, Some(val))?;
                    name
                }
            };
            members.push(self.named(node, &name, Some(val))?);
        }
        self.listed(node, members, None)
    }

    /// A value by its name.
    fn named(&self, node: &Node, name: &str, val: Option<&Val>) -> Result<Written, Error> {
        let name = name.to_owned();
        Ok(match val {
            Some(Val::Tensor(_)) => Written::AsTensor(TensorArgument { name }),
            Some(Val::SymInt(_)) => Written::AsSymInt(SymIntArgument::AsName(name)),
            Some(Val::SymFloat(_)) => Written::AsSymFloat(SymFloatArgument::AsName(name)),
            Some(Val::SymBool(_)) => Written::AsSymBool(SymBoolArgument::AsName(name)),
            Some(Val::Object(class_fqn)) => {
                Written::AsCustomObj(CustomObjArgument { name, class_fqn: class_fqn.clone() })
            }
            Some(Val::None) => Written::AsNone(true),
            Some(Val::List(_) | Val::Tuple(_)) | None => {
                return Err(self.wrong(node, format!("nothing says what kind of value `{name}` is")));
            }
        })
    }

    /// Puts what is known of a name on record.
    fn know(&self, known: &mut Known, node: &Node, name: &str, val: Option<&Val>) -> Result<(), Error> {
        let name = name.to_owned();
        match val {
            Some(Val::Tensor(meta)) => {
                let wrong = |what: String| self.wrong(node, what);
                let dtype = schema::ScalarType::of_dtype(meta.dtype)
                    .ok_or_else(|| wrong(format!("the schema has no dtype {}", meta.dtype)))?;
                let layout = schema::Layout::of_layout(meta.layout)
                    .ok_or_else(|| wrong(format!("the schema has no layout {}", meta.layout)))?;
                let sizes = |all: &[SymExpr]| all.iter().map(size).collect();
                let tensor = schema::TensorMeta {
                    dtype,
                    sizes: sizes(&meta.sizes),
                    requires_grad: meta.requires_grad,
                    device: device(&meta.device),
                    strides: sizes(&meta.strides),
                    storage_offset: size(&meta.storage_offset),
                    layout,
                };
                known.tensors.push((name, tensor));
            }
            Some(Val::SymInt(n)) => known.ints.push((name, size(n))),
            Some(Val::SymFloat(SymExpr::Float(x))) => known.floats.push((name, schema::SymFloat::AsFloat(Float(*x)))),
            Some(Val::SymFloat(x)) => known.floats.push((name, schema::SymFloat::AsExpr(expression(x)))),
            Some(Val::SymBool(SymExpr::Bool(b))) => known.bools.push((name, schema::SymBool::AsBool(*b))),
            Some(Val::SymBool(b)) => known.bools.push((name, schema::SymBool::AsExpr(expression(b)))),
            Some(Val::Object(class_fqn)) => {
                let object = CustomObjArgument { name: name.clone(), class_fqn: class_fqn.clone() };
                known.objects.push((name, object));
            }
            Some(Val::List(_) | Val::Tuple(_) | Val::None) | None => {}
        }
        Ok(())
    }

    /// An argument; `ty` is what the schema says of it.
    fn argument(&self, node: &Node, argument: &Argument, ty: Option<&Type>) -> Result<Written, Error> {
        let graph = &self.module.graph;
        Ok(match argument {
            Argument::Node(id) => {
                let of = graph.get(*id).ok_or_else(|| self.wrong(node, "an argument was erased".to_owned()))?;
                match (of.op, &of.meta.val) {
                    (Op::GetAttr, _) => Written::AsGraph(self.nested(node, &of.target)?),
                    (_, Some(Val::List(vals))) => {
                        let members = vals.iter().enumerate().map(|(i, val)| match self.item(*id, i) {
                            Some((_, item)) => self.named(node, &item.name, Some(val)),
                            None => self.named(node, &unused(&of.name, i), Some(val)),
                        });
                        self.listed(node, members.collect::<Result<_, Error>>()?, ty)?
                    }
                    (_, val) => self.named(node, &of.name, val.as_ref())?,
                }
            }
            Argument::None => Written::AsNone(true),
            Argument::Bool(b) => Written::AsBool(*b),
            Argument::Int(n) => Written::AsInt(*n),
            Argument::Float(x) => Written::AsFloat(Float(*x)),
            Argument::Complex(re, im) => Written::AsComplex(ComplexValue { real: Float(*re), imag: Float(*im) }),
            Argument::Str(text) => Written::AsString(text.clone()),
            Argument::DType(dtype) => Written::AsScalarType(
                schema::ScalarType::of_dtype(*dtype)
                    .ok_or_else(|| self.wrong(node, format!("the schema has no dtype {dtype}")))?,
            ),
            Argument::Device(d) => Written::AsDevice(device(d)),
            Argument::Layout(layout) => Written::AsLayout(
                schema::Layout::of_layout(*layout)
                    .ok_or_else(|| self.wrong(node, format!("the schema has no layout {layout}")))?,
            ),
            Argument::MemoryFormat(format) => Written::AsMemoryFormat(schema::MemoryFormat::of_format(*format)),
            Argument::Operator(operator) => Written::AsOperator(format!("torch.ops.{operator}")),
            Argument::List(items) | Argument::Tuple(items) => {
                let element = ty.and_then(element);
                let members = items.iter().map(|item| self.argument(node, item, element));
                self.listed(node, members.collect::<Result<_, Error>>()?, ty)?
            }
            Argument::Dict(entries) => {
                let mut out = Vec::new();
                for (key, value) in entries {
                    let Argument::Str(key) = key else {
                        return Err(self.wrong(node, "a dict of an argument has a key that is no string".to_owned()));
                    };
                    out.push((key.clone(), self.argument(node, value, None)?));
                }
                Written::AsStringToArgument(table(out))
            }
            Argument::Slice(_) | Argument::Ellipsis => {
                return Err(self.wrong(node, "slices and `...` are no arguments of exported programs".to_owned()));
            }
        })
    }

    /// A list by what its members are.
    fn listed(&self, node: &Node, members: Vec<Written>, ty: Option<&Type>) -> Result<Written, Error> {
        let is_optional = matches!(ty.and_then(element), Some(Type::Optional(inner)) if inner.is_tensor());
        let has = |is: fn(&Written) -> bool| members.iter().any(is);
        if members.is_empty() {
            return Ok(match ty.and_then(element) {
                Some(Type::Optional(_)) => Written::AsOptionalTensors(Vec::new()),
                Some(Type::Int | Type::SymInt) => Written::AsInts(Vec::new()),
                Some(Type::Float) => Written::AsFloats(Vec::new()),
                Some(Type::Bool) => Written::AsBools(Vec::new()),
                Some(Type::Str) => Written::AsStrings(Vec::new()),
                _ => Written::AsTensors(Vec::new()),
            });
        }
        let wrong = || self.wrong(node, "the schema has no list of such members".to_owned());
        fn all<T>(members: Vec<Written>, each: impl Fn(Written) -> Option<T>) -> Option<Vec<T>> {
            members.into_iter().map(each).collect()
        }
        if has(|m| matches!(m, Written::AsTensor(_))) {
            let optional = is_optional || has(|m| matches!(m, Written::AsNone(_)));
            return if optional {
                all(members, optional_tensor).map(Written::AsOptionalTensors)
            } else {
                all(members, tensor).map(Written::AsTensors)
            }
            .ok_or_else(wrong);
        }
        let list = match members.first() {
            Some(Written::AsNone(_)) => all(members, optional_tensor).map(Written::AsOptionalTensors),
            _ if has(|m| matches!(m, Written::AsSymInt(_))) => all(members, sym_int).map(Written::AsSymInts),
            _ if has(|m| matches!(m, Written::AsSymFloat(_))) => all(members, sym_float).map(Written::AsSymFloats),
            _ if has(|m| matches!(m, Written::AsSymBool(_))) => all(members, sym_bool).map(Written::AsSymBools),
            _ if has(|m| matches!(m, Written::AsFloat(_))) => all(members, float).map(Written::AsFloats),
            Some(Written::AsInt(_)) => {
                all(members, |m| if let Written::AsInt(n) = m { Some(n) } else { None }).map(Written::AsInts)
            }
            Some(Written::AsBool(_)) => {
                all(members, |m| if let Written::AsBool(b) = m { Some(b) } else { None }).map(Written::AsBools)
            }
            Some(Written::AsString(_)) => {
                all(members, |m| if let Written::AsString(s) = m { Some(s) } else { None }).map(Written::AsStrings)
            }
            Some(Written::AsTensors(_)) => all(members, |m| if let Written::AsTensors(t) = m { Some(t) } else { None })
                .map(Written::AsNestedTensors),
            Some(Written::AsInts(_)) => {
                all(members, |m| if let Written::AsInts(n) = m { Some(n) } else { None }).map(Written::AsIntLists)
            }
            Some(Written::AsFloats(_)) => {
                all(members, |m| if let Written::AsFloats(x) = m { Some(x) } else { None }).map(Written::AsFloatLists)
            }
            _ => None,
        };
        list.ok_or_else(wrong)
    }

    /// A graph inside of this one.
    fn nested(&self, node: &Node, target: &str) -> Result<GraphArgument, Error> {
        let inner = self.module.submodules.get(target);
        let inner = inner.ok_or_else(|| self.wrong(node, format!("there is no graph `{target}`")))?;
        let path = if self.path.is_empty() { target.to_owned() } else { format!("{}.{target}", self.path) };
        let graph = Writing { module: inner, path: &path }.graph()?;
        Ok(GraphArgument { name: target.to_owned(), graph: Box::new(graph) })
    }
}

/// What documents call the operands of a function that has no schema: those of two numbers have letters, others no name.
fn operand(target: &str, index: usize) -> &'static str {
    match (target.starts_with("operator."), index) {
        (true, 0) => "a",
        (true, 1) => "b",
        _ => "",
    }
}

/// The name of a result that nothing uses; no other node has it, because nodes are numbered behind their own names.
fn unused(node: &str, index: usize) -> String {
    format!("{node}_unused_{index}")
}

fn keyword<'e>(entry: Option<&'e OpEntry>, name: &str) -> Option<&'e Type> {
    entry?.schema().arguments.iter().find(|a| *a.name == *name).map(|a| &a.ty)
}

/// The type of a list's members.
fn element(ty: &Type) -> Option<&Type> {
    match ty {
        Type::List(element) => Some(element),
        Type::Optional(inner) => element(inner),
        _ => None,
    }
}

fn size(size: &SymExpr) -> schema::SymInt {
    match size {
        SymExpr::Int(n) => schema::SymInt::AsInt(*n),
        other => schema::SymInt::AsExpr(expression(other)),
    }
}

fn expression(e: &SymExpr) -> schema::SymExpr {
    let hint: Option<SymExprHint> = None;
    schema::SymExpr { expr_str: e.srepr(), hint }
}

fn device(device: &sconce_schema::types::Device) -> schema::Device {
    schema::Device { kind: device.kind.to_string(), index: device.index.map(i64::from) }
}

fn tensor(member: Written) -> Option<TensorArgument> {
    if let Written::AsTensor(t) = member { Some(t) } else { None }
}

fn optional_tensor(member: Written) -> Option<OptionalTensorArgument> {
    match member {
        Written::AsTensor(t) => Some(OptionalTensorArgument::AsTensor(t)),
        Written::AsNone(none) => Some(OptionalTensorArgument::AsNone(none)),
        _ => None,
    }
}

fn sym_int(member: Written) -> Option<SymIntArgument> {
    match member {
        Written::AsSymInt(n) => Some(n),
        Written::AsInt(n) => Some(SymIntArgument::AsInt(n)),
        _ => None,
    }
}

fn sym_float(member: Written) -> Option<SymFloatArgument> {
    match member {
        Written::AsSymFloat(x) => Some(x),
        Written::AsFloat(x) => Some(SymFloatArgument::AsFloat(x)),
        _ => None,
    }
}

fn sym_bool(member: Written) -> Option<SymBoolArgument> {
    match member {
        Written::AsSymBool(b) => Some(b),
        Written::AsBool(b) => Some(SymBoolArgument::AsBool(b)),
        _ => None,
    }
}

/// A float; lists of floats may hold integers.
fn float(member: Written) -> Option<Float> {
    match member {
        Written::AsFloat(x) => Some(x),
        Written::AsInt(n) => Some(Float(n as f64)),
        _ => None,
    }
}

/// The metadata that a node has, as text.
fn metadata(meta: &Meta) -> Entries<String> {
    let mut out = Entries::new();
    if let Some(trace) = &meta.stack_trace {
        out.push(("stack_trace".to_owned(), trace.clone()));
    }
    if !meta.nn_module_stack.is_empty() {
        let frames = meta.nn_module_stack.iter().map(|f| format!("{},{},{}", f.key, f.path, f.class));
        out.push(("nn_module_stack".to_owned(), frames.collect::<Vec<_>>().join(";")));
    }
    if !meta.source_fn_stack.is_empty() {
        let functions = meta.source_fn_stack.iter().map(|f| format!("{},{}", f.name, f.target));
        out.push(("source_fn_stack".to_owned(), functions.collect::<Vec<_>>().join(";")));
    }
    if let Some((name, function)) = &meta.torch_fn {
        out.push(("torch_fn".to_owned(), format!("{name};{function}")));
    }
    out.extend(meta.custom.iter().map(|(key, text)| (key.clone(), text.clone())));
    out
}
