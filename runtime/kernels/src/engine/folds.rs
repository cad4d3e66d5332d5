//! What lanes are folded to: sums, products, extremes, counts and norms.

use crate::engine::compute::Compute;
use crate::engine::lanes::Acc;
use crate::engine::rows::{ACROSS, Columns, Fold, Work, by_leaves, fold_slice};
use crate::engine::sums::Term;
pub use crate::engine::sums::{Itself, SquareFrom};
use crate::engine::vectorize::{vectorize, vectorize_widest};
use crate::engine::{scratch, transcendental};

/// The sum of a term of each element.
pub struct Sum<T>(pub T);

impl<W: Work, T: Term<W::Sum>> Fold<W> for Sum<T> {
    type State = T::Sum;
    fn in_vectors(&self, run: &[W]) -> Option<T::Sum> {
        W::sum_in_vectors(run, self.0)
    }
    #[inline(always)]
    fn start(&self) -> T::Sum {
        T::Sum::ZERO
    }
    #[inline(always)]
    fn step(&self, state: T::Sum, x: W) -> T::Sum {
        state.add(self.0.of(itself(x)))
    }
    #[inline(always)]
    fn merge(&self, a: T::Sum, b: T::Sum) -> T::Sum {
        a.add(b)
    }
}

/// The elements themselves, in the type of their sum.
#[inline(always)]
pub fn itself<W: Work>(x: W) -> W::Sum {
    x.to()
}

/// The sum of a slice's elements.
pub fn total<W: Work>(lane: &[W]) -> W::Sum {
    fold_slice(&Sum(Itself), lane)
}

/// The sum of the terms of a slice's elements.
#[inline(always)]
pub fn total_of<W: Work, T: Term<W::Sum>>(lane: &[W], term: T) -> T::Sum {
    fold_slice(&Sum(term), lane)
}

/// The sum of the exponentials of a lane's elements less `shift`. Of a leaf at a time, because a loop that adds to f64 computes half as many f32 at once.
pub fn total_of_powers(lane: &[f32], shift: f32) -> f64 {
    by_leaves(&Sum(Itself), lane, &|leaf| {
        let mut powers = scratch::buffer::<f32>(leaf.len());
        let to = &mut powers[..leaf.len()];
        vectorize_widest(
            #[inline(always)]
            move || to.iter_mut().zip(leaf).for_each(|(y, x)| *y = transcendental::exp(x - shift)),
        );
        total(&powers)
    })
}

/// The product.
pub struct Product;
impl<W: Work> Fold<W> for Product {
    type State = W::Sum;
    #[inline(always)]
    fn start(&self) -> W::Sum {
        W::Sum::ONE
    }
    #[inline(always)]
    fn step(&self, state: W::Sum, x: W) -> W::Sum {
        state.mul(x.to())
    }
    #[inline(always)]
    fn merge(&self, a: W::Sum, b: W::Sum) -> W::Sum {
        a.mul(b)
    }
}

/// Real numbers with an order, in which NaN is the extreme whichever is looked for.
pub trait Ordered: Work + PartialOrd {
    const LOWEST: Self;
    const HIGHEST: Self;
    /// Not a number.
    #[inline(always)]
    #[allow(clippy::eq_op, reason = "NaN is what differs from itself")]
    fn nan(self) -> bool {
        self != self
    }
    /// NaN after everything, zeros alike.
    #[inline(always)]
    fn order(self, other: Self) -> std::cmp::Ordering {
        self.partial_cmp(&other).unwrap_or_else(|| self.nan().cmp(&other.nan()))
    }
}
impl Ordered for f32 {
    const LOWEST: f32 = f32::NEG_INFINITY;
    const HIGHEST: f32 = f32::INFINITY;
}
impl Ordered for f64 {
    const LOWEST: f64 = f64::NEG_INFINITY;
    const HIGHEST: f64 = f64::INFINITY;
}
impl Ordered for i64 {
    const LOWEST: i64 = i64::MIN;
    const HIGHEST: i64 = i64::MAX;
}

impl Ordered for u64 {
    const LOWEST: u64 = 0;
    const HIGHEST: u64 = u64::MAX;
}

