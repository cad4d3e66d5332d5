//! What stands around a padded tensor: by dimension so many elements before and behind, each a constant or one of the tensor's own.

use crate::dim::Dim;
use crate::shape::Sizes;
use crate::shape::args::*;

/// What stands beyond the ends of a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Border {
    Constant,
    Reflect,
    Replicate,
    Circular,
}

impl Border {
    const MODES: [(&str, Border); 4] = [
        ("reflect", Border::Reflect),
        ("replicate", Border::Replicate),
        ("circular", Border::Circular),
        ("constant", Border::Constant),
    ];

    /// By the name or the number that an argument gives; `None` where that is not known.
    pub fn named(mode: &Meta) -> Result<Option<Border>, ShapeError> {
        let found = match mode {
            Meta::Str(name) => Border::MODES.iter().find(|(mode, _)| **name == **mode),
            Meta::Int(Dim::Known(n)) => usize::try_from(*n).ok().and_then(|n| Border::MODES.get(n)),
            _ => return Ok(None),
        };
        refuse!(NotImplemented if let (None, Meta::Str(other)) = (found, mode), "Unrecognised padding mode {other}");
        Ok(found.map(|(_, border)| *border))
    }

    pub fn mode(self) -> &'static str {
        Border::MODES.iter().find(|(_, border)| *border == self).map_or("", |(mode, _)| mode)
    }

    /// What stands where position `i` would be, of a dimension of `n` elements: one of them, or a constant. The rule allows less than one turn.
    #[inline(always)]
    pub fn source(self, i: i64, n: i64) -> Option<i64> {
        if (0..n).contains(&i) {
            return Some(i);
        }
        match self {
            Border::Constant => None,
            // One reflection is enough.
            Border::Reflect => Some((if i < 0 { -i } else { 2 * (n - 1) - i }).clamp(0, n - 1)),
            Border::Replicate => Some(i.clamp(0, n - 1)),
            Border::Circular => Some(i.rem_euclid(n)),
        }
    }

    /// How many elements a dimension must have for so many around it.
    pub fn least(self, before: i64, behind: i64) -> i64 {
        match self {
            Border::Constant => 0,
            Border::Replicate => 1,
            Border::Reflect => before.max(behind).saturating_add(1),
            Border::Circular => before.max(behind),
        }
    }
}

/// Which arguments say what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// (self, pad, …): of this kind. A constant follows.
    Of(Border),
    /// (grad_output, self, pad).
    Backward(Border),
    /// (self, pad, mode, value), the mode a name or a number.
    Mode,
}

/// The padding of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Padding {
    pub border: Border,
    /// Before and behind, of each of the last dimensions, the last one last. What is negative cuts.
    pub pairs: SmallVec<[(i64, i64); 6]>,
}

impl Padding {
    /// Of a call whose rule has judged it; `None` where something is not known.
    pub fn of(form: Form, a: &[Meta]) -> Result<Option<Padding>, ShapeError> {
        let (border, at) = match form {
            Form::Of(border) => (Some(border), 1),
            Form::Backward(border) => (Some(border), 2),
            Form::Mode => (Border::named(a.meta(2))?, 1),
        };
        let (Some(border), Some(list)) = (border, a.ints(at)) else { return Ok(None) };
        Ok(Some(Padding { border, pairs: list.chunks_exact(2).rev().map(|pair| (pair[0], pair[1])).collect() }))
    }

    /// With each dimension of a tensor what stands around it.
    pub fn around(&self, rank: usize) -> impl Iterator<Item = (i64, i64)> {
        let first = rank.saturating_sub(self.pairs.len());
        (0..rank).map(move |d| d.checked_sub(first).map_or((0, 0), |d| self.pairs[d]))
    }
}

/// The sizes of a tensor with pairs of the last dimension first around it.
pub fn padded(sizes: &[Dim], pad: &[Dim]) -> Sizes {
    let mut out: Sizes = sizes.into();
    for (size, pair) in out.iter_mut().rev().zip(pad.chunks_exact(2)) {
        *size = size.plus(pair[0]).plus(pair[1]);
    }
    out
}
