//! Sorting, the largest and smallest, and searching in what is sorted. NaN is larger than every number.

use crate::engine::arguments::result;
use crate::engine::cast::{Value, with_element};
use crate::engine::elementwise::like_strides;
use crate::engine::folds::Ordered;
use crate::engine::lanes::dimension;
use crate::engine::rows::{self, Output, Rows};
use crate::engine::scratch::{self, Plain};
use crate::engine::vectorize::vectorize;
use crate::tensor::tie_order;
use crate::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::smallvec;
use std::cmp::Ordering;

/// Elements of a lane worth a thread.
const LANE: usize = 1 << 11;

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

/// What elements are sorted as: one number that holds the key above the position, so that equal elements keep their order.
trait Packed: Ordered {
    type Pack: Plain + Ord + Send + Sync;
    fn pack(self, at: usize, descending: bool) -> Self::Pack;
    fn position(pack: Self::Pack) -> usize;
    fn same(a: Self::Pack, b: Self::Pack) -> bool;
}

impl Packed for f32 {
    type Pack = u64;
    #[inline(always)]
    fn pack(self, at: usize, descending: bool) -> u64 {
        // NaN after everything; adding 0 makes the two zeros one.
        let bits = (self + 0.0).to_bits();
        let key = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
        let key = if self.nan() { u32::MAX } else { key };
        u64::from(if descending { !key } else { key }) << 32 | at as u64
    }
    fn position(pack: u64) -> usize {
        (pack & u64::from(u32::MAX)) as usize
    }
    fn same(a: u64, b: u64) -> bool {
        a >> 32 == b >> 32
    }
}

/// A key of 64 bits above a position.
fn wide(key: u64, at: usize, descending: bool) -> u128 {
    u128::from(if descending { !key } else { key }) << 64 | at as u128
}

macro_rules! wide_packs {
    ($($t:ty, |$x:ident| $key:expr;)*) => { $(
        impl Packed for $t {
            type Pack = u128;
            #[inline(always)]
            fn pack(self, at: usize, descending: bool) -> u128 {
                let $x = self;
                wide($key, at, descending)
            }
            fn position(pack: u128) -> usize {
                pack as u64 as usize
            }
            fn same(a: u128, b: u128) -> bool {
                a >> 64 == b >> 64
            }
        }
    )* };
}
wide_packs! {
    f64, |x| {
        let bits = (x + 0.0).to_bits();
        if x.nan() { u64::MAX } else if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
    };
    i64, |x| x as u64 ^ 1 << 63;
    u64, |x| x;
}

/// Runs a body with `$t` bound to the type that a dtype is sorted in.
macro_rules! with_order {
    ($dtype:expr, $t:ident => $body:expr) => {
        if $dtype == sconce_tensor::DType::U64 {
            type $t = u64;
            $body
        } else {
            $crate::engine::rows::with_real_work!($dtype, $t => $body)
        }
    };
}
pub(crate) use with_order;

/// Positions of a lane's elements in order. Unless the sort is to be stable, equal elements come in the order in which PyTorch's exchanges leave
/// them.
fn sort_lane<W: Packed>(lane: &[W], descending: bool, stable: bool, packs: &mut [W::Pack]) -> Option<Vec<(W, i64)>> {
    for (i, (pack, x)) in packs.iter_mut().zip(lane).enumerate() {
        *pack = x.pack(i, descending);
    }
    packs.sort_unstable();
    // Insertion, which is used for what is short, is stable.
    if stable || lane.len() <= 16 || !packs.windows(2).any(|w| W::same(w[0], w[1])) {
        return None;
    }
    let mut line = pairs(lane);
    tie_order::sort(&mut line, precedes(descending));
    Some(line)
}

fn pairs<W: Copy>(lane: &[W]) -> Vec<(W, i64)> {
    lane.iter().copied().zip(0..).collect()
}

