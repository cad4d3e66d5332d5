//! Sorting, the largest and smallest, and searching in what is sorted. NaN is larger than every number.

use crate::cast::{Value, with_element};
use crate::copy::empty_for;
use crate::elementwise::empty_strided;
use crate::lanes::result;
use crate::tensor_info::dimension;
use crate::{Call, Error, Outputs, arg, introsort};
use sconce_tensor::{DType, IValue, Offsets, Sizes, Tensor};
use smallvec::smallvec;
use std::cmp::Ordering;

/// The order of elements. Complex numbers, which have none, are refused before.
pub fn order<T: Value>(a: T, b: T) -> Ordering {
    match T::DTYPE {
        d if d.is_float() => {
            let (a, b) = (a.to::<f64>(), b.to::<f64>());
            a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
        }
        DType::U64 => a.to::<u64>().cmp(&b.to::<u64>()),
        _ => a.to::<i64>().cmp(&b.to::<i64>()),
    }
}

/// The lines of a tensor along a dimension: where each begins, its length and step. Rank 0 is one line of one.
fn lines(t: &Tensor, dim: usize) -> (Offsets, i64, i64) {
    let (mut sizes, mut strides): (Sizes, Sizes) = (t.sizes().into(), t.strides().into());
    let (n, step) = if sizes.is_empty() { (1, 1) } else { (sizes.remove(dim), strides.remove(dim)) };
    (Offsets::new(&sizes, &strides, t.storage_offset()), n, step)
}

/// Replaces each line of `values` and `indices` by what `pick` makes of a line of `t`: pairs of value and position.
fn by_line<T: Value>(
    t: &Tensor,
    values: Option<&Tensor>,
    indices: &Tensor,
    dim: usize,
    mut pick: impl FnMut(Vec<(T, i64)>) -> Vec<(T, i64)>,
) {
    let (starts, n, step) = lines(t, dim);
    let (index_starts, _, index_step) = lines(indices, dim);
    let value_lines = values.map(|v| lines(v, dim));
    let value_step = value_lines.as_ref().map_or(0, |l| l.2);
    let mut value_starts = value_lines.map(|l| l.0);
    let from = t.storage().data_ptr().cast::<T>();
    let to_values = values.map(|v| v.storage().data_ptr().cast::<T>());
    let to_indices = indices.storage().data_ptr().cast::<i64>();
    for (start, index_start) in starts.zip(index_starts) {
        // SAFETY: positions of the tensor's own elements; T is its element type (callers dispatch on it).
        let line = (0..n).map(|i| (unsafe { *from.offset((start + i * step) as isize) }, i)).collect();
        let picked = pick(line);
        let value_start = value_starts.as_mut().and_then(Iterator::next);
        for (k, (value, index)) in (0i64..).zip(picked) {
            // SAFETY: `pick` gives as many as the results have along the dimension; they are fresh.
            unsafe {
                *to_indices.offset((index_start + k * index_step) as isize) = index;
                if let (Some(p), Some(start)) = (to_values, value_start) {
                    *p.offset((start + k * value_step) as isize) = value;
                }
            }
        }
    }
}

fn precedes<T: Value>(descending: bool) -> impl Fn(&(T, i64), &(T, i64)) -> bool {
    move |a, b| order(a.0, b.0) == if descending { Ordering::Greater } else { Ordering::Less }
}

fn no_complex(t: &Tensor, name: &str) -> Result<(), Error> {
    if t.dtype().is_complex() {
        return Err(Error::Raised {
            class: "TypeError",
            message: format!(" {name} does not support complex dtypes on CPU"),
        });
    }
    Ok(())
}

/// Unless the sort is to be stable, equal elements come in the order in which PyTorch's exchanges leave them.
fn sorted(t: &Tensor, dim: i64, descending: bool, stable: bool) -> Result<(Tensor, Tensor), Error> {
    let dim = dimension(dim, t.dim())?;
    no_complex(t, "Sort")?;
    let values = empty_for(t, t.dtype(), None)?;
    let indices = empty_strided(t.sizes(), values.strides(), DType::I64)?;
    // One element repeated needs no sorting.
    let stable = stable || t.strides().get(dim) == Some(&0);
    with_element!(t.dtype(), "sort", T => by_line::<T>(t, Some(&values), &indices, dim, |mut line| {
        if stable {
            line.sort_by(|a, b| if descending { order(b.0, a.0) } else { order(a.0, b.0) });
        } else {
            introsort::sort(&mut line, precedes(descending));
        }
        line
    }));
    Ok((values, indices))
}

fn pair((values, indices): (Tensor, Tensor)) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(values), IValue::Tensor(indices)])
}

/// (self, dim, descending).
pub fn sort(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    pair(sorted(arg(args, 0)?.as_tensor()?, arg(args, 1)?.as_int()?, arg(args, 2)?.as_bool()?, false)?)
}

