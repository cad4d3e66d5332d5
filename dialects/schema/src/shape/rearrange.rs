//! Sizes and dtypes of tensors joined, repeated, turned and cut to triangles.

use super::args::{Args, common_dtype, error, show, tensor, wrap_dim};
use super::read::{dimension_set, existing_dimension, minus, one, tensor_at, with_sizes};
use super::view::Describe;
use super::{Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
use crate::promotion::promote_types;
use smallvec::smallvec;

/// The list of tensors at argument 0, where its length is known.
fn tensors(args: &[Meta]) -> Option<Vec<TensorMeta>> {
    Args(args).tensors(0).ok().flatten()
}

fn dtype_of(tensors: &[TensorMeta]) -> Result<Option<DType>, ShapeError> {
    let metas: Vec<Meta> = tensors.iter().cloned().map(Meta::Tensor).collect();
    common_dtype(metas.iter())
}

/// An empty vector joins with anything, for old programs' sake.
fn is_skipped(sizes: &[Size]) -> bool {
    *sizes == [Size::Known(0)]
}

/// Sizes of the tensors joined along a dimension.
fn joined(shapes: &[Sizes], dim: i64) -> Result<Sizes, ShapeError> {
    if let Some(i) = shapes.iter().position(|s| s.is_empty()) {
        return Err(ShapeError::runtime(format!("zero-dimensional tensor (at position {i}) cannot be concatenated")));
    }
    let Some(first_at) = shapes.iter().position(|s| !is_skipped(s)) else {
        return Ok(smallvec![Size::Known(0)]);
    };
    let first = &shapes[first_at];
    let d = wrap_dim(dim, first.len())?;
    let mut out = first.clone();
    for (i, s) in shapes.iter().enumerate().skip(first_at + 1).filter(|(_, s)| !is_skipped(s)) {
        if s.len() != first.len() {
            return Err(ShapeError::runtime(format!(
                "Tensors must have same number of dimensions: got {} and {}",
                first.len(),
                s.len()
            )));
        }
        for k in 0..s.len() {
            if k == d {
                out[k] = out[k].plus(s[k]);
                continue;
            }
            if let (Size::Known(want), Size::Known(have)) = (first[k], s[k])
                && want != have
            {
                return Err(ShapeError::runtime(format!(
                    "Sizes of tensors must match except in dimension {d}. Expected size {want} but got size {have} for tensor number {i} in the list."
                )));
            }
            out[k] = out[k].or(s[k]);
        }
    }
    Ok(out)
}

fn cat_of(tensors: &[TensorMeta], dim: Option<i64>) -> RuleResult {
    let dtype = dtype_of(tensors)?;
    let shapes: Option<Vec<Sizes>> = tensors.iter().map(|t| t.sizes.clone()).collect();
    let sizes = match (shapes, dim) {
        (Some(shapes), Some(dim)) => Some(joined(&shapes, dim)?),
        _ => None,
    };
    one(tensor(dtype, sizes))
}

/// (tensors, dim).
pub fn cat(args: &[Meta]) -> RuleResult {
    let Some(tensors) = tensors(args) else { return one(tensor(None, None)) };
    if tensors.is_empty() {
        return super::args::value_error("torch.cat(): expected a non-empty list of Tensors");
    }
    cat_of(&tensors, Args(args).int(1))
}

/// (tensors, dim).
pub fn stack(args: &[Meta]) -> RuleResult {
    let Some(tensors) = tensors(args) else { return one(tensor(None, None)) };
    let Some(first) = tensors.first() else {
        return Err(ShapeError::runtime("stack expects a non-empty TensorList"));
    };
    let dtype = dtype_of(&tensors)?;
    let Some(mut sizes) = first.sizes.clone() else { return one(tensor(dtype, None)) };
    let d = match Args(args).int(1) {
        Some(dim) => wrap_dim(dim, sizes.len() + 1)?,
        None => return one(tensor(dtype, None)),
    };
    for (i, t) in tensors.iter().enumerate().skip(1) {
        let Some(have) = &t.sizes else { continue };
        if have.len() != sizes.len() || have.iter().zip(&sizes).any(|(a, b)| a.differs(*b)) {
            return Err(ShapeError::runtime(format!(
                "stack expects each tensor to be equal size, but got {} at entry 0 and {} at entry {i}",
                show(&sizes),
                show(have)
            )));
        }
        sizes = sizes.iter().zip(have).map(|(a, b)| a.or(*b)).collect();
    }
    sizes.insert(d, Size::Known(tensors.len() as i64));
    one(tensor(dtype, Some(sizes)))
}

/// How `hstack`, `vstack`, `dstack` and `column_stack` lift a tensor before they join.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lift {
    Horizontal,
    Vertical,
    Depth,
    Columns,
}

