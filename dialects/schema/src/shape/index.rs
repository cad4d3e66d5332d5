//! Sizes of indexing, gathering and scattering; what depends on values is unknown until the kernel has looked.

use super::args::*;

/// (self, …): the first argument's sizes and dtype.
pub fn same(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    t.sized(t.sizes.clone())
}

fn is_index(d: DType) -> bool {
    matches!(d, DType::I64 | DType::I32)
}

/// (self, dim, index).
pub fn index_select(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    let index = args.tensor(2)?;
    refuse!(Index if index.rank().is_some_and(|r| r > 1), "index_select(): Index is supposed to be a vector");
    refuse!(if index.dtype.is_some_and(|d| !is_index(d)), "index_select(): Expected dtype int32 or int64 for index");
    let (Some(sizes), Some(dim)) = (&t.sizes, args.int(1)) else { return t.sized(None) };
    let d = wrap_dim(dim, sizes.len())?;
    // An index that is a number takes one.
    let count = if index.rank() == Some(0) { Size::Known(1) } else { index.size(0) };
    t.sized(Some(replaced(sizes, d, count)))
}

/// Sizes of which one is another.
fn replaced(sizes: &Sizes, dim: usize, size: Size) -> Sizes {
    sizes.iter().enumerate().map(|(d, s)| if d == dim { size } else { *s }).collect()
}

/// Ranks where rank 0 counts as 1.
fn ranks_agree(a: &TensorMeta, b: &TensorMeta) -> bool {
    a.rank().zip(b.rank()).is_none_or(|(a, b)| a.max(1) == b.max(1))
}

/// (self, dim, index, sparse_grad).
pub fn gather(args: &[Meta]) -> RuleResult {
    let (t, index) = (args.tensor(0)?, args.tensor(2)?);
    let d = args.int(1).zip(t.rank()).map(|(dim, rank)| wrap_dim(dim, rank)).transpose()?;
    let empty = index.is_empty();
    refuse!(if index.dtype.is_some_and(|d| !is_index(d)) && !empty, "gather(): Expected dtype int32/int64 for index");
    refuse!(if !empty && !ranks_agree(&t, &index),
        "Index tensor must have the same number of dimensions as input tensor");
    if let (Some(have), Some(want), Some(d), false) = (&t.sizes, &index.sizes, d, empty) {
        for k in (0..want.len()).filter(|k| *k != d && *k < have.len()) {
            refuse!(if let (Size::Known(have_k), Size::Known(want_k)) = (have[k], want[k]), want_k > have_k,
                "Size does not match at dimension {k} expected index {} to be no larger than self {} apart from dimension {d}",
                show(want), show(have));
        }
    }
    if !empty {
        has_kernel("scatter_gather_tensor_cpu", &t)?;
    }
    t.sized(index.sizes)
}

/// PyTorch moves no complex numbers of halves by index.
fn has_kernel(name: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    kernel(name, t.dtype, |d| d != DType::C32)
}

fn scatter_checks(args: &[Meta], src: Option<TensorMeta>) -> RuleResult {
    let (t, index) = (args.tensor(0)?, args.tensor(2)?);
    let d = args.int(1).zip(t.rank()).map(|(dim, rank)| wrap_dim(dim, rank)).transpose()?;
    let result = t.sized(t.sizes.clone());
    let empty = index.is_empty();
    refuse!(if index.dtype.is_some_and(|d| !is_index(d)) && !empty, "scatter(): Expected dtype int32/int64 for index");
    refuse!(if let Some(src) = &src, let (Some(a), Some(b)) = (t.dtype, src.dtype), a != b,
        "scatter(): Expected self.dtype to be equal to src.dtype");
    if empty {
        return result;
    }
    has_kernel(if src.is_some() { "scatter_gather_tensor_cpu" } else { "scatter_gather_scalar_cpu" }, &t)?;
    refuse!(if !ranks_agree(&t, &index), "Index tensor must have the same number of dimensions as self tensor");
    refuse!(if let Some(src) = &src, !ranks_agree(src, &index),
        "Index tensor must have the same number of dimensions as src tensor");
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
    scatter_checks(args, Some(args.tensor(3)?))
}

