//! Sampling a picture at the positions of a grid: what each position reads is one list of elements and weights.

use crate::engine::arguments::{bool_arg, int_arg, one, result, tensor_arg};
use crate::engine::cast;
use crate::engine::lanes::count;
use crate::{Call, Error, Outputs};
use sconce_schema::resample::cubic;
use sconce_tensor::IValue;
use smallvec::{SmallVec, smallvec};

/// A grid coordinate as a position, by the padding mode (0 zeros, 1 border, 2 reflection).
fn position(x: f64, size: i64, padding: i64, align: bool) -> f64 {
    let at = unnormalize(x, size, align);
    pad(at, size, padding, align)
}

pub fn unnormalize(x: f64, size: i64, align: bool) -> f64 {
    if align { (x + 1.0) / 2.0 * (size as f64 - 1.0) } else { ((x + 1.0) * size as f64 - 1.0) / 2.0 }
}

fn pad(at: f64, size: i64, padding: i64, align: bool) -> f64 {
    let last = size as f64 - 1.0;
    match padding {
        1 => clip(at, last),
        2 => {
            let (low, high) = if align { (0.0, 2.0 * last) } else { (-1.0, 2.0 * size as f64 - 1.0) };
            if low == high {
                return 0.0;
            }
            let (min, span) = (low / 2.0, (high - low) / 2.0);
            let distance = (at - min).abs();
            let extra = distance % span;
            let flips = (distance / span).floor();
            let back = if flips % 2.0 == 0.0 { extra + min } else { span - extra + min };
            clip(back, last)
        }
        _ => at,
    }
}

/// Into the picture; NaN goes to its first element.
fn clip(at: f64, last: f64) -> f64 {
    if at > 0.0 { at.min(last) } else { 0.0 }
}

/// A whole position; NaN is nowhere.
fn element(at: f64) -> i64 {
    if at.is_nan() { i64::MIN } else { at as i64 }
}

/// How a grid is read: modes 0 linear, 1 nearest, 2 cubic; paddings 0 zeros, 1 border, 2 reflection.
pub struct Sampling {
    pub mode: i64,
    pub padding: i64,
    pub align: bool,
}

impl Sampling {
    pub fn new(args: &[IValue], first: usize) -> Result<Sampling, Error> {
        Ok(Sampling {
            mode: int_arg(args, first)?,
            padding: int_arg(args, first + 1)?,
            align: bool_arg(args, first + 2)?,
        })
    }

    /// The elements along a dimension that a coordinate reads, and their weights.
    pub fn taps(&self, c: f64, size: i64) -> SmallVec<[(i64, f64); 4]> {
        let (padding, align) = (self.padding, self.align);
        match self.mode {
            1 => smallvec![(element(position(c, size, padding, align).round_ties_even()), 1.0)],
            2 => {
                let at = unnormalize(c, size, align);
                let places = (-1..3).map(|k| at.floor() + f64::from(k));
                places.map(|x| (element(pad(x, size, padding, align)), cubic(at - x, -0.75))).collect()
            }
            _ => {
                let at = position(c, size, padding, align);
                let low = at.floor();
                smallvec![(element(low), low + 1.0 - at), (element(low).saturating_add(1), at - low)]
            }
        }
    }
}

/// An element of the picture that a position reads, and its weight.
struct Read {
    offset: usize,
    /// It is a zero outside the picture.
    outside: bool,
    weight: f64,
}

/// All that one position reads.
fn reads(sampling: &Sampling, coordinates: &[f64], image: &[i64]) -> Vec<Read> {
    let n = image.len();
    let mut list = vec![Read { offset: 0, outside: false, weight: 1.0 }];
    for (d, &size) in image.iter().enumerate() {
        let taps = sampling.taps(coordinates[n - 1 - d], size);
        let mut next = Vec::with_capacity(list.len() * taps.len());
        for read in &list {
            for &(index, weight) in &taps {
                let inside = (0..size).contains(&index);
                // On a plane PyTorch multiplies also what lies outside, as zero: only a weight that is no number is seen.
                if inside || (n == 2 && !weight.is_finite()) {
                    let outside = read.outside || !inside;
                    let offset = if outside { 0 } else { read.offset * size as usize + index as usize };
                    next.push(Read { offset, outside, weight: read.weight * weight });
                }
            }
        }
        list = next;
    }
    list
}

/// (input, grid, interpolation_mode, padding_mode, align_corners).
pub fn grid_sampler(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (t, grid) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let sampling = Sampling::new(args, 2)?;
    let (x, g) = (cast::to_vec::<f64>(t)?, cast::to_vec::<f64>(grid)?);
    let image = &t.sizes()[2..];
    let (pixels, channels, points) = (count(image), t.sizes()[1] as usize, count(&sizes[2..]));
    let mut data = vec![0.0; count(&sizes)];
    for b in 0..sizes[0] as usize {
        for p in 0..points {
            let list = reads(&sampling, &g[(b * points + p) * image.len()..][..image.len()], image);
            for c in 0..channels {
                let channel = &x[(b * channels + c) * pixels..][..pixels];
                data[(b * channels + c) * points + p] =
                    list.iter().map(|r| if r.outside { 0.0 } else { channel[r.offset] } * r.weight).sum();
            }
        }
    }
    one(cast::from_vec(data, &sizes, dtype)?)
}
