//! What kernels are built of: types of elements, walks over tensors, lanes, threads, vectors, temporaries and calls of other operators. No operator is known here.

pub mod cast;
pub mod compose;
pub mod composite;
pub mod compute;
pub mod convert;
pub mod declared;
pub mod defaults;
pub mod derived;
pub mod elementwise;
pub mod folds;
pub mod foreach;
pub mod grad;
pub mod lanes;
pub mod number;
pub mod parallel;
pub mod promote;
pub mod rows;
pub mod rule_cache;
pub mod scratch;
pub mod simd;
pub mod strided_copy;
pub mod transcendental;
pub mod vectorize;
