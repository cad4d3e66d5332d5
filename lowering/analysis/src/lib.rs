//! What is known of a torch program, read from its IR and never guessed: types as data, constants, schema names, effects, aliases, shapes.
#![forbid(unsafe_code)]

pub mod alias;
pub mod effects;
pub mod layout;
pub mod operators;
pub mod refine;
pub mod sizes;
pub mod symbols;
pub mod types;

pub use alias::Aliases;
pub use effects::{Effect, effect};
pub use layout::{Rows, are_gaps_seen, is_layout_seen};
pub use operators::{Constant, constant, schema_name};
pub use symbols::Symbols;
pub use types::{Tensor, TorchType};
