//! Under which strides the elements of a tensor have other sizes, for numbers and for sizes that are not known.

use crate::dim::Dim;
use smallvec::SmallVec;

/// A number of elements, or what is known of one.
pub trait Extent: Copy {
    const ONE: Self;
    /// Certainly the same.
    fn is(self, other: Self) -> bool;
    /// The product, unless it is too large.
    fn times(self, other: Self) -> Option<Self>;
}

impl Extent for i64 {
    const ONE: Self = 1;
    fn is(self, other: Self) -> bool {
        self == other
    }
    fn times(self, other: Self) -> Option<Self> {
        self.checked_mul(other)
    }
}

impl Extent for Dim {
    const ONE: Self = Dim::Known(1);
    fn is(self, other: Self) -> bool {
        self.same(other)
    }
    fn times(self, other: Self) -> Option<Self> {
        Some(Dim::times(self, other))
    }
}

/// Strides, in elements, under which the same elements have the sizes `new`; `None` if they would have to be copied, or if it depends on what is not known
/// (`at::detail::computeStride`). There is at least one element, and both sizes have as many.
pub fn view_strides<E: Extent>(old: &[E], old_strides: &[E], new: &[E]) -> Option<SmallVec<[E; 6]>> {
    let mut out: SmallVec<[E; 6]> = SmallVec::from_elem(E::ONE, new.len());
    let Some(last) = old_strides.last() else { return Some(out) };
    let mut view_d = new.len();
    // Chunks of old dimensions that lie contiguously in each other, from the last one.
    let mut base = *last;
    let (mut chunk, mut covered) = (E::ONE, E::ONE);
    for d in (0..old.len()).rev() {
        chunk = chunk.times(old[d])?;
        let ends = d == 0 || !(old[d - 1].is(E::ONE) || old_strides[d - 1].is(chunk.times(base)?));
        if !ends {
            continue;
        }
        while view_d > 0 && (!covered.is(chunk) || new[view_d - 1].is(E::ONE)) {
            out[view_d - 1] = covered.times(base)?;
            covered = covered.times(new[view_d - 1])?;
            view_d -= 1;
        }
        if !covered.is(chunk) {
            return None;
        }
        if d > 0 {
            base = old_strides[d - 1];
            (chunk, covered) = (E::ONE, E::ONE);
        }
    }
    (view_d == 0).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tensor of unknown first size, permuted, cut and split: what is decided whatever the size is, and what is not.
    #[test]
    fn strides_of_unknown_sizes() {
        let (n, known) = (Dim::Symbol(0), |n| Dim::Known(n));
        let viewed = |old: &[Dim], strides: &[Dim], new: &[Dim]| view_strides(old, strides, new).map(|s| s.to_vec());
        let rows = [known(12), known(3), known(1)];
        assert_eq!(viewed(&[n, known(4), known(3)], &rows, &[n, known(12)]), Some(vec![known(12), known(1)]));
        assert_eq!(viewed(&[n, known(4), known(3)], &rows, &[n.times(12)]), Some(vec![known(1)]));
        let part = [n, known(2), known(3)];
        assert_eq!(viewed(&part, &rows, &[n, known(6)]), Some(vec![known(12), known(1)]));
        assert_eq!(viewed(&part, &rows, &[n.times(6)]), None);
        let turned = ([known(4), known(3), n], [known(3), known(1), known(12)]);
        assert_eq!(viewed(&turned.0, &turned.1, &[known(12), n]), Some(vec![known(1), known(12)]));
        assert_eq!(viewed(&turned.0, &turned.1, &[known(4), n.times(3)]), None);
        let split = viewed(&part, &[Dim::Unknown; 3], &[n, known(1), known(2), known(3)]);
        assert_eq!(split.map(|s| s.len()), Some(4));
        assert_eq!(viewed(&part, &[Dim::Unknown; 3], &[n, known(6)]), None);
    }
}
