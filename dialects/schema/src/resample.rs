//! Resampling as weighted sums of elements along one dimension: which elements stand for each position of the result, and how much each counts.
//!
//! Kernels, compiled code and gradients read the same lists: gradients the other way around.

use crate::shape::Meta;
use crate::shape::args::Arguments;
use smallvec::{SmallVec, smallvec};

/// How positions between elements are filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filter {
    Nearest,
    NearestExact,
    Linear,
    Cubic,
    /// Anti-aliased: the filter is as wide as what one position of the result covers.
    SmoothLinear,
    SmoothCubic,
    SmoothLanczos,
}

impl Filter {
    /// Elements are moved, not computed with; otherwise the operator is told what becomes of corners.
    pub fn moves(self) -> bool {
        matches!(self, Filter::Nearest | Filter::NearestExact)
    }
}

/// How a call resamples, besides the sizes.
#[derive(Clone, PartialEq, Debug)]
pub struct Resampling {
    pub filter: Filter,
    align: bool,
    /// How many positions an element covers, by dimension, where that is given.
    scales: SmallVec<[Option<f64>; 3]>,
}

impl Resampling {
    /// Of `n` dimensions, by the arguments from `first` on: what becomes of corners, where elements are computed with, and the scales, one after the other or as a list.
    /// `None` where something is not known.
    pub fn of(filter: Filter, n: usize, a: &[Meta], first: usize, list: bool) -> Option<Resampling> {
        let (align, first) = if filter.moves() { (false, first) } else { (a.bool(first)?, first + 1) };
        let scale = |i: usize| if a.is_none(i) { Some(None) } else { a.float(i).map(Some) };
        let scales = match list {
            false => (first..first + n).map(scale).collect::<Option<_>>()?,
            true if a.is_none(first) => smallvec![None; n],
            true => a.floats(first).filter(|l| l.len() == n)?.into_iter().map(Some).collect(),
        };
        Some(Resampling { filter, align, scales })
    }

    /// The taps along one of the dimensions.
    pub fn taps(&self, dim: usize, input: usize, output: usize) -> impl Iterator<Item = Tap> {
        taps(self.filter, input, output, self.align, self.scales.get(dim).copied().flatten())
    }
}

/// The elements that a position of the result is made of, and their weights.
pub type Tap = SmallVec<[(usize, f64); 4]>;

/// Keys' cubic convolution with the free number `a`.
pub fn cubic(x: f64, a: f64) -> f64 {
    let x = x.abs();
    if x < 1.0 {
        ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    } else if x < 2.0 {
        (((x - 5.0) * x + 8.0) * x - 4.0) * a
    } else {
        0.0
    }
}

fn lanczos(x: f64) -> f64 {
    let sinc = |x: f64| if x == 0.0 { 1.0 } else { (std::f64::consts::PI * x).sin() / (std::f64::consts::PI * x) };
    if x.abs() < 3.0 { sinc(x) * sinc(x / 3.0) } else { 0.0 }
}

/// The taps of all positions of a result of `output` elements made of `input` elements, at least one. With `align` the first and last elements of both lie on each
/// other; `scale` is how many positions an element covers, where that is given.
///
/// ```
/// use sconce_schema::resample::{Filter, taps};
/// let between: Vec<_> = taps(Filter::Linear, 2, 3, true, None).map(|tap| tap.to_vec()).collect();
/// assert_eq!(between[1], [(0, 0.5), (1, 0.5)]);
/// ```
pub fn taps(filter: Filter, input: usize, output: usize, align: bool, scale: Option<f64>) -> impl Iterator<Item = Tap> {
    let scale = scale.filter(|s| *s > 0.0);
    let step = if align {
        if output > 1 { (input as f64 - 1.0) / (output as f64 - 1.0) } else { 0.0 }
    } else {
        scale.map_or(input as f64 / output as f64, |s| 1.0 / s)
    };
    let last = input as i64 - 1;
    (0..output).map(move |o| match filter {
        // Nothing stands between elements then, whatever the scale.
        Filter::Linear if input == output => smallvec![(o, 1.0)],
        Filter::Nearest | Filter::NearestExact => {
            // PyTorch computes these positions in f32, and a position decides the element.
            let step = scale.map_or(input as f32 / output as f32, |s| (1.0 / s) as f32);
            let offset = if filter == Filter::NearestExact { 0.5 } else { 0.0 };
            let at = ((o as f32 + offset) * step).floor() as i64;
            smallvec![(at.clamp(0, last) as usize, 1.0)]
        }
        Filter::Linear => {
            let at = if align { step * o as f64 } else { (step * (o as f64 + 0.5) - 0.5).max(0.0) };
            let low = (at.floor() as i64).min(last);
            let high = (low + 1).min(last);
            let weight = (at - low as f64).clamp(0.0, 1.0);
            smallvec![(low as usize, 1.0 - weight), (high as usize, weight)]
        }
        Filter::Cubic => {
            let at = if align { step * o as f64 } else { step * (o as f64 + 0.5) - 0.5 };
            let low = at.floor();
            (-1..3)
                .map(|k| {
                    let i = (low as i64).saturating_add(k);
                    (i.clamp(0, last) as usize, cubic(at - (low + k as f64), -0.75))
                })
                .collect()
        }
        Filter::SmoothLinear | Filter::SmoothCubic | Filter::SmoothLanczos => {
            let (width, weight): (f64, fn(f64) -> f64) = match filter {
                Filter::SmoothLinear => (1.0, |x| (1.0 - x.abs()).max(0.0)),
                Filter::SmoothCubic => (2.0, |x| cubic(x, -0.5)),
                _ => (3.0, lanczos),
            };
            let stretch = step.max(1.0);
            let support = width * stretch;
            let center = step * (o as f64 + 0.5);
            let from = ((center - support + 0.5) as i64).max(0);
            let to = ((center + support + 0.5) as i64).min(input as i64);
            let mut list: Tap = (from..to).map(|i| (i as usize, weight((i as f64 - center + 0.5) / stretch))).collect();
            let sum: f64 = list.iter().map(|t| t.1).sum();
            if sum != 0.0 {
                list.iter_mut().for_each(|t| t.1 /= sum);
            }
            list
        }
    })
}
