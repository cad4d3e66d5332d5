//! What this machine can do at most, measured where it is asked: what a computation takes is told as a share of it.

use crate::simd::{Job, Wide, run};
use std::hint::black_box;
use std::sync::Barrier;
use std::time::Instant;

/// Of so many threads together.
#[derive(Clone, Copy, Debug)]
pub struct Peak {
    /// Multiplications and additions of f32 a second, in the widest vectors.
    pub flops: f64,
    /// Bytes a second that are read from memory, past the caches.
    pub bytes: f64,
}

/// Independent sums: enough for the latency of a multiplication with an addition in two units, and few enough for 16 registers.
const SUMS: usize = 12;
/// Turns of a measured loop, about two milliseconds.
const TURNS: usize = 1 << 19;
/// Numbers that a thread reads: more than its share of any cache.
const NUMBERS: usize = 32 << 20;
/// The best of so many counts: what disturbs only slows down.
const TRIES: usize = 5;

/// Measures it, in about a tenth of a second.
///
/// ```
/// let peak = sconce_parallel::peak::measure(1);
/// assert!(peak.flops > 1e8 && peak.bytes > 1e7);
/// ```
pub fn measure(threads: usize) -> Peak {
    let numbers: Vec<f32> = vec![1.0; NUMBERS];
    let computed = rate(threads, || {
        let turns = run::<f32, Multiply>(Multiply);
        (2 * turns) as f64
    });
    let read = rate(threads, || {
        black_box(run::<f32, Sum<'_>>(Sum(&numbers)));
        size_of_val(&*numbers) as f64
    });
    Peak { flops: computed, bytes: read }
}

/// What all threads do in a second, where `work` says how much it did.
fn rate(threads: usize, work: impl Fn() -> f64 + Sync) -> f64 {
    let start = Barrier::new(threads.max(1));
    let one = || {
        let each = (0..TRIES).map(|_| {
            start.wait();
            let begin = Instant::now();
            let done = work();
            done / begin.elapsed().as_secs_f64()
        });
        each.fold(0.0, f64::max)
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(one)).collect();
        let own = one();
        others.into_iter().filter_map(|other| other.join().ok()).fold(own, |a, b| a + b)
    })
}

struct Multiply;

impl Job<f32> for Multiply {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<W: Wide<E = f32>>(self) -> usize {
        // SAFETY: the caller's promise.
        unsafe {
            let (x, y) = (W::splat(black_box(0.999)), W::splat(black_box(0.001)));
            let mut sums = [y; SUMS];
            for _ in 0..TURNS {
                // No closure: it would not be compiled for the vectors.
                for s in &mut sums {
                    *s = s.fma(x, y);
                }
            }
            let mut out = [0.0; 16];
            for s in sums {
                s.store(out.as_mut_ptr());
                black_box(&out);
            }
        }
        TURNS * SUMS * W::N
    }
}

struct Sum<'a>(&'a [f32]);

impl Job<f32> for Sum<'_> {
    type Output = f32;

    #[inline(always)]
    unsafe fn run<W: Wide<E = f32>>(self) -> f32 {
        let mut out = [0.0; 16];
        // SAFETY: the caller's promise; every vector lies in the slice.
        unsafe {
            let mut sums = [W::splat(0.0); 8];
            for part in self.0.chunks_exact(8 * W::N) {
                for (i, s) in sums.iter_mut().enumerate() {
                    *s = s.add(W::load(part.as_ptr().add(i * W::N)));
                }
            }
            for s in sums {
                s.store(out.as_mut_ptr());
                black_box(&out);
            }
        }
        out[0]
    }
}
