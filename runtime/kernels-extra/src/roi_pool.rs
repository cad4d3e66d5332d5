//! Regions cut into bins: of each the largest element, or the mean of its own channel, over whole elements or at points between them.

use crate::pieces::Pieces;
use sconce_kernels::engine::arguments::{int_arg, result, tensor_arg};
use sconce_kernels::engine::cast::{self, Value};
use sconce_kernels::engine::lanes::count;
use sconce_kernels::engine::parallel;
use sconce_kernels::vision::sampled::{self, Places, Reading, corners, readings, weights};
use sconce_kernels::vision::{Real, Region, Rounding, regions, with_real};
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::smallvec;
use std::ops::Range;

/// A region in whole elements: its bins' rows and columns, those of the picture only.
struct Cut {
    picture: usize,
    rows: Vec<Range<usize>>,
    columns: Vec<Range<usize>>,
}

/// How edges become bins.
struct Manner {
    image: [usize; 2],
    counts: [usize; 2],
    /// Regions end before their last edge, and pictures before their last element: so torchvision takes the bins of which it makes means.
    exclusive: bool,
}

impl Manner {
    fn of(input: &Tensor, sizes: &[i64], exclusive: bool) -> Manner {
        let pair = |s: &[i64]| [s[2] as usize, s[3] as usize];
        Manner { image: pair(input.sizes()), counts: pair(sizes), exclusive }
    }

    fn bins(&self, d: usize, region: &Region, rounding: Rounding) -> Vec<Range<usize>> {
        let round = |x| rounding.round(x);
        // Halves are rounded away from zero.
        let whole = |x: f64| i64::from(x.round().to::<i32>());
        let (start, end) = (whole(region.edges[1 - d]), whole(region.edges[3 - d]));
        let extent = (end - start + i64::from(!self.exclusive)).max(1);
        let size = round(round(extent as f64) / round(self.counts[d] as f64));
        let last = self.image[d].saturating_sub(usize::from(self.exclusive)) as i64;
        let edge = |at: f64| (at as i64).saturating_add(start).clamp(0, last) as usize;
        let bin = |i: usize| {
            let at = |i: usize| round(i as f64 * size);
            edge(at(i).floor())..edge(at(i + 1).ceil())
        };
        (0..self.counts[d]).map(bin).collect()
    }

    fn cut(&self, region: &Region, rounding: Rounding) -> Cut {
        let [rows, columns] = [0, 1].map(|d| self.bins(d, region, rounding));
        Cut { picture: region.picture, rows, columns }
    }
}

/// (input, rois, spatial_scale, pooled_height, pooled_width): the largest elements, and where each stands in its channel.
pub fn roi_pool(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let input = tensor_arg(args, 0)?;
    if count(&sizes) == 0 {
        let empty = |dtype| Tensor::zeros(&sizes, dtype);
        return Ok(smallvec![empty(dtype)?.into(), empty(DType::I32)?.into()]);
    }
    let (regions, manner) = (regions(args)?, Manner::of(input, &sizes, false));
    let mut places = Tensor::zeros(&sizes, DType::I32)?.to_vec::<i32>();
    let out = with_real!(dtype, T => {
        let mut out = vec![<T as num_traits::Zero>::zero(); count(&sizes)];
        largest(&regions, &manner, &cast::elements::<T>(input)?, &mut out, &mut places);
        Tensor::from_vec(out, &sizes)
    });
    Ok(smallvec![out.into(), Tensor::from_vec(places, &sizes).into()])
}

/// The same arguments: means, and of which channel each is.
pub fn ps_roi_pool(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let input = tensor_arg(args, 0)?;
    let channels = channels_of_places(&sizes)?;
    if count(&sizes) == 0 {
        return Ok(smallvec![Tensor::zeros(&sizes, dtype)?.into(), channels.into()]);
    }
    let (regions, manner) = (regions(args)?, Manner::of(input, &sizes, true));
    let out = with_real!(dtype, T => {
        let mut out = vec![<T as num_traits::Zero>::zero(); count(&sizes)];
        mean(&regions, &manner, &cast::elements::<T>(input)?, &mut out);
        Tensor::from_vec(out, &sizes)
    });
    Ok(smallvec![out.into(), channels.into()])
}

/// Every place of a region's result has a channel of its own, in their order.
fn channels_of_places(sizes: &[i64]) -> Result<Tensor, Error> {
    let mut from = Tensor::zeros(sizes, DType::I32)?.to_vec::<i32>();
    let each = count(&sizes[1..]);
    for region in from.chunks_exact_mut(each.max(1)) {
        region.iter_mut().zip(0..).for_each(|(place, channel)| *place = channel);
    }
    Ok(Tensor::from_vec(from, sizes))
}

/// Bins that one thread takes at least, by the elements of the largest.
fn grain(manner: &Manner, each: usize) -> usize {
    let [h, w] = [0, 1].map(|d| manner.image[d] / manner.counts[d] + 1);
    (1usize << 15).div_ceil(each.saturating_mul(h).saturating_mul(w).max(1))
}

