//! What a call says of its loops, read once: which dimensions are folded, where windows lie, what an equation joins. Shape rules read it and refuse what is wrong;
//! kernels and lowerings take it as it is.

pub mod bags;
pub mod convolution;
pub mod einsum;
pub mod padding;
pub mod pool;
pub mod product;
pub mod recurrent;
mod reduction;
mod strides;
mod window;

pub use reduction::Reduction;
pub use strides::{Extent, view_strides};
pub use window::{Axis, Frame, Window, Windows, part};