/// Sizes after lifting.
pub fn lifted(sizes: &[Size], lift: Lift) -> Sizes {
    let one = Size::Known(1);
    match (lift, sizes) {
        (Lift::Horizontal, []) => smallvec![one],
        (Lift::Vertical | Lift::Columns, []) => smallvec![one, one],
        (Lift::Vertical, [n]) => smallvec![one, *n],
        (Lift::Columns, [n]) => smallvec![*n, one],
        (Lift::Depth, []) => smallvec![one, one, one],
        (Lift::Depth, [n]) => smallvec![one, *n, one],
        (Lift::Depth, [n, m]) => smallvec![*n, *m, one],
        (_, more) => more.into(),
    }
}

/// The dimension along which lifted tensors are joined.
pub fn lift_dim(lift: Lift, first_rank: usize) -> i64 {
    match lift {
        Lift::Horizontal => i64::from(first_rank > 1),
        Lift::Vertical => 0,
        Lift::Depth => 2,
        Lift::Columns => 1,
    }
}

fn lifted_cat(args: &[Meta], lift: Lift, name: &str) -> RuleResult {
    let Some(mut tensors) = tensors(args) else { return one(tensor(None, None)) };
    if tensors.is_empty() {
        return Err(ShapeError::runtime(format!("{name} expects a non-empty TensorList")));
    }
    for t in &mut tensors {
        t.sizes = t.sizes.as_ref().map(|s| lifted(s, lift));
    }
    let dim = tensors[0].rank().map(|rank| lift_dim(lift, rank));
    cat_of(&tensors, dim)
}

/// (tensors).
pub fn hstack(args: &[Meta]) -> RuleResult {
    lifted_cat(args, Lift::Horizontal, "hstack")
}
/// (tensors).
pub fn vstack(args: &[Meta]) -> RuleResult {
    lifted_cat(args, Lift::Vertical, "vstack")
}
/// (tensors).
pub fn dstack(args: &[Meta]) -> RuleResult {
    lifted_cat(args, Lift::Depth, "dstack")
}
/// (tensors).
pub fn column_stack(args: &[Meta]) -> RuleResult {
    lifted_cat(args, Lift::Columns, "column_stack")
}

fn like(t: &TensorMeta, sizes: Option<Sizes>) -> RuleResult {
    one(with_sizes(t, sizes))
}

/// (self, dims).
pub fn flip(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    if let (Some(rank), Some(dims)) = (t.rank(), Args(args).ints(1)) {
        dimension_set(&dims, rank)?;
    }
    like(&t, t.sizes.clone())
}

/// (self): at least `rank` dimensions.
fn at_least(args: &[Meta], rank: usize, message: &str) -> RuleResult {
    let t = Args(args).tensor(0)?;
    if t.rank().is_some_and(|r| r < rank) {
        return Err(ShapeError::runtime(message));
    }
    like(&t, t.sizes.clone())
}

/// (self).
pub fn fliplr(args: &[Meta]) -> RuleResult {
    at_least(args, 2, "Input must be >= 2-d.")
}
/// (self).
pub fn flipud(args: &[Meta]) -> RuleResult {
    at_least(args, 1, "Input must be >= 1-d.")
}
/// (self, diagonal).
pub fn tril(args: &[Meta]) -> RuleResult {
    at_least(args, 2, "tril: input tensor must have at least 2 dimensions")
}
/// (self, diagonal).
pub fn triu(args: &[Meta]) -> RuleResult {
    at_least(args, 2, "triu: input tensor must have at least 2 dimensions")
}

fn repeated(t: &TensorMeta, repeats: Option<Sizes>) -> RuleResult {
    let (Some(sizes), Some(repeats)) = (&t.sizes, repeats) else { return like(t, None) };
    let skip = repeats.len() - sizes.len();
    let out: Sizes = repeats
        .iter()
        .enumerate()
        .map(|(d, r)| d.checked_sub(skip).map_or(Size::Known(1), |d| sizes[d]).times(*r))
        .collect();
    if let Some(n) = out.iter().find_map(|s| s.known().filter(|n| *n < 0)) {
        return Err(ShapeError::runtime(format!(
            "Trying to create tensor with negative dimension {n}: {}",
            show(&out)
        )));
    }
    like(t, Some(out))
}

