//! The variables of a function, one frame for each block: what is a value lives in the graph as stores and loads, what is none lives here.

use super::sugared::Sugared;
use crate::graph::BlockId;
use sconce_schema::Type;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The variables a block assigns.
pub(super) struct Frame {
    pub block: BlockId,
    /// The declared (widest) type of each variable that is a value.
    pub types: BTreeMap<Rc<str>, Type>,
    pub sugared: BTreeMap<Rc<str>, Sugared>,
}

impl Frame {
    pub fn new(block: BlockId) -> Frame {
        Frame { block, types: BTreeMap::new(), sugared: BTreeMap::new() }
    }
}

/// PyTorch's `meaningfulName`: `_1`, `$tmp` and the like name no value.
pub(super) fn is_meaningful(name: &str) -> bool {
    match name.as_bytes() {
        [] | [b'$', ..] => false,
        [b'_', rest @ ..] => rest.iter().any(|b| !b.is_ascii_digit()),
        _ => true,
    }
}
