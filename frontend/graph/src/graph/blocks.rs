//! The nodes of a block are linked, so that putting, taking and moving one costs the same in a block of any length, and numbered with room between, so that
//! which of two comes first is one comparison.
//!
//! [`Graph::block_nodes`] gives them in a row, which is made when it is asked for and kept while nodes only come and go at the end. Who changes a block
//! while walking it uses [`Graph::next_node`]: a node that is taken out or destroyed on the way must not be the one that the walk stands on.

use super::{BlockId, Graph, NodeId, Point};

/// The room behind the last node of a block.
const STRIDE: u64 = 1 << 32;

impl Graph {
    /// The first node of a block.
    pub fn first_node(&self, block: BlockId) -> Option<NodeId> {
        self.block_data(block).first
    }
    /// The last node of a block.
    pub fn last_node(&self, block: BlockId) -> Option<NodeId> {
        self.block_data(block).last
    }
    /// The node behind a node in its block.
    pub fn next_node(&self, node: NodeId) -> Option<NodeId> {
        self.node_data(node).next
    }
    /// The node in front of a node in its block.
    pub fn previous_node(&self, node: NodeId) -> Option<NodeId> {
        self.node_data(node).previous
    }

    pub(super) fn linked(&self, block: BlockId) -> Vec<NodeId> {
        std::iter::successors(self.first_node(block), |n| self.next_node(*n)).collect()
    }

    /// Puts a node at the end of a block.
    pub fn append(&mut self, block: BlockId, node: NodeId) {
        self.detach(node);
        let last = self.block_data(block).last;
        self.link(block, last, node);
    }
    /// Puts a node at the start of a block.
    pub fn prepend(&mut self, block: BlockId, node: NodeId) {
        self.detach(node);
        self.link(block, None, node);
    }
    /// Puts a node at a place of a block, which is counted from its start.
    pub fn insert_at(&mut self, block: BlockId, at: usize, node: NodeId) {
        self.detach(node);
        match at.checked_sub(1) {
            None => self.link(block, None, node),
            Some(before) => {
                let mut nodes = std::iter::successors(self.first_node(block), |n| self.next_node(*n));
                let previous = nodes.nth(before).or(self.last_node(block));
                self.link(block, previous, node);
            }
        }
    }
    /// Puts `node` in front of `next`; nowhere if that is in no block.
    pub fn insert_before(&mut self, next: NodeId, node: NodeId) {
        if node == next {
            return;
        }
        self.detach(node);
        if let Some(block) = self.owner(next) {
            let previous = self.previous_node(next);
            self.link(block, previous, node);
        }
    }
    /// Puts `node` behind `previous`; nowhere if that is in no block.
    pub fn insert_after(&mut self, previous: NodeId, node: NodeId) {
        if node == previous {
            return;
        }
        self.detach(node);
        if let Some(block) = self.owner(previous) {
            self.link(block, Some(previous), node);
        }
    }
    /// Puts nodes in front of `next`, in order.
    pub fn insert_all_before(&mut self, next: NodeId, nodes: Vec<NodeId>) {
        nodes.into_iter().for_each(|node| self.insert_before(next, node));
    }
    /// Takes a node out of its block; operands and uses stay. New nodes that were to come in front of it come in front of the one behind it.
    pub fn detach(&mut self, node: NodeId) {
        let Some(block) = self.node_data_mut(node).owner.take() else { return };
        let previous = self.node_data_mut(node).previous.take();
        let next = self.node_data_mut(node).next.take();
        if self.point == Point::Before(node) {
            self.point = next.map_or(Point::End(block), Point::Before);
        }
        self.join(block, previous, next);
        let listed = &mut self.block_data_mut(block).listed;
        match (listed.get_mut(), next) {
            (Some(row), None) => _ = row.pop(),
            _ => _ = listed.take(),
        }
    }
    /// [`Graph::detach`] of many.
    pub fn detach_all(&mut self, nodes: &[NodeId]) {
        nodes.iter().for_each(|node| self.detach(*node));
    }
    /// Takes all nodes out of a block, in order; operands and uses stay.
    pub fn take_nodes(&mut self, block: BlockId) -> Vec<NodeId> {
        let nodes = self.block_nodes(block).to_vec();
        nodes.iter().rev().for_each(|node| self.detach(*node));
        nodes
    }
    /// Moves all nodes of `from` to the end of `to`.
    pub fn splice(&mut self, from: BlockId, to: BlockId) {
        self.take_nodes(from).into_iter().for_each(|node| self.append(to, node));
    }