/// Values (result 0) and positions of the sorted tensor; with `positions_only` these are result 0.
fn sorted(
    call: &Call<'_>,
    t: &Tensor,
    dim: i64,
    descending: bool,
    stable: bool,
    positions_only: bool,
) -> Result<Outputs, Error> {
    let dim = dimension(dim, t.dim())?;
    no_complex(t, "Sort")?;
    let strides = like_strides(t);
    let values = if positions_only { None } else { Some(call.output(0, t.sizes(), &strides, t.dtype())?) };
    let indices = call.output(usize::from(!positions_only), t.sizes(), &strides, DType::I64)?;
    // One element repeated needs no sorting.
    let stable = stable || t.strides().get(dim) == Some(&0);
    let (v, p) = (values.as_ref().map(|v| Rows::along(v, dim)), Rows::along(&indices, dim));
    with_order!(t.dtype(), W => {
        let to_values = v.as_ref().map(Output::<W>::new).transpose()?;
        let to_indices = Output::<i64>::new(&p)?;
        rows::each::<W>(&Rows::along(t, dim), LANE, |i, lane| {
            let mut packs = scratch::buffer::<<W as Packed>::Pack>(lane.len());
            let exchanged = sort_lane(lane, descending, stable, &mut packs);
            let mut positions = scratch::buffer::<i64>(lane.len());
            match &exchanged {
                Some(line) => positions.iter_mut().zip(line).for_each(|(to, pair)| *to = pair.1),
                None => positions.iter_mut().zip(packs.iter()).for_each(|(to, p)| *to = <W as Packed>::position(*p) as i64),
            }
            if let Some(to) = &to_values {
                let mut ordered = scratch::buffer::<W>(lane.len());
                ordered.iter_mut().zip(positions.iter()).for_each(|(to, at)| *to = lane[*at as usize]);
                to.write(i, &ordered);
            }
            to_indices.write(i, &positions);
        })?;
    });
    Ok(values.into_iter().chain([indices]).map(IValue::Tensor).collect())
}

fn pair((values, indices): (Tensor, Tensor)) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(values), IValue::Tensor(indices)])
}

/// (self, dim, descending).
pub fn sort(call: &Call<'_>, t: &Tensor, dim: i64, descending: bool) -> Result<Outputs, Error> {
    sorted(call, t, dim, descending, false, false)
}

/// (self, stable, dim, descending).
pub fn sort_stable(
    call: &Call<'_>,
    t: &Tensor,
    stable: Option<&IValue>,
    dim: i64,
    descending: bool,
) -> Result<Outputs, Error> {
    let stable = stable.map(IValue::as_bool).transpose()?.unwrap_or(false);
    sorted(call, t, dim, descending, stable, false)
}

/// (self): along the first dimension.
pub fn msort(call: &Call<'_>, t: &Tensor) -> Result<Outputs, Error> {
    let mut both = sorted(call, t, 0, false, false, false)?;
    both.truncate(1);
    Ok(both)
}

/// (self, dim, descending).
pub fn argsort(call: &Call<'_>, t: &Tensor, dim: i64, descending: bool) -> Result<Outputs, Error> {
    sorted(call, t, dim, descending, false, true)
}

/// (self, stable, dim, descending).
pub fn argsort_stable(call: &Call<'_>, t: &Tensor, stable: bool, dim: i64, descending: bool) -> Result<Outputs, Error> {
    sorted(call, t, dim, descending, stable, true)
}

/// The `k` first of a lane in order, if no two of them, nor the last and the first left out, are equal: then every algorithm finds the same.
fn distinct_first<W: Packed>(lane: &[W], k: usize, largest: bool, candidates: &mut [W::Pack]) -> bool {
    const STEP: usize = 64;
    let (mut held, mut at) = (0, 0);
    // The worst of the `k` best so far, and whether an equal one was left out.
    let mut worst: Option<W> = None;
    let mut tie: Option<W::Pack> = None;
    let mut cut = |held: &mut usize, candidates: &mut [W::Pack]| {
        if *held > k {
            let (_, kth, after) = candidates[..*held].select_nth_unstable(k - 1);
            if after.iter().any(|p| W::same(*p, *kth)) {
                tie = Some(*kth);
            }
            *held = k;
        }
        (*held == k).then(|| candidates[..k].iter().copied().max()).flatten().map(|p| lane[W::position(p)])
    };
    while at < lane.len() {
        if let Some(worst) = worst {
            // Whole steps in which nothing is as good are passed over.
            let rest = &lane[at..];
            at += STEP
                * vectorize(
                    #[inline(always)]
                    || {
                        let worse = |x: &W| if largest { *x < worst } else { *x > worst || x.nan() };
                        rest.chunks_exact(STEP)
                            .take_while(|step| step.iter().fold(true, |all, x| all & worse(x)))
                            .count()
                    },
                );
        }
        let end = lane.len().min(at + STEP);
        for (i, x) in lane.iter().enumerate().take(end).skip(at) {
            let worse = worst.is_some_and(|w| if largest { *x < w } else { *x > w || x.nan() });
            if !worse {
                candidates[held] = x.pack(i, largest);
                held += 1;
            }
        }
        at = end;
        if held + STEP > candidates.len() {
            worst = cut(&mut held, candidates);
        }
    }
    cut(&mut held, candidates);
    let best = &mut candidates[..k];
    best.sort_unstable();
    let equal_left_out = tie.is_some_and(|t| best.last().is_some_and(|l| W::same(t, *l)));
    !equal_left_out && !best.windows(2).any(|w| W::same(w[0], w[1]))
}

