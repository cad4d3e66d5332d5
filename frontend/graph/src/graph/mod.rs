//! A graph while it is being compiled: nodes with PyTorch's kinds, nested blocks, typed values, and use lists that are always exact.
//!
//! Everything lives in one arena and is named by small handles. A handle knows its graph: one of another graph is refused, with a panic that says so
//! ([`Misuse`]), and so is a value that was destroyed. A copy of a graph takes the handles that the original had when it was copied. A node that is in no
//! block is kept until it is put into one or destroyed.
//!
//! This is what the compiler emits into and what the printer reads; the torch dialect is made of it by `sconce-import`.
//!
//! ```
//! use sconce_graph::graph::Graph;
//! use sconce_schema::Type;
//!
//! let mut g = Graph::new();
//! let x = g.add_input(g.root(), Some("x"), Type::tensor());
//! let relu = g.node("aten::relu", &[x]);
//! let y = g.add_output(relu, None, Type::tensor());
//! g.append(g.root(), relu);
//! g.set_block_outputs(g.root(), &[y]);
//! assert_eq!(g.uses(x).len(), 1);
//! ```

mod blocks;
mod copy;
mod edit;
mod handle;
mod point;

pub use handle::{BlockId, Misuse, NodeId, Owned, ValueId};
pub use point::{InsertGuard, Point};
/// Where a node comes from.
pub use sconce_source::{Loc, SourceText};

use handle::Identity;
use sconce_schema::Type;
use sconce_schema::op::OpEntry;
use sconce_syntax::graph_text::AttributeValue;
use sconce_tensor::IValue;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// What a node says beside its operands.
#[derive(Clone, Debug)]
pub enum Attr {
    /// `prim::Constant[value=…]`, any value: a number, string, list, tensor, enum member, device.
    Value(IValue),
    /// `name="weight"`
    Str(Arc<str>),
    Int(i64),
    Ints(Vec<i64>),
    Type(Type),
    /// `types=[int, str]`
    Types(Vec<Type>),
    /// The qualified name of the function a `prim::Constant` of type `Function` stands for.
    Function(Arc<str>),
    /// The body of `prim::fork`.
    Graph(Box<Graph>),
    /// What graph text says, where that is all that is known: a tensor whose elements it leaves out.
    Text(AttributeValue),
}

#[derive(Debug, Clone)]
struct NodeData {
    kind: Arc<str>,
    inputs: Vec<ValueId>,
    outputs: Vec<ValueId>,
    blocks: Vec<BlockId>,
    attrs: Vec<(Cow<'static, str>, Attr)>,
    loc: Option<Loc>,
    remarks: Option<Box<Remarks>>,
    /// The overload it was resolved to, as long as its kind and the number of its operands stay.
    overload: Option<Overload>,
    owner: Option<BlockId>,
    previous: Option<NodeId>,
    next: Option<NodeId>,
    /// Grows from node to node of a block, with room between.
    order: u64,
}

/// What graph text says of a node beside its place.
#[derive(Clone, Debug, Default)]
struct Remarks {
    scope: Option<Arc<str>>,
    comment: Option<Arc<str>>,
}

/// An operator of the table that prints as its name.
#[derive(Clone, Copy)]
struct Overload(&'static OpEntry);

impl std::fmt::Debug for Overload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name)
    }
}

#[derive(Debug, Clone, Default)]
struct BlockData {
    inputs: Vec<ValueId>,
    outputs: Vec<ValueId>,
    first: Option<NodeId>,
    last: Option<NodeId>,
    /// Its nodes in a row, for who asks for them so; forgotten when one comes or goes that is not the last.
    listed: OnceLock<Vec<NodeId>>,
    /// The node it belongs to; the root belongs to none.
    owner: Option<NodeId>,
}

/// Who made a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Def {
    Output(NodeId, u32),
    Input(BlockId, u32),
    /// Its node or block input was erased.
    Gone,
}

/// One use of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Use {
    Node(NodeId, u32),
    /// As an output of a block.
    Block(BlockId, u32),
}

