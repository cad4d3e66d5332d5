//! How products of matrices are done, as far as the kernels and the compiler have to agree about it.

/// Rows, at most, that meet a second factor which lies turned, as a linear layer's weights do, by dot products that read it as it lies. More go by tiles of packed
/// panels: packed once where the factor stays, in each call where it does not.
pub const ROWS_OF_DOTS: usize = 24;
