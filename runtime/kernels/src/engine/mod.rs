//! What kernels are built of: types of elements, walks over tensors, lanes, threads, vectors, temporaries and calls of other operators. No operator is known here.

pub mod arguments;
pub mod calling;
pub mod cast;
pub mod compose;
pub mod compute;
pub mod declared;
pub mod defaults;
pub mod derived;
pub mod elementwise;
pub mod extra;
pub mod folds;
pub mod functions;
pub mod grad;
pub mod lanes;
pub mod layout;
pub mod number;
pub mod promote;
pub mod quantizer;
pub mod rows;
pub mod rule_cache;
pub mod slices;
pub mod strided_copy;
pub mod sums;
pub mod transcendental;
pub mod typed;

pub use sconce_parallel::{self as parallel, scratch, simd, vectorize};
