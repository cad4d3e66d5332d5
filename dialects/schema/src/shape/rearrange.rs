//! Sizes and dtypes of tensors joined, repeated, turned and cut to triangles.

use super::args::*;
use super::view::Describe;

/// The list of tensors at argument 0, where its length is known.
fn tensors(args: &[Meta]) -> Option<Vec<TensorMeta>> {
    args.tensors(0).ok().flatten()
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
    refuse!(if let Some(i) = shapes.iter().position(|s| s.is_empty()),
        "zero-dimensional tensor (at position {i}) cannot be concatenated");
    let Some(first_at) = shapes.iter().position(|s| !is_skipped(s)) else {
        return Ok(smallvec![Size::Known(0)]);
    };
    let first = &shapes[first_at];
    let d = wrap_dim(dim, first.len())?;
    let mut out = first.clone();
    for (i, s) in shapes.iter().enumerate().skip(first_at + 1).filter(|(_, s)| !is_skipped(s)) {
        refuse!(if s.len() != first.len(),
            "Tensors must have same number of dimensions: got {} and {}", first.len(), s.len());
        for k in 0..s.len() {
            if k == d {
                out[k] = out[k].plus(s[k]);
                continue;
            }
            refuse!(if let (Size::Known(want), Size::Known(have)) = (first[k], s[k]), want != have,
                "Sizes of tensors must match except in dimension {d}. Expected size {want} but got size {have} for tensor number {i} in the list.");
            out[k] = out[k].or(s[k]);
        }
    }
    Ok(out)
}

fn cat_of(tensors: &[TensorMeta], dim: Option<i64>) -> RuleResult {
    let dtype = dtype_of(tensors)?;
    let shapes: Option<Vec<Sizes>> = tensors.iter().map(|t| t.sizes.clone()).collect();
    one(dtype, shapes.zip(dim).map(|(shapes, dim)| joined(&shapes, dim)).transpose()?)
}

/// (tensors, dim).
pub fn cat(args: &[Meta]) -> RuleResult {
    let Some(tensors) = tensors(args) else { return one(None, None) };
    refuse!(Value if tensors.is_empty(), "torch.cat(): expected a non-empty list of Tensors");
    cat_of(&tensors, args.int(1))
}

/// (tensors, dim).
pub fn stack(args: &[Meta]) -> RuleResult {
    let Some(tensors) = tensors(args) else { return one(None, None) };
    let Some(first) = tensors.first() else { return error("stack expects a non-empty TensorList") };
    let dtype = dtype_of(&tensors)?;
    let (Some(mut sizes), Some(dim)) = (first.sizes.clone(), args.int(1)) else { return one(dtype, None) };
    let d = wrap_dim(dim, sizes.len() + 1)?;
    for (i, t) in tensors.iter().enumerate().skip(1) {
        let Some(have) = &t.sizes else { continue };
        refuse!(if differ(have, &sizes),
            "stack expects each tensor to be equal size, but got {} at entry 0 and {} at entry {i}", show(&sizes),
            show(have));
        sizes = sizes.iter().zip(have).map(|(a, b)| a.or(*b)).collect();
    }
    sizes.insert(d, Size::Known(tensors.len() as i64));
    one(dtype, Some(sizes))
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
    let Some(mut tensors) = tensors(args) else { return one(None, None) };
    refuse!(if tensors.is_empty(), "{name} expects a non-empty TensorList");
    for t in &mut tensors {
        t.sizes = t.sizes.as_ref().map(|s| lifted(s, lift));
    }
    let dim = tensors[0].rank().map(|rank| lift_dim(lift, rank));
    cat_of(&tensors, dim)
}

rules! {
    hstack = lifted_cat, Lift::Horizontal, "hstack"; vstack = lifted_cat, Lift::Vertical, "vstack";
    dstack = lifted_cat, Lift::Depth, "dstack"; column_stack = lifted_cat, Lift::Columns, "column_stack";
}