/// (self, stable, dim, descending).
pub fn sort_stable(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let stable = arg(args, 1)?.optional().map(IValue::as_bool).transpose()?.unwrap_or(false);
    pair(sorted(arg(args, 0)?.as_tensor()?, arg(args, 2)?.as_int()?, arg(args, 3)?.as_bool()?, stable)?)
}

/// (self): along the first dimension.
pub fn msort(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(sorted(arg(args, 0)?.as_tensor()?, 0, false, false)?.0)])
}

/// (self, dim, descending).
pub fn argsort(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (_, indices) = sorted(arg(args, 0)?.as_tensor()?, arg(args, 1)?.as_int()?, arg(args, 2)?.as_bool()?, false)?;
    Ok(smallvec![IValue::Tensor(indices)])
}

/// (self, stable, dim, descending).
pub fn argsort_stable(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let stable = arg(args, 1)?.as_bool()?;
    let (_, indices) = sorted(arg(args, 0)?.as_tensor()?, arg(args, 2)?.as_int()?, arg(args, 3)?.as_bool()?, stable)?;
    Ok(smallvec![IValue::Tensor(indices)])
}

/// (self, k, dim, largest, sorted).
pub fn topk(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = arg(args, 0)?.as_tensor()?;
    let dim = dimension(arg(args, 2)?.as_int()?, t.dim())?;
    let (sizes, dtype) = result(call.metas, 0)?;
    let (largest, in_order) = (arg(args, 3)?.as_bool()?, arg(args, 4)?.as_bool()?);
    let k = arg(args, 1)?.as_int()?.max(0) as usize;
    let (values, indices) = (Tensor::zeros(&sizes, dtype)?, Tensor::zeros(&sizes, DType::I64)?);
    with_element!(t.dtype(), "topk_cpu", T => by_line::<T>(t, Some(&values), &indices, dim, |mut line| {
        // Which of equal elements are taken follows from PyTorch's choice of algorithm.
        if k.saturating_mul(64) <= line.len() {
            introsort::partial_sort(&mut line, k, precedes(largest));
        } else if k > 0 {
            introsort::select(&mut line, k - 1, precedes(largest));
            if in_order {
                introsort::sort(&mut line[..k - 1], precedes(largest));
            }
        }
        line.truncate(k);
        line
    }));
    pair((values, indices))
}

/// Puts the k-th smallest at position `k`, as PyTorch does: of equal elements the one that its exchanges leave there.
fn quick_select<T: Value>(line: &mut [(T, i64)], k: usize) {
    let greater = |a: (T, i64), b: (T, i64)| order(a.0, b.0) == Ordering::Greater;
    let (mut left, mut right) = (0, line.len().saturating_sub(1));
    while right > left {
        if right == left + 1 {
            if greater(line[left], line[right]) {
                line.swap(left, right);
            }
            return;
        }
        // The median of three becomes the pivot at `left`, the smaller of the others after it, the larger at `right`.
        line.swap(left + (right - left) / 2, left + 1);
        for (a, b) in [(left + 1, right), (left, right), (left + 1, left)] {
            if greater(line[a], line[b]) {
                line.swap(a, b);
            }
        }
        let pivot = line[left];
        let (mut i, mut j) = (left + 1, right);
        loop {
            // The elements at `left + 1` and `right` stop both walks.
            loop {
                i += 1;
                if !greater(pivot, line[i]) {
                    break;
                }
            }
            loop {
                j -= 1;
                if !greater(line[j], pivot) {
                    break;
                }
            }
            if j < i {
                break;
            }
            line.swap(i, j);
        }
        line.swap(left, j);
        if j <= k {
            left = i;
        }
        if j >= k {
            right = j.saturating_sub(1);
        }
    }
}

/// (self, k, dim, keepdim): the k-th smallest, counted from 1.
pub fn kthvalue(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = arg(args, 0)?.as_tensor()?;
    let dim = dimension(arg(args, 2)?.as_int()?, t.dim())?;
    let (sizes, dtype) = result(call.metas, 0)?;
    if dtype.is_complex() || dtype == DType::Bool {
        return Err(crate::not_implemented("kthvalue_cpu", dtype));
    }
    let k = arg(args, 1)?.as_int()?.max(1) as usize - 1;
    let mut kept: Sizes = t.sizes().into();
    if let Some(s) = kept.get_mut(dim) {
        *s = 1;
    }
    let (values, indices) = (Tensor::zeros(&kept, dtype)?, Tensor::zeros(&kept, DType::I64)?);
    with_element!(dtype, "kthvalue_cpu", T => by_line::<T>(t, Some(&values), &indices, dim, |mut line| {
        quick_select(&mut line, k);
        line.get(k).copied().into_iter().collect()
    }));
    let strides = sconce_tensor::contiguous_strides(&sizes);
    pair((values.as_strided(&sizes, &strides, 0)?, indices.as_strided(&sizes, &strides, 0)?))
}

