//! Prints how fast products of some sizes are, in multiplications and additions a nanosecond, on one thread, there also with a second factor that was packed
//! before, and on all threads: the sizes that models have.

mod clock;

use clock::cpu_time;
use sconce_gemm::{Packed, Panels, Product, View, product};
use std::time::Instant;

/// What it stands for, then rows, columns, depth, and whether the second factor stands turned as weights do.
const CASES: &[(&str, usize, usize, usize, bool)] = &[
    ("square", 128, 128, 128, false),
    ("square", 512, 512, 512, false),
    ("square", 1024, 1024, 1024, false),
    ("linear of a batch", 128, 768, 768, true),
    ("linear of few rows", 8, 3072, 768, true),
    ("linear of few rows", 4, 1536, 192, true),
    ("linear of few rows", 4, 2048, 512, true),
    ("linear of one row", 1, 4096, 1024, true),
    ("one row, as it lies", 1, 4096, 1024, false),
    ("head of attention", 128, 128, 64, true),
    ("convolution 1x1", 64, 3136, 64, false),
    ("convolution 1x1", 64, 3136, 16, false),
    ("convolution 1x1", 16, 3136, 64, false),
    ("convolution 1x1", 128, 784, 32, false),
    ("convolution 1x1", 256, 196, 64, false),
    ("convolution 1x1", 64, 196, 256, false),
    ("convolution 1x1", 512, 49, 128, false),
    ("convolution 1x1", 128, 49, 512, false),
    ("deep and narrow", 64, 16, 4096, false),
    ("tiny", 4, 4, 4, false),
];

fn main() {
    let all = sconce_parallel::threads();
    let all_threads = format!("{all} threads");
    println!("{:>5} {:>5} {:>5}  {:24} {:>10} {:>10} {all_threads:>10}", "m", "n", "k", "f32", "1 thread", "packed");
    for &(what, m, n, k, turned) in CASES {
        let (a, b) = (vec![0.5f32; m * k], vec![0.25f32; k * n]);
        let mut out = vec![0f32; m * n];
        let b = if turned { View::new(b.as_ptr(), 1, k as isize) } else { View::new(b.as_ptr(), n as isize, 1) };
        let a = View::new(a.as_ptr(), k as isize, 1);
        let p = Product { m, n, k, a, out: out.as_mut_ptr(), out_row: n, alpha: 1.0, start: None };
        let mut memory = vec![0f32; Panels::<f32>::elements(k, n).unwrap()];
        // SAFETY: the matrix has these rows and columns, the vector so many elements.
        let panels = unsafe { Panels::pack(b, k, n, memory.as_mut_ptr()) };
        let speed = |threads: usize, panels: Option<Panels<f32>>| {
            let b = Packed { view: b, panels, in_tiles: false };
            sconce_parallel::set_threads(threads);
            let work = 2.0 * (m * n * k) as f64;
            let calls = (2e8 / work).clamp(3.0, 1e6) as usize;
            // The best of some rounds: whatever else the machine does only takes time.
            let round = || {
                let begun = (Instant::now(), cpu_time());
                for _ in 0..calls {
                    // SAFETY: the vectors have the product's sizes, and `out` is written by nobody else.
                    unsafe { product(&p, &b) };
                }
                // Of one thread the time that it ran; of several the time that passed.
                let taken = if threads == 1 { cpu_time() - begun.1 } else { begun.0.elapsed().as_nanos() as f64 };
                work * calls as f64 / taken
            };
            (0..7).map(|_| round()).fold(0.0, f64::max)
        };
        let (one, packed, every) = (speed(1, None), speed(1, Some(panels)), speed(all, None));
        println!("{m:5} {n:5} {k:5}  {what:24} {one:10.1} {packed:10.1} {every:10.1}");
    }
}
