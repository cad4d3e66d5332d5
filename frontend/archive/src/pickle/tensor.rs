//! A tensor in a pickle lies inside its storage: sizes and strides are not negative, and no element is beyond the end.

use super::{QScheme, ValueId};
use sconce_schema::DType;
use sconce_schema::Layout;

/// A storage as the pickle describes it; its bytes are a member of the archive.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StorageRef {
    /// The member's name behind the folder of the pickle's tensors.
    pub key: Box<str>,
    /// `None` for an untyped storage, which is counted in bytes.
    pub dtype: Option<DType>,
    /// Where the tensor was when it was saved, such as `cpu` or `cuda:0`.
    pub device: Box<str>,
    /// Elements of `dtype`.
    pub numel: u64,
}

impl StorageRef {
    /// Bytes of the storage; `None` beyond 64 bits.
    pub fn byte_count(&self) -> Option<u64> {
        self.numel.checked_mul(self.dtype.map_or(1, |d| d.size() as u64))
    }
}

/// A strided tensor as a view into its storage.
#[derive(Clone, PartialEq, Debug)]
pub struct TensorRef {
    pub storage: StorageRef,
    pub dtype: DType,
    /// In elements.
    pub offset: i64,
    pub sizes: Vec<i64>,
    /// In elements.
    pub strides: Vec<i64>,
    pub requires_grad: bool,
    /// An `nn.Parameter` of a pickle of eager PyTorch.
    pub parameter: bool,
    pub quantizer: Option<Quantizer>,
}

impl TensorRef {
    /// The number of elements, or `None` if the product overflows.
    pub fn numel(&self) -> Option<i64> {
        if self.sizes.contains(&0) {
            return Some(0);
        }
        self.sizes.iter().try_fold(1i64, |n, s| n.checked_mul(*s))
    }

    /// Why the tensor cannot be a view of its storage.
    pub fn check(&self) -> Result<(), String> {
        let TensorRef { sizes, strides, offset, .. } = self;
        if sizes.len() != strides.len() {
            return Err(format!("{} sizes and {} strides", sizes.len(), strides.len()));
        }
        if *offset < 0 || sizes.iter().chain(strides).any(|n| *n < 0) {
            return Err(format!("a negative offset, size or stride: {offset}, {sizes:?}, {strides:?}"));
        }
        let bytes = self.storage.byte_count().filter(|b| i64::try_from(*b).is_ok());
        let bytes = bytes.ok_or_else(|| format!("a storage of {} elements", self.storage.numel))?;
        let numel = self.numel().ok_or_else(|| format!("sizes {sizes:?}, whose product overflows"))?;
        if numel == 0 {
            return Ok(());
        }
        let last = sizes
            .iter()
            .zip(strides)
            .try_fold(*offset, |at, (size, stride)| at.checked_add((size - 1).checked_mul(*stride)?));
        let end = last.and_then(|l| u64::try_from(l).ok()?.checked_add(1)?.checked_mul(self.dtype.size() as u64));
        match end {
            Some(end) if end <= bytes => Ok(()),
            _ => Err(format!(
                "offset {offset}, sizes {sizes:?} and strides {strides:?} reach beyond a storage of {bytes} bytes"
            )),
        }
    }
}

/// How a quantized tensor's numbers are meant.
#[derive(Clone, PartialEq, Debug)]
pub enum Quantizer {
    PerTensor { scheme: QScheme, scale: f64, zero_point: i64 },
    PerChannel { scheme: QScheme, scales: ValueId, zero_points: ValueId, axis: i64 },
}

/// A sparse tensor; `parts` are the tensors of its layout in PyTorch's order (`indices, values` or `crow_indices, col_indices, values`).
#[derive(Clone, PartialEq, Debug)]
pub struct SparseTensor {
    pub layout: Layout,
    pub sizes: Vec<i64>,
    pub parts: Vec<ValueId>,
    pub requires_grad: bool,
    /// Eager PyTorch says whether COO indices are sorted and unique.
    pub is_coalesced: Option<bool>,
}
