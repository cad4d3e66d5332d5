//! Prints what convolutions take on one thread, by windows and by the way that is for them (Winograd's, with channels in vectors, depthwise), in microseconds, and the
//! error of both against f64 in units of the first one's.

mod clock;

use clock::cpu_time;
use sconce_gemm::padded::{Filters, Images, Ready};
use sconce_gemm::{Panels, View, depthwise, direct, implicit_gemm, winograd};
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

/// Channels, pixels in a line and a column, elements of kernels, and strides of depthwise convolutions.
const DEPTHWISE: &[(usize, usize, usize, usize)] = &[
    (16, 112, 3, 1),
    (48, 112, 3, 2),
    (96, 56, 3, 1),
    (96, 56, 3, 2),
    (96, 28, 3, 1),
    (192, 14, 3, 1),
    (192, 14, 3, 2),
    (480, 7, 3, 1),
    (96, 28, 5, 1),
    (240, 28, 5, 2),
    (96, 56, 7, 1),
    (384, 14, 7, 1),
];

/// Channels, results, pixels in a line and a column, elements of kernels, and strides where channels are in vectors.
const DIRECT: &[(usize, usize, usize, usize, usize)] = &[
    (512, 512, 7, 3, 1),
    (128, 128, 7, 3, 1),
    (512, 128, 7, 1, 1),
    (128, 512, 7, 1, 1),
    (320, 1280, 7, 1, 1),
    (96, 576, 14, 1, 1),
    (64, 64, 14, 3, 1),
    (384, 48, 13, 1, 1),
    (256, 1024, 14, 1, 1),
    (32, 32, 56, 3, 2),
    (64, 128, 56, 3, 2),
    (128, 128, 14, 3, 2),
    (256, 512, 14, 1, 2),
    (16, 32, 28, 5, 1),
    (16, 16, 224, 7, 2),
];

