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

/// Longest TorchScript or Python text in bytes.
pub const MAX_SCRIPT: usize = 16 << 20;

/// Deepest nesting of brackets in TorchScript.
pub const MAX_SCRIPT_BRACKETS: usize = 200;

/// Deepest indentation in TorchScript.
pub const MAX_INDENTS: usize = 100;

/// Deepest nesting of statements in TorchScript; each `elif` is one deeper.
pub const MAX_BLOCK_DEPTH: u32 = 300;

/// Deepest tree of one expression, chains such as `a + b + c` included.
pub const MAX_EXPRESSION_DEPTH: u32 = 400;
