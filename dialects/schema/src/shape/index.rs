//! Sizes of indexing, gathering and scattering; what depends on values is unknown until the kernel has looked.

use super::args::*;
use super::view::replaced;

rules! {
    /// The first argument's sizes and dtype.
    same = like;
    /// A row of coordinates for each element that is not zero.
    nonzero = |t: TensorMeta| nonzero_static(t, Size::Unknown);
    scatter_value = |t: TensorMeta, dim: Int, index: TensorMeta| scattered(t, dim, index, None);
    scatter_src = |t: TensorMeta, dim: Int, index: TensorMeta, src: TensorMeta| scattered(t, dim, index, Some(src));
}

/// A result that is like the tensor, where that is too.
fn like(t: TensorMeta) -> RuleResult {
    t.sized(t.sizes.clone())
}

fn is_index(d: DType) -> bool {
    matches!(d, DType::I64 | DType::I32)
}

pub fn index_select(t: TensorMeta, dim: Int, index: TensorMeta) -> RuleResult {
    refuse!(Index if index.rank().is_some_and(|r| r > 1), "index_select(): Index is supposed to be a vector");
    refuse!(if index.dtype_not(is_index).is_some(), "index_select(): Expected dtype int32 or int64 for index");
    let (Some(sizes), Some(d)) = (&t.sizes, t.dimension(dim)?) else { return t.sized(None) };
    // An index that is a number takes one.
    t.sized(Some(replaced(sizes, d, if index.rank() == Some(0) { Size::Known(1) } else { index.size(0) })))
}

/// Ranks where rank 0 counts as 1.
fn ranks_agree(a: &TensorMeta, b: &TensorMeta) -> bool {
    a.rank().zip(b.rank()).is_none_or(|(a, b)| a.max(1) == b.max(1))
}

/// Certainly larger.
fn exceeds(a: Size, b: Size) -> bool {
    a.known().zip(b.known()).is_some_and(|(a, b)| a > b)
}

pub fn gather(t: TensorMeta, dim: Int, index: TensorMeta) -> RuleResult {
    let d = t.dimension(dim)?;
    if index.is_empty() {
        return t.sized(index.sizes);
    }
    refuse!(if index.dtype_not(is_index).is_some(), "gather(): Expected dtype int32/int64 for index");
    refuse!(if !ranks_agree(&t, &index), "Index tensor must have the same number of dimensions as input tensor");
    if let (Some(have), Some(want), Some(d)) = (&t.sizes, &index.sizes, d) {
        let larger = |k: &usize| *k != d && *k < have.len() && exceeds(want[*k], have[*k]);
        refuse!(if let Some(k) = (0..want.len()).find(larger),
            "Size does not match at dimension {k} expected index {} to be no larger than self {} apart from dimension {d}",
            show(want), show(have));
    }
    has_kernel("scatter_gather_tensor_cpu", &t)?;
    t.sized(index.sizes)
}

/// PyTorch moves no complex numbers of halves by index.
fn has_kernel(name: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    kernel(name, t.dtype, |d| d != DType::C32)
}

fn scattered(t: TensorMeta, dim: Int, index: TensorMeta, src: Maybe) -> RuleResult {
    let d = t.dimension(dim)?;
    let empty = index.is_empty();
    refuse!(if index.dtype_not(is_index).is_some() && !empty, "scatter(): Expected dtype int32/int64 for index");
    refuse!(if let Some(src) = &src, different(t.dtype, src.dtype).is_some(),
        "scatter(): Expected self.dtype to be equal to src.dtype");
    if empty {
        return like(t);
    }
    has_kernel(if src.is_some() { "scatter_gather_tensor_cpu" } else { "scatter_gather_scalar_cpu" }, &t)?;
    refuse!(if !ranks_agree(&t, &index), "Index tensor must have the same number of dimensions as self tensor");
    refuse!(if let Some(src) = &src, !ranks_agree(src, &index),
        "Index tensor must have the same number of dimensions as src tensor");
    let (Some(d), Some(have), Some(want)) = (d, &t.sizes, &index.sizes) else { return like(t) };
    let larger = |a: &[Size], b: &[Size], k: usize| {
        let at = |s: &[Size]| s.get(k).copied().unwrap_or(Size::Known(1));
        exceeds(at(a), at(b))
    };
    let all = 0..want.len().max(1);
    let source = src.as_ref().and_then(|s| s.sizes.as_ref());
    let beyond_source = source.is_some_and(|s| all.clone().any(|k| larger(want, s, k)));
    let and = source.map_or(String::new(), |s| format!(" and to be no larger size than src {}", show(s)));
    refuse!(if beyond_source || all.clone().any(|k| k != d && larger(want, have, k)),
        "Expected index {} to be no larger than self {} apart from dimension {d}{and}", show(want), show(have));
    like(t)
}