/// A way to convolve.
type Way = unsafe fn(&Images<f32>, &Frame, &Filters<'_, f32>, *mut f32);

struct Case {
    frame: Frame,
    batch: usize,
    groups: usize,
    /// Of a group, as the rows.
    channels: usize,
    rows: usize,
    x: Vec<f32>,
    w: Vec<f32>,
}

impl Case {
    fn images(&self) -> Images<f32> {
        let n = self.frame[1].image as isize;
        let strides = [(self.groups * self.channels) as isize * n * n, n * n, 0, n, 1];
        Images { data: self.x.as_ptr(), strides, batch: self.batch, groups: self.groups, channels: self.channels }
    }

    fn run(&self, way: Way, ready: Ready<f32>, out: &mut [f32]) {
        let (weights, rows) = (self.w.as_ptr(), self.rows);
        let filters = Filters { weights, bias: None, rows, ready, finish: None };
        // SAFETY: the vectors have the frame's sizes.
        unsafe { way(&self.images(), &self.frame, &filters, out.as_mut_ptr()) };
    }

    /// The first result channel of the first image, in f64.
    fn exact(&self) -> Vec<f64> {
        let [_, rows, columns] = &self.frame.0;
        let mut out = vec![0f64; self.frame.positions()];
        for c in 0..self.channels {
            for (at, out) in out.iter_mut().enumerate() {
                for k in 0..self.frame.area() {
                    let y = rows.on_image(at / columns.windows, k / columns.kernel);
                    let x = columns.on_image(at % columns.windows, k % columns.kernel);
                    if let (Some(y), Some(x)) = (y, x) {
                        let pixel = self.x[(c * rows.image + y) * columns.image + x];
                        *out += f64::from(pixel) * f64::from(self.w[c * self.frame.area() + k]);
                    }
                }
            }
        }
        out
    }
}

fn numbers(state: &mut u64, count: usize) -> Vec<f32> {
    let mut next = || {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

impl Case {
    /// Square images, padded so that a kernel's middle meets every pixel.
    fn new(
        batch: usize,
        groups: usize,
        (channels, rows): (usize, usize),
        n: usize,
        kernel: usize,
        stride: usize,
    ) -> Case {
        let axis = Axis { image: n, kernel, stride, padding: kernel / 2, dilation: 1, windows: n.div_ceil(stride) };
        let mut state = 1u64;
        let x = numbers(&mut state, batch * groups * channels * n * n);
        let w = numbers(&mut state, groups * rows * channels * kernel * kernel);
        Case { frame: Frame([Axis::ONE, axis, axis]), batch, groups, channels, rows, x, w }
    }

    /// Prints the row of a case, of which the beginning is printed.
    fn race(&self, way: Way, ready: Ready<f32>, taken: bool) {
        let mut out = vec![0f32; self.batch * self.groups * self.rows * self.frame.positions()];
        let mut measure = |way: Way, ready: Ready<f32>| {
            self.run(way, ready, &mut out);
            let square = |(a, b): (&f32, &f64)| (f64::from(*a) - b).powi(2);
            let error = out.iter().zip(&self.exact()).map(square).sum::<f64>().sqrt();
            // The best of some rounds: what else the machine does empties caches.
            let round = || {
                let begun = cpu_time();
                self.run(way, ready, &mut out);
                (cpu_time() - begun) / 1e3
            };
            let best = std::iter::repeat_with(round).take(60).fold(f64::INFINITY, f64::min);
            (best, error)
        };
        let ((direct, error), (time, other)) =
            (measure(implicit_gemm::by_windows, Ready::Nothing), measure(way, ready));
        print!(" {direct:9.1} {time:9.1} {:6.2} {:7.2} {taken:>6}", time / direct, other / error);
    }
}

fn main() {
    sconce_parallel::set_threads(1);
    println!("batch channels results pixels   windows  winograd  ratio   error  taken");
    for &(batch, channels, rows, n) in CASES {
        let case = Case::new(batch, 1, (channels, rows), n, 3, 1);
        let taken = winograd::takes(&case.frame, batch, channels, rows);
        let mut memory = vec![0f32; winograd::transformed(&case.frame, 1, channels, rows).unwrap()];
        // SAFETY: the weights are of these channels and rows.
        unsafe { winograd::transform(&case.frame, 1, [channels, rows], case.w.as_ptr(), memory.as_mut_ptr()) };
        for (what, ready) in [("", Ready::Nothing), ("ready", Ready::Transformed(memory.as_ptr()))] {
            print!("{batch:5} {channels:8} {rows:7} {n:6}");
            case.race(winograd::convolve, ready, taken);
            println!(" {what}");
        }
    }
    println!("\nchannels results pixels kernel stride   windows    direct  ratio   error  taken");
    for &(channels, rows, n, kernel, stride) in DIRECT {
        let case = Case::new(1, 1, (channels, rows), n, kernel, stride);
        let k = channels * case.frame.area();
        let mut memory = vec![0f32; Panels::<f32>::elements(k, rows).unwrap()];
        let turned = View::new(case.w.as_ptr(), 1, k as isize);
        // SAFETY: the weights are of these channels and rows.
        let panels = unsafe { Panels::pack(turned, k, rows, memory.as_mut_ptr()) };
        print!("{channels:8} {rows:7} {n:6} {kernel:6} {stride:6}");
        case.race(implicit_gemm::convolve, Ready::Panels(panels), direct::takes(&case.frame, 1, channels, rows));
        println!();
    }
    println!("\nchannels pixels kernel stride   windows depthwise  ratio   error  taken");
    for &(groups, n, kernel, stride) in DEPTHWISE {
        let case = Case::new(1, groups, (1, 1), n, kernel, stride);
        print!("{groups:8} {n:6} {kernel:6} {stride:6}");
        case.race(depthwise::convolve, Ready::Nothing, depthwise::takes(&case.frame, 1, 1));
        println!();
    }
}
