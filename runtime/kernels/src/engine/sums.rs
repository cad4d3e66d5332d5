//! Sums of f32 in f64 by vectors, in one order whatever the vectors' width: sixty-four accumulators side by side, then in pairs.

use crate::engine::simd::{Job, Wide, run};

/// What is added up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Terms {
    /// The elements.
    Itself,
    /// The squares of their distances from a number.
    SquareFrom(f64),
}

/// Accumulators side by side.
const SIDE: usize = 64;
/// Elements of a vector of f64.
const LANES: usize = 8;
const VECTORS: usize = SIDE / LANES;

/// The sum of a run's terms. Meant for runs that are several times as long as there are accumulators.
pub fn sum(elements: &[f32], terms: Terms) -> f64 {
    match terms {
        Terms::Itself => run(Sum::<false> { elements, from: 0.0 }),
        Terms::SquareFrom(from) => run(Sum::<true> { elements, from }),
    }
}

/// Of the elements, or of the squares of their distances from a number.
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
            for (terms, of) in [
                (Terms::Itself, (|x| x) as fn(f64) -> f64),
                (Terms::SquareFrom(0.0), |x| x * x),
                (Terms::SquareFrom(0.3), |x| (x - 0.3) * (x - 0.3)),
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
                assert_eq!(sum(&elements[..n], terms).to_bits(), left[0].to_bits(), "{n} {terms:?}");
            }
        }
    }
}
