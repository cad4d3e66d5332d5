//! What PyTorch leaves open: which steps have an outcome that it says, to the last bit where that shows.

use crate::generate::Generator;
use crate::program::Arg;
use num_complex::Complex;
use sconce_schema::op::Numerics;
use sconce_schema::{OpEntry, Trait};
use sconce_tensor::{DType, Tensor};
use std::collections::HashSet;

/// Functions that jump where their argument differs by a bit.
const JUMPS: &str = "floor ceil round trunc frac fmod remainder sign sgn copysign eq ne lt le gt ge logical_and logical_or logical_xor logical_not";

/// Every byte that each element takes.
pub fn places(t: &Tensor) -> Vec<i64> {
    let size = t.dtype().size() as i64;
    t.offsets().flat_map(|o| o * size..(o + 1) * size).collect()
}

/// No gaps and no repetitions in the range that it takes.
pub fn dense(t: &Tensor) -> bool {
    let mut dims: Vec<(i64, i64)> = t.strides().iter().copied().zip(t.sizes().iter().copied()).collect();
    dims.retain(|(_, n)| *n != 1);
    dims.sort_unstable();
    let mut step = 1;
    let mut follows = |stride: i64, n: i64| {
        let fits = stride == step;
        step *= n;
        fits
    };
    t.numel() == 0 || dims.iter().all(|&(stride, n)| follows(stride, n))
}

/// Elements of its storage from its first one on.
pub fn room(t: &Tensor) -> usize {
    (t.storage_bytes() / t.dtype().size()).saturating_sub(t.storage_offset() as usize)
}

/// Whether elements are made of the same floats, or are no floats both.
pub fn is_like(a: &Tensor, b: &Tensor) -> bool {
    a.dtype().to_real() == b.dtype().to_real()
}

pub fn numbers(t: &Tensor) -> Vec<Complex<f64>> {
    sconce_kernels::cast::to_vec(t).unwrap_or_default()
}

pub fn has_nan(t: &Tensor) -> bool {
    (t.dtype().is_float() || t.dtype().is_complex()) && numbers(t).iter().any(|z| z.re.is_nan() || z.im.is_nan())
}

/// How many elements its storage has at least.
pub fn last(t: &Tensor) -> usize {
    let reach: i64 = t.sizes().iter().zip(t.strides()).map(|(n, s)| (n - 1) * s).sum();
    (t.storage_offset() + reach + 1) as usize
}

pub fn repeats(t: &Tensor) -> bool {
    let places = places(t);
    places.iter().collect::<HashSet<_>>().len() < places.len()
}

fn pointwise(entry: &OpEntry) -> bool {
    let functional = entry.functional_entry().unwrap_or(entry);
    functional.scalar.is_some() || ["copy", "fill"].contains(&functional.base_name().trim_start_matches("aten::"))
}