/// (self, dim, index, src, reduce, …).
pub fn scatter_reduce(args: &[Meta]) -> RuleResult {
    let result = scatter_src(args)?;
    refuse!(if let Some(reduce) = args.str(4), !matches!(reduce, "sum" | "prod" | "mean" | "amax" | "amin"),
        "reduce argument must be either sum, prod, mean, amax or amin, got {reduce}");
    Ok(result)
}

/// (self, dim, index, value, …).
pub fn scatter_value(args: &[Meta]) -> RuleResult {
    scatter_checks(args, None)
}

/// (self, dim, index, source, …).
pub fn index_add(args: &[Meta]) -> RuleResult {
    let (t, index, source) = (args.tensor(0)?, args.tensor(2)?, args.tensor(3)?);
    if let (Some(rank), Some(dim)) = (t.rank(), args.int(1)) {
        wrap_dim(dim, rank)?;
    }
    refuse!(Index if let (Some(shape), Some(d)) = (index.sizes.as_ref().filter(|s| s.len() > 1), index.dtype),
        "index_add_(): Index is supposed to be a vector, but got dim: {} with type: {} and size: {}", shape.len(),
        d.graph_name(), show(shape));
    refuse!(if let Some(d) = index.dtype.filter(|d| !is_index(*d)),
        "index_add_(): Expected dtype int32/int64 for index but got: {}", d.graph_name());
    refuse!(if let Some((a, b)) = unlike(&t, &source),
        "index_add_(): self ({a}) and source ({b}) must have the same scalar type");
    slices_fit(&t, &source, args.int(1))?;
    t.sized(t.sizes.clone())
}

/// (self, dim, index, source, reduce).
pub fn index_reduce(args: &[Meta]) -> RuleResult {
    slices_fit(&args.tensor(0)?, &args.tensor(3)?, args.int(1))?;
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
    if let Meta::List(items) = args.meta(2) {
        let other = items.iter().find_map(|m| if let Meta::Tensor(t) = m { t.dtype_not(is_index) } else { None });
        refuse!(if let Some(d) = other, "_unsafe_masked_index found unexpected index type {d}");
    }
    indexed(args, 2)
}

