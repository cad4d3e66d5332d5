//! Sampling a picture at the positions of a grid: what each position reads is one list of elements, weights and slopes, for the sample and for
//! its gradients.

use crate::engine::arguments::{bool_arg, int_arg, one, result, tensor_arg};
use crate::engine::cast;
use crate::engine::lanes::count;
use crate::{Call, Error, Outputs};
use sconce_schema::resample::cubic;
use sconce_tensor::IValue;

/// A grid coordinate as a position, by the padding mode (0 zeros, 1 border, 2 reflection).
fn position(x: f64, size: i64, padding: i64, align: bool) -> f64 {
    let at = unnormalize(x, size, align);
    pad(at, size, padding, align)
}

fn unnormalize(x: f64, size: i64, align: bool) -> f64 {
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

/// An element along one dimension, its weight, and how the weight changes with the grid's coordinate.
#[derive(Clone, Copy)]
struct Tap {
    index: i64,
    weight: f64,
    slope: f64,
}

/// A whole position; NaN is nowhere.
fn element(at: f64) -> i64 {
    if at.is_nan() { i64::MIN } else { at as i64 }
}

/// How a grid is read: modes 0 linear, 1 nearest, 2 cubic; paddings 0 zeros, 1 border, 2 reflection.
pub struct Sampling {
    mode: i64,
    padding: i64,
    align: bool,
}

impl Sampling {
    pub fn new(args: &[IValue], first: usize) -> Result<Sampling, Error> {
        Ok(Sampling {
            mode: int_arg(args, first)?,
            padding: int_arg(args, first + 1)?,
            align: bool_arg(args, first + 2)?,
        })
    }

    /// How a position changes with the coordinate: not at all where it is cut, the other way where it is reflected.
    fn slope(&self, c: f64, size: i64) -> f64 {
        let scale = if self.align { (size as f64 - 1.0) / 2.0 } else { size as f64 / 2.0 };
        let at = unnormalize(c, size, self.align);
        let last = size as f64 - 1.0;
        let inside = |x: f64| if x > 0.0 && x < last { 1.0 } else { 0.0 };
        scale
            * match self.padding {
                1 => inside(at),
                2 => {
                    let (low, span) = if self.align { (0.0, last) } else { (-0.5, size as f64) };
                    if span == 0.0 {
                        return 0.0;
                    }
                    let distance = at - low;
                    let flips = (distance.abs() / span).floor() as i64;
                    let turned = if (flips % 2 == 0) == (distance >= 0.0) { 1.0 } else { -1.0 };
                    let extra = distance.abs() % span;
                    turned * inside(low + if flips % 2 == 0 { extra } else { span - extra })
                }
                _ => 1.0,
            }
    }

    fn taps(&self, c: f64, size: i64) -> Vec<Tap> {
        let (padding, align) = (self.padding, self.align);
        match self.mode {
            1 => {
                let at = position(c, size, padding, align).round_ties_even();
                vec![Tap { index: element(at), weight: 1.0, slope: 0.0 }]
            }
            2 => {
                let at = unnormalize(c, size, align);
                let scale = if align { (size as f64 - 1.0) / 2.0 } else { size as f64 / 2.0 };
                let low = at.floor();
                (-1..3)
                    .map(|k| {
                        let x = at - (low + f64::from(k));
                        Tap {
                            index: element(pad(low + f64::from(k), size, padding, align)),
                            weight: cubic(x, -0.75),
                            slope: cubic_slope(x, -0.75) * scale,
                        }
                    })
                    .collect()
            }
            _ => {
                let at = position(c, size, padding, align);
                let low = at.floor();
                let slope = self.slope(c, size);
                vec![
                    Tap { index: element(low), weight: low + 1.0 - at, slope: -slope },
                    Tap { index: element(low).saturating_add(1), weight: at - low, slope },
                ]
            }
        }
    }
}

fn cubic_slope(x: f64, a: f64) -> f64 {
    let t = x.abs();
    let rise = if t <= 1.0 {
        3.0 * (a + 2.0) * t * t - 2.0 * (a + 3.0) * t
    } else if t < 2.0 {
        a * (3.0 * t * t - 10.0 * t + 8.0)
    } else {
        0.0
    };
    rise * x.signum()
}

/// An element of the picture that a position reads: its weight, and the weight's slope by each coordinate, in the grid's order (x first).
pub struct Read {
    pub offset: usize,
    /// It is a zero outside the picture.
    pub outside: bool,
    pub weight: f64,
    pub slopes: Vec<f64>,
}

impl Read {
    pub fn value(&self, channel: &[f64]) -> f64 {
        if self.outside { 0.0 } else { channel[self.offset] }
    }
}

/// All that one position reads.
pub fn reads(sampling: &Sampling, coordinates: &[f64], image: &[i64]) -> Vec<Read> {
    let n = image.len();
    let mut list = vec![Read { offset: 0, outside: false, weight: 1.0, slopes: vec![1.0; n] }];
    for (d, &size) in image.iter().enumerate() {
        let taps = sampling.taps(coordinates[n - 1 - d], size);
        let mut next = Vec::with_capacity(list.len() * taps.len());
        for read in &list {
            // On a plane PyTorch multiplies also what lies outside, as zero: only a weight that is no number is seen.
            let inside = |t: &Tap| (0..size).contains(&t.index);
            let seen = |t: &&Tap| inside(t) || (n == 2 && !(t.weight.is_finite() && t.slope.is_finite()));
            for tap in taps.iter().filter(seen) {
                let factor = |k: usize| if k == n - 1 - d { tap.slope } else { tap.weight };
                let outside = read.outside || !inside(tap);
                next.push(Read {
                    offset: if outside { 0 } else { read.offset * size as usize + tap.index as usize },
                    outside,
                    weight: read.weight * tap.weight,
                    slopes: read.slopes.iter().enumerate().map(|(k, s)| s * factor(k)).collect(),
                });
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
                data[(b * channels + c) * points + p] = list.iter().map(|r| r.value(channel) * r.weight).sum();
            }
        }
    }
    one(cast::from_vec(data, &sizes, dtype)?)
}
