//! Sums of f32 in f64 by vectors, in one order whatever the vectors' width: sixty-four accumulators side by side, then in pairs.

use crate::engine::simd::{Job, Wide, run};

/// What is added up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Terms {
    /// The elements.
    Itself,
    /// Their squares.
    Square,
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
        Terms::Itself => run(Sum { elements, term: Itself }),
        Terms::Square => run(Sum { elements, term: SquareFrom(0.0) }),
        Terms::SquareFrom(m) => run(Sum { elements, term: SquareFrom(m) }),
    }
}

/// A term in vectors.
trait Term: Copy {
    /// # Safety
    /// The processor has the vector's features.
    unsafe fn of<W: Wide<E = f64>>(self, x: W) -> W;
}

#[derive(Clone, Copy)]
struct Itself;
impl Term for Itself {
    #[inline(always)]
    unsafe fn of<W: Wide<E = f64>>(self, x: W) -> W {
        x
    }
}

#[derive(Clone, Copy)]
struct SquareFrom(f64);
impl Term for SquareFrom {
    #[inline(always)]
    unsafe fn of<W: Wide<E = f64>>(self, x: W) -> W {
        // SAFETY: the caller's promise.
        unsafe {
            let distance = x.add(W::splat(-self.0));
            distance.mul(distance)
        }
    }
}

struct Sum<'a, T> {
    elements: &'a [f32],
    term: T,
}

impl<T: Term> Sum<'_, T> {
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
                    *sum = sum.add(self.term.of(W::load_f32(row[(first + k) * LANES..].as_ptr())));
                }
            }
            sums
        }
    }

    /// Adds what is left behind the last whole row, each element to its accumulator.
    ///
    /// # Safety
    /// The processor has the vector's features.
    #[inline(always)]
    unsafe fn add_rest<W: Wide<E = f64>>(&self, rest: &[f32], sums: &mut [W; VECTORS]) {
        let (mut padded, mut terms, mut all) = ([0.0; SIDE], [0.0; SIDE], [0.0; SIDE]);
        padded[..rest.len()].copy_from_slice(rest);
        // SAFETY: the caller's promise; there are `VECTORS` vectors in each array.
        unsafe {
            let of_rest = self.add::<W, VECTORS>(&[padded], 0);
            for k in 0..VECTORS {
                of_rest[k].store(terms[k * LANES..].as_mut_ptr());
                sums[k].store(all[k * LANES..].as_mut_ptr());
            }
            all.iter_mut().zip(terms).take(rest.len()).for_each(|(sum, x)| *sum += x);
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum = W::load(all[k * LANES..].as_ptr());
            }
        }
    }
}

impl<T: Term> Job<f64> for Sum<'_, T> {
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
                self.add_rest(rest, &mut sums);
            }
            let mut half = VECTORS / 2;
            while half > 0 {
                for k in 0..half {
                    sums[k] = sums[k].add(sums[k + half]);
                }
                half /= 2;
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
                (Terms::Square, |x| x * x),
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
