//! Convolutions of random numbers, done in one way or another.

use sconce_gemm::padded::{Filters, Images, Ready};
use sconce_gemm::{Done, Finish};
use sconce_schema::geometry::Frame;

/// A way to convolve.
pub type Way = unsafe fn(&Images<f32>, &Frame, &Filters<'_, f32>, *mut f32);

/// Elements before and behind results.
const BESIDE: usize = 64;

/// A convolution, with its images and kernels.
#[derive(Debug)]
pub struct Case {
    pub frame: Frame,
    pub batch: usize,
    pub groups: usize,
    pub channels: usize,
    pub rows: usize,
    /// Channels that lie between an image's own and the next image's.
    pub gap: usize,
    pub x: Vec<f32>,
    pub w: Vec<f32>,
    pub bias: Option<Vec<f32>>,
}

pub fn numbers(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

impl Case {
    pub fn results(&self) -> usize {
        self.batch * self.groups * self.rows * self.frame.positions()
    }

    /// The results, which lie between numbers that nothing writes to.
    ///
    /// # Safety
    /// The way takes such convolutions.
    pub unsafe fn run(&self, way: Way) -> Vec<f32> {
        // SAFETY: the caller's promise.
        unsafe { self.finished(way, None) }
    }

    /// The same with every result, once, multiplied by -2.
    ///
    /// # Safety
    /// As above.
    pub unsafe fn turned(&self, way: Way) -> Vec<f32> {
        let finish = |done: Done<f32>| {
            for row in 0..done.rows {
                // SAFETY: a way gives results that are there.
                let row = unsafe { std::slice::from_raw_parts_mut(done.out.add(row * done.out_row), done.columns) };
                row.iter_mut().for_each(|v| *v *= -2.0);
            }
        };
        // SAFETY: the caller's promise.
        unsafe { self.finished(way, Some(&finish)) }
    }

    unsafe fn finished(&self, way: Way, finish: Option<Finish<'_, f32>>) -> Vec<f32> {
        let per_image = self.groups * self.channels + self.gap;
        let [_, height, width] = self.frame.each(|a| a.image);
        let strides = [per_image * height * width, height * width, 0, width, 1].map(|n| n as isize);
        let (batch, groups, channels) = (self.batch, self.groups, self.channels);
        let x = Images { data: self.x.as_ptr(), strides, batch, groups, channels };
        let bias = self.bias.as_ref().map(|b| b.as_ptr());
        let mut out = vec![f32::NAN; self.results() + 2 * BESIDE];
        let filters = Filters { weights: self.w.as_ptr(), bias, rows: self.rows, ready: Ready::Nothing, finish };
        // SAFETY: the vectors have the sizes that the frame says.
        unsafe { way(&x, &self.frame, &filters, out.as_mut_ptr().add(BESIDE)) };
        let results = out.drain(BESIDE..out.len() - BESIDE).collect();
        assert!(out.iter().all(|v| v.is_nan()), "{:?}: written beside the results", self.frame);
        results
    }
}
