//! A second factor that somebody relies on is packed once, for all products by it.

use sconce_gemm::{Multiplied, Panels, View};
use sconce_tensor::{Element, Tensor};
use std::sync::Arc;

/// Panels, and the memory that they lie in.
pub(crate) struct PackedFactor<E> {
    pub panels: Panels<E>,
    _memory: Tensor,
}

impl<E: Multiplied + Element> PackedFactor<E> {
    /// Of a tensor of rows and columns; none where memory is short.
    pub fn of(matrix: &Tensor) -> Option<PackedFactor<E>> {
        let ([k, n], [row, column]) = (matrix.sizes().try_into().ok()?, matrix.strides().try_into().ok()?);
        let (k, n): (i64, i64) = (k, n);
        let (k, n) = (usize::try_from(k).ok()?, usize::try_from(n).ok()?);
        let elements = i64::try_from(Panels::<E>::elements(k, n)?).ok()?;
        // SAFETY: elements that are not written belong to no panel.
        let memory = unsafe { Tensor::uninit(&[elements], E::DTYPE) }.ok()?;
        let (row, column): (i64, i64) = (row, column);
        let view = View::new(matrix.data_ptr::<E>().cast_const(), row as isize, column as isize);
        // SAFETY: the matrix lies in its storage; the memory is fresh, and lives as long as the panels.
        let panels = unsafe { Panels::pack(view, k, n, memory.data_ptr()) };
        Some(PackedFactor { panels, _memory: memory })
    }
}

/// The panels of a tensor of `k` rows and `n` columns; none where nobody relies on its elements, or memory is short.
pub(crate) fn packed_factor<E: Multiplied + Element>(matrix: &Tensor) -> Option<Arc<PackedFactor<E>>> {
    matrix.derived(PackedFactor::of)
}
