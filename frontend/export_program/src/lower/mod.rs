//! An exported program becomes a unit of TorchScript: a module whose attributes are the state by its own names, and a `forward` from leaves to leaves.
//!
//! What the graph says of its inputs is said by the signature of `forward`: constants are none of its parameters, and what functionalisation made an output
//! (what buffers and inputs hold afterwards) is written back, as `ExportedProgram.module()` does.

mod autocast;
mod body;
mod call;
mod control;
mod place;
mod vmap;

use crate::Error;
use crate::program::{ExportedProgram, Stored, StoredAs};
use crate::schema::{InputSpec, OutputSpec};
use body::{Body, Lowering};
pub(crate) use call::python_function;
use indexmap::IndexMap;
use sconce_fx::{Argument, GraphModule, Meta, NodeId, Val};
use sconce_graph::graph::{Attr, Graph, ValueId};
use sconce_graph::unit::{Attribute, AttributeKind, Class, ClassKind, Function, Unit};
use sconce_schema::Type;
use sconce_tensor::{IValue, Object};
use std::sync::Arc;

/// A program as a unit and its module.
pub struct Lowered {
    pub unit: Unit,
    /// The module, with the program's state.
    pub module: Arc<Object>,
}

/// What the classes of modules are called; all but the first are mangled as PyTorch does.
const CLASS: &str = "ExportedModule";

impl Lowered {
    /// The unit of a program.
    ///
    /// # Errors
    /// An operator or function that nobody knows, arguments that it does not take, a name of the state that no attribute can have.
    pub fn new(program: &ExportedProgram) -> Result<Lowered, Error> {
        let mut classes = Classes::default();
        let mut tree = Tree::default();
        for (name, stored) in &program.state {
            tree.put(name, stored).map_err(|what| wrong(format!("the state `{name}`: {what}")))?;
        }
        let module = classes.module(&tree);
        let mut unit = Unit { classes: classes.made, ..Unit::default() };
        let forward = forward(program, &module.class, &unit)?;
        unit.entry = Some(forward.name.clone());
        if let Some(class) = unit.classes.get_mut(&module.class) {
            class.methods.push("forward".into());
        }
        unit.functions.insert(forward.name.clone(), forward);
        Ok(Lowered { unit, module })
    }
}

fn wrong(what: String) -> Error {
    Error::Graph { graph: String::new(), what }
}

/// The state as a tree of modules.
#[derive(Default)]
struct Tree<'p>(IndexMap<&'p str, Member<'p>>);

enum Member<'p> {
    Tensor(&'p Stored),
    Module(Tree<'p>),
}

/// Modules inside of modules.
const MAX_DEPTH: usize = 128;

impl<'p> Tree<'p> {
    fn put(&mut self, name: &'p str, stored: &'p Stored) -> Result<(), String> {
        let parts: Vec<&str> = name.split('.').collect();
        let Some((last, path)) = parts.split_last() else { return Err("it has no name".to_owned()) };
        if path.len() > MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} modules inside of each other"));
        }
        let mut tree = self;
        for part in path {
            // Each part is looked at below, once it is the last.
            let inner = tree.0.entry(part).or_insert_with(|| Member::Module(Tree::default()));
            tree = match inner {
                Member::Module(inner) => inner,
                Member::Tensor(_) => return Err(format!("`{part}` is a tensor and a module")),
            };
        }
        let is_name = |part: &&&str| !part.is_empty() && !part.chars().any(|c| c.is_control() || c == '"' || c == '\\');
        if parts.iter().filter(is_name).count() != parts.len() {
            return Err("a part of it is no name of an attribute".to_owned());
        }
        match tree.0.insert(last, Member::Tensor(stored)) {
            None => Ok(()),
            Some(_) => Err("it stands twice, or is a module too".to_owned()),
        }
    }
}

/// The classes that were made.
#[derive(Default)]
struct Classes {
    made: IndexMap<Arc<str>, Class>,
}