fn like(t: &TensorMeta, sizes: Option<Sizes>) -> RuleResult {
    t.sized(sizes)
}

/// (self, dims).
pub fn flip(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    if let (Some(rank), Some(dims)) = (t.rank(), args.ints(1)) {
        dimension_set(&dims, rank)?;
    }
    like(&t, t.sizes.clone())
}

/// (self): at least `rank` dimensions.
fn at_least(args: &[Meta], rank: usize, message: &str) -> RuleResult {
    let t = args.tensor(0)?;
    refuse!(if t.rank().is_some_and(|r| r < rank), "{message}");
    like(&t, t.sizes.clone())
}

rules! {
    /// (self).
    fliplr = at_least, 2, "Input must be >= 2-d.";
    /// (self).
    flipud = at_least, 1, "Input must be >= 1-d.";
    /// (self, diagonal).
    tril = at_least, 2, "tril: input tensor must have at least 2 dimensions";
    /// (self, diagonal).
    triu = at_least, 2, "triu: input tensor must have at least 2 dimensions";
}

fn repeated(t: &TensorMeta, repeats: Option<Sizes>) -> RuleResult {
    let (Some(sizes), Some(repeats)) = (&t.sizes, repeats) else { return like(t, None) };
    let skip = repeats.len() - sizes.len();
    let out: Sizes = repeats
        .iter()
        .enumerate()
        .map(|(d, r)| d.checked_sub(skip).map_or(Size::Known(1), |d| sizes[d]).times(*r))
        .collect();
    refuse!(if let Some(n) = out.iter().find_map(|s| s.known().filter(|n| *n < 0)),
        "Trying to create tensor with negative dimension {n}: {}", show(&out));
    like(t, Some(out))
}

