//! Regions cut into bins of whole elements: of each bin the largest element, or the mean of its own channel.

use super::{Real, Region, Rounding, regions, with_real};
use crate::engine::arguments::{result, tensor_arg};
use crate::engine::cast::{self, Value};
use crate::engine::parallel;
use crate::engine::rows::Shared;
use crate::{Call, Error, Outputs};
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

/// Where the largest elements of bins stand, or which channels bins take.
fn whole_bins(call: &Call<'_>, args: &[IValue], by_place: bool) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let out = call.contiguous_output(0, &sizes, dtype)?;
    let from = call.contiguous_output(1, &sizes, DType::I32)?;
    if out.numel() == 0 {
        return Ok(smallvec![out.into(), from.into()]);
    }
    let input = tensor_arg(args, 0)?;
    let manner = Manner {
        image: [input.sizes()[2] as usize, input.sizes()[3] as usize],
        counts: [sizes[2] as usize, sizes[3] as usize],
        exclusive: by_place,
    };
    let regions = regions(args)?;
    if by_place {
        channels_of_places(&from);
    }
    with_real!(dtype, T => {
        let elements = cast::elements::<T>(input)?;
        // SAFETY: the results are fresh.
        let target = unsafe { out.as_mut_slice::<T>() }.unwrap_or_default();
        if by_place {
            mean(&regions, &manner, &elements, target);
        } else {
            // SAFETY: as above.
            let places = unsafe { from.as_mut_slice::<i32>() }.unwrap_or_default();
            largest(&regions, &manner, &elements, target, places);
        }
    });
    Ok(smallvec![out.into(), from.into()])
}

/// (input, rois, spatial_scale, pooled_height, pooled_width): the largest elements, and where each stands in its channel.
pub fn roi_pool(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    whole_bins(call, args, false)
}

/// The same arguments: means, and of which channel each is.
pub fn ps_roi_pool(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    whole_bins(call, args, true)
}

/// Every place of a region's result has a channel of its own, in their order.
pub(super) fn channels_of_places(from: &Tensor) {
    let each: i64 = from.sizes()[1..].iter().product();
    // SAFETY: the result is fresh.
    let from = unsafe { from.as_mut_slice::<i32>() }.unwrap_or_default();
    for region in from.chunks_exact_mut(each.max(1) as usize) {
        region.iter_mut().zip(0..).for_each(|(place, channel)| *place = channel);
    }
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
    let (out, places) = (Shared::new(out), Shared::new(places));
    parallel::split(regions.len(), grain(manner, each), |range| {
        for k in range {
            let cut = manner.cut(&regions[k], Rounding(T::DTYPE));
            let part = k * each..(k + 1) * each;
            let bins = out.part(part.clone()).iter_mut().zip(places.part(part));
            for (i, (out, place)) in bins.enumerate() {
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
    let out = Shared::new(out);
    parallel::split(regions.len(), grain(manner, each), |range| {
        for k in range {
            let cut = manner.cut(&regions[k], Rounding(T::DTYPE));
            for (channel, out) in out.part(k * each..(k + 1) * each).iter_mut().enumerate() {
                let plane = &elements[(cut.picture * each + channel) * pixels..][..pixels];
                let (rows, columns) = (&cut.rows[channel / width % height], &cut.columns[channel % width]);
                let mut sum = T::zero();
                for y in rows.clone() {
                    plane[y * manner.image[1]..][columns.clone()].iter().for_each(|v| sum = sum + *v);
                }
                let area = rows.len() * columns.len();
                *out = if area == 0 { T::zero() } else { sum / (area as f64).to::<T>() };
            }
        }
    });
}
