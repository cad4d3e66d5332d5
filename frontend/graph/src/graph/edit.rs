//! Changes of nodes, values and blocks: whatever is changed, uses are on record exactly, and what is used is not destroyed.

use super::handle::refuse;
use super::{Attr, BlockId, Def, Graph, Loc, Misuse, NodeId, Overload, Remarks, Use, ValueId};
use rustc_hash::FxHashSet;
use sconce_schema::op::OpEntry;
use sconce_schema::{Type, overload};
use std::borrow::Cow;
use std::sync::Arc;

impl Graph {
    pub fn set_kind(&mut self, node: NodeId, kind: impl Into<Arc<str>>) {
        let data = self.node_data_mut(node);
        data.kind = kind.into();
        data.overload = None;
    }
    pub fn set_type(&mut self, value: ValueId, ty: Type) {
        self.value_data_mut(value).ty = ty;
    }
    pub fn set_name(&mut self, value: ValueId, name: Option<&str>) {
        self.value_data_mut(value).name = name.map(Arc::from);
    }
    /// The name that a value keeps in graph text.
    pub fn set_label(&mut self, value: ValueId, label: Option<&str>) {
        self.value_data_mut(value).label = label.map(Arc::from);
    }
    pub fn set_scope(&mut self, node: NodeId, scope: Option<&str>) {
        self.remarks(node).scope = scope.map(Arc::from);
    }
    pub fn set_comment(&mut self, node: NodeId, comment: Option<&str>) {
        self.remarks(node).comment = comment.map(Arc::from);
    }
    fn remarks(&mut self, node: NodeId) -> &mut Remarks {
        self.node_data_mut(node).remarks.get_or_insert_default()
    }
    pub fn set_loc(&mut self, node: NodeId, loc: Option<Loc>) {
        self.node_data_mut(node).loc = loc;
    }
    /// Sets or replaces an attribute.
    pub fn set_attr(&mut self, node: NodeId, name: impl Into<Cow<'static, str>>, value: Attr) {
        let name = name.into();
        let attrs = &mut self.node_data_mut(node).attrs;
        match attrs.iter_mut().find(|(n, _)| *n == name) {
            Some(slot) => slot.1 = value,
            None => attrs.push((name, value)),
        }
    }
    pub fn clear_attrs(&mut self, node: NodeId) {
        self.node_data_mut(node).attrs.clear();
    }
    /// The graph, and those that its nodes hold, with values that have no names: equal for graphs that differ in nothing else.
    pub fn without_names(mut self) -> Graph {
        self.clear_names();
        self
    }
    fn clear_names(&mut self) {
        let nodes = self.walk(self.root());
        let mut values = self.block_inputs(self.root()).to_vec();
        for node in &nodes {
            values.extend(self.outputs(*node));
            values.extend(self.blocks(*node).iter().flat_map(|b| self.block_inputs(*b)));
        }
        values.into_iter().for_each(|v| self.set_name(v, None));
        nodes.into_iter().for_each(|n| self.with_subgraph(n, Graph::clear_names));
    }
    /// The same of the places of nodes.
    pub fn without_places(mut self) -> Graph {
        self.clear_places();
        self
    }
    fn clear_places(&mut self) {
        for node in self.walk(self.root()) {
            self.set_loc(node, None);
            self.with_subgraph(node, Graph::clear_places);
        }
    }
    /// The same without the numbers of warnings (`warn_id`), which PyTorch counts over a whole process.
    pub fn without_warning_numbers(mut self) -> Graph {
        self.clear_warning_numbers();
        self
    }
    fn clear_warning_numbers(&mut self) {
        for node in self.walk(self.root()) {
            self.node_data_mut(node).attrs.retain(|(name, _)| *name != "warn_id");
            self.with_subgraph(node, Graph::clear_warning_numbers);
        }
    }
    /// Changes the graph that a node holds (`Subgraph`).
    pub fn with_subgraph(&mut self, node: NodeId, change: impl FnOnce(&mut Graph)) {
        let attrs = &mut self.node_data_mut(node).attrs;
        if let Some((_, Attr::Graph(inner))) = attrs.iter_mut().find(|(n, _)| *n == "Subgraph") {
            change(inner);
        }
    }
    pub fn add_operand(&mut self, node: NodeId, value: ValueId) {
        self.usable(value);
        let data = self.node_data_mut(node);
        data.overload = None;
        let index = data.inputs.len() as u32;
        data.inputs.push(value);
        self.value_data_mut(value).uses.push(Use::Node(node, index));
    }
    /// Refuses a value that is of another graph or was destroyed.
    #[track_caller]
    fn usable(&self, value: ValueId) {
        if self.def(value) == Def::Gone {
            refuse(Misuse::Destroyed(value.index()));
        }
    }
    /// Replaces all operands of a node.
    pub fn set_operands(&mut self, node: NodeId, values: &[ValueId]) {
        values.iter().for_each(|value| self.usable(*value));
        let data = self.node_data_mut(node);
        data.overload = None;
        for (index, old) in (0..).zip(std::mem::take(&mut data.inputs)) {
            self.forget_use(old, Use::Node(node, index));
        }
        for value in values {
            self.add_operand(node, *value);
        }
    }
    /// The latest uses go first where much is erased: they are looked for from the end.
    fn forget_use(&mut self, value: ValueId, gone: Use) {
        let uses = &mut self.value_data_mut(value).uses;
        if let Some(at) = uses.iter().rposition(|u| *u == gone) {
            uses.remove(at);
        }
    }
    pub fn set_operand(&mut self, node: NodeId, index: usize, value: ValueId) {
        self.usable(value);
        let Some(old) = self.input(node, index) else { return };
        let this = Use::Node(node, index as u32);
        self.forget_use(old, this);
        self.node_data_mut(node).inputs[index] = value;
        self.value_data_mut(value).uses.push(this);
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
        values.iter().for_each(|value| self.usable(*value));
        for (index, old) in (0..).zip(std::mem::take(&mut self.block_data_mut(block).outputs)) {
            self.forget_use(old, Use::Block(block, index));
        }
        for (index, value) in values.iter().enumerate() {
            self.value_data_mut(*value).uses.push(Use::Block(block, index as u32));
        }
        self.block_data_mut(block).outputs = values.to_vec();
    }
    pub fn add_block_output(&mut self, block: BlockId, value: ValueId) {
        self.usable(value);
        let index = self.block_data(block).outputs.len() as u32;
        self.block_data_mut(block).outputs.push(value);
        self.value_data_mut(value).uses.push(Use::Block(block, index));
    }
    pub fn remove_block_output(&mut self, block: BlockId, index: usize) {
        let mut outputs = self.block_outputs(block).to_vec();
        if index < outputs.len() {
            outputs.remove(index);
            self.set_block_outputs(block, &outputs);
        }
    }
    /// Takes an input of a block away.
    ///
    /// # Panics
    /// When something uses it, see [`Graph::try_remove_input`].
    #[track_caller]
    pub fn remove_input(&mut self, block: BlockId, index: usize) {
        self.try_remove_input(block, index).unwrap_or_else(|misuse| refuse(misuse));
    }
    /// Takes an input of a block away, if nothing uses it.
    ///
    /// # Errors
    /// [`Misuse::Used`]; nothing is changed.
    pub fn try_remove_input(&mut self, block: BlockId, index: usize) -> Result<(), Misuse> {
        let Some(value) = self.block_inputs(block).get(index).copied() else { return Ok(()) };
        self.unused(value, || "a block's input".to_owned())?;
        self.block_data_mut(block).inputs.remove(index);
        self.value_data_mut(value).def = Def::Gone;
        self.renumber_inputs(block);
        Ok(())
    }
    fn unused(&self, value: ValueId, what: impl FnOnce() -> String) -> Result<(), Misuse> {
        match self.uses(value).len() {
            0 => Ok(()),
            uses => Err(Misuse::Used { what: what(), value: value.index(), uses }),
        }
    }
    pub(super) fn renumber_inputs(&mut self, block: BlockId) {
        for (index, value) in (0..).zip(self.block_inputs(block).to_vec()) {
            self.value_data_mut(value).def = Def::Input(block, index);
        }
    }
    /// Puts the inputs of a block into another order.
    pub fn permute_inputs(&mut self, block: BlockId, inputs: &[ValueId]) {
        debug_assert_eq!(self.block_data(block).inputs.len(), inputs.len(), "the same inputs in another order");
        self.block_data_mut(block).inputs = inputs.to_vec();
        self.renumber_inputs(block);
    }
    /// Puts the outputs of a node into another order.
    pub fn permute_outputs(&mut self, node: NodeId, outputs: &[ValueId]) {
        debug_assert_eq!(self.node_data(node).outputs.len(), outputs.len(), "the same outputs in another order");
        self.node_data_mut(node).outputs = outputs.to_vec();
        self.renumber_outputs(node);
    }
    /// Takes an output of a node away.
    ///
    /// # Panics
    /// When something uses it, see [`Graph::try_remove_output`].
    #[track_caller]
    pub fn remove_output(&mut self, node: NodeId, index: usize) {
        self.try_remove_output(node, index).unwrap_or_else(|misuse| refuse(misuse));
    }
    /// Takes an output of a node away, if nothing uses it.
    ///
    /// # Errors
    /// [`Misuse::Used`]; nothing is changed.
    pub fn try_remove_output(&mut self, node: NodeId, index: usize) -> Result<(), Misuse> {
        let Some(value) = self.output_at(node, index) else { return Ok(()) };
        self.unused(value, || format!("an output of {}", self.kind(node)))?;
        self.node_data_mut(node).outputs.remove(index);
        self.value_data_mut(value).def = Def::Gone;
        self.renumber_outputs(node);
        Ok(())
    }
    fn output_at(&self, node: NodeId, index: usize) -> Option<ValueId> {
        self.outputs(node).get(index).copied()
    }
    /// An output of a node at a place; the later ones move on by one.
    pub fn insert_output(&mut self, node: NodeId, at: usize, name: Option<&str>, ty: Type) -> ValueId {
        let value = self.new_value(name, ty, Def::Gone);
        let outputs = &mut self.node_data_mut(node).outputs;
        outputs.insert(at.min(outputs.len()), value);
        self.renumber_outputs(node);
        value
    }
    fn renumber_outputs(&mut self, node: NodeId) {
        for (index, value) in (0..).zip(self.outputs(node).to_vec()) {
            self.value_data_mut(value).def = Def::Output(node, index);
        }
    }
    /// Lets all that uses `old` use `new`.
    pub fn replace_uses(&mut self, old: ValueId, new: ValueId) {
        self.usable(new);
        if old == new {
            return;
        }
        for u in std::mem::take(&mut self.value_data_mut(old).uses) {
            self.redirect(u, new);
        }
    }
    /// The same for what is evaluated behind a node.
    pub fn replace_uses_after(&mut self, node: NodeId, old: ValueId, new: ValueId) {
        self.replace_uses_if(old, new, |graph, u| match u {
            Use::Node(user, _) => graph.is_before(node, user),
            // A block passes on what it has when all its nodes are through.
            Use::Block(block, _) => {
                graph.is_within(node, block) || graph.block_owner(block).is_some_and(|n| graph.is_before(node, n))
            }
        });
    }
    /// The same for the uses that `which` takes.
    pub fn replace_uses_if(&mut self, old: ValueId, new: ValueId, which: impl Fn(&Graph, Use) -> bool) {
        self.usable(new);
        let (moved, kept): (Vec<Use>, Vec<Use>) = self.uses(old).to_vec().into_iter().partition(|u| which(self, *u));
        self.value_data_mut(old).uses = kept;
        for u in moved {
            self.redirect(u, new);
        }
    }
    fn redirect(&mut self, u: Use, new: ValueId) {
        match u {
            Use::Node(node, index) => self.node_data_mut(node).inputs[index as usize] = new,
            Use::Block(block, index) => self.block_data_mut(block).outputs[index as usize] = new,
        }
        self.value_data_mut(new).uses.push(u);
    }
    /// The overload that a node means: the one it was resolved to, else the first that takes its operands as they are. None for nodes that are no call of an
    /// operator of the table.
    pub fn overload(&self, node: NodeId) -> Option<&'static OpEntry> {
        let data = self.node_data(node);
        data.overload.map(|o| o.0).or_else(|| {
            let types: Vec<Type> = data.inputs.iter().map(|v| self.ty(*v).clone()).collect();
            overload::of_node(&data.kind, &types).ok()
        })
    }
    /// Keeps the overload that a node was resolved to until its kind or the number of its operands changes.
    pub fn set_overload(&mut self, node: NodeId, entry: &'static OpEntry) {
        self.node_data_mut(node).overload = Some(Overload(entry));
    }
    /// Destroys a node and all it holds.
    ///
    /// # Panics
    /// When something uses its outputs, see [`Graph::try_erase`].
    #[track_caller]
    pub fn erase(&mut self, node: NodeId) {
        self.try_erase(node).unwrap_or_else(|misuse| refuse(misuse));
    }
    /// Destroys a node and all it holds, if nothing uses its outputs.
    ///
    /// # Errors
    /// [`Misuse::Used`]; nothing is changed.
    pub fn try_erase(&mut self, node: NodeId) -> Result<(), Misuse> {
        self.outputs(node).iter().try_for_each(|v| self.unused(*v, || self.kind(node).to_string()))?;
        self.detach(node);
        for block in std::mem::take(&mut self.node_data_mut(node).blocks) {
            self.clear_block(block);
        }
        self.set_operands(node, &[]);
        for value in std::mem::take(&mut self.node_data_mut(node).outputs) {
            self.value_data_mut(value).def = Def::Gone;
        }
        Ok(())
    }
    /// Destroys many nodes as [`Graph::erase`] does one, at the cost of one look at what else uses their operands.
    ///
    /// # Panics
    /// When something else uses their outputs.
    pub fn erase_all(&mut self, nodes: &[NodeId]) {
        let gone: FxHashSet<NodeId> = nodes.iter().copied().collect();
        let operands: FxHashSet<ValueId> =
            nodes.iter().flat_map(|n| std::mem::take(&mut self.node_data_mut(*n).inputs)).collect();
        for value in operands {
            self.value_data_mut(value).uses.retain(|u| !matches!(u, Use::Node(n, _) if gone.contains(n)));
        }
        nodes.iter().for_each(|node| self.erase(*node));
    }
    /// Destroys a block of a node and all it holds; the later blocks move up by one.
    pub fn erase_block(&mut self, node: NodeId, index: usize) {
        if index >= self.blocks(node).len() {
            return;
        }
        let block = self.node_data_mut(node).blocks.remove(index);
        self.clear_block(block);
    }
    fn clear_block(&mut self, block: BlockId) {
        self.set_block_outputs(block, &[]);
        for inner in self.take_nodes(block).into_iter().rev() {
            self.erase(inner);
        }
    }
}
