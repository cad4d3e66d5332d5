//! Sizes and dtypes of tensors joined, repeated, turned and cut to triangles.

use super::args::*;
use super::view::replaced;

/// An empty vector joins with anything, for old programs' sake.
fn is_skipped(sizes: &[Size]) -> bool {
    *sizes == [Size::Known(0)]
}

/// Sizes of the tensors joined along a dimension.
fn joined_along(shapes: &[Sizes], dim: i64) -> Result<Sizes, ShapeError> {
    refuse!(if let Some(i) = shapes.iter().position(|s| s.is_empty()),
        "zero-dimensional tensor (at position {i}) cannot be concatenated");
    let mut all = shapes.iter().enumerate().filter(|(_, s)| !is_skipped(s));
    let Some((_, first)) = all.next() else { return Ok(smallvec![Size::Known(0)]) };
    let d = wrap_dim(dim, first.len())?;
    let mut out = first.clone();
    for (i, s) in all {
        refuse!(if s.len() != first.len(),
            "Tensors must have same number of dimensions: got {} and {}", first.len(), s.len());
        for k in 0..s.len() {
            refuse!(if let (Size::Known(want), Size::Known(have)) = (first[k], s[k]), k != d && want != have,
                "Sizes of tensors must match except in dimension {d}. Expected size {want} but got size {have} for tensor number {i} in the list.");
            out[k] = if k == d { out[k].plus(s[k]) } else { out[k].or(s[k]) };
        }
    }
    Ok(out)
}

fn cat_of(tensors: &[TensorMeta], dim: Int) -> RuleResult {
    let dtype = common_of(tensors)?;
    let shapes: Option<Vec<Sizes>> = tensors.iter().map(|t| t.sizes.clone()).collect();
    one(dtype, shapes.zip(dim).map(|(shapes, dim)| joined_along(&shapes, dim)).transpose()?)
}

pub fn cat(tensors: Vec<TensorMeta>, dim: Int) -> RuleResult {
    refuse!(Value if tensors.is_empty(), "torch.cat(): expected a non-empty list of Tensors");
    cat_of(&tensors, dim)
}

