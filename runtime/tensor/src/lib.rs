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
#![warn(missing_docs)]

pub mod allocations;
#[cfg(feature = "ndarray")]
mod arrays;
mod copying;
mod deep_copy;
mod derived;
mod dict_key;
pub mod dlpack;
mod element;
mod elements;
mod handle;
mod ivalue;
pub mod lent;
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
mod views;
pub mod watch;

pub use copying::transpose;
pub use deep_copy::{deep_copies, deep_copies_but};
pub use dict_key::{DictKey, KeyOf};
pub use element::{Bool, Element};
pub use half::{bf16, f16};
pub use handle::{Handle, Reused, Spare};
pub use ivalue::{Dict, EnumValue, Future, FutureState, IValue, Items, List, Object, Tuple};
pub use lock::{ReadGuard, WriteGuard};
pub use mapping::Mapping;
pub use mersenne::Generator;
pub use metadata::{Sizes, Strided, TensorMetadata};
pub use num_complex::Complex;
pub use quantizer::Quantizer;
pub use sconce_schema::DType;
pub use storage::{Memory, Storage};
pub use strided::{Offsets, broadcast_sizes, contiguous_strides, numel, view_strides};
pub use tensor::Tensor;

/// Why a tensor could not be made or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// More elements than can be counted, or bytes than there is memory.
    #[error("a tensor of sizes {sizes:?} and {bytes_per_element} bytes an element does not fit into memory")]
    TooLarge {
        /// Those that were asked for.
        sizes: Vec<i64>,
        /// Of the dtype.
        bytes_per_element: usize,
    },
    /// Elements outside the storage.
    #[error(
        "setStorage: sizes {sizes:?}, strides {strides:?}, storage offset {offset} need {needed} bytes, but the storage holds {have}"
    )]
    OutOfBounds {
        /// Those that were asked for.
        sizes: Vec<i64>,
        /// In elements.
        strides: Vec<i64>,
        /// In elements.
        offset: i64,
        /// Bytes up to the end of the last element; 0 where there is no such place.
        needed: u128,
        /// Bytes of the storage.
        have: usize,
    },
    /// A storage that begins where elements of the dtype cannot lie.
    #[error("elements of {dtype} lie at multiples of {alignment} bytes, and these begin elsewhere")]
    Unaligned {
        /// The dtype that was asked for.
        dtype: DType,
        /// In bytes.
        alignment: usize,
    },
    /// Another Rust type than that of the tensor's elements.
    #[error("elements of type {expected} are asked for, and the tensor's are of type {got}")]
    Elements {
        /// The dtype of the Rust type.
        expected: DType,
        /// The tensor's.
        got: DType,
    },
    /// A size below 0.
    #[error("negative size {0} is not allowed")]
    NegativeSize(i64),
    /// Sizes that cannot be broadcast to each other.
    #[error("The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}")]
    Broadcast {
        /// The size of the one.
        a: i64,
        /// The size of the other.
        b: i64,
        /// The dimension of the result.
        dim: usize,
    },
    /// Memory of somebody else's that no tensor can lie over.
    #[error("{0}")]
    Lent(String),
    /// A value of another kind.
    #[error("expected {expected}, got {got}")]
    Kind {
        /// The kind that was asked for.
        expected: &'static str,
        /// The kind that it is.
        got: &'static str,
    },
}
