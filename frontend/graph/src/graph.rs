//! A graph while it is being compiled: nodes with PyTorch's kinds, nested blocks, typed values, and use lists that are always exact.
//!
//! Everything lives in one arena and is named by small handles; a removed node's handle stays valid but belongs to no block. This is what
//! the compiler emits into and what the printer reads; the torch dialect is made of it by `sconce-import`.
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

use rustc_hash::{FxHashMap, FxHashSet};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_tensor::IValue;
use std::sync::Arc;

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(u32);

        impl $name {
            /// A dense number, for side tables.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
handle!(
    /// A value of one graph.
    ValueId
);
handle!(
    /// A node of one graph.
    NodeId
);
handle!(
    /// A block of one graph.
    BlockId
);

/// Where a node comes from: a file's text and a range of it, and the calls that were inlined around it, innermost first.
#[derive(Clone, Debug)]
pub struct Loc {
    pub source: Arc<SourceFile>,
    pub span: Span,
}

/// A text that nodes come from.
#[derive(Debug)]
pub struct SourceFile {
    /// `source.py`, `code/__torch__/m.py`
    pub name: String,
    pub text: String,
    /// The line of the file that the text begins with, from 1: PyTorch compiles one function's text at a time.
    pub first_line: u32,
}

impl SourceFile {
    /// Does it stand for a text of which only the name is known? Blanks lead to the column.
    pub fn is_stand_in(&self) -> bool {
        self.text.bytes().all(|b| b == b' ')
    }
}

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
}

#[derive(Debug, Clone)]
struct NodeData {
    kind: Arc<str>,
    inputs: Vec<ValueId>,
    outputs: Vec<ValueId>,
    blocks: Vec<BlockId>,
    attrs: Vec<(&'static str, Attr)>,
    loc: Option<Loc>,
    owner: Option<BlockId>,
    /// About where it is in its block: nodes that came or went in front of it are not counted.
    near: u32,
}

#[derive(Debug, Clone)]
struct BlockData {
    inputs: Vec<ValueId>,
    outputs: Vec<ValueId>,
    nodes: Vec<NodeId>,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    def: Def,
    uses: Vec<Use>,
}

/// A node that is so far from where it was seen last is a reason to look where all of its block are.
const FAR: usize = 256;

/// A graph; see the module's page.
#[derive(Debug, Clone)]
pub struct Graph {
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
        let root = BlockData { inputs: Vec::new(), outputs: Vec::new(), nodes: Vec::new(), owner: None };
        Graph { nodes: Vec::new(), blocks: vec![root], values: Vec::new() }
    }

    /// The outermost block; its inputs are the graph's, its outputs the results.
    pub fn root(&self) -> BlockId {
        BlockId(0)
    }

    // -- making

    /// A node in no block yet.
    pub fn node(&mut self, kind: impl Into<Arc<str>>, inputs: &[ValueId]) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(NodeData {
            kind: kind.into(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            blocks: Vec::new(),
            attrs: Vec::new(),
            loc: None,
            owner: None,
            near: 0,
        });
        for input in inputs {
            self.add_operand(id, *input);
        }
        id
    }

    /// A further output of a node.
    pub fn add_output(&mut self, node: NodeId, name: Option<&str>, ty: Type) -> ValueId {
        let index = self.nodes[node.index()].outputs.len() as u32;
        let value = self.value(name, ty, Def::Output(node, index));
        self.nodes[node.index()].outputs.push(value);
        value
    }

    /// A further block of a node.
    pub fn add_block(&mut self, node: NodeId) -> BlockId {
        let id = BlockId(self.blocks.len() as u32);
        self.blocks.push(BlockData { inputs: Vec::new(), outputs: Vec::new(), nodes: Vec::new(), owner: Some(node) });
        self.nodes[node.index()].blocks.push(id);
        id
    }

    /// A further input of a block (of the graph, for the root).
    pub fn add_input(&mut self, block: BlockId, name: Option<&str>, ty: Type) -> ValueId {
        let index = self.blocks[block.index()].inputs.len() as u32;
        let value = self.value(name, ty, Def::Input(block, index));
        self.blocks[block.index()].inputs.push(value);
        value
    }