pub fn stack(tensors: Vec<TensorMeta>, dim: Int) -> RuleResult {
    let Some(first) = tensors.first() else { return error("stack expects a non-empty TensorList") };
    let dtype = common_of(&tensors)?;
    let (Some(mut sizes), Some(dim)) = (first.sizes.clone(), dim) else { return one(dtype, None) };
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

fn lifted_cat(mut tensors: Vec<TensorMeta>, lift: Lift, name: &str) -> RuleResult {
    refuse!(if tensors.is_empty(), "{name} expects a non-empty TensorList");
    for t in &mut tensors {
        t.sizes = t.sizes.as_ref().map(|s| lifted(s, lift));
    }
    let dim = tensors[0].rank().map(|rank| lift_dim(lift, rank));
    cat_of(&tensors, dim)
}

/// At least `rank` dimensions.
fn at_least(t: TensorMeta, rank: usize, message: &str) -> RuleResult {
    refuse!(if t.rank().is_some_and(|r| r < rank), "{message}");
    t.sized(t.sizes.clone())
}

rules! {
    hstack = lifted_cat, Lift::Horizontal, "hstack"; vstack = lifted_cat, Lift::Vertical, "vstack";
    dstack = lifted_cat, Lift::Depth, "dstack"; column_stack = lifted_cat, Lift::Columns, "column_stack";
    fliplr = at_least, 2, "Input must be >= 2-d."; flipud = at_least, 1, "Input must be >= 1-d.";
    tril = at_least, 2, "tril: input tensor must have at least 2 dimensions";
    triu = at_least, 2, "triu: input tensor must have at least 2 dimensions";
    /// (self, src, …): the part that the source replaces is there.
    select_scatter = scattered, super::view::select as Rule; slice_scatter = scattered, super::view::slice as Rule;
    diagonal_scatter = scattered, super::view::diagonal as Rule; as_strided_scatter = scattered, super::view::as_strided as Rule;
}

pub fn flip(t: TensorMeta, dims: Dims) -> RuleResult {
    dims.zip(t.rank()).map_or(Ok(()), |(dims, rank)| dimension_set(&dims, rank).map(drop))?;
    t.sized(t.sizes.clone())
}

fn repeated(t: &TensorMeta, repeats: &[Size]) -> RuleResult {
    let Some(sizes) = &t.sizes else { return t.sized(None) };
    let skip = repeats.len() - sizes.len();
    let size = |d: usize| if d < skip { repeats[d] } else { sizes[d - skip].times(repeats[d]) };
    t.sized(Some(countable((0..repeats.len()).map(size).collect())?))
}

pub fn repeat(t: TensorMeta, repeats: Sizes) -> RuleResult {
    refuse!(if t.rank().is_some_and(|rank| repeats.len() < rank),
        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
    repeated(&t, &repeats)
}

pub fn tile(t: Ranked, dims: Sizes) -> RuleResult {
    let ones = std::iter::repeat_n(Size::Known(1), t.sizes.len().saturating_sub(dims.len()));
    repeated(&t, &ones.chain(dims).collect::<Sizes>())
}

pub fn repeat_interleave_int(t: TensorMeta, repeats: Size, dim: Meta) -> RuleResult {
    refuse!(if repeats.known().is_some_and(|n| n < 0), "Repeats must be non-negative");
    let of_number = |_| "Dimension out of range (expected to be in range of [-1, 0], but got 1)".to_owned();
    interleaved(&t, &dim, |size| size.times(repeats), of_number)
}

/// How often is in a tensor.
pub fn repeat_interleave_tensor(t: TensorMeta, _: Skip<1>, dim: Meta, output_size: Size) -> RuleResult {
    let of_number = |dim| format!("Dimension specified as {dim} but tensor has no dimensions");
    interleaved(&t, &dim, |_| output_size, of_number)
}

fn interleaved(
    t: &TensorMeta,
    dim: &Meta,
    times: impl Fn(Size) -> Size,
    of_number: impl Fn(i64) -> String,
) -> RuleResult {
    let Some(sizes) = &t.sizes else { return t.sized(None) };
    if dim.is_none() {
        return t.sized(Some(smallvec![times(product(sizes))]));
    }
    let Some(dim) = dim.int() else { return t.sized(None) };
    let d = wrap_dim(dim, sizes.len())?;
    refuse!(Index if sizes.is_empty(), "{}", of_number(dim));
    t.sized(Some(replaced(sizes, d, times(sizes[d]))))
}

pub fn repeat_interleave_counts(t: TensorMeta, output_size: Size) -> RuleResult {
    refuse!(if t.rank_not(1).is_some(), "repeat_interleave only accept 1D vector as repeat");
    kernel("repeat_interleave_cpu", t.dtype, |d| matches!(d, DType::I64 | DType::I32))?;
    t.sized(Some(smallvec![output_size]))
}

pub fn roll(t: TensorMeta, shifts: List, dims: Dims) -> RuleResult {
    if let (Some(shifts), Some(dims)) = (shifts, dims) {
        refuse!(if shifts.is_empty(), "`shifts` required");
        let flat = dims.is_empty() && shifts.len() == 1;
        refuse!(if !flat && shifts.len() != dims.len(),
            "shifts and dimensions must align. shifts: {}, dims:{}", shifts.len(), dims.len());
        // Where there is nothing to roll nobody looks.
        if let Some(rank) = t.rank().filter(|_| !t.is_empty()) {
            dims.iter().try_for_each(|d| existing_dimension(*d, rank).map(drop))?;
        }
    }
    t.sized(t.sizes.clone())
}

pub fn rot90(t: Ranked, k: i64, dims: Ints) -> RuleResult {
    let n = t.sizes.len();
    refuse!(if dims.len() != 2, "expected total rotation dims == 2, but got dims = {}", dims.len());
    refuse!(if n < 2, "expected total dims >= 2, but got total dims = {n}");
    refuse!(if dims[0] == dims[1] || dims[0].abs_diff(dims[1]) == n as u64,
        "expected rotation dims to be different, but got dim0 = {} and dim1 = {}", dims[0], dims[1]);
    let (a, b) = (wrap_dim(dims[0], n)?, wrap_dim(dims[1], n)?);
    let mut sizes = t.sizes.clone();
    if k % 2 != 0 {
        sizes.swap(a, b);
    }
    t.sized(Some(sizes))
}

/// A side as long as a diagonal and what it is off.
fn side(length: Size, offset: Int) -> Size {
    offset.map_or(Size::Unknown, |offset| length.plus(offset.saturating_abs()))
}

pub fn diag(t: Ranked, offset: Int) -> RuleResult {
    match &t.sizes[..] {
        [n] => t.sized(Some(smallvec![side(*n, offset); 2])),
        [_, _] => t.sized(Some(super::view::diagonal_view(t.sizes.clone(), offset, 0, 1)?.sizes())),
        other => error(format!("diag(): Supports 1D or 2D tensors. Got {}D", other.len())),
    }
}

pub fn diag_embed(t: Ranked, offset: Int, dim1: i64, dim2: i64) -> RuleResult {
    let rank = t.sizes.len() + 1;
    let (first, second) = (wrap_dim(dim1, rank)?, wrap_dim(dim2, rank)?);
    refuse!(if first == second, "diagonal dimensions cannot be identical {dim1}, {dim2}");
    let mut out: Sizes = t.sizes[..rank.saturating_sub(2)].into();
    out.insert(first.min(second), side(t.last(), offset));
    out.insert(first.max(second), side(t.last(), offset));
    t.sized(Some(out))
}

/// A tensor whose part, as a view operator describes it with the arguments after `src`, takes the source's place. That the source has the part's
/// sizes is the kernel's to check: PyTorch's inference does not.
fn scattered(args: &[Meta], part: Rule) -> RuleResult {
    let t = args.tensor(0)?;
    let inner: Vec<Meta> = args.iter().enumerate().filter(|(i, _)| *i != 1).map(|(_, m)| m.clone()).collect();
    part(&inner)?;
    t.sized(t.sizes.clone())
}

pub fn fill_diagonal(t: TensorMeta) -> RuleResult {
    if let Some(sizes) = &t.sizes {
        refuse!(if sizes.len() < 2, "dimensions must larger than 1");
        refuse!(if sizes.len() > 2 && sizes.iter().any(|s| s.differs(sizes[0])),
            "all dimensions of input must be of equal length");
    }
    t.sized(t.sizes.clone())
}

/// Sizes before `dim` stay; then the chunks, and what one chunk of all tensors holds.
pub fn chunk_cat(list: Tensors, dim: Int, chunks: Int) -> RuleResult {
    let (Some(list), Some(dim), Some(chunks)) = (list, dim, chunks) else { return Ok(smallvec![Meta::Unknown]) };
    let Some(first) = list.first() else { return error("_chunk_cat expects a non-empty input tensor list") };
    refuse!(if chunks < 1, "_chunk_cat expects positive num_chunks");
    refuse!(if list.iter().any(TensorMeta::is_empty), "_chunk_cat expects non-empty tensor");
    let Some(sizes) = &first.sizes else { return first.sized(None) };
    refuse!(if dim < 0 && list.iter().any(|t| t.rank_not(sizes.len()).is_some()),
        "_chunk_cat expects non-negative dim when input tensors have different ndims");
    let dim = wrap_dim(dim, sizes.len())?;
    let mut width = Size::Known(0);
    for t in &list {
        let Some(s) = t.sizes.as_ref().filter(|s| s.len() > dim) else { return first.sized(None) };
        let rows = s[dim].map(|n| (n + chunks - 1) / chunks);
        width = width.plus(s[dim + 1..].iter().fold(rows, |p, n| p.times(*n)));
    }
    first.sized(Some(sizes[..dim].iter().copied().chain([Size::Known(chunks), width]).collect()))
}

pub fn unfold_backward(t: TensorMeta, sizes: List, _: Skip<2>, step: Int) -> RuleResult {
    refuse!(Value if let Some(step) = step, step <= 0, "step is {step} but must be > 0");
    one(t.dtype, sizes)
}

/// Matrices in the corners of one another: what has less than two dimensions is a row.
pub fn block_diag(blocks: Vec<TensorMeta>) -> RuleResult {
    let (mut sizes, mut dtype) = ([Size::Known(0); 2], blocks.first().and_then(|t| t.dtype));
    for (i, block) in blocks.iter().enumerate() {
        let Some(rank) = block.rank() else { return one(dtype, None) };
        refuse!(if rank > 2,
            "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {rank} dimensions");
        dtype = dtype.zip(block.dtype).map(|(d, e)| promote_types(d, e)).transpose()?;
        for (d, total) in sizes.iter_mut().enumerate() {
            let at = (rank + d).checked_sub(2);
            *total = total.plus(at.map_or(Size::Known(1), |at| block.size(at)));
        }
    }
    one(dtype, Some(sizes.as_slice().into()))
}

/// All tuples of elements of vectors; one vector is its own product.
pub fn cartesian_prod(vectors: Vec<TensorMeta>) -> RuleResult {
    let dtype = vectors.first().and_then(|t| t.dtype);
    if let [only] = vectors.as_slice() {
        return one(dtype, only.sizes.clone());
    }
    let count = vectors.iter().fold(Size::Known(1), |n, t| n.times(t.numel()));
    one(dtype, Some(smallvec![count, Size::Known(vectors.len() as i64)]))
}

/// Tuples of `r` elements of a vector, in its order; elements may come again.
pub fn combinations(t: TensorMeta, r: Int, again: Flag) -> RuleResult {
    let (Some(r), Some(again)) = (r, again) else { return one(t.dtype, None) };
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

/// A square with the elements on a diagonal.
pub fn diagflat(t: TensorMeta, offset: Int) -> RuleResult {
    one(t.dtype, Some(smallvec![side(t.numel(), offset); 2]))
}
