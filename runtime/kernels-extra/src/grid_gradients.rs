//! Gradients of sampling a picture at the positions of a grid: what each position reads changes with its coordinates.

use sconce_kernels::engine::arguments::{arg, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::lanes::count;
use sconce_kernels::nn::grid::{Sampling, unnormalize};
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::IValue;
use smallvec::smallvec;

/// How a position changes with the coordinate: not at all where it is cut, the other way where it is reflected.
fn slope(s: &Sampling, c: f64, size: i64) -> f64 {
    let scale = if s.align { (size as f64 - 1.0) / 2.0 } else { size as f64 / 2.0 };
    let at = unnormalize(c, size, s.align);
    let last = size as f64 - 1.0;
    let inside = |x: f64| if x > 0.0 && x < last { 1.0 } else { 0.0 };
    scale
        * match s.padding {
            1 => inside(at),
            2 => {
                let (low, span) = if s.align { (0.0, last) } else { (-0.5, size as f64) };
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

/// How the weights of what a coordinate reads change with it.
fn slopes(s: &Sampling, c: f64, size: i64) -> Vec<f64> {
    match s.mode {
        1 => vec![0.0],
        2 => {
            let at = unnormalize(c, size, s.align);
            let scale = if s.align { (size as f64 - 1.0) / 2.0 } else { size as f64 / 2.0 };
            (-1..3).map(|k| cubic_slope(at - (at.floor() + f64::from(k)), -0.75) * scale).collect()
        }
        _ => {
            let slope = slope(s, c, size);
            vec![-slope, slope]
        }
    }
}

/// An element of the picture that a position reads: its weight, and the weight's slope by each coordinate, in the grid's order (x first).
struct Read {
    offset: usize,
    /// It is a zero outside the picture.
    outside: bool,
    weight: f64,
    slopes: Vec<f64>,
}

/// All that one position reads.
fn reads(sampling: &Sampling, coordinates: &[f64], image: &[i64]) -> Vec<Read> {
    let n = image.len();
    let mut list = vec![Read { offset: 0, outside: false, weight: 1.0, slopes: vec![1.0; n] }];
    for (d, &size) in image.iter().enumerate() {
        let c = coordinates[n - 1 - d];
        let (taps, slopes) = (sampling.taps(c, size), slopes(sampling, c, size));
        let mut next = Vec::with_capacity(list.len() * taps.len());
        for read in &list {
            for (&(index, weight), &slope) in taps.iter().zip(&slopes) {
                let inside = (0..size).contains(&index);
                // On a plane PyTorch multiplies also what lies outside, as zero: only what is no number is seen.
                if inside || (n == 2 && !(weight.is_finite() && slope.is_finite())) {
                    let outside = read.outside || !inside;
                    let factor = |k: usize| if k == n - 1 - d { slope } else { weight };
                    next.push(Read {
                        offset: if outside { 0 } else { read.offset * size as usize + index as usize },
                        outside,
                        weight: read.weight * weight,
                        slopes: read.slopes.iter().enumerate().map(|(k, s)| s * factor(k)).collect(),
                    });
                }
            }
        }
        list = next;
    }
    list
}

/// (grad_output, input, grid, interpolation_mode, padding_mode, align_corners, output_mask): the input's gradient, if asked for, and the grid's.
pub fn grid_sampler_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (grad, t, grid) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let sampling = Sampling::new(args, 3)?;
    let wanted = arg(args, 6)?.as_list()?.read().first().map_or(Ok(true), IValue::as_bool)?;
    let (x, g, go) = (cast::to_vec::<f64>(t)?, cast::to_vec::<f64>(grid)?, cast::to_vec::<f64>(grad)?);
    let image = &t.sizes()[2..];
    let n = image.len();
    let (pixels, channels, points) = (count(image), t.sizes()[1] as usize, count(&grid.sizes()[1..=n]));
    let (mut to_input, mut to_grid) = (vec![0.0; x.len()], vec![0.0; g.len()]);
    for b in 0..t.sizes()[0] as usize {
        for p in 0..points {
            let at = (b * points + p) * n;
            let list = reads(&sampling, &g[at..][..n], image);
            for c in 0..channels {
                let gradient = go[(b * channels + c) * points + p];
                let channel = (b * channels + c) * pixels;
                for r in &list {
                    if !r.outside {
                        to_input[channel + r.offset] += gradient * r.weight;
                    }
                    for (k, slope) in r.slopes.iter().enumerate() {
                        to_grid[at + k] += gradient * (if r.outside { 0.0 } else { x[channel + r.offset] }) * slope;
                    }
                }
            }
        }
    }
    let to_input = if wanted { cast::from_vec(to_input, t.sizes(), t.dtype())?.into() } else { IValue::None };
    Ok(smallvec![to_input, cast::from_vec(to_grid, grid.sizes(), grid.dtype())?.into()])
}
