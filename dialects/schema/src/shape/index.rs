//! Sizes of indexing, gathering and scattering; what depends on values is unknown until the kernel has looked.

use super::args::{Args, index_error, show, tensor, wrap_dim};
use super::read::{one, sizes_at, tensor_at, with_sizes};
use super::{Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
use smallvec::smallvec;

/// (self, …): the first argument's sizes and dtype.
pub fn same(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    one(with_sizes(&t, t.sizes.clone()))
}

fn is_index(d: DType) -> bool {
    matches!(d, DType::I64 | DType::I32)
}

/// (self, dim, index).
pub fn index_select(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    let index = Args(args).tensor(2)?;
    if index.rank().is_some_and(|r| r > 1) {
        return index_error("index_select(): Index is supposed to be a vector");
    }
    if index.dtype.is_some_and(|d| !is_index(d)) {
        return Err(ShapeError::runtime("index_select(): Expected dtype int32 or int64 for index"));
    }
    let (Some(sizes), Some(dim)) = (&t.sizes, Args(args).int(1)) else { return one(with_sizes(&t, None)) };
    let d = wrap_dim(dim, sizes.len())?;
    let count = index.sizes.as_ref().map_or(Size::Unknown, |s| s.first().copied().unwrap_or(Size::Known(1)));
    let mut out = sizes.clone();
    if let Some(s) = out.get_mut(d) {
        *s = count;
    }
    one(with_sizes(&t, Some(out)))
}

/// Ranks where rank 0 counts as 1.
fn ranks_agree(a: &TensorMeta, b: &TensorMeta) -> bool {
    match (a.rank(), b.rank()) {
        (Some(a), Some(b)) => a.max(1) == b.max(1),
        _ => true,
    }
}

/// (self, dim, index, sparse_grad).
pub fn gather(args: &[Meta]) -> RuleResult {
    let (t, index) = (Args(args).tensor(0)?, Args(args).tensor(2)?);
    let d = match (Args(args).int(1), t.rank()) {
        (Some(dim), Some(rank)) => Some(wrap_dim(dim, rank)?),
        _ => None,
    };
    let empty = index.numel() == Size::Known(0);
    if index.dtype.is_some_and(|d| !is_index(d)) && !empty {
        return Err(ShapeError::runtime("gather(): Expected dtype int32/int64 for index"));
    }
    if !empty && !ranks_agree(&t, &index) {
        return Err(ShapeError::runtime("Index tensor must have the same number of dimensions as input tensor"));
    }
    if let (Some(have), Some(want), Some(d), false) = (&t.sizes, &index.sizes, d, empty) {
        for k in (0..want.len()).filter(|k| *k != d && *k < have.len()) {
            if let (Size::Known(have_k), Size::Known(want_k)) = (have[k], want[k])
                && want_k > have_k
            {
                return Err(ShapeError::runtime(format!(
                    "Size does not match at dimension {k} expected index {} to be no larger than self {} apart from dimension {d}",
                    show(want),
                    show(have)
                )));
            }
        }
    }
    if !empty {
        has_kernel("scatter_gather_tensor_cpu", &t)?;
    }
    one(with_sizes(&t, index.sizes))
}

/// PyTorch moves no complex numbers of halves by index.
fn has_kernel(kernel: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    match t.dtype {
        Some(DType::C32) => super::args::not_implemented_for(kernel, DType::C32),
        _ => Ok(()),
    }
}

fn scatter_checks(args: &[Meta], src: Option<TensorMeta>) -> RuleResult {
    let (t, index) = (Args(args).tensor(0)?, Args(args).tensor(2)?);
    let d = match (Args(args).int(1), t.rank()) {
        (Some(dim), Some(rank)) => Some(wrap_dim(dim, rank)?),
        _ => None,
    };
    let result = one(with_sizes(&t, t.sizes.clone()));
    let empty = index.numel() == Size::Known(0);
    if index.dtype.is_some_and(|d| !is_index(d)) && !empty {
        return Err(ShapeError::runtime("scatter(): Expected dtype int32/int64 for index"));
    }
    if let Some(src) = &src
        && let (Some(a), Some(b)) = (t.dtype, src.dtype)
        && a != b
    {
        return Err(ShapeError::runtime("scatter(): Expected self.dtype to be equal to src.dtype"));
    }
    if empty {
        return result;
    }
    has_kernel(if src.is_some() { "scatter_gather_tensor_cpu" } else { "scatter_gather_scalar_cpu" }, &t)?;
    if !ranks_agree(&t, &index) {
        return Err(ShapeError::runtime("Index tensor must have the same number of dimensions as self tensor"));
    }
    if let Some(src) = &src
        && !ranks_agree(src, &index)
    {
        return Err(ShapeError::runtime("Index tensor must have the same number of dimensions as src tensor"));
    }
    let (Some(d), Some(have), Some(want)) = (d, &t.sizes, &index.sizes) else { return result };
    let larger = |a: &[Size], b: &[Size], k: usize| {
        let at = |s: &[Size]| s.get(k).copied().unwrap_or(Size::Known(1));
        matches!((at(a), at(b)), (Size::Known(a), Size::Known(b)) if a > b)
    };
    let all = 0..want.len().max(1);
    let beyond_self = all.clone().any(|k| k != d && larger(want, have, k));
    let beyond_src = src.as_ref().and_then(|s| s.sizes.as_ref()).filter(|s| all.clone().any(|k| larger(want, s, k)));
    if beyond_self || beyond_src.is_some() {
        let mut text =
            format!("Expected index {} to be no larger than self {} apart from dimension {d}", show(want), show(have));
        if let Some(src) = src.as_ref().and_then(|s| s.sizes.as_ref()) {
            text.push_str(&format!(" and to be no larger size than src {}", show(src)));
        }
        return Err(ShapeError::runtime(text));
    }
    result
}

/// (self, dim, index, src, …).
pub fn scatter_src(args: &[Meta]) -> RuleResult {
    scatter_checks(args, Some(Args(args).tensor(3)?))
}

/// (self, dim, index, src, reduce, …).
pub fn scatter_reduce(args: &[Meta]) -> RuleResult {
    let result = scatter_src(args)?;
    if let Some(reduce) = Args(args).str(4)
        && !matches!(reduce, "sum" | "prod" | "mean" | "amax" | "amin")
    {
        return Err(ShapeError::runtime(format!(
            "reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )));
    }
    Ok(result)
}

/// (self, dim, index, value, …).
pub fn scatter_value(args: &[Meta]) -> RuleResult {
    scatter_checks(args, None)
}

/// (self, dim, index, source, …).
pub fn index_add(args: &[Meta]) -> RuleResult {
    let (t, index, source) = (Args(args).tensor(0)?, Args(args).tensor(2)?, Args(args).tensor(3)?);
    if let (Some(rank), Some(dim)) = (t.rank(), Args(args).int(1)) {
        wrap_dim(dim, rank)?;
    }
    if let (Some(shape), Some(d)) = (index.sizes.as_ref().filter(|s| s.len() > 1), index.dtype) {
        return index_error(format!(
            "index_add_(): Index is supposed to be a vector, but got dim: {} with type: {} and size: {}",
            shape.len(),
            d.graph_name(),
            show(shape)
        ));
    }
    if let Some(d) = index.dtype.filter(|d| !is_index(*d)) {
        return Err(ShapeError::runtime(format!(
            "index_add_(): Expected dtype int32/int64 for index but got: {}",
            d.graph_name()
        )));
    }
    if let (Some(a), Some(b)) = (t.dtype, source.dtype)
        && a != b
    {
        return Err(ShapeError::runtime(format!(
            "index_add_(): self ({}) and source ({}) must have the same scalar type",
            a.graph_name(),
            b.graph_name()
        )));
    }
    slices_fit(&t, &source, Args(args).int(1))?;
    one(with_sizes(&t, t.sizes.clone()))
}

/// (self, dim, index, source, reduce).
pub fn index_reduce(args: &[Meta]) -> RuleResult {
    slices_fit(&Args(args).tensor(0)?, &Args(args).tensor(3)?, Args(args).int(1))?;
    same(args)
}

/// What is added has the target's sizes but in the dimension that is indexed.
fn slices_fit(t: &TensorMeta, source: &TensorMeta, dim: Option<i64>) -> Result<(), ShapeError> {
    let (Some(to), Some(from), Some(dim)) = (&t.sizes, &source.sizes, dim) else { return Ok(()) };
    let at = wrap_dim(dim, to.len())?;
    let differs = |d: usize| d != at && to[d].differs(from[d]);
    if to.len() == from.len() && !(0..to.len()).any(differs) {
        return Ok(());
    }
    Err(ShapeError::runtime(format!(
        "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {} source.shape = {}",
        show(to),
        show(from)
    )))
}

/// (self, mask, indices, …): as if it were indexed, whatever the mask says.
pub fn masked_index(args: &[Meta]) -> RuleResult {
    let indices = Args(args).get(2).clone();
    if let Meta::List(items) = &indices {
        for item in items {
            if let Meta::Tensor(TensorMeta { dtype: Some(d), .. }) = item
                && !is_index(*d)
            {
                return Err(ShapeError::runtime(format!(
                    "_unsafe_masked_index found unexpected index type {}",
                    d.graph_name()
                )));
            }
        }
    }
    index(&[Args(args).get(0).clone(), indices])
}

/// (self, indices): known only where no index is a mask.
pub fn index(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    let (Some(sizes), Some(indices)) = (&t.sizes, Args(args).get(1).clone().into_list()) else {
        return one(with_sizes(&t, None));
    };
    if indices.is_empty() {
        return index_error("at least one index must be provided");
    }
    if indices.len() > sizes.len() {
        return index_error(format!(
            "too many indices for tensor of dimension {} (got {})",
            sizes.len(),
            indices.len()
        ));
    }
    let mut at = Vec::new();
    let mut broadcast = Sizes::new();
    for (d, meta) in indices.iter().enumerate() {
        let Meta::Tensor(i) = meta else {
            if *meta == Meta::None {
                continue;
            }
            return one(with_sizes(&t, None));
        };
        match i.dtype {
            Some(DType::I64 | DType::I32) => {}
            Some(DType::Bool | DType::U8) | None => return one(with_sizes(&t, None)),
            Some(_) => return index_error("tensors used as indices must be long, int, byte or bool tensors"),
        }
        let Some(shape) = &i.sizes else { return one(with_sizes(&t, None)) };
        broadcast = match super::args::broadcast(&broadcast, shape) {
            Ok(b) => b,
            Err(_) => {
                let shapes: Vec<String> = indices
                    .iter()
                    .filter_map(|m| if let Meta::Tensor(t) = m { t.sizes.as_ref().map(|s| show(s)) } else { None })
                    .collect();
                return index_error(format!(
                    "shape mismatch: indexing tensors could not be broadcast together with shapes {}",
                    shapes.join(", ")
                ));
            }
        };
        at.push(d);
    }
    if indices.len() > sizes.len() {
        return index_error(format!(
            "too many indices for tensor of dimension {} (got {})",
            sizes.len(),
            indices.len()
        ));
    }
    let Some((&first, &last)) = at.first().zip(at.last()) else { return one(with_sizes(&t, Some(sizes.clone()))) };
    let adjacent = last - first + 1 == at.len();
    let mut out: Sizes = (0..sizes.len()).filter(|d| !at.contains(d)).map(|d| sizes[d]).collect();
    out.insert_many(if adjacent { first } else { 0 }, broadcast);
    one(with_sizes(&t, Some(out)))
}

impl Meta {
    fn into_list(self) -> Option<Vec<Meta>> {
        if let Meta::List(items) = self { Some(items) } else { None }
    }
}

/// (self, mask): as many as the mask has ones.
pub fn masked_select(args: &[Meta]) -> RuleResult {
    let (t, mask) = (Args(args).tensor(0)?, Args(args).tensor(1)?);
    if mask.dtype.is_some_and(|d| d != DType::Bool) {
        return Err(ShapeError::runtime("masked_select: expected BoolTensor for mask"));
    }
    if let (Some(a), Some(b)) = (&t.sizes, &mask.sizes) {
        super::args::broadcast(a, b)?;
    }
    one(with_sizes(&t, Some(smallvec![Size::Unknown])))
}

/// (self, …): a row of coordinates for each element that is not zero.
pub fn nonzero(args: &[Meta]) -> RuleResult {
    let rank = Args(args).tensor(0)?.rank();
    let columns = rank.map_or(Size::Unknown, |r| Size::Known(r as i64));
    one(tensor(Some(DType::I64), Some(smallvec![Size::Unknown, columns])))
}

/// (self, size, fill_value).
pub fn nonzero_static(args: &[Meta]) -> RuleResult {
    let rank = Args(args).tensor(0)?.rank();
    let rows = Args(args).size(1);
    if rows.known().is_some_and(|n| n < 0) {
        return Err(ShapeError::runtime("nonzero_static: 'size' must be an non-negative integer"));
    }
    let columns = rank.map_or(Size::Unknown, |r| Size::Known(r as i64));
    one(tensor(Some(DType::I64), Some(smallvec![rows, columns])))
}

/// (self, index).
pub fn take(args: &[Meta]) -> RuleResult {
    let (t, index) = (Args(args).tensor(0)?, Args(args).tensor(1)?);
    if let Some(d) = index.dtype.filter(|d| *d != DType::I64) {
        return Err(ShapeError::runtime(format!(
            "take(): Expected a long tensor for index, but got {}",
            d.graph_name()
        )));
    }
    has_kernel("take_cpu", &t)?;
    one(with_sizes(&t, index.sizes))
}

/// (self, indices, dim).
pub fn take_along_dim(args: &[Meta]) -> RuleResult {
    let (t, index) = (Args(args).tensor(0)?, Args(args).tensor(1)?);
    if let Some(d) = index.dtype.filter(|d| *d != DType::I64) {
        return Err(ShapeError::runtime(format!(
            "torch.take_along_dim(): dtype of indices should be Long but got {}",
            d.graph_name()
        )));
    }
    if Args(args).is_none(2) {
        return one(with_sizes(&t, Some(smallvec![index.numel()])));
    }
    let (Some(have), Some(want), Some(dim)) = (&t.sizes, &index.sizes, Args(args).int(2)) else {
        return one(with_sizes(&t, None));
    };
    if have.len() != want.len() {
        return Err(ShapeError::runtime(format!(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, but got {} dimensions for input, and {} dimensions for indices",
            have.len(),
            want.len()
        )));
    }
    let d = wrap_dim(dim, have.len())?;
    let without =
        |s: &Sizes| -> Sizes { s.iter().enumerate().map(|(k, s)| if k == d { Size::Known(1) } else { *s }).collect() };
    let mut out = super::args::broadcast(&without(have), &without(want))?;
    if let Some(s) = out.get_mut(d) {
        *s = want[d];
    }
    one(with_sizes(&t, Some(out)))
}

/// (weight, indices, …).
pub fn embedding(args: &[Meta]) -> RuleResult {
    let weight = Args(args).tensor(0)?;
    let columns = match weight.sizes.as_deref() {
        Some([_, columns]) => *columns,
        Some(_) => return Err(ShapeError::runtime("'weight' must be 2-D")),
        None => Size::Unknown,
    };
    let indices = Args(args).tensor(1)?;
    if let Some(d) = indices.dtype.filter(|d| !is_index(*d)) {
        let name = d.tensor_type_name();
        return Err(ShapeError::runtime(format!(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {name} instead (while checking arguments for embedding)"
        )));
    }
    if weight.size(0) == Size::Known(0) && indices.numel().known().is_some_and(|n| n > 0) {
        return Err(ShapeError::runtime("index_select(): self indexing axis dim should be positive"));
    }
    let sizes = sizes_at(args, 1).map(|s| s.iter().copied().chain([columns]).collect());
    one(with_sizes(&weight, sizes))
}

/// (self, num_classes).
pub fn one_hot(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    if t.dtype.is_some_and(|d| d != DType::I64) {
        return Err(ShapeError::runtime("one_hot is only applicable to index tensor of type LongTensor."));
    }
    let classes = match Args(args).size(1) {
        Size::Known(n) if n < 0 => Size::Unknown,
        other => other,
    };
    let sizes = tensor_at(args, 0).and_then(|t| t.sizes.as_ref());
    one(tensor(Some(DType::I64), sizes.map(|s| s.iter().copied().chain([classes]).collect())))
}