impl Generator {
    /// Does PyTorch say what comes of it? Not when an element is written twice or read after it was written, unless that is refused.
    pub fn is_defined(&mut self, entry: &'static OpEntry, args: &[Arg]) -> Option<()> {
        let all: Vec<(bool, Tensor)> = args
            .iter()
            .zip(&entry.schema().arguments)
            .flat_map(|(a, d)| self.tensors(a).into_iter().map(|t| (d.is_written(), t)))
            .collect();
        let changes_only_metadata =
            ["t_", "transpose_", "squeeze", "resize", "swapaxes_", "as_strided_", "set_", "detach_"];
        let base = entry.base_name().trim_start_matches("aten::");
        // PyTorch begins to have complex numbers of bfloat16, which no tensor has here.
        let numbers = args.iter().any(|a| matches!(a, Arg::Complex(..)));
        let complex = numbers || all.iter().any(|(_, t)| t.dtype().is_complex());
        if complex && all.iter().any(|(_, t)| t.dtype() == DType::BF16) && !entry.has(Trait::View) {
            return None;
        }
        // Bytes of another dtype are read as numbers of this one; as with `resize_`, what a storage grows by has any content.
        if let ("set_", [(_, t), (_, source)]) = (base, &all[..])
            && source.numel() > 0
            && source.storage_bytes() < last(source) * t.dtype().size()
        {
            return None;
        }
        if changes_only_metadata.iter().any(|n| base.starts_with(n)) || base == "unsqueeze_" {
            return Some(());
        }
        // The order of writes does not matter where all write the same.
        let same_everywhere = ["zero_", "fill_", "masked_fill_", "index_fill_", "fill_diagonal_"].contains(&base);
        // These do not look whether elements share memory.
        let careless = entry.has(Trait::Out) && entry.has(Trait::Overlaps);
        for (i, (_, target)) in all.iter().enumerate().filter(|(_, (written, _))| *written) {
            let stops = target.sizes().iter().zip(target.strides()).any(|(n, s)| *n > 1 && *s == 0);
            if repeats(target) && (!stops || careless) && !same_everywhere {
                return None;
            }
            for (j, (_, other)) in all.iter().enumerate().filter(|(j, (_, o))| *j != i && o.shares_storage(target)) {
                let same = |a: &Tensor, b: &Tensor| {
                    (a.sizes(), a.strides(), a.storage_offset(), a.dtype())
                        == (b.sizes(), b.strides(), b.storage_offset(), b.dtype())
                };
                // `out=` that is resized, or that has other sizes than an input of the same storage, is read as it is overwritten.
                if entry.has(Trait::Out) || (same(target, other) && target.dim() > 0 && j > 0 && !pointwise(entry)) {
                    return None;
                }
                let taken: HashSet<i64> = places(target).into_iter().collect();
                let shared = places(other).iter().any(|p| taken.contains(p));
                if shared && !same(target, other) && !(dense(target) && dense(other)) {
                    return None;
                }
                if shared && !same(target, other) && !pointwise(entry) {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Whether the last bits of floats show: in integers and truth values, or as elements of another dtype. PyTorch rounds otherwise where it
    /// vectorises, and so it makes NaN.
    pub fn shows_bits(&mut self, op: &str, args: &[Arg], results: &[Tensor]) -> bool {
        let Some(entry) = sconce_schema::lookup(op) else { return false };
        let given: Vec<(bool, Tensor)> = args
            .iter()
            .zip(&entry.schema().arguments)
            .flat_map(|(a, d)| self.tensors(a).into_iter().map(|t| (d.is_written(), t)))
            .collect();
        let is_rounded = |t: &Tensor| self.rounded.iter().any(|r| r.shares_storage(t));
        let floats = |t: &Tensor| t.dtype().is_float() || t.dtype().is_complex();
        let base = entry.base_name().trim_start_matches("aten::").trim_end_matches('_');
        let read = given.iter().any(|(_, t)| is_rounded(t));
        let view = entry.has(Trait::View) || entry.has(Trait::MayView);
        let written = || given.iter().filter(|(written, _)| *written).map(|(_, t)| t).chain(results);
        let jumps = JUMPS.split_whitespace().any(|name| name == base) || written().any(|t| !floats(t));
        let computes = !view && !["set", "resize", "resize_as"].contains(&base);
        let retyped = results.iter().any(|t| !is_like(t, &given[0].1))
            || (base == "set" && given.iter().any(|(_, t)| !is_like(t, &given[0].1)));
        if read && (computes && jumps || retyped) {
            return true;
        }
        let functional = entry.functional_entry().unwrap_or(entry);
        let complex = given.iter().any(|(_, t)| t.dtype().is_complex());
        // What a division by a complex zero gives depends on the same.
        let wild = |t: &Tensor| numbers(t).iter().any(|z| !z.re.is_finite() || !z.im.is_finite());
        if complex && ["div", "reciprocal", "addcdiv"].contains(&base) && written().any(wild) {
            return true;
        }
        let exact = functional.numerics == Numerics::Exact && !(complex && functional.scalar.is_some());
        if !computes || !(read || !exact || written().any(has_nan)) {
            return false;
        }
        let new: Vec<Tensor> = written().filter(|t| floats(t)).cloned().collect();
        let other = |t: &Tensor| self.machine.live.iter().any(|(_, o)| o.shares_storage(t) && !is_like(o, t));
        let shown = new.iter().any(other);
        self.rounded.extend(new);
        shown
    }

    /// The tensors of an argument.
    pub fn tensors(&self, arg: &Arg) -> Vec<Tensor> {
        match arg {
            Arg::Tensor(n) => self.machine.get(*n).cloned().into_iter().collect(),
            Arg::Tensors(names) => names.iter().flatten().filter_map(|n| self.machine.get(*n).cloned()).collect(),
            _ => Vec::new(),
        }
    }
}
