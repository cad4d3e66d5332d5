//! Nodes in order, and on exact record which node uses which: every handle in an argument is of this graph, and every name is one node's.

use crate::{Argument, Meta, OperatorName};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use sconce_source::Loc;
use std::fmt;
use std::ops::Index;

/// A node of one graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(crate) u32);

/// What a node is (`Node.op`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    /// An input; the target is the parameter's name, an argument its default value.
    Placeholder,
    /// What the module's attribute of this path is.
    GetAttr,
    /// A call of a function with the target's name.
    CallFunction,
    /// A call of the submodule at the target's path. Exported programs have none.
    CallModule,
    /// A call of the first argument's method. Exported programs have none.
    CallMethod,
    /// What the graph returns: its one argument.
    Output,
}

impl Op {
    pub const ALL: [Op; 6] =
        [Op::Placeholder, Op::GetAttr, Op::CallFunction, Op::CallModule, Op::CallMethod, Op::Output];

    /// PyTorch's name: `call_function`.
    pub fn as_str(self) -> &'static str {
        match self {
            Op::Placeholder => "placeholder",
            Op::GetAttr => "get_attr",
            Op::CallFunction => "call_function",
            Op::CallModule => "call_module",
            Op::CallMethod => "call_method",
            Op::Output => "output",
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A node (`torch.fx.Node`). Once it is in a graph, its arguments change by [`Graph::set_args`] only.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    pub op: Op,
    /// Without the `%`; one node's only.
    pub name: String,
    /// As text writes it: `torch.ops.aten.add.Tensor`, `operator.getitem`, the name of an input, an attribute's path.
    pub target: String,
    pub args: Vec<Argument>,
    /// In order; each name once.
    pub kwargs: Vec<(String, Argument)>,
    /// The annotation of the value (`Node.type`), which symbolic traces have.
    pub ty: Option<String>,
    pub meta: Meta,
    /// Where the node was read from, if it was read from a text.
    pub place: Place,
}

/// The place of a node in a text, if it was read from one. All are equal: graphs are compared by what they say, not by where it stood.
#[derive(Clone, Default, Debug)]
pub struct Place(pub Option<Loc>);

impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl Node {
    /// A node without arguments.
    pub fn new(op: Op, name: impl Into<String>, target: impl Into<String>) -> Node {
        Node {
            op,
            name: name.into(),
            target: target.into(),
            args: Vec::new(),
            kwargs: Vec::new(),
            ty: None,
            meta: Meta::default(),
            place: Place::default(),
        }
    }

    pub fn with_args(mut self, args: impl IntoIterator<Item = Argument>) -> Node {
        self.args = args.into_iter().collect();
        self
    }

    pub fn with_kwargs(mut self, kwargs: impl IntoIterator<Item = (String, Argument)>) -> Node {
        self.kwargs = kwargs.into_iter().collect();
        self
    }

    pub fn with_meta(mut self, meta: Meta) -> Node {
        self.meta = meta;
        self
    }

    /// The operator that a `call_function` node calls; `None` for functions of Python's.
    pub fn operator(&self) -> Option<OperatorName> {
        if self.op == Op::CallFunction { OperatorName::of_target(&self.target) } else { None }
    }

    /// All arguments, the positional ones first.
    pub fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.args.iter().chain(self.kwargs.iter().map(|(_, a)| a))
    }
}

/// Why a graph cannot be changed so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    #[error("the name `{0}` is another node's")]
    NameTaken(String),
    #[error("an argument of `{0}` is a node that the graph does not have")]
    NoSuchNode(String),
    #[error("`{node}` cannot be erased: `{user}` uses it")]
    Used { node: String, user: String },
    #[error("`{node}` is given the keyword `{keyword}` twice")]
    KeywordTwice { node: String, keyword: String },
    #[error("a graph has at most {} nodes", u32::MAX)]
    TooMany,
}

/// Nodes in order (`torch.fx.Graph`).
///
/// A graph may be wrong in what [`mod@crate::verify`] checks (its order, its output); what is on record of it is exact all the same.
#[derive(Clone, Default, Debug)]
pub struct Graph {
    /// By handle; nothing where a node was erased.
    slots: Vec<Option<Slot>>,
    order: Vec<NodeId>,
    names: FxHashMap<String, NodeId>,
    /// The number that was last given to a base name, so that each search for the next goes on there.
    numbers: FxHashMap<String, u32>,
}

