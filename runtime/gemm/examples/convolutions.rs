//! Prints what convolutions by 3 x 3 elements take on one thread, summed directly and by Winograd's way, in microseconds, and the error of both against f64 in
//! units of the direct one's.

mod clock;

use clock::cpu_time;
use sconce_gemm::padded::Images;
use sconce_gemm::{implicit_gemm, winograd};
use sconce_schema::geometry::{Axis, Frame};

/// Images, channels, results, and pixels in a line and a column.
const CASES: &[(usize, usize, usize, usize)] = &[
    (1, 16, 16, 56),
    (1, 24, 32, 32),
    (1, 32, 32, 112),
    (1, 64, 64, 56),
    (1, 128, 128, 28),
    (1, 128, 32, 28),
    (1, 256, 256, 14),
    (1, 512, 512, 7),
    (8, 64, 64, 16),
    (8, 256, 256, 14),
    (1, 64, 64, 30),
];

struct Case {
    frame: Frame,
    batch: usize,
    channels: usize,
    rows: usize,
    x: Vec<f32>,
    w: Vec<f32>,
}

impl Case {
    fn images(&self) -> Images<f32> {
        let n = self.frame[1].image as isize;
        let strides = [self.channels as isize * n * n, n * n, 0, n, 1];
        Images { data: self.x.as_ptr(), strides, batch: self.batch, groups: 1, channels: self.channels }
    }

    fn run(&self, winograd: bool, out: &mut [f32]) {
        let (x, out, w) = (self.images(), out.as_mut_ptr(), self.w.as_ptr());
        // SAFETY: the vectors have the frame's sizes.
        unsafe {
            if winograd {
                winograd::convolve(&x, &self.frame, w, None, self.rows, out);
            } else {
                implicit_gemm::convolve(&x, &self.frame, w, None, self.rows, out);
            }
        }
    }

    /// The first result channel of the first image, in f64.
    fn exact(&self) -> Vec<f64> {
        let n = self.frame[1].image;
        let mut out = vec![0f64; n * n];
        for c in 0..self.channels {
            for (at, out) in out.iter_mut().enumerate() {
                for k in 0..9 {
                    let (y, x) = ((at / n + k / 3).wrapping_sub(1), (at % n + k % 3).wrapping_sub(1));
                    if y < n && x < n {
                        *out += f64::from(self.x[(c * n + y) * n + x]) * f64::from(self.w[c * 9 + k]);
                    }
                }
            }
        }
        out
    }
}

fn main() {
    sconce_parallel::set_threads(1);
    println!(
        "{:>5} {:>8} {:>7} {:>6} {:>9} {:>9} {:>6} {:>7} {:>6}",
        "batch", "channels", "results", "pixels", "direct", "winograd", "ratio", "error", "taken"
    );
    for &(batch, channels, rows, n) in CASES {
        let axis = Axis { image: n, kernel: 3, stride: 1, padding: 1, dilation: 1, windows: n };
        let mut state = 1u64;
        let mut numbers = |count: usize| -> Vec<f32> {
            let mut next = || {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 40) as f32 / (1 << 23) as f32 - 1.0
            };
            (0..count).map(|_| next()).collect()
        };
        let (x, w) = (numbers(batch * channels * n * n), numbers(rows * channels * 9));
        let case = Case { frame: Frame([Axis::ONE, axis, axis]), batch, channels, rows, x, w };
        let mut out = vec![0f32; batch * rows * n * n];
        let mut measure = |winograd: bool| {
            case.run(winograd, &mut out);
            let square = |(a, b): (&f32, &f64)| (f64::from(*a) - b).powi(2);
            let error = out.iter().zip(&case.exact()).map(square).sum::<f64>().sqrt();
            // The best of some rounds: what else the machine does empties caches.
            let round = || {
                let begun = cpu_time();
                case.run(winograd, &mut out);
                (cpu_time() - begun) / 1e3
            };
            let best = std::iter::repeat_with(round).take(60).fold(f64::INFINITY, f64::min);
            (best, error)
        };
        let ((direct, error), (winograd, other)) = (measure(false), measure(true));
        let taken = winograd::takes(&case.frame, batch, channels, rows);
        let ratio = winograd / direct;
        println!(
            "{batch:5} {channels:8} {rows:7} {n:6} {direct:9.1} {winograd:9.1} {ratio:6.2} {:7.2} {taken:>6}",
            other / error
        );
    }
}