/// (self, repeats).
pub fn repeat(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    let repeats = Args(args).sizes(1);
    if let (Some(rank), Some(repeats)) = (t.rank(), &repeats)
        && repeats.len() < rank
    {
        return Err(ShapeError::runtime(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
        ));
    }
    repeated(&t, repeats)
}

/// (self, dims).
pub fn tile(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    let repeats = match (t.rank(), Args(args).sizes(1)) {
        (Some(rank), Some(dims)) => {
            let ones = std::iter::repeat_n(Size::Known(1), rank.saturating_sub(dims.len()));
            Some(ones.chain(dims).collect())
        }
        _ => None,
    };
    repeated(&t, repeats)
}

/// (self, repeats, dim, output_size), where repeats is a number.
pub fn repeat_interleave_int(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    let repeats = Args(args).size(1);
    if repeats.known().is_some_and(|n| n < 0) {
        return Err(ShapeError::runtime("Repeats must be non-negative"));
    }
    interleaved(
        args,
        &t,
        |size| size.times(repeats),
        |_| super::args::index_error("Dimension out of range (expected to be in range of [-1, 0], but got 1)"),
    )
}

/// (self, repeats, dim, output_size), where repeats is a tensor.
pub fn repeat_interleave_tensor(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    interleaved(
        args,
        &t,
        |_| Args(args).size(3),
        |dim| super::args::index_error(format!("Dimension specified as {dim} but tensor has no dimensions")),
    )
}

fn interleaved(
    args: &[Meta],
    t: &TensorMeta,
    times: impl Fn(Size) -> Size,
    of_number: impl Fn(i64) -> Result<(), ShapeError>,
) -> RuleResult {
    let Some(sizes) = &t.sizes else { return like(t, None) };
    if Args(args).is_none(2) {
        return like(t, Some(smallvec![times(super::args::product(sizes))]));
    }
    let Some(dim) = Args(args).int(2) else { return like(t, None) };
    let mut sizes = sizes.clone();
    let d = wrap_dim(dim, sizes.len())?;
    match sizes.get_mut(d) {
        Some(s) => *s = times(*s),
        None => of_number(dim)?,
    }
    like(t, Some(sizes))
}

/// (repeats, output_size).
pub fn repeat_interleave_counts(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    if t.rank().is_some_and(|r| r != 1) {
        return Err(ShapeError::runtime("repeat_interleave only accept 1D vector as repeat"));
    }
    if t.dtype.is_some_and(|d| d != DType::I64 && d != DType::I32) {
        return super::args::not_implemented(format!(
            "\"repeat_interleave_cpu\" not implemented for '{}'",
            t.dtype.map_or("Float", DType::graph_name)
        ));
    }
    like(&t, Some(smallvec![Args(args).size(1)]))
}

/// (self, shifts, dims).
pub fn roll(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    let (Some(shifts), Some(dims)) = (Args(args).sizes(1), Args(args).ints(2)) else {
        return like(&t, t.sizes.clone());
    };
    if shifts.is_empty() {
        return Err(ShapeError::runtime("`shifts` required"));
    }
    if dims.is_empty() && shifts.len() == 1 {
        return like(&t, t.sizes.clone());
    }
    if shifts.len() != dims.len() {
        return Err(ShapeError::runtime(format!(
            "shifts and dimensions must align. shifts: {}, dims:{}",
            shifts.len(),
            dims.len()
        )));
    }
    // Where there is nothing to roll nobody looks.
    if let Some(rank) = t.rank().filter(|_| t.numel() != Size::Known(0)) {
        for d in dims {
            existing_dimension(d, rank)?;
        }
    }
    like(&t, t.sizes.clone())
}

/// (self, k, dims).
pub fn rot90(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    let (Some(sizes), Some(k), Some(dims)) = (&t.sizes, Args(args).int(1), Args(args).ints(2)) else {
        return like(&t, None);
    };
    if dims.len() != 2 {
        return Err(ShapeError::runtime(format!("expected total rotation dims == 2, but got dims = {}", dims.len())));
    }
    if sizes.len() < 2 {
        return Err(ShapeError::runtime(format!("expected total dims >= 2, but got total dims = {}", sizes.len())));
    }
    if dims[0] == dims[1] || dims[0].abs_diff(dims[1]) == sizes.len() as u64 {
        return Err(ShapeError::runtime(format!(
            "expected rotation dims to be different, but got dim0 = {} and dim1 = {}",
            dims[0], dims[1]
        )));
    }
    let (a, b) = (wrap_dim(dims[0], sizes.len())?, wrap_dim(dims[1], sizes.len())?);
    let mut sizes = sizes.clone();
    if k % 2 != 0 {
        sizes.swap(a, b);
    }
    like(&t, Some(sizes))
}

