//! The nodes of an FX graph are put into a block one after the other, each with the place where the user wrote it; a graph inside is put where it is called.

use super::place::{Places, scope};
use crate::Error;
use rustc_hash::FxHashMap;
use sconce_fx::{Argument, GraphModule, Node, NodeId, Op};
use sconce_graph::graph::{BlockId, Graph, Point, ValueId};
use sconce_graph::insert::Arg;
use sconce_schema::{DType, Type};
use sconce_tensor::IValue;

/// What an FX node became.
#[derive(Clone, Debug)]
pub(super) enum Lowering {
    Value(ValueId),
    /// What no value of the graph need stand for.
    Constant(IValue),
    /// The results of a call that has several.
    Several(Vec<Lowering>),
    /// A graph inside, by its name.
    Graph(String),
}

/// An FX graph that is put into the current block of a graph.
pub(super) struct Body<'a> {
    pub graph: &'a mut Graph,
    pub module: &'a GraphModule,
    /// Of the graph inside the root.
    pub path: String,
    values: FxHashMap<NodeId, Lowering>,
    places: Places,
    /// The dtype that is computed in where autocast is on.
    pub autocast: Option<DType>,
    /// How many nodes were put so far, those of graphs inside each time that they are put.
    put: usize,
}

/// How many nodes are put at most: a graph inside may be put more than once, and graphs inside of it each time.
const MAX_NODES: usize = 1 << 22;

