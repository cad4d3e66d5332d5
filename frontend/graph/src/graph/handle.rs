//! Handles know their graph: what belongs to another one is told apart, also when both have as many nodes and values.

use super::{BlockData, Graph, NodeData, ValueData};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};

/// What a graph refuses to do, because nothing sensible would come of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misuse {
    #[error("{0} {1} belongs to another graph")]
    Foreign(&'static str, usize),
    #[error("value {0} was destroyed and cannot be used")]
    Destroyed(usize),
    #[error("{what} cannot be destroyed: value {value} has {uses} uses")]
    Used { what: String, value: usize, uses: usize },
}

/// Which graph a handle is of, and of which graphs it has the handles because it is their copy.
#[derive(Debug)]
pub(super) struct Identity {
    number: u32,
    /// The graphs it was copied from, with what each had then: nodes, blocks, values.
    copied: Vec<(u32, [usize; 3])>,
}

impl Identity {
    pub(super) fn fresh() -> Identity {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Identity { number: NEXT.fetch_add(1, Ordering::Relaxed), copied: Vec::new() }
    }

    /// The identity of a copy of a graph that has these many nodes, blocks and values.
    pub(super) fn of_copy(&self, counts: [usize; 3]) -> Identity {
        let mut copy = Identity::fresh();
        copy.copied.clone_from(&self.copied);
        copy.copied.push((self.number, counts));
        copy
    }
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $place:literal, $word:literal, $data:ident, $data_mut:ident, $arena:ident, $record:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name {
            index: u32,
            graph: u32,
        }

        impl $name {
            pub(super) fn new(graph: &Identity, index: usize) -> $name {
                $name { index: index as u32, graph: graph.number }
            }

            /// A dense number, for side tables.
            pub fn index(self) -> usize {
                self.index as usize
            }
        }

        // By the number in the graph alone, so that tables have one order in every run.
        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.index.hash(state);
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($word, " {}"), self.index)
            }
        }

        impl From<$name> for Misuse {
            fn from(handle: $name) -> Misuse {
                Misuse::Foreign($word, handle.index())
            }
        }

        impl Owned for $name {
            fn is_of(self, graph: &Graph) -> bool {
                let identity = &graph.identity;
                self.graph == identity.number
                    || (identity.copied.iter()).any(|(number, counts)| *number == self.graph && self.index() < counts[$place])
            }
        }

        impl Graph {
            #[track_caller]
            pub(super) fn $data(&self, handle: $name) -> &$record {
                if !handle.is_of(self) {
                    refuse(handle.into());
                }
                &self.$arena[handle.index()]
            }

            #[track_caller]
            pub(super) fn $data_mut(&mut self, handle: $name) -> &mut $record {
                if !handle.is_of(self) {
                    refuse(handle.into());
                }
                &mut self.$arena[handle.index()]
            }
        }
    };
}
handle!(
    /// A node of one graph.
    NodeId, 0, "node", node_data, node_data_mut, nodes, NodeData
);
handle!(
    /// A block of one graph.
    BlockId, 1, "block", block_data, block_data_mut, blocks, BlockData
);
handle!(
    /// A value of one graph.
    ValueId, 2, "value", value_data, value_data_mut, values, ValueData
);

/// What belongs to a graph.
pub trait Owned: Copy {
    /// Is it of this graph, or of one that this is a copy of?
    fn is_of(self, graph: &Graph) -> bool;
}

#[cold]
#[track_caller]
pub(super) fn refuse(misuse: Misuse) -> ! {
    panic!("{misuse}")
}