fn largest<T: Real>(regions: &[Region], manner: &Manner, elements: &[T], out: &mut [T], places: &mut [i32]) {
    let each = out.len() / regions.len().max(1);
    let [height, width] = manner.counts;
    let (pixels, channels) = (manner.image[0] * manner.image[1], each / (height * width));
    let (out, places) = (Pieces::new(out, each), Pieces::new(places, each));
    parallel::split(regions.len(), grain(manner, each), |range| {
        for k in range {
            let cut = manner.cut(&regions[k], Rounding(T::DTYPE));
            let (mut out, mut places) = (out.take(k), places.take(k));
            for (i, (out, place)) in out.iter_mut().zip(places.iter_mut()).enumerate() {
                let plane = &elements[(cut.picture * channels + i / (height * width)) * pixels..][..pixels];
                let (rows, columns) = (&cut.rows[i / width % height], &cut.columns[i % width]);
                (*out, *place) = (T::zero(), -1);
                if !rows.is_empty() && !columns.is_empty() {
                    *out = LOWEST.to();
                }
                for y in rows.clone() {
                    let row = y * manner.image[1];
                    for (x, v) in columns.clone().zip(&plane[row..][columns.clone()]) {
                        if *v > *out {
                            (*out, *place) = (*v, (row + x) as i32);
                        }
                    }
                }
            }
        }
    });
}

/// What torchvision takes for less than every element, whatever the dtype.
const LOWEST: f32 = f32::MIN;

fn mean<T: Real>(regions: &[Region], manner: &Manner, elements: &[T], out: &mut [T]) {
    let each = out.len() / regions.len().max(1);
    let [height, width] = manner.counts;
    let pixels = manner.image[0] * manner.image[1];
    let out = Pieces::new(out, each);
    parallel::split(regions.len(), grain(manner, each), |range| {
        for k in range {
            let cut = manner.cut(&regions[k], Rounding(T::DTYPE));
            for (channel, out) in out.take(k).iter_mut().enumerate() {
                let plane = &elements[(cut.picture * each + channel) * pixels..][..pixels];
                let (rows, columns) = (&cut.rows[channel / width % height], &cut.columns[channel % width]);
                let mut sum = T::zero();
                for y in rows.clone() {
                    plane[y * manner.image[1]..][columns.clone()].iter().for_each(|v| sum = sum + *v);
                }
                let area = rows.len() * columns.len();
                *out = if area == 0 { T::zero() } else { sum / Value::to::<T>(area as f64) };
            }
        }
    });
}

/// (input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio): averages, and of which channel each is.
pub fn ps_roi_align(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let channels = channels_of_places(&sizes)?;
    let counts = [sizes[2] as usize, sizes[3] as usize];
    if count(&sizes) == 0 {
        return Ok(smallvec![Tensor::zeros(&sizes, dtype)?.into(), channels.into()]);
    }
    let manner = sampled::Manner { counts, ratio: int_arg(args, 5)?, shift: 0.5, at_least_one: false };
    let readings = readings(&regions(args)?, &manner, Rounding(dtype))?;
    let input = tensor_arg(args, 0)?;
    let image = [input.sizes()[2] as usize, input.sizes()[3] as usize];
    let out = with_real!(dtype, T => {
        let mut out = vec![<T as num_traits::Zero>::zero(); count(&sizes)];
        align_by_place(&readings, &cast::elements::<T>(input)?, image, &mut out);
        Tensor::from_vec(out, &sizes)
    });
    Ok(smallvec![out.into(), channels.into()])
}

/// Averages of each bin's own channel over the bin's points; elements are `[picture, channel, height, width]`.
fn align_by_place<T: Real>(readings: &[Reading], elements: &[T], image: [usize; 2], out: &mut [T]) {
    let each = out.len() / readings.len().max(1);
    let out = Pieces::new(out, each);
    parallel::split(readings.len(), sampled::grain(each), |range| {
        let mut places = [Places::default(), Places::default()];
        for k in range {
            let reading = &readings[k];
            for (d, places) in places.iter_mut().enumerate() {
                places.lay(reading.bins[d], image[d], Rounding(T::DTYPE));
            }
            let [height, width] = reading.bins.map(|b| b.count);
            let points = reading.points().to::<T>();
            for (channel, out) in out.take(k).iter_mut().enumerate() {
                let plane = &elements[(reading.picture * each + channel) * image[0] * image[1]..];
                let bin = channel % (height * width);
                let mut sum = T::zero();
                for row in places[0].of(bin / width) {
                    for column in places[1].of(bin % width) {
                        let [a, b, c, d] = corners(row, column, image[1]).map(|at| plane[at]);
                        let [u, v, w, x] = weights::<T>(row, column);
                        sum = sum + (u * a + v * b + w * c + x * d);
                    }
                }
                *out = sum / points;
            }
        }
    });
}
