//! Elements moved by tables: along each dimension of the result a table says where in the source's storage to look.

use crate::Error;
use sconce_tensor::{DType, Sizes, Tensor, numel};

/// No element: what the result held stays.
pub const NOTHING: i64 = i64::MIN;

/// Offsets `index * stride` of a dimension of the source; [`NOTHING`] stays.
pub fn along(source: &Tensor, dim: usize, indices: impl IntoIterator<Item = i64>) -> Vec<i64> {
    let stride = source.strides()[dim];
    indices.into_iter().map(|i| if i == NOTHING { NOTHING } else { i * stride }).collect()
}

/// The whole of a dimension.
pub fn whole(source: &Tensor, dim: usize) -> Vec<i64> {
    along(source, dim, 0..source.sizes()[dim])
}

/// Runs `f(result offset, source offset)` for every element of a result with these strides whose tables all name an element.
///
/// Offsets are in elements from each storage's start; the tables' lengths are the result's sizes.
pub fn for_each(tables: &[Vec<i64>], strides: &[i64], start: i64, source_start: i64, mut f: impl FnMut(i64, i64)) {
    fn walk(tables: &[Vec<i64>], strides: &[i64], to: i64, from: i64, f: &mut impl FnMut(i64, i64)) {
        let (Some((table, tables)), Some((stride, strides))) = (tables.split_first(), strides.split_first()) else {
            f(to, from);
            return;
        };
        let mut to = to;
        for offset in table {
            if *offset != NOTHING {
                walk(tables, strides, to, from + offset, f);
            }
            to += stride;
        }
    }
    if tables.iter().all(|t| !t.is_empty()) {
        walk(tables, strides, start, source_start, &mut f);
    }
}

/// Copies elements into `out` as the tables say; both have one dtype.
///
/// # Panics
/// When the tables do not have the sizes of `out`, or the dtypes differ: the caller made both.
pub fn move_into(out: &Tensor, source: &Tensor, tables: &[Vec<i64>]) {
    assert_eq!(out.dtype(), source.dtype(), "elements of two dtypes");
    assert!(
        out.sizes().iter().zip(tables).all(|(n, t)| *n as usize == t.len()) && out.dim() == tables.len(),
        "tables of other sizes than the result's"
    );
    fn run<const N: usize>(out: &Tensor, source: &Tensor, tables: &[Vec<i64>]) {
        let to = out.storage().data_ptr().cast::<[u8; N]>();
        let from = source.storage().data_ptr().cast::<[u8; N]>();
        for_each(tables, out.strides(), out.storage_offset(), source.storage_offset(), |t, f| {
            // SAFETY: the tables hold offsets of the source's elements (callers check every index), `t` runs over the result's, both lie in their
            // storages; byte arrays have no alignment.
            unsafe { *to.offset(t as isize) = *from.offset(f as isize) }
        });
    }
    match out.dtype().size() {
        1 => run::<1>(out, source, tables),
        2 => run::<2>(out, source, tables),
        4 => run::<4>(out, source, tables),
        8 => run::<8>(out, source, tables),
        _ => run::<16>(out, source, tables),
    }
}

/// A contiguous tensor of the elements that the tables name.
pub fn moved(source: &Tensor, tables: &[Vec<i64>], dtype: DType) -> Result<Tensor, Error> {
    let sizes: Sizes = tables.iter().map(|t| t.len() as i64).collect();
    let out = Tensor::zeros(&sizes, dtype)?;
    move_into(&out, source, tables);
    Ok(out)
}

/// A table's length, refused where it is beyond memory before it is made.
pub fn bounded(lengths: &[i64]) -> Result<(), Error> {
    match numel(lengths) {
        Some(_) if lengths.iter().all(|n| *n <= 1 << 40) => Ok(()),
        _ => Err(sconce_tensor::Error::TooLarge { sizes: lengths.to_vec(), bytes_per_element: 8 }.into()),
    }
}
