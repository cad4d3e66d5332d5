//! Resampling to known sizes: sums over the taps of each position, which are constants of the code.

use crate::lower::{Call, Item, Lower, TensorValue};
use crate::reduce::Fold;
use crate::scalar::arithmetic_dtype;
use crate::{Error, Lowering};
use sconce_exec::Dim;
use sconce_schema::resample::{Filter, Resampling, Tap};
use sconce_schema::{DType, OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::upsample_nearest1d, |l, c| resized(l, c, Filter::Nearest, false)),
    (ops::aten::upsample_nearest1d_vec, |l, c| resized(l, c, Filter::Nearest, true)),
    (ops::aten::upsample_nearest2d, |l, c| resized(l, c, Filter::Nearest, false)),
    (ops::aten::upsample_nearest2d_vec, |l, c| resized(l, c, Filter::Nearest, true)),
    (ops::aten::upsample_nearest3d, |l, c| resized(l, c, Filter::Nearest, false)),
    (ops::aten::upsample_nearest3d_vec, |l, c| resized(l, c, Filter::Nearest, true)),
    (ops::aten::_upsample_nearest_exact1d, |l, c| resized(l, c, Filter::NearestExact, false)),
    (ops::aten::_upsample_nearest_exact1d_vec, |l, c| resized(l, c, Filter::NearestExact, true)),
    (ops::aten::_upsample_nearest_exact2d, |l, c| resized(l, c, Filter::NearestExact, false)),
    (ops::aten::_upsample_nearest_exact2d_vec, |l, c| resized(l, c, Filter::NearestExact, true)),
    (ops::aten::_upsample_nearest_exact3d, |l, c| resized(l, c, Filter::NearestExact, false)),
    (ops::aten::_upsample_nearest_exact3d_vec, |l, c| resized(l, c, Filter::NearestExact, true)),
    (ops::aten::upsample_linear1d, |l, c| resized(l, c, Filter::Linear, false)),
    (ops::aten::upsample_linear1d_vec, |l, c| resized(l, c, Filter::Linear, true)),
    (ops::aten::upsample_bilinear2d, |l, c| resized(l, c, Filter::Linear, false)),
    (ops::aten::upsample_bilinear2d_vec, |l, c| resized(l, c, Filter::Linear, true)),
    (ops::aten::upsample_trilinear3d, |l, c| resized(l, c, Filter::Linear, false)),
    (ops::aten::upsample_trilinear3d_vec, |l, c| resized(l, c, Filter::Linear, true)),
    (ops::aten::upsample_bicubic2d, |l, c| resized(l, c, Filter::Cubic, false)),
    (ops::aten::upsample_bicubic2d_vec, |l, c| resized(l, c, Filter::Cubic, true)),
    (ops::aten::_upsample_bilinear2d_aa, |l, c| resized(l, c, Filter::SmoothLinear, false)),
    (ops::aten::_upsample_bilinear2d_aa_vec, |l, c| resized(l, c, Filter::SmoothLinear, true)),
    (ops::aten::_upsample_bicubic2d_aa, |l, c| resized(l, c, Filter::SmoothCubic, false)),
    (ops::aten::_upsample_bicubic2d_aa_vec, |l, c| resized(l, c, Filter::SmoothCubic, true)),
];

/// `list` where the operator is given the scales as one list.
fn resized<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, filter: Filter, list: bool) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let sizes = c.result_sizes(0)?;
    let Some(n) = x.rank().checked_sub(2).filter(|n| *n > 0) else {
        return Error::unsupported("no dimension to resample");
    };
    let moves = filter.moves();
    if !moves && !x.dtype.is_float() {
        return Error::unsupported(format!("interpolation of {}", x.dtype));
    }
    let how = c.parsed(|a| Ok(Resampling::of(filter, n, a, 2, list)))?;
    // One dimension after the other, the last first: rows of the result are made of whole rows. Halves are rounded once, at the end.
    let result = x.dtype;
    let mut made = if moves { x } else { l.cast(&x, arithmetic_dtype(result))? };
    for d in (0..n).rev() {
        let (Some(input), Some(output)) = (made.sizes[2 + d].known(), sizes[2 + d].known()) else {
            return Error::unsupported("resampling of a size that is not known");
        };
        if input < 1 || output < 1 {
            return Error::unsupported("resampling of nothing");
        }
        let all: Vec<Tap> = how.taps(d, input as usize, output as usize).collect();
        made = along(l, &made, 2 + d, &all)?;
    }
    Ok(vec![Item::Tensor(l.cast(&made, result)?)])
}

/// Sums of taps along a dimension.
fn along<'c>(l: &mut Lower<'c>, x: &TensorValue<'c>, d: usize, taps: &[Tap]) -> Result<TensorValue<'c>, Error> {
    let most = taps.iter().map(|t| t.len()).max().unwrap_or(0);
    let table = |l: &Lower<'c>, dtype: DType, bytes: Vec<u8>| {
        let t = l.tensor_type(&[Dim::Known(taps.len() as i64), Dim::Known(most as i64)], dtype)?;
        let value = sconce_ir::attr::dense(t, &bytes).map_err(|e| Error::Internal(e.to_string()))?;
        l.e.one("arith.constant", &[], t, &[("value", value)])
    };
    // What has fewer taps has some that count nothing, of an element that it has.
    let mut padded: Vec<(usize, f64)> = Vec::new();
    for tap in taps {
        let spare = tap.first().map_or(0, |t| t.0);
        padded.extend((0..most).map(|k| tap.get(k).copied().unwrap_or((spare, 0.))));
    }
    let places = table(l, DType::I64, padded.iter().flat_map(|(i, _)| (*i as i64).to_le_bytes()).collect())?;
    let sizes = Lower::with_size(&x.sizes, d, Dim::Known(taps.len() as i64));
    let value = x.value;
    if most == 1 && taps.iter().flatten().all(|t| t.1 == 1.) {
        let zero = l.e.index(0)?;
        return l.computed(&sizes, x.dtype, &mut |e, place| {
            let i = e.element_at(places, &[place[d], zero])?;
            let mut there = place.to_vec();
            there[d] = e.one("arith.index_cast", &[i], e.index_type(), &[])?;
            e.element_at(value, &there)
        });
    }
    let dtype = x.dtype;
    let bytes = match dtype {
        DType::F64 => padded.iter().flat_map(|(_, w)| w.to_le_bytes()).collect(),
        _ => padded.iter().flat_map(|(_, w)| (*w as f32).to_le_bytes()).collect(),
    };
    let weights = table(l, dtype, bytes)?;
    l.computed_fold(&sizes, &[Dim::Known(most as i64)], Fold::Sum, dtype, &mut |e, place, within| {
        let tap = [place[d], within[0]];
        let i = e.element_at(places, &tap)?;
        let mut there = place.to_vec();
        there[d] = e.one("arith.index_cast", &[i], e.index_type(), &[])?;
        e.same("arith.mulf", &[e.element_at(value, &there)?, e.element_at(weights, &tap)?])
    })
}
