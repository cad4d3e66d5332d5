//! Operators on what is not a tensor: numbers, strings, lists, dictionaries, tuples.

pub mod copy_on_write;
pub mod dict;
pub mod direct;
pub mod list;
pub mod prim;
pub mod scalar;
pub mod scalar_math;
pub mod string;
pub mod text;
pub mod views;
