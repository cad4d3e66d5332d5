//! Where new nodes come is a state of the graph, and whoever changes it for a while gives it back, also when it panics.

use super::{BlockId, Graph, NodeId, Owned};
use std::ops::{Deref, DerefMut};

/// A place for new nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    /// Behind the last node of a block.
    End(BlockId),
    /// In front of a node; if that leaves its block, of the one behind it.
    Before(NodeId),
}

impl Graph {
    /// Where [`Graph::insert_node`] puts nodes; the end of the graph at first.
    pub fn insert_point(&self) -> Point {
        self.point
    }

    /// Sets where nodes are put from now on.
    pub fn set_insert_point(&mut self, point: Point) {
        let known = match point {
            Point::End(block) => block.is_of(self),
            Point::Before(node) => node.is_of(self),
        };
        if !known {
            super::handle::refuse(match point {
                Point::End(block) => block.into(),
                Point::Before(node) => node.into(),
            });
        }
        self.point = point;
    }

    /// Sets where nodes are put until the guard, through which the graph is changed meanwhile, is dropped.
    pub fn insert_point_guard(&mut self, point: Point) -> InsertGuard<'_> {
        let before = self.point;
        self.set_insert_point(point);
        InsertGuard { graph: self, before }
    }

    /// Puts a node at the insertion point.
    pub fn insert_node(&mut self, node: NodeId) -> NodeId {
        match self.point {
            Point::End(block) => self.append(block, node),
            Point::Before(next) => self.insert_before(next, node),
        }
        node
    }
}

/// A graph whose insertion point goes back to where it was when this is dropped.
pub struct InsertGuard<'g> {
    graph: &'g mut Graph,
    before: Point,
}

impl Drop for InsertGuard<'_> {
    fn drop(&mut self) {
        // The node in front of which it was may have left its block meanwhile.
        let gone = matches!(self.before, Point::Before(node) if self.graph.owner(node).is_none());
        self.graph.point = if gone { Point::End(self.graph.root()) } else { self.before };
    }
}

impl Deref for InsertGuard<'_> {
    type Target = Graph;
    fn deref(&self) -> &Graph {
        self.graph
    }
}

impl DerefMut for InsertGuard<'_> {
    fn deref_mut(&mut self) -> &mut Graph {
        self.graph
    }
}