pub fn scatter_reduce(t: TensorMeta, dim: Int, index: TensorMeta, src: TensorMeta, reduce: Text) -> RuleResult {
    let result = scattered(t, dim, index, Some(src))?;
    refuse!(if let Some(reduce) = reduce, !matches!(&*reduce, "sum" | "prod" | "mean" | "amax" | "amin"),
        "reduce argument must be either sum, prod, mean, amax or amin, got {reduce}");
    Ok(result)
}

pub fn index_add(t: TensorMeta, dim: Int, index: TensorMeta, source: TensorMeta) -> RuleResult {
    t.dimension(dim)?;
    refuse!(Index if let (Some(shape), Some(d)) = (index.sizes.as_ref().filter(|s| s.len() > 1), index.dtype),
        "index_add_(): Index is supposed to be a vector, but got dim: {} with type: {} and size: {}", shape.len(),
        d.graph_name(), show(shape));
    refuse!(if let Some(d) = index.dtype.filter(|d| !is_index(*d)),
        "index_add_(): Expected dtype int32/int64 for index but got: {}", d.graph_name());
    refuse!(if let Some((a, b)) = unlike(&t, &source),
        "index_add_(): self ({a}) and source ({b}) must have the same scalar type");
    index_reduce(t, dim, Skip, source)
}

/// What is added has the target's sizes but in the dimension that is indexed.
pub fn index_reduce(t: TensorMeta, dim: Int, _: Skip<1>, source: TensorMeta) -> RuleResult {
    if let (Some(to), Some(from), Some(at)) = (&t.sizes, &source.sizes, t.dimension(dim)?) {
        let differs = |d: usize| d != at && to[d].differs(from[d]);
        refuse!(if to.len() != from.len() || (0..to.len()).any(differs),
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {} source.shape = {}",
            show(to), show(from));
    }
    like(t)
}

/// As if it were indexed, whatever the mask says.
pub fn masked_index(t: TensorMeta, _: Skip<1>, indices: Meta) -> RuleResult {
    if let Meta::List(items) = &indices {
        let other = items.iter().find_map(|m| if let Meta::Tensor(t) = m { t.dtype_not(is_index) } else { None });
        refuse!(if let Some(d) = other, "_unsafe_masked_index found unexpected index type {d}");
    }
    index(t, indices)
}

/// A tensor has fewer dimensions than it is indexed by.
pub fn too_many(rank: usize, got: usize) -> ShapeError {
    ShapeError::of(ErrorKind::Index, format!("too many indices for tensor of dimension {rank} (got {got})"))
}

pub fn no_index() -> ShapeError {
    ShapeError::of(ErrorKind::Index, "at least one index must be provided")
}

pub fn no_index_dtype() -> ShapeError {
    ShapeError::of(ErrorKind::Index, "tensors used as indices must be long, int, byte or bool tensors")
}

/// Indices of these shapes have no common one.
pub fn unlike_indices(shapes: impl Iterator<Item = String>) -> ShapeError {
    let shapes = shapes.collect::<Vec<_>>().join(", ");
    let message = format!("shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}");
    ShapeError::of(ErrorKind::Index, message)
}

