//! Convolutions of random numbers, done in one way or another.

#[path = "../numbers/mod.rs"]
mod numbers;

pub use numbers::numbers;
use sconce_gemm::padded::{Filters, Images, Ready};
use sconce_gemm::{Added, Done, Epilogue, Finish};
use sconce_parallel::vectorize::{Width, narrow};
use sconce_schema::geometry::Frame;

/// A way to convolve.
pub type Way = unsafe fn(&Images<f32>, &Frame, &Filters<'_, f32>, *mut f32);

/// Bounds of results.
const LOW: f32 = -0.25;
const HIGH: f32 = 1.5;
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
        unsafe { self.finished(way, |_| None) }
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
        unsafe { self.finished(way, |_| Some(Finish::InPlace(&finish))) }
    }

    /// The same with another tensor added, if there is one, and bounds.
    ///
    /// # Safety
    /// As above.
    pub unsafe fn ended(&self, way: Way, other: Option<&[f32]>) -> Vec<f32> {
        let epilogue = |result: *const f32| {
            let added = other.map(|other| Added { other: other.as_ptr(), result });
            Some(Finish::Epilogue(Epilogue { added, low: LOW, high: HIGH }))
        };
        // SAFETY: the caller's promise; the other tensor has as many elements.
        unsafe { self.finished(way, epilogue) }
    }

    /// The results' bits on so many threads, by vectors so wide; the same where every result is finished.
    ///
    /// # Safety
    /// As above. Threads and width are the process's.
    pub unsafe fn bits(&self, way: Way, threads: usize, width: Width) -> Vec<u32> {
        sconce_parallel::set_threads(threads);
        narrow(width);
        let bits = |v: Vec<f32>| v.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        // SAFETY: the caller's promise.
        let (plain, turned) = unsafe { (self.run(way), self.turned(way)) };
        assert_eq!(bits(plain.iter().map(|v| v * -2.0).collect()), bits(turned), "every result is finished once");
        let other = numbers(5, plain.len());
        let sums = plain.iter().zip(&other).map(|(v, o)| (v + o).clamp(LOW, HIGH)).collect();
        // SAFETY: as above.
        let ended = unsafe { self.ended(way, Some(&other)) };
        assert_eq!(bits(sums), bits(ended), "{:?}: another tensor is added, and there are bounds", self.frame);
        // SAFETY: as above.
        let ended = unsafe { self.ended(way, None) };
        assert_eq!(bits(plain.iter().map(|v| v.clamp(LOW, HIGH)).collect()), bits(ended), "there are bounds");
        bits(plain)
    }

    unsafe fn finished<'a>(&self, way: Way, finish: impl Fn(*const f32) -> Option<Finish<'a, f32>>) -> Vec<f32> {
        let per_image = self.groups * self.channels + self.gap;
        let [_, height, width] = self.frame.each(|a| a.image);
        let strides = [per_image * height * width, height * width, 0, width, 1].map(|n| n as isize);
        let (batch, groups, channels) = (self.batch, self.groups, self.channels);
        let x = Images { data: self.x.as_ptr(), strides, batch, groups, channels };
        let bias = self.bias.as_ref().map(|b| b.as_ptr());
        let mut out = vec![f32::NAN; self.results() + 2 * BESIDE];
        let finish = finish(out.as_ptr().wrapping_add(BESIDE));
        let filters = Filters { weights: self.w.as_ptr(), bias, rows: self.rows, ready: Ready::Nothing, finish };
        // SAFETY: the vectors have the sizes that the frame says.
        unsafe { way(&x, &self.frame, &filters, out.as_mut_ptr().add(BESIDE)) };
        let results = out.drain(BESIDE..out.len() - BESIDE).collect();
        assert!(out.iter().all(|v| v.is_nan()), "{:?}: written beside the results", self.frame);
        results
    }
}
