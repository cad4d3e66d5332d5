//! Regions cut into bins: of each the mean of its own channel, over whole elements or at points between them.

use crate::pieces::Pieces;
use sconce_kernels::engine::arguments::{float_arg, int_arg, result, tensor_arg};
use sconce_kernels::engine::cast::{self, Value};
use sconce_kernels::engine::lanes::count;
use sconce_kernels::engine::parallel;
use sconce_kernels::vision::roi_pool::{Manner, grain};
use sconce_kernels::vision::sampled::{self, Places, Reading, corners, readings, weights};
use sconce_kernels::vision::{Real, Region, Rounding, regions, with_real};
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::smallvec;

/// Means, and of which channel each is.
pub fn ps_roi_pool(call: &Call<'_>, input: &Tensor, rois: &Tensor, scale: f64) -> Result<(Tensor, Tensor), Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let channels = channels_of_places(&sizes)?;
    if count(&sizes) == 0 {
        return Ok((Tensor::zeros(&sizes, dtype)?, channels));
    }
    let (regions, manner) = (regions(input, rois, scale)?, Manner::of(input, &sizes, true));
    let out = with_real!(dtype, T => {
        let mut out = vec![<T as num_traits::Zero>::zero(); count(&sizes)];
        mean(&regions, &manner, &cast::to_vec::<T>(input)?, &mut out);
        Tensor::from_vec(out, &sizes)
    });
    Ok((out, channels))
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
    let readings =
        readings(&regions(tensor_arg(args, 0)?, tensor_arg(args, 1)?, float_arg(args, 2)?)?, &manner, Rounding(dtype))?;
    let input = tensor_arg(args, 0)?;
    let image = [input.sizes()[2] as usize, input.sizes()[3] as usize];
    let out = with_real!(dtype, T => {
        let mut out = vec![<T as num_traits::Zero>::zero(); count(&sizes)];
        align_by_place(&readings, &cast::to_vec::<T>(input)?, image, &mut out);
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
