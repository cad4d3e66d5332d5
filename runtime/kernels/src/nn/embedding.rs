//! Rows looked up by number, sums of them, and indicator vectors.

use crate::engine::arguments::{bool_arg, optional_tensor, tensor_arg};
use crate::engine::cast::{self, Value};
use crate::engine::rows;
use crate::engine::scratch::{self, Scratch};
use crate::engine::strided_copy::{listed, moved_as, whole};
use crate::tensor::index::plain_indices;
use crate::{Call, Error, Outputs};
use sconce_schema::geometry::bags::{Bags as Described, Mode};
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::smallvec;

/// (weight, indices, …).
pub fn embedding(call: &Call<'_>, weight: &Tensor, indices: &Tensor) -> Result<Tensor, Error> {
    let rows = plain_indices(indices, weight.sizes()[0], |_| Error::index("index out of range in self"))?;
    let sizes: Sizes = indices.sizes().iter().copied().chain([weight.sizes()[1]]).collect();
    moved_as(call, weight, &[listed(weight, 0, &rows), whole(weight, 1)], &sizes)
}

/// One call of `embedding_bag`: bags of row numbers reduced to a row each.
struct Bags {
    rows: Scratch<i64>,
    /// Where each bag begins, and the end of the last.
    starts: scratch::List<usize>,
    mode: Mode,
    padding: i64,
}

impl Bags {
    /// Indices after the end of the last bag: they are in no bag, but the last one's size counts them.
    fn left(&self) -> usize {
        self.starts.last().map_or(0, |end| self.rows.len() - end)
    }
}

/// (weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx): the rows, which bag each
/// index is in, the bags' sizes, and for the maximum which index won.
pub fn embedding_bag(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (weight, indices, offsets) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let samples = optional_tensor(args, 6)?;
    let &Described { mode, padding, integer } =
        &*call.parsed(args, |a| Described::of(a, call.entry.name.ends_with(".padding_idx")))?;
    let (indices, offsets) = (&cast::convert(indices, integer)?, &cast::convert(offsets, integer)?);
    let (count, width) = (weight.sizes()[0], weight.sizes()[1]);
    // What only a derivative needs is not computed for a sum: no bag sizes, and where a fast path does it not even the bags.
    let fast = matches!(weight.dtype(), DType::F32 | DType::F16 | DType::BF16)
        && weight.strides()[1] == 1
        && padding < 0
        && samples.is_none_or(|s| s.strides().first() == Some(&1));
    let rows = plain_indices(indices, count, |v| {
        let at = cast::to_vec::<i64>(indices).ok().and_then(|list| list.iter().position(|i| *i == v));
        Error::runtime(match at {
            Some(at) if fast && mode != Mode::Max => {
                format!("Index {at} of input takes value {v} which is not in the valid range [0, {count})")
            }
            _ => format!("embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {v}"),
        })
    })?;
    let include_last = bool_arg(args, 7)?;
    let starts = if indices.dim() == 2 {
        let each = indices.sizes()[1];
        (0..=indices.sizes()[0]).map(|i| (i * each) as usize).collect()
    } else {
        // SAFETY: they are copied at once.
        let mut starts: scratch::List<i64> = unsafe { cast::elements::<i64>(offsets) }?.iter().copied().collect();
        if starts.first().is_some_and(|s| *s != 0) {
            return Err(Error::runtime(format!(
                "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got {}\n[ {}{{}} ]",
                starts[0],
                integer.tensor_type_name()
            )));
        }
        if let Some(last) = starts.last().filter(|s| **s > rows.len() as i64) {
            return Err(Error::runtime(format!(
                "offsets[-1] can not be greater than input's length {} but got offsets[-1] of {last}",
                rows.len()
            )));
        }
        if include_last {
            if starts.is_empty() {
                return Err(Error::runtime("include_last_offset: number of offsets should be at least 1"));
            }
        } else {
            starts.push(rows.len() as i64);
        }
        if starts.windows(2).any(|w| w[0] > w[1]) {
            return Err(Error::runtime("offsets must not decrease"));
        }
        starts.iter().map(|s| *s as usize).collect()
    };
    let bags = Bags { rows, starts, mode, padding };
    let n = bags.starts.len() as i64 - 1;
    let mut out = call.contiguous_output(0, &[n, width], weight.dtype())?;
    let mut winners = scratch::zeros::<i64>(if mode == Mode::Max { (n * width) as usize } else { 0 });
    let table = weight.contiguous()?;
    let scale = samples.map(|t| cast::convert(t, DType::F64)?.contiguous().map_err(Error::from)).transpose()?;
    // SAFETY: what is written below is the fresh result alone.
    let scale = scale.as_ref().and_then(|t| unsafe { t.as_slice::<f64>() });
    let reduce = match weight.dtype() {
        DType::F32 => reduced::<f32>,
        DType::F64 => reduced::<f64>,
        DType::F16 => reduced::<half::f16>,
        DType::BF16 => reduced::<half::bf16>,
        other => return Err(crate::not_implemented("embedding_bag", other)),
    };
    reduce(&bags, &table, width as usize, scale, &mut winners, &mut out);
    let mut bag_of = scratch::zeros::<i64>(bags.rows.len());
    let mut sizes: scratch::List<i64> = scratch::list();
    for (bag, w) in bags.starts.windows(2).enumerate() {
        bag_of[w[0]..w[1]].fill(bag as i64);
        sizes.push(bags.rows[w[0]..w[1]].iter().filter(|r| **r != padding).count() as i64);
    }
    let result = |i: usize, v: &[i64], sizes: &[i64]| -> Result<IValue, Error> {
        let out = call.contiguous_output(i, sizes, indices.dtype())?;
        rows::write(&out, v)?;
        Ok(IValue::Tensor(out))
    };
    let vector = |i: usize, v: &[i64]| result(i, v, &[v.len() as i64]);
    if let Some(last) = sizes.last_mut().filter(|_| mode != Mode::Sum) {
        *last += bags.left() as i64;
    }
    if mode == Mode::Sum {
        let whole = call.entry.name.starts_with("aten::_embedding_bag.") || call.entry.name == "aten::_embedding_bag";
        sizes.clear();
        sizes.resize(if whole { n as usize } else { offsets.numel() }, 0);
    }
    let max_indices = if mode == Mode::Max { result(3, &winners, &[n, width])? } else { vector(3, &sizes)? };
    let bag_of = if mode == Mode::Sum && fast { &[] } else { &bag_of[..] };
    Ok(smallvec![IValue::Tensor(out), vector(1, bag_of)?, vector(2, &sizes)?, max_indices])
}

