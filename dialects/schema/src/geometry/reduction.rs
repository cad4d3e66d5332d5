//! A reduction's dimensions: which are folded, and whether they stay as ones.

use crate::dim::Dim;
use crate::shape::args::{dimension_set, reduced_dims};
use crate::shape::{ShapeError, Sizes};
use smallvec::SmallVec;

/// Which dimensions a reduction folds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// A flag for each dimension of the operand.
    pub folded: SmallVec<[bool; 6]>,
    /// Folded dimensions stay, with size 1.
    pub keepdim: bool,
}

impl Reduction {
    /// Of dimensions counted from the end where they are negative; none at all are every one.
    pub fn new(dims: &[i64], rank: usize, keepdim: bool) -> Result<Reduction, ShapeError> {
        Ok(Reduction { folded: reduced_dims(dims, rank)?, keepdim })
    }

    /// Of exactly these dimensions, be they none.
    pub fn exactly(dims: &[i64], rank: usize, keepdim: bool) -> Result<Reduction, ShapeError> {
        Ok(Reduction { folded: dimension_set(dims, rank)?, keepdim })
    }

    /// The folded dimensions, in order.
    pub fn dims(&self) -> impl Iterator<Item = usize> {
        self.folded.iter().enumerate().filter(|(_, f)| **f).map(|(d, _)| d)
    }

    /// The others, in order.
    pub fn kept(&self) -> impl Iterator<Item = usize> {
        self.folded.iter().enumerate().filter(|(_, f)| !**f).map(|(d, _)| d)
    }

    /// Where a dimension of the operand stands in the result; `None` for one that is gone.
    pub fn place(&self, dim: usize) -> Option<usize> {
        match (self.keepdim, self.folded.get(dim)?) {
            (true, _) => Some(dim),
            (false, true) => None,
            (false, false) => Some(self.folded[..dim].iter().filter(|f| !**f).count()),
        }
    }

    /// The result's sizes.
    pub fn sizes(&self, sizes: &[Dim]) -> Sizes {
        let size = |(&size, &folded): (&Dim, &bool)| match (folded, self.keepdim) {
            (false, _) => Some(size),
            (true, keepdim) => keepdim.then_some(Dim::Known(1)),
        };
        sizes.iter().zip(&self.folded).filter_map(size).collect()
    }
}
