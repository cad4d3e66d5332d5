//! Every count that a program can make large is bounded here, before memory or stack is spent on it.

/// Longest text in bytes: positions are 32-bit.
pub const MAX_TEXT: usize = 256 << 20;

/// Deepest nesting of brackets in an argument.
pub const MAX_BRACKETS: usize = 64;

/// Deepest nesting of a symbolic expression.
pub const MAX_EXPRESSION_DEPTH: usize = 64;

/// Longest text of a symbolic expression in bytes.
pub const MAX_EXPRESSION: usize = 1 << 20;

/// Deepest nesting of graph modules.
pub const MAX_MODULE_DEPTH: usize = 64;
