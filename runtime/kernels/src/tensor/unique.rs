//! Unique elements and slices: sorted, or the first of each run.

use crate::engine::cast::{self, Value};
use crate::engine::lanes::{dimension, in_order};
use crate::tensor::sort::{order, with_order};
use crate::{Error, Outputs};
use sconce_tensor::{IValue, Sizes, Tensor};
use smallvec::smallvec;
use std::cmp::Ordering;

/// Groups of equal items: the representative of each, which group every item is in, how many are in each.
struct Groups {
    representatives: Vec<usize>,
    inverse: Vec<i64>,
    counts: Vec<i64>,
}

/// The numbers of items as they come, or in order.
fn sequence(n: usize, sorted: bool, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    if sorted { in_order(n, compare) } else { (0..n).collect() }
}

/// Groups of neighbours in the order given; `equal` compares two items by number.
fn groups(sequence: impl IntoIterator<Item = usize>, n: usize, equal: impl Fn(usize, usize) -> bool) -> Groups {
    let mut g = Groups { representatives: Vec::new(), inverse: vec![0; n], counts: Vec::new() };
    let mut last = None;
    for item in sequence {
        if !last.is_some_and(|l| equal(l, item)) {
            g.representatives.push(item);
            g.counts.push(0);
        }
        g.inverse[item] = g.counts.len() as i64 - 1;
        if let Some(c) = g.counts.last_mut() {
            *c += 1;
        }
        last = Some(item);
    }
    g
}

fn empty() -> Result<Tensor, Error> {
    Ok(Tensor::zeros(&[0], sconce_tensor::DType::I64)?)
}

/// Values, inverse and counts, the latter two empty when not asked for.
fn outputs(values: Tensor, g: Groups, inverse: Option<&[i64]>, counts: bool) -> Result<Outputs, Error> {
    let n = g.counts.len() as i64;
    Ok(smallvec![
        IValue::Tensor(values),
        IValue::Tensor(match inverse {
            Some(sizes) => Tensor::from_vec(g.inverse, sizes),
            None => empty()?,
        }),
        IValue::Tensor(if counts { Tensor::from_vec(g.counts, &[n]) } else { empty()? }),
    ])
}

/// Runs a body with `$t` bound to a type that holds every element of the dtype and orders it as its own does.
macro_rules! with_widest {
    ($dtype:expr, $what:expr, $t:ident => $body:expr) => {
        match $dtype {
            d if !cast::has_elements(d) => Err(crate::not_implemented($what, d)),
            d if d.is_complex() => {
                type $t = num_complex::Complex<f64>;
                $body
            }
            d => with_order!(d, $t => $body),
        }
    };
}

/// Equal as floats are: NaN equals nothing.
fn same<T: Value>(a: T, b: T) -> bool {
    a == b
}

fn flat(t: &Tensor, sorted: bool, inverse: bool, counts: bool) -> Result<Outputs, Error> {
    with_widest!(t.dtype(), "unique", T => {
        let items = cast::to_vec::<T>(t)?;
        let sequence = sequence(items.len(), sorted, &|a, b| order(items[a], items[b]));
        let g = groups(sequence, items.len(), |a, b| same(items[a], items[b]));
        let values: Vec<T> = g.representatives.iter().map(|i| items[*i]).collect();
        let n = values.len() as i64;
        outputs(cast::from_vec(values, &[n], t.dtype())?, g, inverse.then_some(t.sizes()), counts)
    })
}

fn along(t: &Tensor, dim: i64, sorted: bool, inverse: bool, counts: bool) -> Result<Outputs, Error> {
    let dim = dimension(dim, t.dim())?;
    if t.dim() == 0 {
        return flat(t, sorted, inverse, counts);
    }
    let n = t.sizes()[dim] as usize;
    if t.sizes().iter().enumerate().any(|(d, s)| *s == 0 && d != dim) && n != 0 {
        return Err(Error::runtime(
            "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied",
        ));
    }
    // Slices along the dimension, each as a line of elements.
    let (mut sizes, mut strides): (Sizes, Sizes) = (t.sizes().into(), t.strides().into());
    sizes.remove(dim);
    let step = strides.remove(dim);
    let slice = |i: i64| t.as_strided(&sizes, &strides, t.storage_offset() + i * step);
    let lines = (0..n as i64).map(slice).collect::<Result<Vec<_>, _>>()?;
    let g = with_widest!(t.dtype(), "unique_dim", T => {
        let slices = lines.iter().map(cast::to_vec::<T>).collect::<Result<Vec<_>, _>>()?;
        let compare = |a: &[T], b: &[T]| a.iter().zip(b).map(|(x, y)| order(*x, *y)).find(|o| *o != Ordering::Equal).unwrap_or(Ordering::Equal);
        let sequence = sequence(n, sorted, &|a, b| compare(&slices[a], &slices[b]));
        Ok(groups(sequence, n, |a, b| slices[a].iter().zip(&slices[b]).all(|(x, y)| same(*x, *y))))
    })?;
    let mut out: Sizes = t.sizes().into();
    out[dim] = g.representatives.len() as i64;
    // Slices are stacked along a first dimension, which then moves to its place.
    let mut stacked: Sizes = out.clone();
    let count = stacked.remove(dim);
    stacked.insert(0, count);
    let values = Tensor::zeros(&stacked, t.dtype())?;
    let mut target: Sizes = values.strides().into();
    let target_step = target.remove(0);
    let mut moved = target.clone();
    moved.insert(dim, target_step);
    let values = values.as_strided(&out, &moved, 0)?;
    for (k, i) in (0i64..).zip(&g.representatives) {
        values.as_strided(&sizes, &target, k * target_step)?.copy_bytes_from(&lines[*i])?;
    }
    outputs(values, g, inverse.then_some(&[n as i64][..]), counts)
}

/// (self, sorted, return_inverse, return_counts).
pub fn unique2(t: &Tensor, _: &IValue, inverse: bool, counts: bool) -> Result<Outputs, Error> {
    flat(t, true, inverse, counts)
}

/// (self, sorted, return_inverse): values and inverse.
pub fn unique(t: &Tensor, _: &IValue, inverse: bool) -> Result<Outputs, Error> {
    if t.dtype().is_complex() {
        return Err(crate::not_implemented("unique", t.dtype()));
    }
    let mut out = flat(t, true, inverse, false)?;
    out.truncate(2);
    Ok(out)
}

/// (self, return_inverse, return_counts, dim).
pub fn unique_consecutive(t: &Tensor, inverse: bool, counts: bool, dim: Option<i64>) -> Result<Outputs, Error> {
    match dim {
        Some(dim) => along(t, dim, false, inverse, counts),
        None => flat(t, false, inverse, counts),
    }
}

/// (self, dim, sorted, return_inverse, return_counts): inverse and counts come in any case.
pub fn unique_dim(t: &Tensor, dim: i64) -> Result<Outputs, Error> {
    along(t, dim, true, true, true)
}

/// (self, dim, return_inverse, return_counts): inverse and counts come in any case.
pub fn unique_dim_consecutive(t: &Tensor, dim: i64) -> Result<Outputs, Error> {
    along(t, dim, false, true, true)
}