#[derive(Debug, Clone)]
struct ValueData {
    ty: Type,
    /// The source's name for it, without a number.
    name: Option<Arc<str>>,
    /// The name that graph text gave it, which it keeps unless another value has it.
    label: Option<Arc<str>>,
    def: Def,
    uses: Vec<Use>,
}

/// A graph; see the module's page.
#[derive(Debug)]
pub struct Graph {
    identity: Identity,
    root: BlockId,
    point: Point,
    nodes: Vec<NodeData>,
    blocks: Vec<BlockData>,
    values: Vec<ValueData>,
}

impl Default for Graph {
    fn default() -> Self {
        Graph::new()
    }
}

impl Graph {
    /// An empty graph: a root block without inputs and outputs.
    pub fn new() -> Graph {
        let identity = Identity::fresh();
        let root = BlockId::new(&identity, 0);
        let point = Point::End(root);
        Graph { identity, root, point, nodes: Vec::new(), blocks: vec![BlockData::default()], values: Vec::new() }
    }

    /// The outermost block; its inputs are the graph's, its outputs the results.
    pub fn root(&self) -> BlockId {
        self.root
    }

    // -- making

    /// A node in no block yet.
    pub fn node(&mut self, kind: impl Into<Arc<str>>, inputs: &[ValueId]) -> NodeId {
        let id = NodeId::new(&self.identity, self.nodes.len());
        self.nodes.push(NodeData {
            kind: kind.into(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            blocks: Vec::new(),
            attrs: Vec::new(),
            loc: None,
            remarks: None,
            overload: None,
            owner: None,
            previous: None,
            next: None,
            order: 0,
        });
        for input in inputs {
            self.add_operand(id, *input);
        }
        id
    }

    /// A further output of a node.
    pub fn add_output(&mut self, node: NodeId, name: Option<&str>, ty: Type) -> ValueId {
        let index = self.node_data(node).outputs.len() as u32;
        let value = self.new_value(name, ty, Def::Output(node, index));
        self.node_data_mut(node).outputs.push(value);
        value
    }

    /// A further block of a node.
    pub fn add_block(&mut self, node: NodeId) -> BlockId {
        let id = BlockId::new(&self.identity, self.blocks.len());
        self.blocks.push(BlockData { owner: Some(node), ..BlockData::default() });
        self.node_data_mut(node).blocks.push(id);
        id
    }

    /// A further input of a block (of the graph, for the root).
    pub fn add_input(&mut self, block: BlockId, name: Option<&str>, ty: Type) -> ValueId {
        let index = self.block_data(block).inputs.len() as u32;
        let value = self.new_value(name, ty, Def::Input(block, index));
        self.block_data_mut(block).inputs.push(value);
        value
    }

    /// An input of a block at a place; the later ones move on by one.
    pub fn insert_input(&mut self, block: BlockId, at: usize, name: Option<&str>, ty: Type) -> ValueId {
        let value = self.new_value(name, ty, Def::Gone);
        self.block_data_mut(block).inputs.insert(at, value);
        self.renumber_inputs(block);
        value
    }

    fn new_value(&mut self, name: Option<&str>, ty: Type, def: Def) -> ValueId {
        let id = ValueId::new(&self.identity, self.values.len());
        self.values.push(ValueData { ty, name: name.map(Arc::from), label: None, def, uses: Vec::new() });
        id
    }

    // -- reading

    pub fn kind(&self, node: NodeId) -> &Arc<str> {
        &self.node_data(node).kind
    }
    pub fn is(&self, node: NodeId, kind: &str) -> bool {
        &*self.node_data(node).kind == kind
    }
    pub fn inputs(&self, node: NodeId) -> &[ValueId] {
        &self.node_data(node).inputs
    }
    pub fn input(&self, node: NodeId, index: usize) -> Option<ValueId> {
        self.node_data(node).inputs.get(index).copied()
    }
    pub fn outputs(&self, node: NodeId) -> &[ValueId] {
        &self.node_data(node).outputs
    }
    pub fn output(&self, node: NodeId) -> Option<ValueId> {
        self.node_data(node).outputs.first().copied()
    }
    pub fn blocks(&self, node: NodeId) -> &[BlockId] {
        &self.node_data(node).blocks
    }
    pub fn attrs(&self, node: NodeId) -> &[(Cow<'static, str>, Attr)] {
        &self.node_data(node).attrs
    }
    pub fn attr(&self, node: NodeId, name: &str) -> Option<&Attr> {
        self.node_data(node).attrs.iter().find(|(n, _)| *n == name).map(|(_, a)| a)
    }
    /// The text of `name="…"`.
    pub fn str_attr(&self, node: NodeId, name: &str) -> Option<&Arc<str>> {
        match self.attr(node, name)? {
            Attr::Str(s) => Some(s),
            _ => None,
        }
    }
    /// The value of a `prim::Constant`; `None` for other nodes and for functions.
    pub fn constant(&self, value: ValueId) -> Option<&IValue> {
        static NONE: IValue = IValue::None;
        let Def::Output(node, _) = self.def(value) else { return None };
        match (self.is(node, "prim::Constant"), self.attr(node, "value")) {
            (true, Some(Attr::Value(v))) => Some(v),
            (true, None) if *self.ty(value) == Type::None => Some(&NONE),
            _ => None,
        }
    }
    pub fn loc(&self, node: NodeId) -> Option<&Loc> {
        self.node_data(node).loc.as_ref()
    }
    /// The scope that graph text says a node is in: `__module.layer/__module.layer.0`.
    pub fn scope(&self, node: NodeId) -> Option<&str> {
        self.node_data(node).remarks.as_ref()?.scope.as_deref()
    }
    /// What graph text says behind a node that is no place.
    pub fn comment(&self, node: NodeId) -> Option<&str> {
        self.node_data(node).remarks.as_ref()?.comment.as_deref()
    }
    /// The block a node is in; `None` when it was not put into one, or taken out.
    pub fn owner(&self, node: NodeId) -> Option<BlockId> {
        self.node_data(node).owner
    }
    pub fn block_inputs(&self, block: BlockId) -> &[ValueId] {
        &self.block_data(block).inputs
    }
    pub fn block_outputs(&self, block: BlockId) -> &[ValueId] {
        &self.block_data(block).outputs
    }
    pub fn block_nodes(&self, block: BlockId) -> &[NodeId] {
        self.block_data(block).listed.get_or_init(|| self.linked(block))
    }
    /// The node a block belongs to; `None` for the root.
    pub fn block_owner(&self, block: BlockId) -> Option<NodeId> {
        self.block_data(block).owner
    }
    pub fn ty(&self, value: ValueId) -> &Type {
        &self.value_data(value).ty
    }
    pub fn name(&self, value: ValueId) -> Option<&Arc<str>> {
        self.value_data(value).name.as_ref()
    }
    /// The name that graph text gave a value: `x.1`, `12`.
    pub fn label(&self, value: ValueId) -> Option<&Arc<str>> {
        self.value_data(value).label.as_ref()
    }
    pub fn def(&self, value: ValueId) -> Def {
        self.value_data(value).def
    }
    /// The node that makes a value; `None` for block inputs.
    pub fn defining(&self, value: ValueId) -> Option<NodeId> {
        match self.def(value) {
            Def::Output(node, _) => Some(node),
            _ => None,
        }
    }
    /// In the order in which they came to be.
    pub fn uses(&self, value: ValueId) -> &[Use] {
        &self.value_data(value).uses
    }
    /// How many values there ever were; a bound for side tables.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }
    /// Is `node` inside of `block`, at any depth?
    pub fn is_within(&self, node: NodeId, block: BlockId) -> bool {
        let mut at = self.owner(node);
        while let Some(b) = at {
            if b == block {
                return true;
            }
            at = self.block_owner(b).and_then(|n| self.owner(n));
        }
        false
    }
    /// All nodes of a block and of the blocks in it, each before what it holds.
    pub fn walk(&self, block: BlockId) -> Vec<NodeId> {
        let mut out = Vec::new();
        let mut stack: Vec<NodeId> = self.block_nodes(block).iter().rev().copied().collect();
        while let Some(node) = stack.pop() {
            out.push(node);
            for b in self.blocks(node).iter().rev() {
                stack.extend(self.block_nodes(*b).iter().rev());
            }
        }
        out
    }
}
