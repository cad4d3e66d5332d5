//! Regions read at points between elements: a point is a pair of one place in each direction, and places outside the picture are left out.

use super::{Real, Region, Rounding, regions, with_real};
use crate::engine::arguments::{bool_arg, float_arg, int_arg, result, tensor_arg};
use crate::engine::cast::{self, Value};
use crate::engine::lanes::permute;
use crate::engine::rows::Shared;
use crate::engine::vectorize::vectorize_widest;
use crate::engine::{parallel, scratch};
use crate::{Call, Error, Outputs};
use sconce_tensor::IValue;
use smallvec::smallvec;

/// A place between two neighbours, with the weights of both.
#[derive(Clone, Copy)]
pub struct Place {
    pub low: usize,
    pub high: usize,
    pub weights: [f64; 2],
}

/// Bins side by side, each read at places of equal distance.
#[derive(Clone, Copy)]
pub struct Bins {
    pub start: f64,
    pub size: f64,
    pub count: usize,
    /// Places in a bin.
    pub places: i64,
}

/// The places of bins that lie in the picture.
#[derive(Default)]
pub struct Places {
    list: Vec<Place>,
    /// Where in the list the places of each bin end.
    ends: Vec<usize>,
}

impl Places {
    pub fn lay(&mut self, bins: Bins, length: usize, rounding: Rounding) {
        let round = |x| rounding.round(x);
        self.list.clear();
        self.ends.clear();
        for bin in 0..bins.count {
            let base = round(bins.start + round(bin as f64 * bins.size));
            for i in inside(base, bins, length) {
                let within = round(round((i as f64 + 0.5) * bins.size) / round(bins.places as f64));
                self.list.extend(place(round(base + within), length, rounding));
            }
            self.ends.push(self.list.len());
        }
    }

    pub fn of(&self, bin: usize) -> &[Place] {
        let start = bin.checked_sub(1).map_or(0, |b| self.ends[b]);
        &self.list[start..self.ends[bin]]
    }
}

/// The places of a bin that may lie in the picture: of a region much larger than the picture few do.
fn inside(base: f64, bins: Bins, length: usize) -> std::ops::Range<i64> {
    let step = bins.size / bins.places as f64;
    // Also when something is NaN, all are looked at.
    if step.is_nan() || step <= 0.0 || !base.is_finite() {
        return 0..bins.places;
    }
    let (first, last) = ((-1.0 - base) / step - 0.5, (length as f64 - base) / step - 0.5);
    // Rounding moves a place by a few units of the last place of f16 at most.
    let slack = |at: f64| 2.0 + at.abs() * 0.01;
    let clamp = |at: f64| (at as i64).clamp(0, bins.places.max(0));
    clamp(first - slack(first))..clamp(last + slack(last))
}

/// The neighbours of a coordinate; none when it lies more than an element outside.
fn place(at: f64, length: usize, rounding: Rounding) -> Option<Place> {
    if at < -1.0 || at > length as f64 || length == 0 {
        return None;
    }
    let at = if at <= 0.0 { 0.0 } else { at };
    let low = at as usize;
    if low + 1 >= length {
        return Some(Place { low: length - 1, high: length - 1, weights: [1.0, 0.0] });
    }
    let far = rounding.round(at - low as f64);
    Some(Place { low, high: low + 1, weights: [rounding.round(1.0 - far), far] })
}

/// How a region is read: bins in both directions, top to bottom first.
pub struct Reading {
    pub picture: usize,
    pub bins: [Bins; 2],
}

impl Reading {
    /// What every bin's sum is divided by.
    pub fn points(&self) -> f64 {
        self.bins.iter().map(|b| b.places as f64).product()
    }
}

/// How regions become readings.
pub struct Manner {
    pub counts: [usize; 2],
    /// Places in a bin; as many as it has elements when not positive.
    pub ratio: i64,
    /// How far edges are moved.
    pub shift: f64,
    /// Regions have at least one element.
    pub at_least_one: bool,
}

pub fn readings(regions: &[Region], manner: &Manner, rounding: Rounding) -> Result<Vec<Reading>, Error> {
    let round = |x| rounding.round(x);
    let of = |region: &Region| {
        let bins = [0, 1].map(|d| {
            let (from, to) = (region.edges[1 - d], region.edges[3 - d]);
            let (start, end) = (round(from - manner.shift), round(to - manner.shift));
            let extent = round(end - start);
            let extent = if manner.at_least_one && extent < 1.0 { 1.0 } else { extent };
            let size = round(extent / manner.counts[d] as f64);
            let places = if manner.ratio > 0 { manner.ratio } else { size.ceil() as i64 };
            Bins { start, size, count: manner.counts[d], places }
        });
        let reading = Reading { picture: region.picture, bins };
        if reading.points() * (manner.counts[0] * manner.counts[1]) as f64 > f64::from(i32::MAX) {
            return Err(Error::runtime("roi_align sampling grid is too large, reduce sampling_ratio or the RoI size"));
        }
        Ok(reading)
    };
    regions.iter().map(of).collect()
}

