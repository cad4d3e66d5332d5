//! What sums add up, and sums of f32 in f64 by vectors: sixty-four accumulators side by side, then in pairs, in one order whatever the vectors' width.

use crate::engine::cast::Value;
use crate::engine::lanes::Acc;
use crate::engine::scratch::Plain;
use crate::engine::simd::{Job, Wide, run};

/// What is added up, of elements in the type of their sum: a function, or one that is common enough to have a loop over vectors.
pub trait Term<A: Acc>: Copy + Sync {
    type Sum: Acc + Plain;
    fn of(self, x: A) -> Self::Sum;
    /// The sum of a run of f32, which is several times as long as there are accumulators, by such a loop.
    fn in_vectors(self, _run: &[f32]) -> Option<Self::Sum> {
        None
    }
}

impl<A: Acc, S: Acc + Plain, F: Fn(A) -> S + Copy + Sync> Term<A> for F {
    type Sum = S;
    #[inline(always)]
    fn of(self, x: A) -> S {
        self(x)
    }
}

/// The elements themselves.
#[derive(Clone, Copy)]
pub struct Itself;
impl<A: Acc + Plain> Term<A> for Itself {
    type Sum = A;
    #[inline(always)]
    fn of(self, x: A) -> A {
        x
    }
    fn in_vectors(self, run: &[f32]) -> Option<A> {
        Some(sum::<false>(run, 0.0).to())
    }
}

/// The squares of their distances from a number.
#[derive(Clone, Copy)]
pub struct SquareFrom<A>(pub A);
impl<A: Acc> Term<A> for SquareFrom<A> {
    type Sum = f64;
    #[inline(always)]
    fn of(self, x: A) -> f64 {
        x.sub(self.0).square()
    }
    fn in_vectors(self, run: &[f32]) -> Option<f64> {
        Some(sum::<true>(run, self.0.to()))
    }
}

/// Accumulators side by side.
const SIDE: usize = 64;
/// Elements of a vector of f64.
const LANES: usize = 8;
const VECTORS: usize = SIDE / LANES;

/// The sum of elements, or of the squares of their distances from a number.
fn sum<const SQUARES: bool>(elements: &[f32], from: f64) -> f64 {
    run(Sum::<SQUARES> { elements, from })
}

struct Sum<'a, const SQUARES: bool> {
    elements: &'a [f32],
    from: f64,
}

impl<const SQUARES: bool> Sum<'_, SQUARES> {
    /// The sums of the terms of some vectors of each row of [`SIDE`] elements.
    ///
    /// # Safety
    /// The processor has the vector's features.
    #[inline(always)]
    unsafe fn add<W: Wide<E = f64>, const N: usize>(&self, rows: &[[f32; SIDE]], first: usize) -> [W; N] {
        // SAFETY: the caller's promise; a row has `SIDE` elements, of which vectors `first..first + N` are some.
        unsafe {
            let mut sums = [W::splat(0.0); N];
            for row in rows {
                for (k, sum) in sums.iter_mut().enumerate() {
                    let x = W::load_f32(row[(first + k) * LANES..].as_ptr());
                    let distance = if SQUARES { x.add(W::splat(-self.from)) } else { x };
                    *sum = sum.add(if SQUARES { distance.mul(distance) } else { distance });
                }
            }
            sums
        }
    }
}

impl<const SQUARES: bool> Job<f64> for Sum<'_, SQUARES> {
    type Output = f64;

    #[inline(always)]
    unsafe fn run<W: Wide<E = f64>>(self) -> f64 {
        const { assert!(W::N == LANES) };
        let (rows, rest) = self.elements.as_chunks::<SIDE>();
        // SAFETY: the caller's promise.
        unsafe {
            let mut sums = if W::MANY {
                self.add::<W, VECTORS>(rows, 0)
            } else {
                // As many as stay in registers; the second time the run lies in the first cache.
                const HALF: usize = VECTORS / 2;
                let halves = [self.add::<W, HALF>(rows, 0), self.add::<W, HALF>(rows, HALF)];
                std::array::from_fn(|k| halves[k / HALF][k % HALF])
            };
            if !rest.is_empty() {
                let mut all = [0.0; SIDE];
                sums.iter().zip(all.as_chunks_mut::<LANES>().0).for_each(|(sum, to)| sum.store(to.as_mut_ptr()));
                for (sum, x) in all.iter_mut().zip(rest) {
                    let distance = f64::from(*x) - self.from;
                    *sum += if SQUARES { distance * distance } else { distance };
                }
                sums = std::array::from_fn(|k| W::load(all[k * LANES..].as_ptr()));
            }
            for half in [4, 2, 1] {
                (0..half).for_each(|k| sums[k] = sums[k].add(sums[k + half]));
            }
            let zero = W::splat(0.0);
            W::totals([sums[0], zero, zero, zero])[0]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_is_summed_in_one_order() {
        let elements: Vec<f32> = (0..1000).map(|i| ((i * 37 % 101) as f32 - 50.0) / 7.0).collect();
        for n in [64, 512, 777, 1000] {
            for (sum, of) in [
                (Term::<f64>::in_vectors(Itself, &elements[..n]), (|x| x) as fn(f64) -> f64),
                (SquareFrom(0.0).in_vectors(&elements[..n]), |x| x * x),
                (SquareFrom(0.3).in_vectors(&elements[..n]), |x| (x - 0.3) * (x - 0.3)),
            ] {
                let mut sums = [0.0; SIDE];
                elements[..n].iter().enumerate().for_each(|(i, x)| sums[i % SIDE] += of(f64::from(*x)));
                let in_pairs = |sums: Vec<f64>| -> Vec<f64> {
                    let half = sums.len() / 2;
                    (0..half).map(|i| sums[i] + sums[i + half]).collect()
                };
                let mut left = sums.to_vec();
                while left.len() > 1 {
                    left = in_pairs(left);
                }
                assert_eq!(sum.map(f64::to_bits), Some(left[0].to_bits()), "{n}");
            }
        }
    }
}