/// The sum, mean or maximum of each bag's rows of the contiguous table `weight`, into the fresh and contiguous `out`.
fn reduced<T: Value>(
    bags: &Bags,
    weight: &Tensor,
    width: usize,
    scale: Option<&[f64]>,
    winners: &mut [i64],
    out: &mut Tensor,
) {
    // SAFETY: what is written is the result alone, which is fresh.
    let (weight, out) = unsafe { (weight.as_slice::<T>(), out.as_mut_slice::<T>()) };
    let (weight, out) = (weight.unwrap_or_default(), out.unwrap_or_default());
    for (bag, w) in bags.starts.windows(2).enumerate() {
        let members: scratch::List<usize> = (w[0]..w[1]).filter(|i| bags.rows[*i] != bags.padding).collect();
        for column in 0..width {
            let value = |i: usize| weight[bags.rows[i] as usize * width + column];
            out[bag * width + column] = match bags.mode {
                Mode::Max => {
                    let mut best: Option<usize> = None;
                    for i in members.iter() {
                        if best.is_none_or(|b| value(*i).to::<f64>() > value(b).to::<f64>()) {
                            best = Some(*i);
                        }
                    }
                    if let Some(b) = best {
                        winners[bag * width + column] = bags.rows[b];
                    }
                    best.map_or(0i64.to::<T>(), value)
                }
                mode => {
                    let wide = T::DTYPE == DType::F64;
                    let mut sum = 0.0f64;
                    for i in members.iter() {
                        let factor = scale.map_or(1.0, |s| s[*i]);
                        let term = value(*i).to::<f64>() * factor;
                        sum = if wide { sum + term } else { f64::from(sum as f32 + term as f32) };
                    }
                    if mode == Mode::Mean && !members.is_empty() {
                        let last = bag + 2 == bags.starts.len();
                        sum /= (members.len() + if last { bags.left() } else { 0 }) as f64;
                    }
                    sum.to::<T>()
                }
            };
        }
    }
}