/// (self, indices): known only where no index is a mask.
pub fn index(args: &[Meta]) -> RuleResult {
    indexed(args, 1)
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

fn indexed(args: &[Meta], list: usize) -> RuleResult {
    let t = args.tensor(0)?;
    let (Some(sizes), Meta::List(indices)) = (&t.sizes, args.meta(list)) else { return t.sized(None) };
    if indices.is_empty() {
        return Err(no_index());
    }
    if indices.len() > sizes.len() {
        return Err(too_many(sizes.len(), indices.len()));
    }
    let mut at = Vec::new();
    let mut common = Sizes::new();
    for (d, meta) in indices.iter().enumerate() {
        let Meta::Tensor(i) = meta else {
            if *meta == Meta::None {
                continue;
            }
            return t.sized(None);
        };
        match i.dtype {
            Some(DType::I64 | DType::I32) => {}
            Some(DType::Bool | DType::U8) | None => return t.sized(None),
            Some(_) => return Err(no_index_dtype()),
        }
        let Some(shape) = &i.sizes else { return t.sized(None) };
        let Ok(joined) = broadcast(&common, shape) else {
            return Err(unlike_indices((0..indices.len()).filter_map(|i| sizes_at(indices, i)).map(|s| show(s))));
        };
        common = joined;
        at.push(d);
    }
    let Some((&first, &last)) = at.first().zip(at.last()) else { return t.sized(Some(sizes.clone())) };
    let adjacent = last - first + 1 == at.len();
    let mut out: Sizes = (0..sizes.len()).filter(|d| !at.contains(d)).map(|d| sizes[d]).collect();
    out.insert_many(if adjacent { first } else { 0 }, common);
    t.sized(Some(out))
}

/// (self, mask): as many as the mask has ones.
pub fn masked_select(args: &[Meta]) -> RuleResult {
    let (t, mask) = (args.tensor(0)?, args.tensor(1)?);
    refuse!(if mask.dtype.is_some_and(|d| d != DType::Bool), "masked_select: expected BoolTensor for mask");
    broadcast_all([&t, &mask])?;
    t.sized(Some(smallvec![Size::Unknown]))
}

/// (self, …): a row of coordinates for each element that is not zero.
pub fn nonzero(args: &[Meta]) -> RuleResult {
    coordinates(args, Size::Unknown)
}

/// A number for each dimension in each row.
fn coordinates(args: &[Meta], rows: Size) -> RuleResult {
    let columns = args.tensor(0)?.rank().map_or(Size::Unknown, |r| Size::Known(r as i64));
    one(Some(DType::I64), Some(smallvec![rows, columns]))
}

/// (self, size, fill_value).
pub fn nonzero_static(args: &[Meta]) -> RuleResult {
    refuse!(if args.int(1).is_some_and(|n| n < 0), "nonzero_static: 'size' must be an non-negative integer");
    coordinates(args, args.size(1))
}

/// (self, index).
pub fn take(args: &[Meta]) -> RuleResult {
    let (t, index) = (args.tensor(0)?, args.tensor(1)?);
    refuse!(if let Some(d) = index.dtype_not(|d| d == DType::I64),
        "take(): Expected a long tensor for index, but got {d}");
    has_kernel("take_cpu", &t)?;
    t.sized(index.sizes)
}

/// (self, indices, dim).
pub fn take_along_dim(args: &[Meta]) -> RuleResult {
    let (t, index) = (args.tensor(0)?, args.tensor(1)?);
    refuse!(if let Some(d) = index.dtype_not(|d| d == DType::I64),
        "torch.take_along_dim(): dtype of indices should be Long but got {d}");
    if args.is_none(2) {
        return t.sized(Some(smallvec![index.numel()]));
    }
    let (Some(have), Some(want), Some(dim)) = (&t.sizes, &index.sizes, args.int(2)) else {
        return t.sized(None);
    };
    refuse!(if have.len() != want.len(),
        "torch.take_along_dim(): input and indices should have the same number of dimensions, but got {} dimensions for input, and {} dimensions for indices",
        have.len(), want.len());
    let d = wrap_dim(dim, have.len())?;
    let without = |s: &Sizes| replaced(s, d, Size::Known(1));
    let out = broadcast(&without(have), &without(want))?;
    t.sized(Some(want.get(d).map_or(out.clone(), |s| replaced(&out, d, *s))))
}

/// (weight, indices, …).
pub fn embedding(args: &[Meta]) -> RuleResult {
    let weight = args.tensor(0)?;
    let columns = match weight.sizes.as_deref() {
        Some([_, columns]) => *columns,
        Some(_) => return Err(ShapeError::runtime("'weight' must be 2-D")),
        None => Size::Unknown,
    };
    let indices = args.tensor(1)?;
    refuse!(if let Some(d) = indices.dtype, !is_index(d),
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {} instead (while checking arguments for embedding)",
        d.tensor_type_name());
    refuse!(if weight.size(0) == Size::Known(0) && indices.numel().known().is_some_and(|n| n > 0),
        "index_select(): self indexing axis dim should be positive");
    let sizes = sizes_at(args, 1).map(|s| s.iter().copied().chain([columns]).collect());
    weight.sized(sizes)
}

/// (self, num_classes).
pub fn one_hot(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    refuse!(if t.dtype.is_some_and(|d| d != DType::I64),
        "one_hot is only applicable to index tensor of type LongTensor.");
    let classes = match args.size(1) {
        Size::Known(n) if n < 0 => Size::Unknown,
        other => other,
    };
    one(Some(DType::I64), t.sizes.map(|s| s.into_iter().chain([classes]).collect()))
}
