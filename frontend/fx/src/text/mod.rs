//! FX text in both directions: what PyTorch prints, byte for byte, and what can be read back of it.

mod print;
mod read;
mod resolve;

pub use read::{is_fx_text, read, read_module};
pub use resolve::{Unreadable, unreadable};