/// (self, diagonal).
pub fn diag(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    let offset = Args(args).int(1);
    match t.sizes.as_deref() {
        Some([n]) => {
            let side = offset.map_or(Size::Unknown, |o| minus(*n, -o.saturating_abs()));
            like(&t, Some(smallvec![side, side]))
        }
        Some([_, _]) => {
            let dims =
                [args[0].clone(), Args(args).get(1).clone(), Meta::Int(Size::Known(0)), Meta::Int(Size::Known(1))];
            super::view::diagonal(&dims)
        }
        Some(other) => Err(ShapeError::runtime(format!("diag(): Supports 1D or 2D tensors. Got {}D", other.len()))),
        None => like(&t, None),
    }
}

/// (self, offset, dim1, dim2).
pub fn diag_embed(args: &[Meta]) -> RuleResult {
    let t = Args(args).tensor(0)?;
    let (Some(sizes), Some(a), Some(b)) = (&t.sizes, Args(args).int(2), Args(args).int(3)) else {
        return like(&t, None);
    };
    let rank = sizes.len() + 1;
    let (first, second) = (wrap_dim(a, rank)?, wrap_dim(b, rank)?);
    if first == second {
        return Err(ShapeError::runtime(format!("diagonal dimensions cannot be identical {a}, {b}")));
    }
    let side = match (sizes.last(), Args(args).int(1)) {
        (Some(n), Some(o)) => minus(*n, -o.saturating_abs()),
        _ => Size::Unknown,
    };
    let mut out: Sizes = sizes[..sizes.len().saturating_sub(1)].iter().copied().collect();
    out.insert(first.min(second), side);
    out.insert(first.max(second), side);
    like(&t, Some(out))
}

/// A tensor whose part, as a view operator describes it with the arguments after `src`, takes the source's place. That the source has the part's
/// sizes is the kernel's to check: PyTorch's inference does not.
fn scattered(args: &[Meta], describe: Describe) -> RuleResult {
    let t = Args(args).tensor(0)?;
    let inner: Vec<Meta> = args.iter().enumerate().filter(|(i, _)| *i != 1).map(|(_, m)| m.clone()).collect();
    describe(&inner)?;
    like(&t, t.sizes.clone())
}

/// (self, src, dim, index).
pub fn select_scatter(args: &[Meta]) -> RuleResult {
    scattered(args, super::view::select_view)
}
/// (self, src, dim, start, end, step).
pub fn slice_scatter(args: &[Meta]) -> RuleResult {
    scattered(args, super::view::slice_view)
}
/// (self, src, offset, dim1, dim2).
pub fn diagonal_scatter(args: &[Meta]) -> RuleResult {
    scattered(args, super::view::diagonal_view)
}
/// (self, src, size, stride, storage_offset).
pub fn as_strided_scatter(args: &[Meta]) -> RuleResult {
    scattered(args, super::view::as_strided_view)
}

/// (self, fill_value, wrap).
pub fn fill_diagonal(args: &[Meta]) -> RuleResult {
    let Some(t) = tensor_at(args, 0) else { return one(Meta::Unknown) };
    if let Some(sizes) = &t.sizes {
        if sizes.len() < 2 {
            return Err(ShapeError::runtime("dimensions must larger than 1"));
        }
        if sizes.len() > 2 && sizes.iter().any(|s| s.differs(sizes[0])) {
            return Err(ShapeError::runtime("all dimensions of input must be of equal length"));
        }
    }
    like(t, t.sizes.clone())
}