#[derive(Clone, Debug)]
struct Slot {
    node: Node,
    /// Who uses it, in the order in which they began to.
    users: IndexSet<NodeId, FxBuildHasher>,
}

impl Graph {
    /// Puts a node at the end.
    ///
    /// # Errors
    /// A name that is taken, a handle of another graph, a keyword that stands twice.
    pub fn push(&mut self, node: Node) -> Result<NodeId, Error> {
        self.insert(self.order.len(), node)
    }

    /// Puts a node before another; at the end where that is not in the graph.
    ///
    /// # Errors
    /// As [`Graph::push`].
    pub fn insert_before(&mut self, before: NodeId, node: Node) -> Result<NodeId, Error> {
        let at = self.order.iter().position(|id| *id == before).unwrap_or(self.order.len());
        self.insert(at, node)
    }

    fn insert(&mut self, at: usize, node: Node) -> Result<NodeId, Error> {
        let id = NodeId(u32::try_from(self.slots.len()).map_err(|_| Error::TooMany)?);
        if self.names.contains_key(&node.name) {
            return Err(Error::NameTaken(node.name));
        }
        self.check_arguments(&node.name, &node.args, &node.kwargs)?;
        self.names.insert(node.name.clone(), id);
        self.record(id, &node, true);
        self.slots.push(Some(Slot { node, users: IndexSet::default() }));
        self.order.insert(at, id);
        Ok(id)
    }

    fn check_arguments(&self, name: &str, args: &[Argument], kwargs: &[(String, Argument)]) -> Result<(), Error> {
        let mut known = true;
        let mut seen = |id| known &= self.get(id).is_some();
        args.iter().chain(kwargs.iter().map(|(_, a)| a)).for_each(|a| a.nodes(&mut seen));
        if !known {
            return Err(Error::NoSuchNode(name.to_owned()));
        }
        let mut keywords = IndexSet::<&str, FxBuildHasher>::default();
        match kwargs.iter().find(|(keyword, _)| !keywords.insert(keyword)) {
            Some((keyword, _)) => Err(Error::KeywordTwice { node: name.to_owned(), keyword: keyword.clone() }),
            None => Ok(()),
        }
    }

    /// Puts a user of each of its arguments on record, or takes it off.
    fn record(&mut self, user: NodeId, node: &Node, uses: bool) {
        let mut used = Vec::new();
        node.arguments().for_each(|a| a.nodes(&mut |id| used.push(id)));
        for id in used {
            if let Some(slot) = self.slot_mut(id) {
                if uses {
                    slot.users.insert(user);
                } else {
                    slot.users.shift_remove(&user);
                }
            }
        }
    }

    fn slot(&self, id: NodeId) -> Option<&Slot> {
        self.slots.get(id.0 as usize)?.as_ref()
    }

    fn slot_mut(&mut self, id: NodeId) -> Option<&mut Slot> {
        self.slots.get_mut(id.0 as usize)?.as_mut()
    }

    /// Gives a node other arguments. They may name the node itself or a later one, which [`mod@crate::verify`] then refuses.
    ///
    /// # Errors
    /// A handle that is not of this graph, the node's included; a keyword that stands twice.
    pub fn set_args(&mut self, id: NodeId, args: Vec<Argument>, kwargs: Vec<(String, Argument)>) -> Result<(), Error> {
        let Some(slot) = self.slot(id) else { return Err(Error::NoSuchNode(String::new())) };
        let mut node = slot.node.clone();
        self.check_arguments(&node.name, &args, &kwargs)?;
        self.record(id, &node, false);
        (node.args, node.kwargs) = (args, kwargs);
        self.record(id, &node, true);
        if let Some(slot) = self.slot_mut(id) {
            slot.node = node;
        }
        Ok(())
    }