/// (self, k, dim, largest, sorted).
pub fn topk(call: &Call<'_>, t: &Tensor, k: i64, dim: i64, largest: bool, in_order: bool) -> Result<Outputs, Error> {
    let dim = dimension(dim, t.dim())?;
    let (sizes, dtype) = result(call.metas, 0)?;
    let k = k.max(0) as usize;
    if dtype.is_complex() {
        return Err(crate::not_implemented("topk_cpu", dtype));
    }
    let (values, indices) = (call.contiguous_output(0, &sizes, dtype)?, call.contiguous_output(1, &sizes, DType::I64)?);
    let (v, p) = (Rows::along(&values, dim), Rows::along(&indices, dim));
    with_order!(dtype, W => {
        let (to_values, to_indices) = (Output::<W>::new(&v)?, Output::<i64>::new(&p)?);
        rows::each::<W>(&Rows::along(t, dim), LANE, |i, lane| {
            let k = k.min(lane.len());
            if k == 0 {
                return;
            }
            let mut picked = scratch::buffer::<W>(k);
            let mut positions = scratch::buffer::<i64>(k);
            let mut candidates = scratch::buffer::<<W as Packed>::Pack>((2 * k).max(128) + 64);
            if in_order && distinct_first(lane, k, largest, &mut candidates) {
                for (j, pack) in candidates[..k].iter().enumerate() {
                    let at = <W as Packed>::position(*pack);
                    (picked[j], positions[j]) = (lane[at], at as i64);
                }
            } else {
                // Which of equal elements are taken follows from PyTorch's choice of algorithm.
                let mut line = pairs(lane);
                if k.saturating_mul(64) <= line.len() {
                    tie_order::sort_first(&mut line, k, precedes(largest));
                } else {
                    tie_order::place(&mut line, k - 1, precedes(largest));
                    if in_order {
                        tie_order::sort(&mut line[..k - 1], precedes(largest));
                    }
                }
                for (j, (value, at)) in line[..k].iter().enumerate() {
                    (picked[j], positions[j]) = (*value, *at);
                }
            }
            to_values.write(i, &picked);
            to_indices.write(i, &positions);
        })?;
    });
    pair((values, indices))
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
    let order_of = sorter.map(crate::engine::cast::to_vec::<i64>).transpose()?;
    if let Some(order) = &order_of
        && order.iter().any(|i| *i < 0 || *i >= n as i64)
    {
        return Err(Error::runtime("torch.searchsorted(): sorter index out of range"));
    }
    let found: Vec<i64> = with_element!(common, "searchsorted_out_cpu", T => {
        let line = crate::engine::cast::to_vec::<T>(sequence)?;
        let wanted = crate::engine::cast::to_vec::<T>(values)?;
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
    crate::engine::cast::convert(&Tensor::from_vec(found, values.sizes()), dtype)
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
            crate::tensor::copy::fill(&t, crate::engine::number::Number::from_value(other)?)?;
            t
        }
    })
}

/// (self, boundaries, out_int32, right).
pub fn bucketize(call: &Call<'_>, x: &IValue, boundaries: &Tensor, _: &IValue, right: bool) -> Result<Tensor, Error> {
    let (_, dtype) = result(call.metas, 0)?;
    let values = value_tensor(x, boundaries)?;
    search(boundaries, &values, None, right, dtype)
}

/// (sorted_sequence, self, out_int32, right, side, sorter).
pub fn searchsorted(
    call: &Call<'_>,
    sequence: &Tensor,
    x: &IValue,
    _: &IValue,
    right: bool,
    side: Option<&IValue>,
    sorter: Option<&IValue>,
) -> Result<Tensor, Error> {
    let (_, dtype) = result(call.metas, 0)?;
    let values = value_tensor(x, sequence)?;
    let right = match side.map(IValue::as_str).transpose()? {
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
    let sorter = sorter.map(IValue::as_tensor).transpose()?;
    search(sequence, &values, sorter, right, dtype)
}