impl Classes {
    fn module(&mut self, tree: &Tree<'_>) -> Arc<Object> {
        let name: Arc<str> = match self.made.len() {
            0 => format!("__torch__.{CLASS}").into(),
            n => format!("__torch__.___torch_mangle_{}.{CLASS}", n - 1).into(),
        };
        // Its place among the classes is before those of its members.
        self.made.insert(name.clone(), Class::new(name.clone(), ClassKind::Module));
        let mut class = Class::new(name.clone(), ClassKind::Module);
        let mut values = Vec::new();
        for (attribute, member) in &tree.0 {
            let (ty, kind, value) = match member {
                Member::Tensor(stored) => {
                    let kind = match stored.stored_as {
                        StoredAs::Parameter => AttributeKind::Parameter,
                        StoredAs::Buffer { persistent: true } => AttributeKind::Buffer,
                        StoredAs::Buffer { persistent: false } | StoredAs::Constant => AttributeKind::Plain,
                    };
                    (Type::tensor(), kind, IValue::Tensor(stored.tensor.clone()))
                }
                Member::Module(inner) => {
                    let object = self.module(inner);
                    (Type::Class(object.class.clone()), AttributeKind::Plain, IValue::Object(object))
                }
            };
            class.attributes.push(Attribute { name: (*attribute).into(), ty, kind });
            values.push(value);
        }
        let flag = Attribute { name: "training".into(), ty: Type::Bool, kind: AttributeKind::Plain };
        if class.attribute(&flag.name).is_none() {
            class.attributes.push(flag);
            values.push(IValue::Bool(false));
        }
        let names: Arc<[Arc<str>]> = class.attributes.iter().map(|a| a.name.clone()).collect();
        let object = Object::new(name.clone(), names);
        values.into_iter().enumerate().for_each(|(slot, value)| _ = object.set(slot, value));
        self.made.insert(name, class);
        object
    }
}

/// The type of an input, by what is known of it.
fn input_type(meta: &Meta) -> Type {
    match &meta.val {
        Some(Val::SymInt(_)) => Type::Int,
        Some(Val::SymFloat(_)) => Type::Float,
        Some(Val::SymBool(_)) => Type::Bool,
        _ => Type::tensor(),
    }
}

fn forward(program: &ExportedProgram, class: &Arc<str>, unit: &Unit) -> Result<Function, Error> {
    let module = &program.graph_module;
    let mut graph = Graph::new();
    let root = graph.root();
    let this = graph.add_input(root, Some("self"), Type::Class(class.clone()));
    let mut state: IndexMap<&str, ValueId> = IndexMap::new();
    let mut inputs: Vec<(NodeId, Lowering)> = Vec::new();
    let mut user: IndexMap<&str, ValueId> = IndexMap::new();
    for ((id, node), spec) in module.graph.placeholders().zip(&program.signature.input_specs) {
        let lowered = match spec {
            InputSpec::UserInput(_) => {
                let value = graph.add_input(root, Some(&node.name), input_type(&node.meta));
                user.insert(&node.name, value);
                Lowering::Value(value)
            }
            InputSpec::Parameter(p) => {
                Lowering::Value(attribute(&mut graph, unit, this, &p.parameter_name, &mut state))
            }
            InputSpec::Buffer(b) => Lowering::Value(attribute(&mut graph, unit, this, &b.buffer_name, &mut state)),
            InputSpec::TensorConstant(c) => {
                Lowering::Value(attribute(&mut graph, unit, this, &c.tensor_constant_name, &mut state))
            }
            InputSpec::ConstantInput(constant) => Lowering::Constant(crate::boundary::constant(&constant.value)),
            InputSpec::Token(_) => Lowering::Constant(IValue::None),
            InputSpec::CustomObj(object) => {
                let what = format!(
                    "the input `{}` is an object of the C++ class {}, which is not supported",
                    object.custom_obj_name, object.arg.class_fqn
                );
                return Err(wrong(what));
            }
        };
        inputs.push((id, lowered));
    }
    let mut body = Body::new(&mut graph, module, String::new());
    inputs.into_iter().for_each(|(id, lowered)| body.set(id, lowered));
    body.nodes()?;
    let outputs = match module.graph.output() {
        Some(Argument::Tuple(outputs)) => outputs.clone(),
        Some(one) => vec![one.clone()],
        None => Vec::new(),
    };
    let mut results = Vec::new();
    // What is written back is computed before anything is.
    let mut writes = Vec::new();
    for (output, spec) in outputs.iter().zip(&program.signature.output_specs) {
        let target = match spec {
            OutputSpec::UserOutput(_) | OutputSpec::LossOutput(_) => {
                let value = body.value(output)?;
                results.push((output.node(), value));
                continue;
            }
            OutputSpec::BufferMutation(m) => state.get(m.buffer_name.as_str()).copied().ok_or(&m.buffer_name),
            OutputSpec::ParameterMutation(m) => state.get(m.parameter_name.as_str()).copied().ok_or(&m.parameter_name),
            OutputSpec::UserInputMutation(m) => user.get(m.user_input_name.as_str()).copied().ok_or(&m.user_input_name),
            OutputSpec::Token(_) => continue,
            OutputSpec::GradientToParameter(_) | OutputSpec::GradientToUserInput(_) => {
                return Err(wrong(
                    "an output is a gradient: a program of a whole training step is not supported, export its forward"
                        .to_owned(),
                ));
            }
        };
        let target =
            target.map_err(|name| wrong(format!("an output is what `{name}` holds afterwards, which is no input")))?;
        writes.push((output.node(), target, body.value(output)?));
    }
    // What one write takes from what an earlier one writes to is kept before both.
    for i in 0..writes.len() {
        let (earlier, rest) = writes.split_at_mut(i);
        if let Some((_, _, value)) = rest.first_mut()
            && earlier.iter().any(|(_, target, _)| target == value)
        {
            *value = body.scalar("aten::clone", &[(*value).into()])?;
        }
    }
    for (_, target, value) in &writes {
        body.write(*target, *value)?;
    }
    // A result that is written somewhere, too, is what it was written to: it may itself have been written to meanwhile.
    let results: Vec<ValueId> = (results.into_iter())
        .map(|(node, value)| {
            let written = writes.iter().find(|(source, ..)| source.is_some() && *source == node);
            written.map_or(value, |(_, target, _)| *target)
        })
        .collect();
    let result = match &results[..] {
        [one] => *one,
        several => tuple(&mut graph, several),
    };
    returning(graph, result, format!("{class}.forward"))
}