/// Where each value belongs in its sorted line, left of equals unless `right`.
fn search(
    sequence: &Tensor,
    values: &Tensor,
    sorter: Option<&Tensor>,
    right: bool,
    dtype: DType,
) -> Result<Tensor, Error> {
    for t in [sequence, values] {
        if t.dtype().is_complex() || (t.dtype() == DType::Bool && sequence.numel() > 0) {
            return Err(crate::not_implemented("searchsorted_out_cpu", t.dtype()));
        }
    }
    let common = if sequence.dtype() == values.dtype() {
        sequence.dtype()
    } else {
        sconce_schema::promotion::promote_types(sequence.dtype(), values.dtype())
            .map_err(|e| Error::runtime(e.to_string()))?
    };
    let n = sequence.sizes().last().copied().unwrap_or(0) as usize;
    let per_line =
        if sequence.dim() == 1 { values.numel() } else { values.sizes().last().copied().unwrap_or(1) as usize };
    let order_of = sorter.map(crate::cast::to_vec::<i64>).transpose()?;
    if let Some(order) = &order_of
        && order.iter().any(|i| *i < 0 || *i >= n as i64)
    {
        return Err(Error::runtime("torch.searchsorted(): sorter index out of range"));
    }
    let found: Vec<i64> = with_element!(common, "searchsorted_out_cpu", T => {
        let line = crate::cast::to_vec::<T>(sequence)?;
        let wanted = crate::cast::to_vec::<T>(values)?;
        wanted.iter().enumerate().map(|(i, v)| {
            let start = if sequence.dim() == 1 { 0 } else { i / per_line.max(1) * n };
            let at = |k: usize| match &order_of {
                Some(order) => line[start + order[start + k] as usize],
                None => line[start + k],
            };
            // The lower half is taken while its last element goes before the value, in C++'s comparisons, to which NaN is never less.
            let (mut low, mut high) = (0usize, n);
            while low < high {
                let middle = low + (high - low) / 2;
                let before = if right { !less(*v, at(middle)) } else { !at_least(at(middle), *v) };
                if before { low = middle + 1 } else { high = middle }
            }
            low as i64
        }).collect()
    });
    crate::cast::convert(&Tensor::from_vec(found, values.sizes()), dtype)
}

fn less<T: Value>(a: T, b: T) -> bool {
    if T::DTYPE.is_float() { a.to::<f64>() < b.to::<f64>() } else { order(a, b) == Ordering::Less }
}

fn at_least<T: Value>(a: T, b: T) -> bool {
    if T::DTYPE.is_float() { a.to::<f64>() >= b.to::<f64>() } else { order(a, b) != Ordering::Less }
}

/// A number as a tensor of rank 0, of the other tensor's dtype where it keeps its kind.
fn value_tensor(v: &IValue, like: &Tensor) -> Result<Tensor, Error> {
    Ok(match v {
        IValue::Tensor(t) => t.clone(),
        IValue::Double(d) if !like.dtype().is_float() => Tensor::scalar(*d as f32),
        other => {
            let t = Tensor::zeros(&[], like.dtype())?;
            crate::copy::fill(&t, crate::number::Number::from_value(other)?)?;
            t
        }
    })
}

/// (self, boundaries, out_int32, right).
pub fn bucketize(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (_, dtype) = result(call.metas, 0)?;
    let boundaries = arg(args, 1)?.as_tensor()?;
    let values = value_tensor(arg(args, 0)?, boundaries)?;
    Ok(smallvec![IValue::Tensor(search(boundaries, &values, None, arg(args, 3)?.as_bool()?, dtype)?)])
}

/// (sorted_sequence, self, out_int32, right, side, sorter).
pub fn searchsorted(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (_, dtype) = result(call.metas, 0)?;
    let sequence = arg(args, 0)?.as_tensor()?;
    let values = value_tensor(arg(args, 1)?, sequence)?;
    let right = arg(args, 3)?.as_bool()?;
    let right = match arg(args, 4)?.optional().map(IValue::as_str).transpose()? {
        None => right,
        Some("left") if right => {
            return Err(Error::runtime(
                "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True",
            ));
        }
        Some("left") => false,
        Some("right") => true,
        Some(other) => {
            return Err(Error::runtime(format!(
                "torch.searchsorted(): side can only be 'left' or 'right' but got {other}"
            )));
        }
    };
    let sorter = arg(args, 5)?.optional().map(IValue::as_tensor).transpose()?;
    Ok(smallvec![IValue::Tensor(search(sequence, &values, sorter, right, dtype)?)])
}