/// A mask stands for as many dimensions as it has, and gives one that is as long as it has ones.
pub fn index(t: TensorMeta, indices: Meta) -> RuleResult {
    let (Some(sizes), Meta::List(indices)) = (&t.sizes, &indices) else { return t.sized(None) };
    if indices.is_empty() {
        return Err(no_index());
    }
    if indices.len() > sizes.len() {
        return Err(too_many(sizes.len(), indices.len()));
    }
    let mut at = Vec::new();
    let mut common = Sizes::new();
    let mut d = 0;
    for meta in indices {
        if meta.is_none() {
            d += 1;
            continue;
        }
        let Meta::Tensor(i) = meta else { return t.sized(None) };
        let Some(shape) = &i.sizes else { return t.sized(None) };
        let counted: Sizes = smallvec![Size::Unknown];
        let (taken, shape) = match i.dtype {
            Some(DType::I64 | DType::I32) => (1, shape),
            Some(DType::Bool | DType::U8) => (shape.len(), &counted),
            None => return t.sized(None),
            Some(_) => return Err(no_index_dtype()),
        };
        let Ok(joined) = broadcast(&common, shape) else {
            return Err(unlike_indices((0..indices.len()).filter_map(|i| sizes_at(indices, i)).map(|s| show(s))));
        };
        common = joined;
        at.extend(d..d + taken);
        d += taken;
    }
    if d > sizes.len() {
        return Err(too_many(sizes.len(), d));
    }
    if at.is_empty() && indices.iter().any(|i| !i.is_none()) {
        // A mask without dimensions makes one.
        return t.sized(None);
    }
    let Some((&first, &last)) = at.first().zip(at.last()) else { return t.sized(Some(sizes.clone())) };
    let adjacent = last - first + 1 == at.len();
    let mut out: Sizes = (0..sizes.len()).filter(|d| !at.contains(d)).map(|d| sizes[d]).collect();
    out.insert_many(if adjacent { first } else { 0 }, common);
    t.sized(Some(out))
}

/// As many as the mask has ones.
pub fn masked_select([t, mask]: [TensorMeta; 2]) -> RuleResult {
    refuse!(if mask.dtype.is_some_and(|d| d != DType::Bool), "masked_select: expected BoolTensor for mask");
    broadcast_all([&t, &mask])?;
    t.sized(Some(smallvec![Size::Unknown]))
}

pub fn nonzero_static(t: TensorMeta, rows: Size) -> RuleResult {
    refuse!(if rows.known().is_some_and(|n| n < 0), "nonzero_static: 'size' must be an non-negative integer");
    one(Some(DType::I64), Some(smallvec![rows, t.rank().map_or(Size::Unknown, |r| Size::Known(r as i64))]))
}

pub fn take([t, index]: [TensorMeta; 2]) -> RuleResult {
    refuse!(if let Some(d) = index.dtype_not(|d| d == DType::I64),
        "take(): Expected a long tensor for index, but got {d}");
    has_kernel("take_cpu", &t)?;
    t.sized(index.sizes)
}

pub fn take_along_dim([t, index]: [TensorMeta; 2], dim: Meta) -> RuleResult {
    refuse!(if let Some(d) = index.dtype_not(|d| d == DType::I64),
        "torch.take_along_dim(): dtype of indices should be Long but got {d}");
    if dim.is_none() {
        return t.sized(Some(smallvec![index.numel()]));
    }
    let (Some(have), Some(want), Some(dim)) = (&t.sizes, &index.sizes, dim.int()) else { return t.sized(None) };
    refuse!(if have.len() != want.len(),
        "torch.take_along_dim(): input and indices should have the same number of dimensions, but got {} dimensions for input, and {} dimensions for indices",
        have.len(), want.len());
    let d = wrap_dim(dim, have.len())?;
    let without = |s: &Sizes| replaced(s, d, Size::Known(1));
    let out = broadcast(&without(have), &without(want))?;
    t.sized(Some(want.get(d).map_or(out.clone(), |s| replaced(&out, d, *s))))
}

pub fn embedding([weight, indices]: [TensorMeta; 2]) -> RuleResult {
    refuse!(if weight.rank_not(2).is_some(), "'weight' must be 2-D");
    refuse!(if let Some(d) = indices.dtype, !is_index(d),
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {} instead (while checking arguments for embedding)",
        d.tensor_type_name());
    refuse!(if weight.size(0) == Size::Known(0) && exceeds(indices.numel(), Size::Known(0)),
        "index_select(): self indexing axis dim should be positive");
    weight.sized(indices.sizes.map(|s| s.into_iter().chain([weight.size(1)]).collect()))
}

pub fn one_hot(t: TensorMeta, classes: Size) -> RuleResult {
    refuse!(if t.dtype.is_some_and(|d| d != DType::I64),
        "one_hot is only applicable to index tensor of type LongTensor.");
    let classes = if classes.known().is_some_and(|n| n < 0) { Size::Unknown } else { classes };
    one(Some(DType::I64), t.sizes.map(|s| s.into_iter().chain([classes]).collect()))
}
