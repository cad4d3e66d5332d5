//! Tensors and values as TorchScript programs hold them: storage shared by views, sizes and strides checked when made, sixteen-byte values.
//!
//! | here | PyTorch |
//! |---|---|
//! | [`Tensor`] | `at::Tensor`: a counted handle; clones are the same tensor |
//! | [`Storage`] | `c10::Storage` |
//! | [`IValue`] | `c10::IValue` |
//!
//! ```
//! use sconce_tensor::{Tensor, DType};
//! let t = Tensor::from_vec(vec![1f32, 2., 3., 4., 5., 6.], &[2, 3]);
//! let column = t.as_strided(&[2], &[3], 1)?;
//! assert_eq!(column.to_vec::<f32>(), [2., 5.]);
//! assert!(column.shares_storage(&t));
//! # Ok::<(), sconce_tensor::Error>(())
//! ```

pub mod allocations;
#[cfg(feature = "ndarray")]
mod arrays;
mod copying;
mod deep_copy;
mod element;
mod elements;
mod handle;
mod ivalue;
mod lock;
mod mapping;
pub mod mersenne;
mod metadata;
mod quantizer;
mod ranges;
pub mod reserve;
mod storage;
mod strided;
mod tensor;
pub mod watch;

pub use copying::transpose;
pub use deep_copy::{deep_copies, deep_copies_but};
pub use element::{Bool, Element};
pub use half::{bf16, f16};
pub use handle::{Handle, Reused, Spare};
pub use ivalue::{Dict, DictKey, EnumValue, Future, FutureState, IValue, Items, KeyOf, List, Object, Tuple};
pub use lock::{ReadGuard, WriteGuard};
pub use mapping::Mapping;
pub use mersenne::Generator;
pub use metadata::{Sizes, TensorMetadata};
pub use num_complex::Complex;
pub use quantizer::Quantizer;
pub use sconce_schema::DType;
pub use storage::{Memory, Storage};
pub use strided::{Offsets, broadcast_sizes, contiguous_strides, numel};
pub use tensor::Tensor;

/// Why a tensor could not be made or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("a tensor of sizes {sizes:?} and {bytes_per_element} bytes an element does not fit into memory")]
    TooLarge { sizes: Vec<i64>, bytes_per_element: usize },
    #[error(
        "setStorage: sizes {sizes:?}, strides {strides:?}, storage offset {offset} need {needed} bytes, but the storage holds {have}"
    )]
    OutOfBounds { sizes: Vec<i64>, strides: Vec<i64>, offset: i64, needed: u128, have: usize },
    #[error("elements of {dtype} lie at multiples of {alignment} bytes, and these begin elsewhere")]
    Unaligned { dtype: DType, alignment: usize },
    #[error("elements of type {expected} are asked for, and the tensor's are of type {got}")]
    Elements { expected: DType, got: DType },
    #[error("negative size {0} is not allowed")]
    NegativeSize(i64),
    #[error("The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}")]
    Broadcast { a: i64, b: i64, dim: usize },
    #[error("expected {expected}, got {got}")]
    Kind { expected: &'static str, got: &'static str },
}
