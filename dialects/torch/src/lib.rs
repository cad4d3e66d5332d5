//! The torch dialect in Rust: what the dialect holds is said in `dialects/ir` (`td`, `cpp/torch`) and the op table, and derived from there.
//!
//! [`context`] makes contexts in which all is registered. [`register`] alone comes before the first context: it hands the op table to the operator model, after which every operator of the table is an
//! operation like `torch.aten.add.Tensor`. A custom operator joins by its schema: [`register_custom`], at any time [`register_custom_in`]; one of
//! which more is known, by a record: [`declare`].
#![forbid(unsafe_code)]

pub mod kinds;
pub mod rows;
pub mod types;

/// The operator (`torch.operator`) that stands for a value which has only a name here; whoever runs the program has the value.
pub const NAMED_CONSTANT: &str = "sconce.named_constant";
/// Of a `torch.slot`: tensors in slots of one number share memory.
pub const STORAGE: &str = "torch.storage";

/// Of a function that is a method: tensors that its object holds and that may be constants, by path from the object. Those of one number share memory.
pub const OFFERED: &str = "sconce.offered_constants";

/// The value of an attribute of graph text that says its type, `annotate(List[int], [])`: a dictionary of the value under this name and of the type's text.
pub const ANNOTATED: &str = "annotated";

pub use rows::{context, declare, entry, register, register_custom, register_custom_in};