    /// Puts another argument in every place where a node is used (`Node.replace_all_uses_with`).
    ///
    /// # Errors
    /// An argument with a handle of another graph.
    pub fn replace_uses(&mut self, node: NodeId, with: &Argument) -> Result<(), Error> {
        let users: Vec<NodeId> = self.users(node).collect();
        for user in users {
            let Some(slot) = self.slot(user) else { continue };
            let mut to = |id| if id == node { with.clone() } else { Argument::Node(id) };
            let args = slot.node.args.iter().map(|a| a.map_nodes(&mut to)).collect();
            let kwargs = slot.node.kwargs.iter().map(|(k, a)| (k.clone(), a.map_nodes(&mut to))).collect();
            self.set_args(user, args, kwargs)?;
        }
        Ok(())
    }

    /// Takes a node out.
    ///
    /// # Errors
    /// The node is used.
    pub fn erase(&mut self, id: NodeId) -> Result<(), Error> {
        let Some(slot) = self.slot(id) else { return Ok(()) };
        if let Some(user) = slot.users.first().and_then(|user| self.get(*user)) {
            return Err(Error::Used { node: slot.node.name.clone(), user: user.name.clone() });
        }
        let node = slot.node.clone();
        self.record(id, &node, false);
        self.names.remove(&node.name);
        self.order.retain(|other| *other != id);
        if let Some(slot) = self.slots.get_mut(id.0 as usize) {
            *slot = None;
        }
        Ok(())
    }

    /// The nodes in order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> {
        self.order.iter().filter_map(|id| Some((*id, self.get(*id)?)))
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The node, unless it was erased or is another graph's.
    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.slot(id).map(|slot| &slot.node)
    }

    pub fn meta_mut(&mut self, id: NodeId) -> Option<&mut Meta> {
        self.slot_mut(id).map(|slot| &mut slot.node.meta)
    }

    /// The node with a name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.names.get(name).copied()
    }

    /// The nodes that have this one in their arguments, each once, in the order in which they began to use it.
    pub fn users(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.slot(id).into_iter().flat_map(|slot| slot.users.iter().copied())
    }

    /// How many nodes use this one: what text writes as `num_users`.
    pub fn num_users(&self, id: NodeId) -> usize {
        self.slot(id).map_or(0, |slot| slot.users.len())
    }

    /// The inputs in order.
    pub fn placeholders(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes().filter(|(_, node)| node.op == Op::Placeholder)
    }

    /// What the graph returns: the argument of its last `output` node.
    pub fn output(&self) -> Option<&Argument> {
        self.nodes().rev().find(|(_, node)| node.op == Op::Output).and_then(|(_, node)| node.args.first())
    }

    /// The name itself, or with the least number that makes it no other node's: `add`, `add_1`, `add_2`.
    pub fn unique_name(&mut self, base: &str) -> String {
        if !self.names.contains_key(base) {
            return base.to_owned();
        }
        let number = self.numbers.entry(base.to_owned()).or_default();
        loop {
            *number = number.saturating_add(1);
            let name = format!("{base}_{number}");
            if !self.names.contains_key(&name) {
                return name;
            }
        }
    }
}

/// # Panics
/// The handle is another graph's, or the node was erased.
impl Index<NodeId> for Graph {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        self.get(id).expect("a handle belongs to the graph that gave it")
    }
}

/// Graphs are equal that have the same nodes in the same order, whatever was put in and taken out before.
impl PartialEq for Graph {
    fn eq(&self, other: &Graph) -> bool {
        let places = |graph: &Graph| -> FxHashMap<NodeId, u32> { graph.order.iter().copied().zip(0..).collect() };
        let (mine, theirs) = (places(self), places(other));
        let placed = |node: &Node, places: &FxHashMap<NodeId, u32>| -> Node {
            let mut to = |id| Argument::Node(NodeId(places.get(&id).copied().unwrap_or(u32::MAX)));
            let mut node = node.clone();
            node.args = node.args.iter().map(|a| a.map_nodes(&mut to)).collect();
            node.kwargs = node.kwargs.iter().map(|(k, a)| (k.clone(), a.map_nodes(&mut to))).collect();
            node
        };
        let mut pairs = self.nodes().zip(other.nodes());
        self.len() == other.len() && pairs.all(|((_, a), (_, b))| placed(a, &mine) == placed(b, &theirs))
    }
}