    /// An input of a block at a place; the later ones move on by one.
    pub fn insert_input(&mut self, block: BlockId, at: usize, name: Option<&str>, ty: Type) -> ValueId {
        let value = self.value(name, ty, Def::Gone);
        self.blocks[block.index()].inputs.insert(at, value);
        self.renumber_inputs(block);
        value
    }

    fn value(&mut self, name: Option<&str>, ty: Type, def: Def) -> ValueId {
        let id = ValueId(self.values.len() as u32);
        self.values.push(ValueData { ty, name: name.map(Arc::from), def, uses: Vec::new() });
        id
    }

    // -- reading

    pub fn kind(&self, node: NodeId) -> &Arc<str> {
        &self.nodes[node.index()].kind
    }
    pub fn is(&self, node: NodeId, kind: &str) -> bool {
        &*self.nodes[node.index()].kind == kind
    }
    pub fn inputs(&self, node: NodeId) -> &[ValueId] {
        &self.nodes[node.index()].inputs
    }
    pub fn input(&self, node: NodeId, index: usize) -> Option<ValueId> {
        self.nodes[node.index()].inputs.get(index).copied()
    }
    pub fn outputs(&self, node: NodeId) -> &[ValueId] {
        &self.nodes[node.index()].outputs
    }
    pub fn output(&self, node: NodeId) -> Option<ValueId> {
        self.nodes[node.index()].outputs.first().copied()
    }
    pub fn blocks(&self, node: NodeId) -> &[BlockId] {
        &self.nodes[node.index()].blocks
    }
    pub fn attrs(&self, node: NodeId) -> &[(&'static str, Attr)] {
        &self.nodes[node.index()].attrs
    }
    pub fn attr(&self, node: NodeId, name: &str) -> Option<&Attr> {
        self.nodes[node.index()].attrs.iter().find(|(n, _)| *n == name).map(|(_, a)| a)
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
        self.nodes[node.index()].loc.as_ref()
    }
    /// The block a node is in; `None` when it was not put into one, or taken out.
    pub fn owner(&self, node: NodeId) -> Option<BlockId> {
        self.nodes[node.index()].owner
    }
    pub fn block_inputs(&self, block: BlockId) -> &[ValueId] {
        &self.blocks[block.index()].inputs
    }
    pub fn block_outputs(&self, block: BlockId) -> &[ValueId] {
        &self.blocks[block.index()].outputs
    }
    pub fn block_nodes(&self, block: BlockId) -> &[NodeId] {
        &self.blocks[block.index()].nodes
    }
    /// The node a block belongs to; `None` for the root.
    pub fn block_owner(&self, block: BlockId) -> Option<NodeId> {
        self.blocks[block.index()].owner
    }
    pub fn ty(&self, value: ValueId) -> &Type {
        &self.values[value.index()].ty
    }
    pub fn name(&self, value: ValueId) -> Option<&Arc<str>> {
        self.values[value.index()].name.as_ref()
    }
    pub fn def(&self, value: ValueId) -> Def {
        self.values[value.index()].def
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
        &self.values[value.index()].uses
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

    // -- changing

    pub fn set_kind(&mut self, node: NodeId, kind: impl Into<Arc<str>>) {
        self.nodes[node.index()].kind = kind.into();
    }
    pub fn set_type(&mut self, value: ValueId, ty: Type) {
        self.values[value.index()].ty = ty;
    }
    pub fn set_name(&mut self, value: ValueId, name: Option<&str>) {
        self.values[value.index()].name = name.map(Arc::from);
    }
    pub fn set_loc(&mut self, node: NodeId, loc: Option<Loc>) {
        self.nodes[node.index()].loc = loc;
    }
    /// Sets or replaces an attribute.
    pub fn set_attr(&mut self, node: NodeId, name: &'static str, value: Attr) {
        let attrs = &mut self.nodes[node.index()].attrs;
        match attrs.iter_mut().find(|(n, _)| *n == name) {
            Some(slot) => slot.1 = value,
            None => attrs.push((name, value)),
        }
    }
    pub fn clear_attrs(&mut self, node: NodeId) {
        self.nodes[node.index()].attrs.clear();
    }
    /// Changes the graph that a node holds (`Subgraph`).
    pub fn with_subgraph(&mut self, node: NodeId, change: impl FnOnce(&mut Graph)) {
        let attrs = &mut self.nodes[node.index()].attrs;
        if let Some((_, Attr::Graph(inner))) = attrs.iter_mut().find(|(n, _)| *n == "Subgraph") {
            change(inner);
        }
    }
    pub fn add_operand(&mut self, node: NodeId, value: ValueId) {
        let index = self.nodes[node.index()].inputs.len() as u32;
        self.nodes[node.index()].inputs.push(value);
        self.values[value.index()].uses.push(Use::Node(node, index));
    }
    /// Replaces all operands of a node.
    pub fn set_operands(&mut self, node: NodeId, values: &[ValueId]) {
        for (index, old) in (0..).zip(std::mem::take(&mut self.nodes[node.index()].inputs)) {
            self.forget_use(old, Use::Node(node, index));
        }
        for value in values {
            self.add_operand(node, *value);
        }
    }
    /// The latest uses go first where much is erased: they are looked for from the end.
    fn forget_use(&mut self, value: ValueId, gone: Use) {
        let uses = &mut self.values[value.index()].uses;
        if let Some(at) = uses.iter().rposition(|u| *u == gone) {
            uses.remove(at);
        }
    }
    pub fn set_operand(&mut self, node: NodeId, index: usize, value: ValueId) {
        let Some(old) = self.input(node, index) else { return };
        let this = Use::Node(node, index as u32);
        self.forget_use(old, this);
        self.nodes[node.index()].inputs[index] = value;
        self.values[value.index()].uses.push(this);
    }
    /// Takes operand `index` away.
    pub fn remove_operand(&mut self, node: NodeId, index: usize) {
        let mut operands = self.inputs(node).to_vec();
        if index < operands.len() {
            operands.remove(index);
            self.set_operands(node, &operands);
        }
    }
    /// Puts an operand in front of operand `index`.
    pub fn insert_operand(&mut self, node: NodeId, index: usize, value: ValueId) {
        let mut operands = self.inputs(node).to_vec();
        operands.insert(index.min(operands.len()), value);
        self.set_operands(node, &operands);
    }
    /// Replaces the outputs of a block.
    pub fn set_block_outputs(&mut self, block: BlockId, values: &[ValueId]) {
        for (index, old) in (0..).zip(std::mem::take(&mut self.blocks[block.index()].outputs)) {
            self.forget_use(old, Use::Block(block, index));
        }
        for (index, value) in values.iter().enumerate() {
            self.values[value.index()].uses.push(Use::Block(block, index as u32));
        }
        self.blocks[block.index()].outputs = values.to_vec();
    }
    pub fn add_block_output(&mut self, block: BlockId, value: ValueId) {
        let index = self.blocks[block.index()].outputs.len() as u32;
        self.blocks[block.index()].outputs.push(value);
        self.values[value.index()].uses.push(Use::Block(block, index));
    }
    pub fn remove_block_output(&mut self, block: BlockId, index: usize) {
        let mut outputs = self.block_outputs(block).to_vec();
        if index < outputs.len() {
            outputs.remove(index);
            self.set_block_outputs(block, &outputs);
        }
    }
    /// Takes an input of a block away; nothing may use it.
    pub fn remove_input(&mut self, block: BlockId, index: usize) {
        if index >= self.block_inputs(block).len() {
            return;
        }
        let value = self.blocks[block.index()].inputs.remove(index);
        debug_assert!(self.uses(value).is_empty(), "an input that is used is removed");
        self.values[value.index()].def = Def::Gone;
        self.renumber_inputs(block);
    }
    fn renumber_inputs(&mut self, block: BlockId) {
        for (index, value) in self.blocks[block.index()].inputs.clone().into_iter().enumerate() {
            self.values[value.index()].def = Def::Input(block, index as u32);
        }
    }
    /// Puts the inputs of a block into another order.
    pub fn permute_inputs(&mut self, block: BlockId, inputs: &[ValueId]) {
        debug_assert_eq!(self.blocks[block.index()].inputs.len(), inputs.len(), "the same inputs in another order");
        self.blocks[block.index()].inputs = inputs.to_vec();
        self.renumber_inputs(block);
    }
    /// Puts the outputs of a node into another order.
    pub fn permute_outputs(&mut self, node: NodeId, outputs: &[ValueId]) {
        debug_assert_eq!(self.nodes[node.index()].outputs.len(), outputs.len(), "the same outputs in another order");
        self.nodes[node.index()].outputs = outputs.to_vec();
        for (index, value) in outputs.iter().enumerate() {
            self.values[value.index()].def = Def::Output(node, index as u32);
        }
    }
    /// Takes an output of a node away; nothing may use it.
    pub fn remove_output(&mut self, node: NodeId, index: usize) {
        if index >= self.outputs(node).len() {
            return;
        }
        let value = self.nodes[node.index()].outputs.remove(index);
        debug_assert!(self.uses(value).is_empty(), "an output that is used is removed");
        self.values[value.index()].def = Def::Gone;
        for (index, value) in self.nodes[node.index()].outputs.clone().into_iter().enumerate() {
            self.values[value.index()].def = Def::Output(node, index as u32);
        }
    }
    /// Lets all that uses `old` use `new`.
    pub fn replace_uses(&mut self, old: ValueId, new: ValueId) {
        if old == new {
            return;
        }
        for u in std::mem::take(&mut self.values[old.index()].uses) {
            self.point(u, new);
        }
    }
    /// The same for the uses that `which` takes.
    pub fn replace_uses_if(&mut self, old: ValueId, new: ValueId, which: impl Fn(&Graph, Use) -> bool) {
        let (moved, kept): (Vec<Use>, Vec<Use>) = self.uses(old).to_vec().into_iter().partition(|u| which(self, *u));
        self.values[old.index()].uses = kept;
        for u in moved {
            self.point(u, new);
        }
    }
    fn point(&mut self, u: Use, new: ValueId) {
        match u {
            Use::Node(node, index) => self.nodes[node.index()].inputs[index as usize] = new,
            Use::Block(block, index) => self.blocks[block.index()].outputs[index as usize] = new,
        }
        self.values[new.index()].uses.push(u);
    }

    // -- places

    /// Puts a node at the end of a block.
    pub fn append(&mut self, block: BlockId, node: NodeId) {
        self.detach(node);
        self.nodes[node.index()].near = self.blocks[block.index()].nodes.len() as u32;
        self.blocks[block.index()].nodes.push(node);
        self.nodes[node.index()].owner = Some(block);
    }
    /// Puts a node at the start of a block.
    pub fn prepend(&mut self, block: BlockId, node: NodeId) {
        self.insert(block, 0, node);
    }
    /// Puts a node at a place of a block.
    pub fn insert(&mut self, block: BlockId, at: usize, node: NodeId) {
        self.detach(node);
        let nodes = &mut self.blocks[block.index()].nodes;
        let at = at.min(nodes.len());
        nodes.insert(at, node);
        self.nodes[node.index()].near = at as u32;
        self.nodes[node.index()].owner = Some(block);
    }
    /// Puts `node` in front of `next`, which is in a block.
    pub fn insert_before(&mut self, next: NodeId, node: NodeId) {
        self.detach(node);
        if let Some((block, at)) = self.position(next) {
            self.insert(block, at, node);
        }
    }
    /// Puts `node` behind `previous`, which is in a block.
    pub fn insert_after(&mut self, previous: NodeId, node: NodeId) {
        self.detach(node);
        if let Some((block, at)) = self.position(previous) {
            self.insert(block, at + 1, node);
        }
    }
    /// Puts nodes that are in no block in front of `next`, in order.
    pub fn insert_all_before(&mut self, next: NodeId, nodes: Vec<NodeId>) {
        let Some((block, at)) = self.position(next) else { return };
        for (node, near) in nodes.iter().zip(at as u32..) {
            self.nodes[node.index()].near = near;
            self.nodes[node.index()].owner = Some(block);
        }
        self.blocks[block.index()].nodes.splice(at..at, nodes);
    }
    /// A node's block, and its number there.
    pub fn position(&self, node: NodeId) -> Option<(BlockId, usize)> {
        let block = self.owner(node)?;
        let nodes = self.block_nodes(block);
        let near = (self.nodes[node.index()].near as usize).min(nodes.len());
        // Outwards from where it was seen last.
        let (before, behind) = nodes.split_at(near);
        let mut behind = behind.iter().enumerate();
        for (far, back) in before.iter().rev().enumerate() {
            if *back == node {
                return Some((block, near - 1 - far));
            }
            if let Some((ahead, n)) = behind.next()
                && *n == node
            {
                return Some((block, near + ahead));
            }
        }
        let (ahead, _) = behind.find(|(_, n)| **n == node)?;
        Some((block, near + ahead))
    }
    /// Notes of every node of a block where it is.
    fn note_places(&mut self, block: BlockId) {
        for (node, near) in self.blocks[block.index()].nodes.iter().zip(0..) {
            self.nodes[node.index()].near = near;
        }
    }
    /// Takes a node out of its block; operands and uses stay.
    pub fn detach(&mut self, node: NodeId) {
        if let Some((block, at)) = self.position(node) {
            if at.abs_diff(self.nodes[node.index()].near as usize) > FAR {
                self.note_places(block);
            }
            self.blocks[block.index()].nodes.remove(at);
            self.nodes[node.index()].owner = None;
        }
    }
    /// Destroys a node and all it holds; nothing may use its outputs.
    pub fn erase(&mut self, node: NodeId) {
        self.detach(node);
        for block in std::mem::take(&mut self.nodes[node.index()].blocks) {
            self.clear_block(block);
        }
        self.set_operands(node, &[]);
        for value in std::mem::take(&mut self.nodes[node.index()].outputs) {
            debug_assert!(self.uses(value).is_empty(), "a node that is used is erased");
            self.values[value.index()].def = Def::Gone;
        }
    }
    /// Takes nodes out of their blocks, each of which is gone through once; operands and uses stay.
    pub fn detach_all(&mut self, nodes: &[NodeId]) {
        let blocks: FxHashSet<BlockId> = nodes.iter().filter_map(|n| self.nodes[n.index()].owner.take()).collect();
        for block in blocks {
            let owned = &self.nodes;
            self.blocks[block.index()].nodes.retain(|n| owned[n.index()].owner.is_some());
        }
    }
    /// Destroys many nodes as [`Graph::erase`] does one, at the cost of a look at their blocks and at what else uses their operands.
    pub fn erase_all(&mut self, nodes: &[NodeId]) {
        self.detach_all(nodes);
        let gone: FxHashSet<NodeId> = nodes.iter().copied().collect();
        let operands: FxHashSet<ValueId> =
            nodes.iter().flat_map(|n| std::mem::take(&mut self.nodes[n.index()].inputs)).collect();
        for value in operands {
            self.values[value.index()].uses.retain(|u| !matches!(u, Use::Node(n, _) if gone.contains(n)));
        }
        nodes.iter().for_each(|node| self.erase(*node));
    }
    /// Takes all nodes out of a block, in order; operands and uses stay.
    pub fn take_nodes(&mut self, block: BlockId) -> Vec<NodeId> {
        let nodes = std::mem::take(&mut self.blocks[block.index()].nodes);
        for node in &nodes {
            self.nodes[node.index()].owner = None;
        }
        nodes
    }
    /// A copy of a node in no block, its operands as `map` has them; values made inside of it are mapped to their copies.
    pub fn clone_node(&mut self, node: NodeId, map: &mut dyn FnMut(ValueId) -> ValueId) -> NodeId {
        let mut inner = FxHashMap::default();
        self.clone_node_into(node, &mut inner, map)
    }
    fn clone_node_into(
        &mut self,
        node: NodeId,
        inner: &mut FxHashMap<ValueId, ValueId>,
        map: &mut dyn FnMut(ValueId) -> ValueId,
    ) -> NodeId {
        let NodeData { kind, inputs, outputs, blocks, attrs, loc, .. } = self.nodes[node.index()].clone();
        let inputs: Vec<ValueId> =
            inputs.into_iter().map(|v| inner.get(&v).copied().unwrap_or_else(|| map(v))).collect();
        let copy = self.node(kind, &inputs);
        self.nodes[copy.index()].attrs = attrs;
        self.nodes[copy.index()].loc = loc;
        for block in blocks {
            let into = self.add_block(copy);
            self.clone_block_into(block, into, inner, map);
        }
        for output in outputs {
            let (ty, name) = (self.ty(output).clone(), self.name(output).cloned());
            let fresh = self.add_output(copy, name.as_deref(), ty);
            inner.insert(output, fresh);
        }
        copy
    }
    /// Appends copies of a block's inputs, nodes and outputs to another block; operands from outside are as `map` has them.
    pub fn clone_block(&mut self, from: BlockId, into: BlockId, map: &mut dyn FnMut(ValueId) -> ValueId) {
        let mut inner = FxHashMap::default();
        self.clone_block_into(from, into, &mut inner, map);
    }
    fn clone_block_into(
        &mut self,
        from: BlockId,
        into: BlockId,
        inner: &mut FxHashMap<ValueId, ValueId>,
        map: &mut dyn FnMut(ValueId) -> ValueId,
    ) {
        for input in self.block_inputs(from).to_vec() {
            let (ty, name) = (self.ty(input).clone(), self.name(input).cloned());
            let fresh = self.add_input(into, name.as_deref(), ty);
            inner.insert(input, fresh);
        }
        for node in self.block_nodes(from).to_vec() {
            let copy = self.clone_node_into(node, inner, map);
            self.append(into, copy);
        }
        for output in self.block_outputs(from).to_vec() {
            let value = inner.get(&output).copied().unwrap_or_else(|| map(output));
            self.add_block_output(into, value);
        }
    }
    /// Puts copies of all nodes of another graph in front of `next`, its inputs standing for `inputs`; gives what its outputs are here.
    pub fn insert_graph(&mut self, next: NodeId, other: &Graph, inputs: &[ValueId]) -> Vec<ValueId> {
        let formals = other.block_inputs(other.root());
        let mut map: FxHashMap<ValueId, ValueId> = formals.iter().copied().zip(inputs.iter().copied()).collect();
        let nodes = other.block_nodes(other.root());
        let copies = nodes.iter().map(|node| self.copy_node(other, *node, &mut map)).collect();
        self.insert_all_before(next, copies);
        other.block_outputs(other.root()).iter().filter_map(|v| map.get(v).copied()).collect()
    }
    fn copy_node(&mut self, other: &Graph, node: NodeId, map: &mut FxHashMap<ValueId, ValueId>) -> NodeId {
        let inputs: Vec<ValueId> = other.inputs(node).iter().filter_map(|v| map.get(v).copied()).collect();
        let copy = self.node(other.kind(node).clone(), &inputs);
        self.nodes[copy.index()].attrs = other.attrs(node).to_vec();
        self.nodes[copy.index()].loc = other.loc(node).cloned();
        for block in other.blocks(node) {
            let into = self.add_block(copy);
            for input in other.block_inputs(*block) {
                let fresh = self.add_input(into, other.name(*input).map(|n| &**n), other.ty(*input).clone());
                map.insert(*input, fresh);
            }
            for inner in other.block_nodes(*block) {
                let inner = self.copy_node(other, *inner, map);
                self.append(into, inner);
            }
            let outputs: Vec<ValueId> =
                other.block_outputs(*block).iter().filter_map(|v| map.get(v).copied()).collect();
            self.set_block_outputs(into, &outputs);
        }
        for output in other.outputs(node) {
            let fresh = self.add_output(copy, other.name(*output).map(|n| &**n), other.ty(*output).clone());
            map.insert(*output, fresh);
        }
        copy
    }
    /// Destroys a block of a node and all it holds; the later blocks move up by one.
    pub fn erase_block(&mut self, node: NodeId, index: usize) {
        if index >= self.blocks(node).len() {
            return;
        }
        let block = self.nodes[node.index()].blocks.remove(index);
        self.clear_block(block);
    }
    fn clear_block(&mut self, block: BlockId) {
        self.set_block_outputs(block, &[]);
        for inner in self.take_nodes(block).into_iter().rev() {
            self.erase(inner);
        }
    }
    /// Moves all nodes of `from` to the end of `to`.
    pub fn splice(&mut self, from: BlockId, to: BlockId) {
        for node in std::mem::take(&mut self.blocks[from.index()].nodes) {
            self.nodes[node.index()].owner = Some(to);
            self.nodes[node.index()].near = self.blocks[to.index()].nodes.len() as u32;
            self.blocks[to.index()].nodes.push(node);
        }
    }
}