/// (self, repeats).
pub fn repeat(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    let repeats = args.sizes(1);
    refuse!(if let (Some(rank), Some(repeats)) = (t.rank(), &repeats), repeats.len() < rank,
        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
    repeated(&t, repeats)
}

/// (self, dims).
pub fn tile(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    let repeats = match (t.rank(), args.sizes(1)) {
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
    let t = args.tensor(0)?;
    let repeats = args.size(1);
    refuse!(if repeats.known().is_some_and(|n| n < 0), "Repeats must be non-negative");
    interleaved(
        args,
        &t,
        |size| size.times(repeats),
        |_| index_error("Dimension out of range (expected to be in range of [-1, 0], but got 1)"),
    )
}

/// (self, repeats, dim, output_size), where repeats is a tensor.
pub fn repeat_interleave_tensor(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    interleaved(
        args,
        &t,
        |_| args.size(3),
        |dim| index_error(format!("Dimension specified as {dim} but tensor has no dimensions")),
    )
}

fn interleaved(
    args: &[Meta],
    t: &TensorMeta,
    times: impl Fn(Size) -> Size,
    of_number: impl Fn(i64) -> Result<(), ShapeError>,
) -> RuleResult {
    let Some(sizes) = &t.sizes else { return like(t, None) };
    if args.is_none(2) {
        return like(t, Some(smallvec![times(product(sizes))]));
    }
    let Some(dim) = args.int(2) else { return like(t, None) };
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
    let t = args.tensor(0)?;
    refuse!(if t.rank().is_some_and(|r| r != 1), "repeat_interleave only accept 1D vector as repeat");
    refuse!(NotImplemented if t.dtype.is_some_and(|d| d != DType::I64 && d != DType::I32),
        "\"repeat_interleave_cpu\" not implemented for '{}'", t.dtype.map_or("Float", DType::graph_name));
    like(&t, Some(smallvec![args.size(1)]))
}

/// (self, shifts, dims).
pub fn roll(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    let (Some(shifts), Some(dims)) = (args.sizes(1), args.ints(2)) else {
        return like(&t, t.sizes.clone());
    };
    refuse!(if shifts.is_empty(), "`shifts` required");
    if dims.is_empty() && shifts.len() == 1 {
        return like(&t, t.sizes.clone());
    }
    refuse!(if shifts.len() != dims.len(),
        "shifts and dimensions must align. shifts: {}, dims:{}", shifts.len(), dims.len());
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
    let t = args.tensor(0)?;
    let (Some(sizes), Some(k), Some(dims)) = (&t.sizes, args.int(1), args.ints(2)) else {
        return like(&t, None);
    };
    refuse!(if dims.len() != 2, "expected total rotation dims == 2, but got dims = {}", dims.len());
    refuse!(if sizes.len() < 2, "expected total dims >= 2, but got total dims = {}", sizes.len());
    refuse!(if dims[0] == dims[1] || dims[0].abs_diff(dims[1]) == sizes.len() as u64,
        "expected rotation dims to be different, but got dim0 = {} and dim1 = {}", dims[0], dims[1]);
    let (a, b) = (wrap_dim(dims[0], sizes.len())?, wrap_dim(dims[1], sizes.len())?);
    let mut sizes = sizes.clone();
    if k % 2 != 0 {
        sizes.swap(a, b);
    }
    like(&t, Some(sizes))
}

/// (self, diagonal).
pub fn diag(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    let offset = args.int(1);
    match t.sizes.as_deref() {
        Some([n]) => {
            let side = offset.map_or(Size::Unknown, |o| n.plus(o.saturating_abs()));
            like(&t, Some(smallvec![side, side]))
        }
        Some([_, _]) => {
            let dims = [args[0].clone(), args.meta(1).clone(), Meta::Int(Size::Known(0)), Meta::Int(Size::Known(1))];
            super::view::diagonal(&dims)
        }
        Some(other) => Err(ShapeError::runtime(format!("diag(): Supports 1D or 2D tensors. Got {}D", other.len()))),
        None => like(&t, None),
    }
}

/// (self, offset, dim1, dim2).
pub fn diag_embed(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    let (Some(sizes), Some(a), Some(b)) = (&t.sizes, args.int(2), args.int(3)) else {
        return like(&t, None);
    };
    let rank = sizes.len() + 1;
    let (first, second) = (wrap_dim(a, rank)?, wrap_dim(b, rank)?);
    refuse!(if first == second, "diagonal dimensions cannot be identical {a}, {b}");
    let side = match (sizes.last(), args.int(1)) {
        (Some(n), Some(o)) => n.plus(o.saturating_abs()),
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
    let t = args.tensor(0)?;
    let inner: Vec<Meta> = args.iter().enumerate().filter(|(i, _)| *i != 1).map(|(_, m)| m.clone()).collect();
    describe(&inner)?;
    like(&t, t.sizes.clone())
}

rules! {
    /// (self, src, dim, index).
    select_scatter = scattered, super::view::select_view;
    /// (self, src, dim, start, end, step).
    slice_scatter = scattered, super::view::slice_view;
    /// (self, src, offset, dim1, dim2).
    diagonal_scatter = scattered, super::view::diagonal_view;
    /// (self, src, size, stride, storage_offset).
    as_strided_scatter = scattered, super::view::as_strided_view;
}

/// (self, fill_value, wrap).
pub fn fill_diagonal(args: &[Meta]) -> RuleResult {
    let Some(t) = tensor_at(args, 0) else { return Ok(smallvec![Meta::Unknown]) };
    if let Some(sizes) = &t.sizes {
        refuse!(if sizes.len() < 2, "dimensions must larger than 1");
        refuse!(if sizes.len() > 2 && sizes.iter().any(|s| s.differs(sizes[0])),
            "all dimensions of input must be of equal length");
    }
    like(t, t.sizes.clone())
}

/// (tensors, dim, num_chunks): sizes before `dim` stay; then the chunks, and what one chunk of all tensors holds.
pub fn chunk_cat(a: &[Meta]) -> RuleResult {
    let (Some(list), Some(dim), Some(chunks)) = (a.tensors(0)?, a.int(1), a.int(2)) else {
        return Ok(smallvec![Meta::Unknown]);
    };
    let Some(first) = list.first() else {
        return Err(ShapeError::runtime("_chunk_cat expects a non-empty input tensor list"));
    };
    refuse!(if chunks < 1, "_chunk_cat expects positive num_chunks");
    refuse!(if list.iter().any(|t| t.numel() == Size::Known(0)), "_chunk_cat expects non-empty tensor");
    let Some(sizes) = &first.sizes else { return first.sized(None) };
    if dim < 0 && list.iter().any(|t| t.rank().is_some_and(|r| r != sizes.len())) {
        let text = "_chunk_cat expects non-negative dim when input tensors have different ndims";
        return Err(ShapeError::runtime(text));
    }
    let dim = wrap_dim(dim, sizes.len())?;
    let mut width = Size::Known(0);
    for t in &list {
        let Some(s) = t.sizes.as_ref().filter(|s| s.len() > dim) else { return first.sized(None) };
        let rows = s[dim].map(|n| (n + chunks - 1) / chunks);
        width = width.plus(s[dim + 1..].iter().fold(rows, |p, n| p.times(*n)));
    }
    let mut out: Sizes = sizes[..dim].into();
    out.extend([Size::Known(chunks), width]);
    first.sized(Some(out))
}

/// (grad_in, input_sizes, dim, size, step).
pub fn unfold_backward(a: &[Meta]) -> RuleResult {
    match a.int(4) {
        Some(step) if step <= 0 => Err(ShapeError::of(ErrorKind::Value, format!("step is {step} but must be > 0"))),
        _ => super::like::sized_by_second(a),
    }
}

/// Matrices in the corners of one another: what has less than two dimensions is a row.
pub fn block_diag(a: &[Meta]) -> RuleResult {
    let Some(blocks) = a.tensors(0)? else { return one(None, None) };
    let (mut sizes, mut dtype) = ([Size::Known(0); 2], blocks.first().and_then(|t| t.dtype));
    for (i, block) in blocks.iter().enumerate() {
        let Some(rank) = block.rank() else { return one(dtype, None) };
        refuse!(if rank > 2,
            "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {rank} dimensions");
        dtype = match (dtype, block.dtype) {
            (Some(d), Some(e)) => Some(promote_types(d, e)?),
            _ => None,
        };
        for (d, total) in sizes.iter_mut().enumerate() {
            let at = (rank + d).checked_sub(2);
            *total = total.plus(at.map_or(Size::Known(1), |at| block.size(at)));
        }
    }
    one(dtype, Some(sizes.as_slice().into()))
}

/// All tuples of elements of vectors; one vector is its own product.
pub fn cartesian_prod(a: &[Meta]) -> RuleResult {
    let Some(vectors) = a.tensors(0)? else { return one(None, None) };
    let dtype = vectors.first().and_then(|t| t.dtype);
    if let [only] = vectors.as_slice() {
        return one(dtype, only.sizes.clone());
    }
    let count = vectors.iter().fold(Size::Known(1), |n, t| n.times(t.numel()));
    one(dtype, Some(smallvec![count, Size::Known(vectors.len() as i64)]))
}

/// (self, r, with_replacement): tuples of `r` elements of a vector, in its order.
pub fn combinations(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let (Some(r), Some(again)) = (a.int(1), a.bool(2)) else { return one(t.dtype, None) };
    refuse!(if r < 0, "Expect a non-negative number, but got {r}");
    let count = match (t.numel(), r) {
        (Size::Known(n), r) if !again && r > n => Size::Known(0),
        (_, 0) => return one(t.dtype, Some(smallvec![Size::Known(0)])),
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
    one(t.dtype, Some(smallvec![count, Size::Known(r)]))
}

/// (self, offset): a square with the elements on a diagonal.
pub fn diagflat(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let side = a.int(1).map_or(Size::Unknown, |offset| t.numel().plus(Size::Known(offset.saturating_abs())));
    one(t.dtype, Some(smallvec![side, side]))
}
