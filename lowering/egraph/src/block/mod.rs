//! A block as terms and back: operations on values become terms, and what is chosen becomes operations again, in places where what they need is there.
//!
//! What is no term (it writes, prints, draws, holds blocks) stays where it is; what it gives is a leaf, what it takes a root. Tensors that nothing writes to are values,
//! whatever their type says; what leaves the function keeps being an object of its own.

mod order;
mod read;
mod write;

pub use order::sort;
pub use read::{Kind, Program, Replaceable, Root, read};
pub use write::write;