/// Regions that one thread takes at least: about 20 µs of work.
pub fn grain(elements: usize) -> usize {
    (1usize << 14).div_ceil(elements.max(1))
}

/// (input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned).
pub fn roi_align(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let mut out = call.contiguous_output(0, &sizes, dtype)?;
    if out.numel() == 0 {
        return Ok(smallvec![out.into()]);
    }
    let (ratio, aligned) = (int_arg(args, 5)?, bool_arg(args, 6)?);
    let counts = [sizes[2] as usize, sizes[3] as usize];
    let manner = Manner { counts, ratio, shift: if aligned { 0.5 } else { 0.0 }, at_least_one: !aligned };
    let readings =
        readings(&regions(tensor_arg(args, 0)?, tensor_arg(args, 1)?, float_arg(args, 2)?)?, &manner, Rounding(dtype))?;
    // The channels of an element lie side by side, so that one point is read for all of them at once.
    let picture = permute(tensor_arg(args, 0)?, &[0, 2, 3, 1])?.contiguous()?;
    let image = [picture.sizes()[1] as usize, picture.sizes()[2] as usize];
    let channels = sizes[1] as usize;
    with_real!(dtype, T => {
        // SAFETY: what is written is the result alone, and it is fresh.
        let elements = unsafe { cast::elements::<T>(&picture) }?;
        let target = unsafe { out.as_mut_slice::<T>() }.unwrap_or_default();
        align(&readings, &elements, image, channels, target);
    });
    Ok(smallvec![out.into()])
}

/// Averages of every channel over the points of every bin; elements are `[picture, height, width, channel]`.
fn align<T: Real>(readings: &[Reading], elements: &[T], image: [usize; 2], channels: usize, out: &mut [T]) {
    let each = out.len() / readings.len().max(1);
    let bins = each / channels;
    let out = Shared::new(out);
    parallel::split(readings.len(), grain(each), |range| {
        let mut places = [Places::default(), Places::default()];
        let mut sums = scratch::buffer::<T>(each);
        for k in range {
            let reading = &readings[k];
            for (d, places) in places.iter_mut().enumerate() {
                places.lay(reading.bins[d], image[d], Rounding(T::DTYPE));
            }
            let picture = reading.picture * image[0] * image[1];
            let points = reading.points().max(1.0).to::<T>();
            for (bin, sums) in sums.chunks_exact_mut(channels).enumerate() {
                let width = reading.bins[1].count;
                let (rows, columns) = (places[0].of(bin / width), places[1].of(bin % width));
                sums.fill(T::zero());
                for row in rows {
                    for column in columns {
                        let four = corners(row, column, image[1]);
                        let read = four.map(|at| &elements[(picture + at) * channels..][..channels]);
                        add(sums, read, weights(row, column));
                    }
                }
                sums.iter_mut().for_each(|s| *s = *s / points);
            }
            let out = out.part(k * each..(k + 1) * each);
            // Turned a cache line of channels at a time.
            for (block, out) in out.chunks_mut(16 * bins).enumerate() {
                let wide = out.len() / bins;
                for bin in 0..bins {
                    let sums = &sums[bin * channels + 16 * block..][..wide];
                    sums.iter().zip(out[bin..].iter_mut().step_by(bins)).for_each(|(s, o)| *o = *s);
                }
            }
        }
    });
}

/// The four elements around a point.
pub fn corners(row: &Place, column: &Place, width: usize) -> [usize; 4] {
    let at = |y: usize, x: usize| y * width + x;
    [at(row.low, column.low), at(row.low, column.high), at(row.high, column.low), at(row.high, column.high)]
}

/// Their weights.
pub fn weights<T: Real>(row: &Place, column: &Place) -> [T; 4] {
    let [[top, bottom], [left, right]] = [row, column].map(|p| p.weights.map(|w| w.to::<T>()));
    [top * left, top * right, bottom * left, bottom * right]
}

/// Adds what four elements give a point, channel by channel.
fn add<T: Real>(sums: &mut [T], [a, b, c, d]: [&[T]; 4], [u, v, w, x]: [T; 4]) {
    vectorize_widest(
        #[inline(always)]
        || {
            for ((((s, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *s = *s + (u * *a + v * *b + w * *c + x * *d);
            }
        },
    );
}
