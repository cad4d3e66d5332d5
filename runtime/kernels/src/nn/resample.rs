//! Weighted sums of a few elements along one dimension of row-major data, in the data's own type: each result adds its elements in the order of the
//! list.

use crate::engine::parallel::{self, Sendable};
use crate::engine::scratch;
use crate::engine::simd::Real;
use crate::engine::vectorize::vectorize;
use sconce_schema::resample::Tap;

/// `x` is `[outer, input, inner]`, `out` `[outer, taps, inner]`. One tap of weight 1 moves an element.
pub(crate) fn along<T: Real>(x: &[T], outer: usize, input: usize, inner: usize, taps: &[Tap], out: &mut [T]) {
    assert!(x.len() == outer * input * inner && out.len() == outer * taps.len() * inner);
    assert!(taps.iter().flatten().all(|t| t.0 < input), "a tap lies outside");
    let n = taps.len();
    let most = taps.iter().map(|t| t.len()).max().unwrap_or(0);
    let even = taps.iter().all(|t| t.len() == most);
    // Places and weights by their position in the lists, so that neighbours are side by side.
    let mut places = scratch::buffer::<u32>(n * most);
    let mut weights = scratch::buffer::<T>(n * most);
    for (i, list) in taps.iter().enumerate() {
        for (k, (place, weight)) in list.iter().enumerate() {
            places[k * n + i] = *place as u32;
            weights[k * n + i] = <T as num_traits::NumCast>::from(*weight).unwrap_or(T::nan());
        }
    }
    let (places, weights) = (&*places, &*weights);
    let moved = most == 1 && taps.iter().flatten().all(|t| t.1 == 1.0);
    let target = Sendable(out.as_mut_ptr());
    parallel::split(outer, (1usize << 15).div_ceil((n * inner * most).max(1)), |range| {
        let target = &target;
        vectorize(
            #[inline(always)]
            || {
                for b in range {
                    let from = &x[b * input * inner..(b + 1) * input * inner];
                    // SAFETY: every part of the result is written by one thread.
                    let to = unsafe { std::slice::from_raw_parts_mut(target.0.add(b * n * inner), n * inner) };
                    if inner > 1 {
                        for (i, (to, list)) in to.chunks_exact_mut(inner).zip(taps).enumerate() {
                            let row = |k: usize| &from[list[k].0 * inner..(list[k].0 + 1) * inner];
                            let weight = |k: usize| weights[k * n + i];
                            match list.len() {
                                1 if moved => to.copy_from_slice(row(0)),
                                2 => {
                                    let (a, c, p, q) = (row(0), row(1), weight(0), weight(1));
                                    to.iter_mut().zip(a.iter().zip(c)).for_each(|(t, (a, c))| *t = p * *a + q * *c);
                                }
                                count => {
                                    to.fill(T::zero());
                                    for k in 0..count {
                                        let (a, p) = (row(k), weight(k));
                                        to.iter_mut().zip(a).for_each(|(t, a)| *t = *t + p * *a);
                                    }
                                }
                            }
                        }
                        continue;
                    }
                    if !even {
                        for (i, (to, list)) in to.iter_mut().zip(taps).enumerate() {
                            *to =
                                list.iter().enumerate().fold(T::zero(), |s, (k, t)| s + weights[k * n + i] * from[t.0]);
                        }
                        continue;
                    }
                    if moved {
                        // SAFETY: all places are below `input`.
                        to.iter_mut().zip(places).for_each(|(t, p)| *t = unsafe { *from.get_unchecked(*p as usize) });
                        continue;
                    }
                    to.fill(T::zero());
                    for (places, weights) in places.chunks_exact(n).zip(weights.chunks_exact(n)) {
                        for (t, (p, w)) in to.iter_mut().zip(places.iter().zip(weights)) {
                            // SAFETY: as above.
                            *t = *t + *w * unsafe { *from.get_unchecked(*p as usize) };
                        }
                    }
                }
            },
        );
    });
}
