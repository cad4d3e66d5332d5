//! Copies of nodes, blocks and graphs: attributes, places and names come with them, and values made inside are the copies' own.

use super::{BlockId, Graph, NodeData, NodeId, ValueId};
use rustc_hash::FxHashMap;

/// A copy takes the handles that the original had when it was copied.
impl Clone for Graph {
    fn clone(&self) -> Graph {
        Graph {
            identity: self.identity.of_copy([self.nodes.len(), self.blocks.len(), self.values.len()]),
            root: self.root,
            point: self.point,
            nodes: self.nodes.clone(),
            blocks: self.blocks.clone(),
            values: self.values.clone(),
        }
    }
}

impl Graph {
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
        let NodeData { kind, inputs, outputs, blocks, attrs, loc, remarks, overload, .. } =
            self.node_data(node).clone();
        let inputs: Vec<ValueId> =
            inputs.into_iter().map(|v| inner.get(&v).copied().unwrap_or_else(|| map(v))).collect();
        let copy = self.node(kind, &inputs);
        let data = self.node_data_mut(copy);
        (data.attrs, data.loc, data.remarks, data.overload) = (attrs, loc, remarks, overload);
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
    /// A copy of a node of another graph in no block, its operands as `map` has them; values that the copy makes are put there.
    pub fn copy_node(&mut self, other: &Graph, node: NodeId, map: &mut FxHashMap<ValueId, ValueId>) -> NodeId {
        let inputs: Vec<ValueId> = other.inputs(node).iter().filter_map(|v| map.get(v).copied()).collect();
        let copy = self.node(other.kind(node).clone(), &inputs);
        let data = self.node_data_mut(copy);
        data.attrs = other.attrs(node).to_vec();
        data.loc = other.loc(node).cloned();
        data.remarks = other.node_data(node).remarks.clone();
        data.overload = other.node_data(node).overload;
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
}
