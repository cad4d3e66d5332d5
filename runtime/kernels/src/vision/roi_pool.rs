//! Regions cut into bins of whole elements: of each bin the largest element.

use super::{Real, Region, Rounding, regions, with_real};
use crate::engine::arguments::result;
use crate::engine::cast::{self, Value};
use crate::engine::parallel;
use crate::engine::rows::Shared;
use crate::{Call, Error};
use sconce_tensor::{DType, Tensor};
use std::ops::Range;

/// A region in whole elements: its bins' rows and columns, those of the picture only.
pub struct Cut {
    pub picture: usize,
    pub rows: Vec<Range<usize>>,
    pub columns: Vec<Range<usize>>,
}

/// How edges become bins.
pub struct Manner {
    pub image: [usize; 2],
    pub counts: [usize; 2],
    /// Regions end before their last edge, and pictures before their last element: so torchvision takes the bins of which it makes means.
    pub exclusive: bool,
}

impl Manner {
    pub fn of(input: &Tensor, sizes: &[i64], exclusive: bool) -> Manner {
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

    pub fn cut(&self, region: &Region, rounding: Rounding) -> Cut {
        let [rows, columns] = [0, 1].map(|d| self.bins(d, region, rounding));
        Cut { picture: region.picture, rows, columns }
    }
}

/// The largest elements, and where each stands in its channel.
pub fn roi_pool(call: &Call<'_>, input: &Tensor, rois: &Tensor, scale: f64) -> Result<(Tensor, Tensor), Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let mut out = call.contiguous_output(0, &sizes, dtype)?;
    let mut places = call.contiguous_output(1, &sizes, DType::I32)?;
    if out.numel() == 0 {
        return Ok((out, places));
    }
    let (regions, manner) = (regions(input, rois, scale)?, Manner::of(input, &sizes, false));
    with_real!(dtype, T => {
        // SAFETY: what is written is the results alone, and they are fresh.
        let elements = unsafe { cast::elements::<T>(input) }?;
        let target = unsafe { (out.as_mut_slice::<T>(), places.as_mut_slice::<i32>()) };
        largest(&regions, &manner, &elements, target.0.unwrap_or_default(), target.1.unwrap_or_default());
    });
    Ok((out, places))
}

/// Bins that one thread takes at least, by the elements of the largest.
pub fn grain(manner: &Manner, each: usize) -> usize {
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