/// A graph that stands alone, as text does, as a function: its inputs are all that it is given.
///
/// # Errors
/// As for [`Lowered::new`], with places in the text.
pub fn function(module: &GraphModule, name: &str) -> Result<Function, Error> {
    alone(module, name).map_err(|e| e.in_text(module))
}

fn alone(module: &GraphModule, name: &str) -> Result<Function, Error> {
    let mut graph = Graph::new();
    let root = graph.root();
    let mut inputs = Vec::new();
    for (id, node) in module.graph.placeholders() {
        inputs.push((id, graph.add_input(root, Some(&node.name), input_type(&node.meta))));
    }
    let mut body = Body::new(&mut graph, module, String::new());
    inputs.into_iter().for_each(|(id, value)| body.set(id, Lowering::Value(value)));
    body.nodes()?;
    let result = match module.graph.output() {
        Some(Argument::Tuple(outputs)) => {
            let results = outputs.iter().map(|output| body.value(output)).collect::<Result<Vec<_>, Error>>()?;
            tuple(&mut graph, &results)
        }
        Some(one) => body.value(one)?,
        None => return Err(wrong("it has no output".to_owned())),
    };
    returning(graph, result, name.to_owned())
}

fn tuple(graph: &mut Graph, values: &[ValueId]) -> ValueId {
    let ty = Type::Tuple(values.iter().map(|v| graph.ty(*v).clone()).collect());
    graph.insert_value("prim::TupleConstruct", values, ty)
}

fn returning(mut graph: Graph, result: ValueId, name: String) -> Result<Function, Error> {
    graph.set_block_outputs(graph.root(), &[result]);
    sconce_graph::lint::lint(&graph).map_err(|finding| wrong(finding.to_string()))?;
    Ok(Function::of_graph(name.into(), graph))
}

/// An attribute of the state; each module on the way to it is got once.
fn attribute<'p>(
    graph: &mut Graph,
    unit: &Unit,
    this: ValueId,
    name: &'p str,
    known: &mut IndexMap<&'p str, ValueId>,
) -> ValueId {
    if let Some(value) = known.get(name) {
        return *value;
    }
    let (object, last) = match name.rsplit_once('.') {
        Some((path, last)) => (attribute(graph, unit, this, path, known), last),
        None => (this, name),
    };
    let class = if let Type::Class(class) = graph.ty(object) { unit.classes.get(class) } else { None };
    let ty = class.and_then(|c| c.attribute(last)).map_or(Type::tensor(), |a| a.ty.clone());
    let value = graph.insert_value("prim::GetAttr", &[object], ty);
    if let Some(node) = graph.defining(value) {
        graph.set_attr(node, "name", Attr::Str(last.into()));
    }
    known.insert(name, value);
    value
}