    /// A node's block, and its number there.
    pub fn position(&self, node: NodeId) -> Option<(BlockId, usize)> {
        let block = self.owner(node)?;
        let order = self.node_data(node).order;
        Some((block, self.block_nodes(block).partition_point(|n| self.node_data(*n).order < order)))
    }
    /// Is `a`, or what it is in, evaluated before `b`, or what that is in? Neither is before the other if one holds the other, and nodes in no block are before
    /// none.
    pub fn is_before(&self, a: NodeId, b: NodeId) -> bool {
        let (mut a, mut b) = (a, b);
        let (Some(deep_a), Some(deep_b)) = (self.depth(a), self.depth(b)) else { return false };
        for _ in deep_b..deep_a {
            a = self.holder(a).unwrap_or(a);
        }
        for _ in deep_a..deep_b {
            b = self.holder(b).unwrap_or(b);
        }
        while self.owner(a) != self.owner(b) {
            let (Some(around_a), Some(around_b)) = (self.holder(a), self.holder(b)) else { return false };
            (a, b) = (around_a, around_b);
        }
        self.node_data(a).order < self.node_data(b).order
    }
    /// The node in whose block a node is.
    fn holder(&self, node: NodeId) -> Option<NodeId> {
        self.block_owner(self.owner(node)?)
    }
    /// How many nodes are around a node that is in a block.
    fn depth(&self, node: NodeId) -> Option<usize> {
        self.owner(node)?;
        Some(std::iter::successors(self.holder(node), |n| self.holder(*n)).count())
    }

    /// Puts a node that is in no block behind `previous`, or at the start.
    fn link(&mut self, block: BlockId, previous: Option<NodeId>, node: NodeId) {
        let next = previous.map_or(self.first_node(block), |p| self.next_node(p));
        let order = self.order_between(block, previous, next);
        let data = self.node_data_mut(node);
        data.owner = Some(block);
        data.order = order;
        self.join(block, previous, Some(node));
        self.join(block, Some(node), next);
        let listed = &mut self.block_data_mut(block).listed;
        match (listed.get_mut(), next) {
            (Some(row), None) => row.push(node),
            _ => _ = listed.take(),
        }
    }
    /// Lets two nodes be neighbours; none stands for the end of the block.
    fn join(&mut self, block: BlockId, previous: Option<NodeId>, next: Option<NodeId>) {
        match previous {
            Some(p) => self.node_data_mut(p).next = next,
            None => self.block_data_mut(block).first = next,
        }
        match next {
            Some(n) => self.node_data_mut(n).previous = previous,
            None => self.block_data_mut(block).last = previous,
        }
    }

    fn order_between(&mut self, block: BlockId, previous: Option<NodeId>, next: Option<NodeId>) -> u64 {
        loop {
            let low = previous.map_or(0, |p| self.node_data(p).order);
            let order = match next {
                Some(n) => low + (self.node_data(n).order - low) / 2,
                None => low.saturating_add(STRIDE),
            };
            // Zero and the greatest number are kept free for what comes before and behind.
            if order > low && order < u64::MAX {
                return order;
            }
            let Some(crowded) = previous.or(next) else { return STRIDE };
            self.make_room(block, crowded);
        }
    }
    /// Numbers the nodes around one anew: the smallest range of numbers around it that is sparse enough, the sparser the larger it is, so that numbering costs
    /// the logarithm of a block's length for each node that comes, wherever they come.
    fn make_room(&mut self, block: BlockId, node: NodeId) {
        let order = self.node_data(node).order;
        let (mut first, mut last, mut count) = (node, node, 1u64);
        for bits in 4..64 {
            let low = (order >> bits) << bits;
            let high = low | ((1 << bits) - 1);
            while let Some(n) = self.previous_node(first).filter(|n| self.node_data(*n).order >= low) {
                (first, count) = (n, count + 1);
            }
            while let Some(n) = self.next_node(last).filter(|n| self.node_data(*n).order <= high) {
                (last, count) = (n, count + 1);
            }
            if (count as f64) < (4.0f64 / 3.0).powi(bits) {
                return self.spread(first, count, low, (1 << bits) / (count + 1));
            }
        }
        if let Some(first) = self.first_node(block) {
            let count = self.block_nodes(block).len() as u64;
            self.spread(first, count, 0, u64::MAX / (count + 1));
        }
    }
    fn spread(&mut self, first: NodeId, count: u64, low: u64, step: u64) {
        let mut at = Some(first);
        for i in 1..=count {
            let Some(node) = at else { return };
            self.node_data_mut(node).order = low + i * step;
            at = self.next_node(node);
        }
    }
}