/// (tensors, dim, num_chunks): sizes before `dim` stay; then the chunks, and what one chunk of all tensors holds.
pub fn chunk_cat(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (Some(list), Some(dim), Some(chunks)) = (args.tensors(0)?, args.int(1), args.int(2)) else {
        return one(Meta::Unknown);
    };
    let Some(first) = list.first() else {
        return Err(ShapeError::runtime("_chunk_cat expects a non-empty input tensor list"));
    };
    if chunks < 1 {
        return Err(ShapeError::runtime("_chunk_cat expects positive num_chunks"));
    }
    if list.iter().any(|t| t.numel() == Size::Known(0)) {
        return Err(ShapeError::runtime("_chunk_cat expects non-empty tensor"));
    }
    let Some(sizes) = &first.sizes else { return one(with_sizes(first, None)) };
    if dim < 0 && list.iter().any(|t| t.rank().is_some_and(|r| r != sizes.len())) {
        let text = "_chunk_cat expects non-negative dim when input tensors have different ndims";
        return Err(ShapeError::runtime(text));
    }
    let dim = wrap_dim(dim, sizes.len())?;
    let mut width = Size::Known(0);
    for t in &list {
        let Some(s) = t.sizes.as_ref().filter(|s| s.len() > dim) else { return one(with_sizes(first, None)) };
        let rows = s[dim].map(|n| (n + chunks - 1) / chunks);
        width = width.plus(s[dim + 1..].iter().fold(rows, |p, n| p.times(*n)));
    }
    let mut out: super::Sizes = sizes[..dim].into();
    out.extend([Size::Known(chunks), width]);
    one(with_sizes(first, Some(out)))
}

/// (grad_in, input_sizes, dim, size, step).
pub fn unfold_backward(a: &[Meta]) -> RuleResult {
    match Args(a).int(4) {
        Some(step) if step <= 0 => super::args::value_error(format!("step is {step} but must be > 0")),
        _ => super::like::sized_by_second(a),
    }
}

/// Matrices in the corners of one another: what has less than two dimensions is a row.
pub fn block_diag(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let Some(blocks) = args.tensors(0)? else { return super::args::one(None, None) };
    let (mut sizes, mut dtype) = ([Size::Known(0); 2], blocks.first().and_then(|t| t.dtype));
    for (i, block) in blocks.iter().enumerate() {
        let Some(rank) = block.rank() else { return super::args::one(dtype, None) };
        if rank > 2 {
            return error(format!(
                "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {rank} dimensions"
            ));
        }
        dtype = match (dtype, block.dtype) {
            (Some(d), Some(e)) => Some(promote_types(d, e)?),
            _ => None,
        };
        for (d, total) in sizes.iter_mut().enumerate() {
            let at = (rank + d).checked_sub(2);
            *total = total.plus(at.map_or(Size::Known(1), |at| block.size(at)));
        }
    }
    super::args::one(dtype, Some(sizes.as_slice().into()))
}

/// All tuples of elements of vectors; one vector is its own product.
pub fn cartesian_prod(a: &[Meta]) -> RuleResult {
    let Some(vectors) = Args(a).tensors(0)? else { return super::args::one(None, None) };
    let dtype = vectors.first().and_then(|t| t.dtype);
    if let [only] = vectors.as_slice() {
        return super::args::one(dtype, only.sizes.clone());
    }
    let count = vectors.iter().fold(Size::Known(1), |n, t| n.times(t.numel()));
    super::args::one(dtype, Some(smallvec![count, Size::Known(vectors.len() as i64)]))
}

/// (self, r, with_replacement): tuples of `r` elements of a vector, in its order.
pub fn combinations(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    let (Some(r), Some(again)) = (args.int(1), args.bool(2)) else { return super::args::one(t.dtype, None) };
    if r < 0 {
        return error(format!("Expect a non-negative number, but got {r}"));
    }
    let count = match (t.numel(), r) {
        (Size::Known(n), r) if !again && r > n => Size::Known(0),
        (_, 0) => return super::args::one(t.dtype, Some(smallvec![Size::Known(0)])),
        (n, 1) => n,
        (Size::Known(n), r) => {
            // As many as there are subsets of a larger set, where elements may come again.
            let from = if again { n.saturating_add(r - 1) } else { n };
            let chosen =
                (0..r).try_fold(1i128, |c, i| Some(c.checked_mul(i128::from((from - i).max(0)))? / i128::from(i + 1)));
            chosen.and_then(|c| i64::try_from(c).ok()).map_or(Size::Unknown, Size::Known)
        }
        _ => Size::Unknown,
    };
    super::args::one(t.dtype, Some(smallvec![count, Size::Known(r)]))
}

/// (self, offset): a square with the elements on a diagonal.
pub fn diagflat(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let t = args.tensor(0)?;
    let side = args.int(1).map_or(Size::Unknown, |offset| t.numel().plus(Size::Known(offset.saturating_abs())));
    super::args::one(t.dtype, Some(smallvec![side, side]))
}
