//! Masks as lists: where the elements of a tensor are that are not zero, in row-major order.

use crate::engine::cast::{convert, has_elements};
use crate::engine::scratch::{self, Scratch};
use crate::engine::vectorize::vectorize;
use crate::{Error, not_implemented};
use sconce_tensor::{DType, Tensor};

/// Which elements of a tensor are not zero, a byte each, in row-major order.
pub struct Mask(Tensor);

impl Mask {
    pub fn of(t: &Tensor, what: &str) -> Result<Mask, Error> {
        if !has_elements(t.dtype()) {
            return Err(not_implemented(what, t.dtype()));
        }
        let mask = convert(t, DType::Bool)?.contiguous()?;
        // A mask of its own: another task may write the tensor between counting and using what was counted.
        Ok(Mask(if mask.shares_storage(t) { mask.copy()? } else { mask }))
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: a contiguous tensor of one byte an element.
        unsafe { std::slice::from_raw_parts(self.0.bytes_ptr(), self.0.numel()) }
    }

    /// How many are not zero.
    pub fn count(&self) -> usize {
        vectorize(
            #[inline(always)]
            || {
                // As many as a byte can count.
                let some = |part: &[u8]| part.iter().fold(0u8, |n, b| n + u8::from(*b != 0));
                self.bytes().chunks(255).map(|part| usize::from(some(part))).sum()
            },
        )
    }

    /// Their positions, as if the tensor were a vector.
    pub fn positions(&self) -> Scratch<i64> {
        let n = self.count();
        // One more, for the position that is written before it is known whether it counts.
        let mut all = scratch::buffer::<i64>(n + 1);
        positions(self.bytes(), &mut all);
        all.cut(n);
        all
    }

    /// Their coordinates, a row of the result for each dimension.
    pub fn coordinates(&self) -> Result<Tensor, Error> {
        let (sizes, n) = (self.0.sizes(), self.count());
        // SAFETY: every element is written below: each row has as many as there are positions.
        let mut out = unsafe { Tensor::uninit(&[sizes.len() as i64, n as i64], DType::I64) }?;
        let Some((&length, outer)) = sizes.split_last().filter(|_| n > 0) else { return Ok(out) };
        // SAFETY: fresh and contiguous, held by nobody else.
        let columns = unsafe { out.as_mut_slice::<i64>() }.unwrap_or_default();
        let mut found = scratch::buffer::<i64>(length as usize + 1);
        let mut at = 0;
        for (row, part) in self.bytes().chunks(length as usize).enumerate() {
            let now = positions(part, &mut found);
            let mut columns = columns.chunks_mut(n).rev();
            let Some(last) = columns.next().filter(|_| now > 0) else { continue };
            last[at..at + now].copy_from_slice(&found[..now]);
            let mut rest = row as i64;
            for (column, size) in columns.zip(outer.iter().rev()) {
                column[at..at + now].fill(rest % size);
                rest /= size;
            }
            at += now;
        }
        Ok(out)
    }
}

/// Writes the positions of what is not zero; `to` has room for one more than there are. How many there are.
fn positions(mask: &[u8], to: &mut [i64]) -> usize {
    let mut at = 0;
    for (i, b) in mask.iter().enumerate() {
        // No branch: the next one overwrites what does not count.
        to[at] = i as i64;
        at += usize::from(*b != 0);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_coordinates() {
        let t = Tensor::from_vec(vec![0f32, 1.0, -0.0, 2.0, f32::NAN, 0.0], &[2, 3]);
        let mask = Mask::of(&t, "nonzero").unwrap();
        assert_eq!(*mask.positions(), [1, 3, 4]);
        assert_eq!(mask.coordinates().unwrap().to_vec::<i64>(), [0, 1, 1, 1, 0, 1]);
        let turned = Mask::of(&t.as_strided(&[3, 2], &[1, 3], 0).unwrap(), "nonzero").unwrap();
        assert_eq!(*turned.positions(), [1, 2, 3]);
        let all = Mask::of(&Tensor::from_vec(vec![1u8; 600], &[600]), "nonzero").unwrap();
        assert_eq!((all.count(), all.positions().len()), (600, 600));
        assert_eq!(Mask::of(&Tensor::scalar(3i64), "nonzero").unwrap().coordinates().unwrap().sizes(), [0, 1]);
    }
}
