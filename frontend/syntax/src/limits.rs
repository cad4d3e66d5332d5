//! Every count that text can make large is bounded here, before memory or stack is spent on it.

/// Longest text in bytes; spans are 32-bit.
pub const MAX_TEXT: usize = 256 << 20;

/// Deepest nesting of brackets in one statement: types, attribute literals, value lists.
pub const MAX_BRACKETS: usize = 64;

/// Deepest nesting of a type, list and optional suffixes included.
pub const MAX_TYPE_DEPTH: usize = 64;

/// Deepest nesting of blocks in a graph.
pub const MAX_BLOCKS: usize = 200;

/// Deepest nesting of `with` graphs that refer to `with` graphs.
pub const MAX_SUBGRAPH_DEPTH: usize = 64;