/// The largest element, or NaN if there is one.
pub struct Largest;
impl<W: Ordered> Fold<W> for Largest {
    type State = W;
    #[inline(always)]
    fn start(&self) -> W {
        W::LOWEST
    }
    #[inline(always)]
    fn step(&self, state: W, x: W) -> W {
        // A NaN stays: nothing is larger. Only the comparison waits for the state.
        if x > state || x.nan() { x } else { state }
    }
    #[inline(always)]
    fn merge(&self, a: W, b: W) -> W {
        self.step(a, b)
    }
}

/// The smallest element, or NaN if there is one.
pub struct Smallest;
impl<W: Ordered> Fold<W> for Smallest {
    type State = W;
    #[inline(always)]
    fn start(&self) -> W {
        W::HIGHEST
    }
    #[inline(always)]
    fn step(&self, state: W, x: W) -> W {
        if x < state || x.nan() { x } else { state }
    }
    #[inline(always)]
    fn merge(&self, a: W, b: W) -> W {
        self.step(a, b)
    }
}

/// Position of the first largest (smallest) element, or of the first NaN.
pub fn extreme<W: Ordered>(lane: &[W], largest: bool) -> usize {
    let best = if largest { fold_slice(&Largest, lane) } else { fold_slice(&Smallest, lane) };
    let is_best = |x: W| if best.nan() { x.nan() } else { x == best };
    first(lane, is_best).unwrap_or(0)
}

/// The same of lanes side by side: their extremes, and where each is first reached, go to `write`. Lines of memory are
/// read as they lie. Positions are as wide as most elements, so that one comparison chooses both.
pub fn extremes_of_columns<W: Ordered>(c: &Columns<'_, W>, largest: bool, write: impl Fn(&[W], &[u32])) {
    let n = c.lanes().min(ACROSS);
    let (mut values, mut places) = ([W::default(); ACROSS], [0u32; ACROSS]);
    values[..n].copy_from_slice(&c.line(0)[..n]);
    let (best, at) = (&mut values[..n], &mut places[..n]);
    vectorize(
        #[inline(always)]
        move || {
            for k in 1..c.length() as u32 {
                let line = c.line(k as usize);
                if largest {
                    keep_better(line, k, best, at, |x, y| x > y);
                } else {
                    keep_better(line, k, best, at, |x, y| x < y);
                }
            }
        },
    );
    write(&values[..n], &places[..n]);
}

/// Elements of line `k` that are better than the best so far take their places, as do the first NaNs.
#[inline(always)]
fn keep_better<W: Ordered>(line: &[W], k: u32, best: &mut [W], at: &mut [u32], better: impl Fn(W, W) -> bool) {
    for ((x, best), at) in line.iter().zip(best).zip(at) {
        let found = better(*x, *best) | (x.nan() & !best.nan());
        *best = if found { *x } else { *best };
        *at = if found { k } else { *at };
    }
}

/// The first position that a test holds for, many elements at a time.
#[inline(always)]
pub fn first<W: Work>(lane: &[W], test: impl Fn(W) -> bool) -> Option<usize> {
    const STEP: usize = 64;
    let skip = vectorize(
        #[inline(always)]
        || lane.chunks_exact(STEP).take_while(|chunk| !chunk.iter().fold(false, |any, x| any | test(*x))).count(),
    );
    lane[skip * STEP..].iter().position(|x| test(*x)).map(|i| skip * STEP + i)
}

/// The pairwise sum of a function of the elements.
pub fn total_by<X: Copy, T: Acc>(lane: &[X], f: impl Fn(X) -> T + Copy) -> T {
    if lane.len() > 256 {
        let (a, b) = lane.split_at(lane.len() / 2);
        return total_by(a, f).add(total_by(b, f));
    }
    // Side by side, so that additions do not wait for each other.
    let mut sums = [T::ZERO; 8];
    for part in lane.chunks(8) {
        sums.iter_mut().zip(part).for_each(|(s, x)| *s = s.add(f(*x)));
    }
    let [a, b, c, d, e, f, g, h] = sums;
    a.add(e).add(c.add(g)).add(b.add(f).add(d.add(h)))
}