impl<'a> Body<'a> {
    pub fn new(graph: &'a mut Graph, module: &'a GraphModule, path: String) -> Body<'a> {
        Body { graph, module, path, values: FxHashMap::default(), places: Places::default(), autocast: None, put: 0 }
    }

    pub fn set(&mut self, node: NodeId, lowered: Lowering) {
        self.values.insert(node, lowered);
    }

    /// An error about a node.
    pub fn wrong(&self, node: &Node, what: impl Into<String>) -> Error {
        Error::Node {
            graph: self.path.clone(),
            node: node.name.clone(),
            target: node.target.clone(),
            what: what.into(),
            place: self.places.clone().of(&node.meta),
        }
    }

    fn wrong_graph(&self, what: impl Into<String>) -> Error {
        Error::Graph { graph: self.path.clone(), what: what.into() }
    }

    /// Puts all nodes but the inputs and the output.
    pub fn nodes(&mut self) -> Result<(), Error> {
        let nodes: Vec<(NodeId, &'a Node)> = self.module.graph.nodes().collect();
        self.row(&nodes)
    }

    /// Puts nodes that follow each other.
    pub fn row(&mut self, nodes: &[(NodeId, &'a Node)]) -> Result<(), Error> {
        let mut rest = nodes;
        while let Some(((id, node), behind)) = rest.split_first() {
            rest = behind;
            self.put += 1;
            if self.put > MAX_NODES {
                return Err(
                    self.wrong_graph(format!("with what its graphs inside put it has more than {MAX_NODES} nodes"))
                );
            }
            match node.op {
                Op::Placeholder if self.values.contains_key(id) => {}
                Op::Placeholder => return Err(self.wrong(node, "no value is given for this input")),
                Op::Output => {}
                Op::GetAttr => self.set(*id, Lowering::Graph(node.target.clone())),
                Op::CallFunction if super::vmap::begins(node) => {
                    let length = super::vmap::length(behind).ok_or_else(|| {
                        self.wrong(node, "nothing ends what begins here: torch._functorch.predispatch._vmap_decrement_nesting is missing")
                    })?;
                    let (inner, after) = behind.split_at(length);
                    self.placed(node, |body| super::vmap::batched(body, node, inner))?;
                    rest = after;
                }
                Op::CallFunction => {
                    let lowered = self.placed(node, |body| body.call(*id, node))?;
                    self.set(*id, lowered);
                }
                Op::CallModule | Op::CallMethod => {
                    return Err(self.wrong(node, format!("an exported program has no {} nodes", node.op)));
                }
            }
        }
        Ok(())
    }

    /// What is put by a function gets the place of an FX node.
    fn placed<T>(&mut self, node: &Node, put: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let block = self.block();
        let before = self.graph.last_node(block);
        let result = put(self)?;
        let first = before.map_or(self.graph.first_node(block), |n| self.graph.next_node(n));
        let place = self.places.of(&node.meta);
        let scope = scope(&node.meta);
        let mut at = first;
        while let Some(made) = at {
            if self.graph.loc(made).is_none() {
                self.graph.set_loc(made, place.clone());
                self.graph.set_scope(made, scope.as_deref());
            }
            at = self.graph.next_node(made);
        }
        Ok(result)
    }

    /// The block that nodes are put into.
    pub fn block(&self) -> BlockId {
        match self.graph.insert_point() {
            Point::End(block) => block,
            Point::Before(node) => self.graph.owner(node).unwrap_or(self.graph.root()),
        }
    }

    /// Puts nodes into another block.
    pub fn within<T>(&mut self, block: BlockId, put: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let before = self.graph.insert_point();
        self.graph.set_insert_point(Point::End(block));
        let result = put(self);
        self.graph.set_insert_point(before);
        result
    }

    /// The graph inside that an argument names.
    pub fn inner(&self, node: &Node, argument: Option<&Argument>) -> Result<&'a GraphModule, Error> {
        let named = argument.and_then(Argument::node).and_then(|id| self.values.get(&id));
        match named {
            Some(Lowering::Graph(name)) => {
                let inner = self.module.submodule(name);
                inner.ok_or_else(|| {
                    let path = if self.path.is_empty() { name.clone() } else { format!("{}.{name}", self.path) };
                    // An archive has all graphs; a text may have them.
                    let next = node.place.0.as_ref().map_or_else(String::new, |_| {
                        format!(" in the text: put what PyTorch prints of it (print(ep.graph_module.{path}.graph)) behind it, below a line `## {path}`, or take the .pt2, which has all")
                    });
                    self.wrong(node, format!("there is no graph `{path}`{next}"))
                })
            }
            _ => Err(self.wrong(node, "an argument that must be a graph is none")),
        }
    }

    /// Puts a graph with arguments for its inputs, and gives its outputs.
    ///
    /// # Errors
    /// As many arguments as it has not; what its nodes refuse.
    pub fn inline(&mut self, inner: &GraphModule, arguments: &[Lowering]) -> Result<Vec<Lowering>, Error> {
        let path =
            if self.path.is_empty() { inner.class_name.clone() } else { format!("{}.{}", self.path, inner.class_name) };
        let mut body = Body::new(self.graph, inner, path);
        (body.places, body.autocast, body.put) = (std::mem::take(&mut self.places), self.autocast, self.put);
        let inputs: Vec<NodeId> = inner.graph.placeholders().map(|(id, _)| id).collect();
        if inputs.len() != arguments.len() {
            let what = format!("it has {} inputs, and {} arguments are given", inputs.len(), arguments.len());
            return Err(body.wrong_graph(what));
        }
        inputs.into_iter().zip(arguments).for_each(|(id, value)| body.set(id, value.clone()));
        body.nodes()?;
        let outputs = match inner.graph.output() {
            Some(Argument::Tuple(items) | Argument::List(items)) => {
                items.iter().map(|o| body.lowering(o)).collect::<Result<_, Error>>()?
            }
            Some(one) => vec![body.lowering(one)?],
            None => return Err(body.wrong_graph("it has no output")),
        };
        (self.places, self.put) = (body.places, body.put);
        Ok(outputs)
    }

    /// What an argument is.
    pub fn lowering(&mut self, argument: &Argument) -> Result<Lowering, Error> {
        if let Some(id) = argument.node() {
            return match self.values.get(&id) {
                Some(lowered) => Ok(lowered.clone()),
                None => Err(self.wrong_graph(format!("`{}` is used before it is given", self.module.graph[id].name))),
            };
        }
        Ok(match self.argument(argument, None)? {
            Arg::Value(value) => Lowering::Value(value),
            Arg::Constant(value) => Lowering::Constant(value),
        })
    }

    /// The value of the graph that an argument is.
    pub fn value(&mut self, argument: &Argument) -> Result<ValueId, Error> {
        let lowered = self.lowering(argument)?;
        self.value_of(&lowered)
    }

    /// The value of the graph that something became.
    pub fn value_of(&mut self, lowered: &Lowering) -> Result<ValueId, Error> {
        match lowered {
            Lowering::Value(value) => Ok(*value),
            Lowering::Constant(value) => Ok(self.graph.insert_constant(value.clone())),
            Lowering::Several(all) => {
                let values = all.iter().map(|l| self.value_of(l)).collect::<Result<Vec<_>, Error>>()?;
                let ty = Type::Tuple(values.iter().map(|v| self.graph.ty(*v).clone()).collect());
                Ok(self.graph.insert_value("prim::TupleConstruct", &values, ty))
            }
            Lowering::Graph(name) => Err(self.wrong_graph(format!("the graph `{name}` is used as a value"))),
        }
    }

    /// An argument of a call; `formal` is the type that it is to have, which decides what an empty list holds and whether `1` is a float.
    pub fn argument(&mut self, argument: &Argument, formal: Option<&Type>) -> Result<Arg, Error> {
        let wanted = formal.map(|ty| if let Type::Optional(inner) = ty { inner } else { ty });
        let is_float = matches!(wanted, Some(Type::Float | Type::SymFloat));
        let constant = |value: IValue| Ok(Arg::Constant(value));
        match argument {
            Argument::Node(_) => {
                let lowered = self.lowering(argument)?;
                match (lowered, wanted) {
                    (Lowering::Constant(value), _) => constant(value),
                    (other, _) => {
                        let value = self.value_of(&other)?;
                        match (is_float, self.graph.ty(value)) {
                            (true, Type::Int | Type::Bool) => {
                                self.scalar("aten::Float", &[value.into()]).map(Arg::Value)
                            }
                            _ => Ok(Arg::Value(value)),
                        }
                    }
                }
            }
            Argument::None => constant(IValue::None),
            Argument::Bool(b) if is_float => constant(IValue::Double(f64::from(u8::from(*b)))),
            Argument::Bool(b) if matches!(wanted, Some(Type::Int | Type::SymInt)) => {
                constant(IValue::Int(i64::from(*b)))
            }
            Argument::Bool(b) => constant(IValue::Bool(*b)),
            Argument::Int(n) if is_float => constant(IValue::Double(*n as f64)),
            Argument::Int(n) => constant(IValue::Int(*n)),
            Argument::Float(x) => constant(IValue::Double(*x)),
            Argument::Complex(re, im) => constant(IValue::complex(*re, *im)),
            Argument::Str(s) => constant(IValue::str(s.as_str())),
            Argument::DType(dtype) => constant(IValue::Int(dtype.number())),
            Argument::Device(device) => constant(IValue::Device(device.clone().into())),
            Argument::Layout(layout) => constant(IValue::Int(layout.number())),
            Argument::MemoryFormat(format) => constant(IValue::Int(format.number())),
            Argument::List(items) | Argument::Tuple(items) => self.list(items, wanted),
            Argument::Operator(name) => Err(self.wrong_graph(format!("the operator {name} is used as a value"))),
            Argument::Dict(_) | Argument::Slice(_) | Argument::Ellipsis => {
                Err(self.wrong_graph(format!("no operator takes the argument {argument:?}")))
            }
        }
    }

    fn list(&mut self, items: &[Argument], wanted: Option<&Type>) -> Result<Arg, Error> {
        let element = if let Some(Type::List(element)) = wanted { Some(&**element) } else { None };
        let args = items.iter().map(|item| self.argument(item, element)).collect::<Result<Vec<Arg>, Error>>()?;
        let types: Vec<Type> = args.iter().map(|a| self.type_of(a)).collect();
        let joined = match Type::unify_all(types.iter()) {
            Some(ty) => ty,
            None if types.is_empty() => Type::Int,
            None => return Err(self.wrong_graph(format!("a list of {} has no type", shown(&types)))),
        };
        // What the operator takes decides, where it says more than the items do.
        let ty = match element {
            Some(Type::SymInt) => Type::Int,
            Some(Type::SymFloat) => Type::Float,
            Some(wanted)
                if types.is_empty()
                    || !wanted.has_variables() && joined.fits(wanted, &mut Default::default()).is_ok() =>
            {
                if *wanted == Type::Number { joined } else { wanted.clone() }
            }
            _ => joined,
        };
        let plain = args.iter().map(|a| if let Arg::Constant(v) = a { Some(v.clone()) } else { None });
        let is_plain = matches!(ty, Type::Int | Type::Float | Type::Bool | Type::Str | Type::Complex);
        match plain.collect::<Option<Vec<IValue>>>().filter(|_| is_plain) {
            Some(values) => Ok(Arg::Constant(IValue::list(ty, values))),
            None => {
                let values: Vec<ValueId> = args.into_iter().map(|a| self.operand(a)).collect();
                Ok(Arg::Value(self.graph.insert_value("prim::ListConstruct", &values, Type::list(ty))))
            }
        }
    }

    /// The value of an argument of a call.
    pub fn operand(&mut self, arg: Arg) -> ValueId {
        match arg {
            Arg::Value(value) => value,
            Arg::Constant(value) => self.graph.insert_constant(value),
        }
    }
}

fn shown(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}
